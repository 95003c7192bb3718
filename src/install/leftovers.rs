//! What a run that was stopped in the middle left behind: temporary files, and the logs of
//! probes' sessions. They hold nothing up, and the next run clears them away.

use super::surroundings::Surroundings;
use super::{backup, manifest};
use crate::journal::place;
use crate::sys::fs;
use std::path::{Path, PathBuf};

/// Clears away what stopped runs left beside these settings files and in harness's own
/// folders. Says what it found; the caller holds the lock.
#[must_use]
pub fn clear(around: &Surroundings, files: &[PathBuf]) -> Vec<String> {
    let mut found = Vec::new();
    for file in files {
        let Ok(end) = fs::follow(file) else { continue };
        for left in beside(&end) {
            // It may be what another program wrote while we were stopped.
            if let Ok(Some(bytes)) = fs::read(&left)
                && !bytes.is_empty()
                && fs::read(&end).ok().flatten().as_ref() != Some(&bytes)
            {
                let _ = backup::keep(&around.harness, file, &bytes);
            }
            found.push(left);
        }
    }
    let home = &around.harness;
    let loaded = manifest::load(home);
    found.extend(fs::leftovers(&home.state, &[]));
    found.extend(place::abandoned(&home.state));
    found.extend(fs::leftovers(&backup::folder(home), &[]));
    found.extend(beside(&home.policy()));
    let copy = around.home.join(".local").join("bin").join("harness");
    found.extend(loaded.get().map(|m| beside(&m.binary)).unwrap_or_default());
    found.extend(beside(&copy));
    found.sort();
    found.dedup();
    let notes = found.iter().map(|path| {
        let shown = around.shown(path);
        match std::fs::remove_file(path) {
            Ok(()) => format!("{shown}: left by a run that was stopped, and gone now"),
            Err(e) => format!("{shown}: left by a run that was stopped, and can't be removed: {e}"),
        }
    });
    notes.collect()
}

fn beside(file: &Path) -> Vec<PathBuf> {
    let (Some(folder), Some(name)) = (file.parent(), file.file_name()) else { return Vec::new() };
    fs::leftovers(folder, &[&name.to_string_lossy()])
}
