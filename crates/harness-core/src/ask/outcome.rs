//! [`AskOutcome`]: how a question ended, and [`Grant`], the proof that one was granted.

/// How a question to a person ended. A closed set: only the first grants, and it grants
/// the one action asked about. Nothing is remembered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AskOutcome {
    /// A person allowed this one call.
    AllowedOnce,
    /// Refused.
    Rejected,
    /// The question was withdrawn before an answer counted.
    Cancelled,
    /// Nobody could be asked.
    Unavailable,
}

impl AskOutcome {
    /// All outcomes.
    pub const ALL: [Self; 4] =
        [Self::AllowedOnce, Self::Rejected, Self::Cancelled, Self::Unavailable];

    /// The word used in the journal.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::AllowedOnce => "allowed-once",
            Self::Rejected => "rejected",
            Self::Cancelled => "cancelled",
            Self::Unavailable => "unavailable",
        }
    }

    /// The outcome a word names; `None` for anything outside the closed set.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|outcome| outcome.word() == word)
    }
}

/// Who ended a question. A person's no has to read differently from a setting's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DecidedBy {
    /// Somebody who was asked.
    Responder,
    /// The policy `never`, or a subagent that may not ask.
    Policy,
    /// The call's own cancellation.
    Signal,
    /// Nobody was there, or what was there did not answer in words we know.
    Nobody,
}

/// Proof that a person allowed one call. Made only by the approval service when a
/// responder says so; it can be neither copied nor built elsewhere, and dispatching the
/// call uses it up.
#[derive(Debug, PartialEq, Eq)]
pub struct Grant {
    made_by_the_service: (),
}

impl Grant {
    /// Uses the grant up: it was for this call alone.
    #[expect(clippy::unused_self, reason = "taking the grant by value is the whole act")]
    pub(crate) const fn spend(self) {}
}

/// The end of a question, as the service gives it.
#[derive(Debug, PartialEq, Eq)]
pub struct Ruling {
    outcome: AskOutcome,
    by: DecidedBy,
}

impl Ruling {
    pub(super) const fn new(outcome: AskOutcome, by: DecidedBy) -> Self {
        Self { outcome, by }
    }

    /// How it ended.
    #[must_use]
    pub const fn outcome(&self) -> AskOutcome {
        self.outcome
    }

    /// Who ended it.
    #[must_use]
    pub const fn by(&self) -> DecidedBy {
        self.by
    }

    /// The grant, if it is one.
    ///
    /// # Errors
    /// The ruling itself, if it grants nothing.
    pub fn grant(self) -> Result<Grant, Self> {
        match self.outcome {
            AskOutcome::AllowedOnce => Ok(Grant { made_by_the_service: () }),
            _ => Err(self),
        }
    }
}
