//! [`Timeout`]: a deadline around the body, with a timer of its own.

use super::execution::Execution;
use super::failure::{Code, Failure};
use super::result::ToolResult;
use super::wrapper::{Next, Wrapper};
use crate::guard::StationError;
use crate::signal::{Clock, Signal};
use alloc::format;
use core::cell::Cell;
use core::fmt;
use core::num::NonZeroU64;

/// A tool's time budget: a positive, finite number of milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget(NonZeroU64);

/// A number that is no time budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BudgetError;

impl fmt::Display for BudgetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a timeout must be a positive, finite number of milliseconds")
    }
}

impl core::error::Error for BudgetError {}

impl Budget {
    /// A budget in milliseconds.
    ///
    /// # Errors
    /// For zero.
    pub const fn from_ms(ms: u64) -> Result<Self, BudgetError> {
        match NonZeroU64::new(ms) {
            Some(ms) => Ok(Self(ms)),
            None => Err(BudgetError),
        }
    }

    /// A budget in milliseconds as a configuration spells it; parts of a millisecond round
    /// up.
    ///
    /// # Errors
    /// For zero, negative numbers, NaN, infinity and what no clock can count.
    pub fn from_ms_f64(ms: f64) -> Result<Self, BudgetError> {
        // 2^53: above it not every whole number is a float.
        if !(ms > 0.0 && ms <= 9_007_199_254_740_992.0) {
            return Err(BudgetError);
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "positive and below 2^53, as checked above"
        )]
        let whole = ms as u64;
        #[expect(clippy::cast_precision_loss, reason = "below 2^53, as checked above")]
        let exact = whole as f64 >= ms;
        Self::from_ms(if exact { whole } else { whole.saturating_add(1) })
    }

    /// The budget in milliseconds.
    #[must_use]
    pub const fn ms(self) -> u64 {
        self.0.get()
    }
}

/// The wrapper. It never abandons a body: it aborts its signal and waits.
#[derive(Clone, Copy)]
pub struct Timeout<'t> {
    budget: Budget,
    clock: &'t dyn Clock,
}

impl<'t> Timeout<'t> {
    /// A timeout of this budget on this clock.
    #[must_use]
    pub const fn new(budget: Budget, clock: &'t dyn Clock) -> Self {
        Self { budget, clock }
    }
}

impl Wrapper for Timeout<'_> {
    fn wrap(
        &self,
        _: &Execution<'_>,
        signal: &dyn Signal,
        next: &mut dyn Next,
    ) -> Result<ToolResult, StationError> {
        let due = self.clock.now_ms().saturating_add(self.budget.ms());
        let deadline = Deadline { outer: signal, clock: self.clock, due, fired: Cell::new(false) };
        let result = next.run(&deadline)?;
        deadline.aborted();
        if !deadline.fired.get() {
            return Ok(result);
        }
        let failure = Failure::new(format!("timed out after {} ms", self.budget.ms()));
        Ok(result.failed(failure.coded(Code::ToolTimeout)))
    }
}

/// The outer signal or the timer. The timer counts as fired only if it was due before the
/// outer signal was seen aborted, so that a cancel is never told as a timeout.
struct Deadline<'d> {
    outer: &'d dyn Signal,
    clock: &'d dyn Clock,
    due: u64,
    fired: Cell<bool>,
}

impl Signal for Deadline<'_> {
    fn aborted(&self) -> bool {
        if self.fired.get() || self.outer.aborted() {
            return true;
        }
        self.fired.set(self.clock.now_ms() >= self.due);
        self.fired.get()
    }
}

#[cfg(test)]
mod tests {
    use super::Budget;

    #[test]
    fn p36_only_positive_finite_budgets() {
        for ms in [0.0, -1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300] {
            assert!(Budget::from_ms_f64(ms).is_err(), "{ms}");
        }
        assert!(Budget::from_ms(0).is_err());
        assert_eq!(Budget::from_ms_f64(0.25).map(Budget::ms), Ok(1));
        assert_eq!(Budget::from_ms_f64(1500.0).map(Budget::ms), Ok(1500));
    }
}
