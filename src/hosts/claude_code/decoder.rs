//! The client's side of the contract: which hooks it would start, and what it would
//! make of their answers, by version.
//!
//! A model of measured behaviour, without effects: doctor and demo start hooks and let
//! this say what the client would have done. Where a version between two measured ones
//! is concerned, the behaviour that protects less is assumed.

pub mod answer;
pub mod handler;
pub mod matcher;
pub mod pattern;
pub mod schema;
pub mod scope;
pub mod version;

pub use answer::{Decision, Decoded, End, Ended, Handling, ReasonFrom, Shape, decode};
pub use handler::{Handler, OnFailure};
pub use matcher::Fires;
pub use scope::{Effective, File, FileState, Scope, Switch, Switches, effective};
pub use version::Version;
