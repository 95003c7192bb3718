//! [`SandboxMode`] and [`ApprovalPolicy`]: the values of the two knobs, widest last.

/// What the files of the machine may suffer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SandboxMode {
    /// Nothing is written.
    #[default]
    ReadOnly,
    /// The workspace and temp are written.
    WorkspaceWrite,
    /// Everything is.
    DangerFullAccess,
}

/// Whether a person may be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ApprovalPolicy {
    /// Nobody is asked; what needs consent is denied.
    Never,
    /// A person is asked.
    Ask,
}

/// A knob: a closed set of words with a strictest one.
pub trait Knob: Copy + Eq + Sized + 'static {
    /// The event type that sets it.
    const EVENT: &'static str;
    /// All values, strictest first.
    const ALL: &'static [Self];
    /// What an unknown value counts as.
    const STRICTEST: Self;

    /// The word in files and logs.
    fn word(self) -> &'static str;

    /// The value a word names, spelled exactly.
    fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|value| value.word() == word)
    }
}

impl Knob for SandboxMode {
    const EVENT: &'static str = "sandbox/mode";
    const ALL: &'static [Self] = &[Self::ReadOnly, Self::WorkspaceWrite, Self::DangerFullAccess];
    const STRICTEST: Self = Self::ReadOnly;

    fn word(self) -> &'static str {
        match self {
            Self::ReadOnly => "read-only",
            Self::WorkspaceWrite => "workspace-write",
            Self::DangerFullAccess => "danger-full-access",
        }
    }
}

impl Knob for ApprovalPolicy {
    const EVENT: &'static str = "approval/policy";
    const ALL: &'static [Self] = &[Self::Never, Self::Ask];
    const STRICTEST: Self = Self::Never;

    fn word(self) -> &'static str {
        match self {
            Self::Never => "never",
            Self::Ask => "ask",
        }
    }
}
