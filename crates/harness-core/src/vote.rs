//! [`Vote`] and [`Answer`]: what a pre-execute listener may say.

use crate::reason::Reason;

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
}
