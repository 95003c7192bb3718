//! Where the logs are.

use std::fs;
use std::io;
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

/// Every authority log that is there: the person's, then the sessions' by name.
///
/// # Errors
/// What the system says, but for a folder that isn't there.
pub fn authority(state: &Path) -> io::Result<Vec<PathBuf>> {
    let mut all: Vec<PathBuf> = Vec::new();
    match fs::read_dir(state.join("sessions")) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        entries => {
            for entry in entries? {
                all.push(entry?.path());
            }
        }
    }
    all.retain(|file| file.extension().is_some_and(|e| e == "jsonl"));
    all.sort_unstable();
    let own = [person(state), off(state)];
    Ok(own.into_iter().filter(|file| file.exists()).chain(all).collect())
}

/// When harness was told to be silent, and until when.
#[must_use]
pub fn off(state: &Path) -> PathBuf {
    state.join("off.jsonl")
}
