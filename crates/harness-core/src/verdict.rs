//! [`Verdict`]: what comes of a call before its body runs.

use crate::reason::Reason;

/// The verdict on a call. Private inside, so that the one way to change it is
/// [`Verdict::tighten`], which never loosens: deny > ask > no objection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict(Inner);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Inner {
    NoObjection,
    Ask(Reason),
    Deny(Reason),
}

/// What a [`Verdict`] holds, to match on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VerdictView<'a> {
    /// harness is silent; the host's own permission flow goes on.
    NoObjection,
    /// A person must agree.
    Ask(&'a Reason),
    /// The call is stopped.
    Deny(&'a Reason),
}

impl Verdict {
    /// No objection: where every decision starts.
    #[must_use]
    pub const fn no_objection() -> Self {
        Self(Inner::NoObjection)
    }

    /// A verdict that asks.
    #[must_use]
    pub const fn ask(reason: Reason) -> Self {
        Self(Inner::Ask(reason))
    }

    /// A verdict that denies.
    #[must_use]
    pub const fn deny(reason: Reason) -> Self {
        Self(Inner::Deny(reason))
    }

    /// The stricter of the two; the earlier one where they are equally strict.
    #[must_use]
    pub fn tighten(self, other: Self) -> Self {
        if other.strictness() > self.strictness() { other } else { self }
    }

    /// What it says.
    #[must_use]
    pub const fn view(&self) -> VerdictView<'_> {
        match &self.0 {
            Inner::NoObjection => VerdictView::NoObjection,
            Inner::Ask(r) => VerdictView::Ask(r),
            Inner::Deny(r) => VerdictView::Deny(r),
        }
    }

    /// The word used in every output: `none`, `ask` or `deny`.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match &self.0 {
            Inner::NoObjection => "none",
            Inner::Ask(_) => "ask",
            Inner::Deny(_) => "deny",
        }
    }

    /// Whether the call is stopped.
    #[must_use]
    pub const fn is_deny(&self) -> bool {
        matches!(self.0, Inner::Deny(_))
    }

    /// The reason, if there is an objection.
    #[must_use]
    pub const fn reason(&self) -> Option<&Reason> {
        match &self.0 {
            Inner::NoObjection => None,
            Inner::Ask(r) | Inner::Deny(r) => Some(r),
        }
    }

    const fn strictness(&self) -> u8 {
        match &self.0 {
            Inner::NoObjection => 0,
            Inner::Ask(_) => 1,
            Inner::Deny(_) => 2,
        }
    }
}
