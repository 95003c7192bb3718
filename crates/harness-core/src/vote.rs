//! [`Vote`] and [`Answer`]: what a pre-execute listener may say.

use crate::reason::{Reason, RuleId};

/// A settled vote of a pre-execute listener.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Vote {
    /// No objection, and no later listener *of the same layer* is asked.
    Allow,
    /// A person must agree first.
    Ask(Reason),
    /// Not this call.
    Deny(Reason),
}

/// A listener's answer: a vote, or the word to the next listener.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// This listener has no opinion.
    Next,
    /// This listener settles its layer.
    Settled(Vote),
    /// As `Settled(Vote::Allow)`, naming the rule that allows, so that it can be shown
    /// who let the call through this layer.
    AllowedBy(RuleId),
}

/// The answer of a listener that comes from a project file. It has no value that
/// allows, so a repository cannot loosen what a person decided, whatever it writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProjectAnswer {
    /// This listener has no opinion.
    Next,
    /// A person must agree first.
    Ask(Reason),
    /// Not this call.
    Deny(Reason),
}
