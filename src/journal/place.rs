//! Where the logs are.

use std::path::{Path, PathBuf};

use super::hash::Short;

/// The audit journal below a state folder.
#[must_use]
pub fn audit(state: &Path) -> PathBuf {
    state.join("journal").join("audit.jsonl")
}

/// The authority log of a session: named by a hash, never by the host's raw id.
#[must_use]
pub fn session(state: &Path, session: &str) -> PathBuf {
    let mut file = state.join("sessions");
    file.push(format!("{}.jsonl", Short::of(session.as_bytes())));
    file
}

/// What a person chose for new sessions, for all of them and by project.
#[must_use]
pub fn person(state: &Path) -> PathBuf {
    state.join("knobs.jsonl")
}
