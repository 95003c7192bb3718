//! The execute stage: a command in the stations' own hands. What it may write is planned
//! here, and held by what [`crate::sys`] has; who decides is `policy`, as everywhere.

pub mod absent;
pub mod backend;
pub mod bubblewrap;
pub mod caches;
pub mod fence;
pub mod git;
pub mod seatbelt;
pub mod station;
pub mod walk;

pub use backend::{Backend, Level, Unavailable};
pub use fence::{Planned, Temp, Wish};
