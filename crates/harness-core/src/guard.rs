//! [`Guard`]: a check that can deny or stay silent. Consent cannot be written.

use crate::call::ToolCall;
use crate::reason::{Reason, RuleId};
use crate::world::World;
use alloc::borrow::Cow;

/// A guard's denial. There is no other value a guard could return.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Denial(Reason);

impl Denial {
    /// A denial for this reason.
    #[must_use]
    pub const fn new(reason: Reason) -> Self {
        Self(reason)
    }

    /// Why.
    #[must_use]
    pub const fn reason(&self) -> &Reason {
        &self.0
    }

    /// Why, by value.
    #[must_use]
    pub fn into_reason(self) -> Reason {
        self.0
    }
}

/// A station (listener, guard, wrapper, post listener) failed. On the way to a
/// tool this always ends as a denial; it never lets a call pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StationError {
    /// The station that failed.
    pub station: RuleId,
    /// What went wrong, for a person.
    pub message: Cow<'static, str>,
}

impl StationError {
    /// A failure of `station`.
    #[must_use]
    pub fn new(station: RuleId, message: impl Into<Cow<'static, str>>) -> Self {
        Self { station, message: message.into() }
    }
}

/// A monotone guard: it sees the sealed call and may deny it. The order in which
/// guards run never changes whether a call is denied.
pub trait Guard {
    /// `Some` denies, `None` is silence, an error denies.
    ///
    /// # Errors
    /// When the guard itself could not do its work.
    fn check(&self, call: &ToolCall<'_>, world: &dyn World)
    -> Result<Option<Denial>, StationError>;
}
