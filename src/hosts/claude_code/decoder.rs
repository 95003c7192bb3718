//! The client's side of the contract: whether an entry fires, and what the client makes
//! of the answer, by version.
//!
//! A model of measured behaviour, without effects: doctor and demo start hooks and let
//! this say what the client would have done. Where a version between two measured ones
//! is concerned, the behaviour that protects less is assumed.

pub mod answer;
pub mod matcher;
pub mod pattern;
pub mod shape;
pub mod since;

pub use answer::{
    CONTEXT_LIMIT, Decision, Decoded, End, Ended, Handling, ReasonFrom, Shape, decode,
};
pub use matcher::{Fires, fires};
pub use since::Since;
