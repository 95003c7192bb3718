//! [`Observer`]: sees what came of a call, once, and changes nothing.

use crate::call::Identity;
use crate::execute::{Execution, ToolResult};
use crate::guard::StationError;
use crate::settle::Settled;

/// The frozen outcome of a call.
#[derive(Clone, Copy)]
pub struct Seen<'o> {
    /// Who called.
    pub identity: &'o Identity<'o>,
    /// The execution; `None` where the arguments were no JSON and no call came to be.
    pub execution: Option<&'o Execution<'o>>,
    /// The verdict before anyone was asked; `None` if the call did not come so far.
    pub settled: Option<&'o Settled>,
    /// The result.
    pub result: &'o ToolResult,
}

/// A station behind everything: a journal, metrics, a heartbeat. It is told after the last
/// change, outside of every error boundary, exactly once on every path.
pub trait Observer {
    /// Takes note.
    ///
    /// # Errors
    /// What an observer could not do is reported with the outcome; it changes neither the
    /// result nor whether other observers are told.
    fn observe(&self, seen: &Seen<'_>) -> Result<(), StationError>;
}
