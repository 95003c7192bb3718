//! [`Retry`]: the body again, if its result says that this may help.

use super::execution::Execution;
use super::result::ToolResult;
use super::wrapper::{Next, Wrapper};
use crate::guard::StationError;
use crate::signal::Signal;

/// The wrapper. What may be repeated is for the tool's owner to say: nothing is retried
/// by itself, and nothing after a cancellation.
#[derive(Clone, Copy)]
pub struct Retry<'r> {
    attempts: u32,
    retryable: &'r dyn Fn(&ToolResult) -> bool,
}

impl<'r> Retry<'r> {
    /// At most this many attempts (at least one), while results are retryable.
    #[must_use]
    pub const fn new(attempts: u32, retryable: &'r dyn Fn(&ToolResult) -> bool) -> Self {
        Self { attempts, retryable }
    }
}

impl Wrapper for Retry<'_> {
    fn wrap(
        &self,
        _: &Execution<'_>,
        signal: &dyn Signal,
        next: &mut dyn Next,
    ) -> Result<ToolResult, StationError> {
        let mut result = next.run(signal)?;
        for _ in 1..self.attempts {
            if signal.aborted() || !result.is_error() || !(self.retryable)(&result) {
                break;
            }
            result = next.run(signal)?;
        }
        Ok(result)
    }
}
