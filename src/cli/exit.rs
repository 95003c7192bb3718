//! [`Exit`]: how every command but `hook` ends.

use std::process::{ExitCode, Termination};

/// Exit codes that scripts rely on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// 0: done, healthy, nothing to do.
    Done,
    /// 1: done, and the answer is no.
    No,
    /// 2: usage, or confirmation refused.
    Usage,
    /// 3: could not: I/O, network, internal.
    CouldNot,
    /// 4: doctor: nothing dead, something unknown.
    Unknown,
    /// 10: `explain --exit-code`: would ask.
    Asks,
    /// 11: `explain --exit-code`: would deny.
    Denies,
    /// 100: `update --check`: there is a newer release.
    Newer,
    /// 130: interrupted.
    Interrupted,
    /// `exec`: the command's own.
    Own(u8),
}

impl Exit {
    /// The number.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::No => 1,
            Self::Usage => 2,
            Self::CouldNot => 3,
            Self::Unknown => 4,
            Self::Asks => 10,
            Self::Denies => 11,
            Self::Newer => 100,
            Self::Interrupted => 130,
            Self::Own(code) => code,
        }
    }
}

impl Termination for Exit {
    fn report(self) -> ExitCode {
        ExitCode::from(self.code())
    }
}
