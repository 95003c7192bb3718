//! Several calls of one step: in the model's order, one result each.

use crate::call::ToolCall;
use crate::pipeline::{Outcome, Pipeline};
use crate::signal::Signal;
use alloc::vec::Vec;

/// Told before each call and after each result, in the model's order; every call has
/// exactly one result.
pub trait BatchLog {
    /// A call is about to begin.
    fn call(&mut self, call: &ToolCall<'_>);
    /// It has ended.
    fn result(&mut self, call: &ToolCall<'_>, outcome: &Outcome);
}

/// Runs calls one after the other. After a cancellation nothing starts any more: each
/// call that is left still gets its pair, its result being `ABORTED_BEFORE_DISPATCH`,
/// which is what the pipeline gives a call whose signal is aborted.
pub fn run_batch(
    pipeline: &Pipeline<'_>,
    calls: &[ToolCall<'_>],
    caller: &dyn Signal,
    log: &mut dyn BatchLog,
) -> Vec<Outcome> {
    calls
        .iter()
        .map(|call| {
            log.call(call);
            let outcome = pipeline.run(call, caller);
            log.result(call, &outcome);
            outcome
        })
        .collect()
}
