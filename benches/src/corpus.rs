//! Calls that others have judged, and how the packs judge them.

mod case;
mod kinds;
mod report;
mod runner;

pub use case::{Case, Expected};
pub use kinds::{KINDS, Kind};
pub use report::Report;
pub use runner::{Runner, Said};
