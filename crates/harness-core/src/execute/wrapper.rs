//! [`Wrapper`]: a station around the body, such as a sandbox, a timeout or a retry.

use super::execution::Execution;
use super::result::ToolResult;
use crate::guard::StationError;
use crate::signal::Signal;

/// The rest of the chain, the body innermost.
pub trait Next {
    /// Runs the rest under this signal. The caller's own signal is joined to it before the
    /// body, whatever is passed here. Each run passes all inner wrappers again, so that a
    /// sandbox inside of a retry holds for every attempt.
    ///
    /// # Errors
    /// When an inner wrapper broke.
    fn run(&mut self, signal: &dyn Signal) -> Result<ToolResult, StationError>;
}

/// A station around the body.
pub trait Wrapper {
    /// Runs the rest of the chain any number of times, or gives a result of its own.
    ///
    /// # Errors
    /// When the wrapper broke; the call then ends as a failure.
    fn wrap(
        &self,
        execution: &Execution<'_>,
        signal: &dyn Signal,
        next: &mut dyn Next,
    ) -> Result<ToolResult, StationError>;
}
