//! Puts the hooks in, takes them out, and remembers what is ours.
//!
//! The way in: [`prepare`] looks around, [`Prepared::draft`] says what would change,
//! [`Prepared::apply`] does it: write, read again, prove, or take it all back.

pub mod apply;
pub mod backup;
pub mod beside;
pub mod binary;
pub mod clients;
pub mod entries;
pub mod failure;
pub mod in_force;
pub mod leftovers;
pub mod manifest;
pub mod own;
pub mod owner;
pub mod plan;
pub mod proven;
pub mod remove;
pub mod run;
pub mod schedule;
pub mod sessions;
pub mod status;
pub mod surroundings;
pub mod target;
pub mod verify;
pub mod words;

pub use apply::Done;
pub use failure::{Failure, Kind};
pub use plan::{Draft, Prepared, prepare};
pub use surroundings::Surroundings;
