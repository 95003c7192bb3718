//! [`Failure`]: why an install, uninstall or status could not be done.

use crate::sys::fs::FsError;

/// Which kind of no it is; the command line makes exit codes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It was asked for in a way that can't be done.
    Usage,
    /// It was done, didn't prove itself, and was taken back.
    Unproven,
    /// Something is in the way: a file, the disk, the system.
    CouldNot,
}

/// A no with its reason and the next step.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    /// Which kind of no.
    pub kind: Kind,
    /// What is wrong: lower case, no period.
    pub message: String,
    /// What to do next.
    pub hint: Option<String>,
}

impl Failure {
    /// It can't be done as asked.
    pub fn usage(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { kind: Kind::Usage, message: message.into(), hint: Some(hint.into()) }
    }

    /// Something is in the way.
    pub fn could_not(message: impl Into<String>, hint: Option<String>) -> Self {
        Self { kind: Kind::CouldNot, message: message.into(), hint }
    }

    /// It didn't prove itself.
    pub fn unproven(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { kind: Kind::Unproven, message: message.into(), hint: Some(hint.into()) }
    }
}

impl From<FsError> for Failure {
    fn from(e: FsError) -> Self {
        let hint = match &e {
            FsError::Io { source, .. } => match source.kind() {
                std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => {
                    Some("free some space on that disk, then run it again; nothing was changed")
                }
                std::io::ErrorKind::PermissionDenied => {
                    Some("run it as the user who owns these files; nothing was changed")
                }
                _ => Some("mend what is at that place, then run it again"),
            },
            FsError::Refused { .. } => Some(
                "nothing was changed; `harness install --dry-run` shows what would be written there",
            ),
            FsError::Changed { .. } => {
                Some("close the sessions or programs that write this file, then run it again")
            }
        };
        Self::could_not(e.to_string(), hint.map(str::to_owned))
    }
}
