//! Where the logs are.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::hash::Short;
use super::probe;

/// The audit journal below a state folder.
#[must_use]
pub fn audit(state: &Path) -> PathBuf {
    state.join("journal").join("audit.jsonl")
}

/// How the names of the logs of probes' sessions begin; a hash never does.
const OF_PROBE: &str = "probe-";
/// No probe's session is open so long.
const PROBED: Duration = Duration::from_secs(10 * 60);

/// The authority log of a session: named by a hash, never by the host's raw id.
#[must_use]
pub fn session(state: &Path, session: &str) -> PathBuf {
    let mut file = state.join("sessions");
    let mark = if probe::is(session) { OF_PROBE } else { "" };
    file.push(format!("{mark}{}.jsonl", Short::of(session.as_bytes())));
    file
}

/// The logs of probes' sessions that nobody will end any more: whoever began them was killed.
#[must_use]
pub fn abandoned(state: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(state.join("sessions")).into_iter().flatten().flatten();
    let of_probe = entries.filter(|entry| {
        let name = entry.file_name();
        name.to_str().is_some_and(|name| name.starts_with(OF_PROBE) && name.ends_with(".jsonl"))
    });
    let old = |entry: &fs::DirEntry| {
        let meta = entry.metadata().ok().filter(fs::Metadata::is_file);
        let age = meta.and_then(|meta| meta.modified().ok()?.elapsed().ok());
        age.is_some_and(|age| age > PROBED)
    };
    of_probe.filter(old).map(|entry| entry.path()).collect()
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
    Ok(own.into_iter().filter(|file| file.symlink_metadata().is_ok()).chain(all).collect())
}

/// When harness was told to be silent, and until when.
#[must_use]
pub fn off(state: &Path) -> PathBuf {
    state.join("off.jsonl")
}
