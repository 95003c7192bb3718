//! What the model is told when a question did not end in a yes. Each way has its own
//! words: a person's no must not read like an empty room.

use crate::reason::Reason;
use alloc::format;
use alloc::string::String;

/// Why a question did not end in a yes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Refusal {
    /// A person said no.
    Person,
    /// The approval policy is `never`.
    Never,
    /// The question was withdrawn.
    Withdrawn,
    /// There is a service, and nobody it could reach.
    NoChannel,
    /// Nobody owns the call.
    NoAgent,
    /// There is no service at all.
    NoService,
}

impl Refusal {
    /// All refusals.
    pub const ALL: [Self; 6] = [
        Self::Person,
        Self::Never,
        Self::Withdrawn,
        Self::NoChannel,
        Self::NoAgent,
        Self::NoService,
    ];

    /// The sentence for the model: what happened, then why the question came up.
    #[must_use]
    pub fn sentence(self, tool: &str, asked: &Reason) -> String {
        let why = asked.sentence();
        match self {
            Self::Person => format!("a person refused this `{tool}` call ({why})"),
            Self::Never => format!(
                "this `{tool}` call needs a person's consent ({why}), and this session's \
                 approval policy is `never`: nobody was asked"
            ),
            Self::Withdrawn => {
                format!("the question about this `{tool}` call was withdrawn ({why})")
            }
            Self::NoChannel => format!(
                "this `{tool}` call needs a person's consent ({why}), and no channel can \
                 reach a person now"
            ),
            Self::NoAgent => format!(
                "this `{tool}` call needs a person's consent ({why}), and no agent owns the \
                 call that could ask for it"
            ),
            Self::NoService => format!(
                "this `{tool}` call needs a person's consent ({why}), and asking is not \
                 supported here"
            ),
        }
    }

    /// The denial: the sentence under the rule that asked, with its alternative.
    #[must_use]
    pub fn reason(self, tool: &str, asked: &Reason) -> Reason {
        let reason = Reason::new(asked.rule().clone(), self.sentence(tool, asked));
        match asked.alternative() {
            Some(instead) => reason.instead(String::from(instead)),
            None => reason,
        }
    }
}
