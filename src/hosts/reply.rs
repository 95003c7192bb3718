//! What harness tells a host.

/// What an answer says, host-neutral. `context` travels with any of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outbound {
    /// The decision.
    pub decision: Decision,
    /// Text for the model, most important first; empty for none.
    pub context: String,
}

/// The decision of an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Decision {
    /// Nothing to say: the host's own flow goes on.
    #[default]
    Silence,
    /// A person must agree (only where host, version and mode are known to prompt).
    Ask(String),
    /// Stop it: the call on PreToolUse, the change on ConfigChange.
    Deny(String),
    /// After the fact: tell the model its result is not to be used.
    Block(String),
    /// After the fact: put this JSON in the place of the result, in the tool's own shape.
    Replace(Vec<u8>),
}

impl Decision {
    /// The word for it in records.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Silence => "none",
            Self::Ask(_) => "ask",
            Self::Deny(_) => "deny",
            Self::Block(_) => "block",
            Self::Replace(_) => "replace",
        }
    }
}

/// The bytes of an answer and how the process ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// Standard output, exactly.
    pub stdout: Vec<u8>,
    /// Standard error, exactly.
    pub stderr: Vec<u8>,
    /// Exit code.
    pub code: u8,
}
