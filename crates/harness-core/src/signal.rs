//! [`Signal`] and [`Clock`]: cancellation and time, which the core cannot make itself.

/// Whether somebody no longer wants the answer. Once aborted, always aborted.
pub trait Signal {
    /// Whether it was aborted.
    fn aborted(&self) -> bool;
}

/// Milliseconds on a clock that never goes back.
pub trait Clock {
    /// Now.
    fn now_ms(&self) -> u64;
}

/// A signal that is never aborted.
#[derive(Clone, Copy, Debug, Default)]
pub struct NeverAborted;

impl Signal for NeverAborted {
    fn aborted(&self) -> bool {
        false
    }
}

/// Two signals as one: aborted when either is.
#[derive(Clone, Copy)]
pub struct Fused<'s>(pub &'s dyn Signal, pub &'s dyn Signal);

impl Signal for Fused<'_> {
    fn aborted(&self) -> bool {
        self.0.aborted() || self.1.aborted()
    }
}
