//! [`Scratch`]: a temporary folder for one run, gone when dropped. What a run that was killed
//! could not take away goes when the next one begins.

use crate::sys::fs;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

/// How the names of all of them begin.
const PREFIX: &str = "harness-";
/// Held for as long as the folder is used.
const LOCK: &str = ".in-use";
/// A folder is made before its lock is taken.
const FRESH: Duration = Duration::from_secs(60);

/// A temporary folder.
#[derive(Debug)]
pub(super) struct Scratch {
    // Let go of before the folder is removed: some systems keep what is open.
    _lock: File,
    dir: TempDir,
}

impl Scratch {
    /// A fresh folder `harness-KIND-…` below the system's temporary one.
    ///
    /// # Errors
    /// It can't be written.
    pub(super) fn new(kind: &str) -> io::Result<Self> {
        Self::below(&std::env::temp_dir(), kind)
    }

    /// The same below another folder.
    ///
    /// # Errors
    /// It can't be written.
    pub(super) fn below(base: &Path, kind: &str) -> io::Result<Self> {
        for old in abandoned(base, kind, SystemTime::now()) {
            // Nothing depends on it, and the next run tries again.
            let _ = std::fs::remove_dir_all(old);
        }
        let dir = tempfile::Builder::new().prefix(&format!("{PREFIX}{kind}-")).tempdir_in(base)?;
        let lock = File::create_new(dir.path().join(LOCK))?;
        // A file system without locks: such a folder is never taken for an abandoned one.
        if lock.try_lock().is_err() {
            std::fs::remove_file(dir.path().join(LOCK))?;
        }
        Ok(Self { _lock: lock, dir })
    }

    /// Where it is.
    #[must_use]
    pub(super) fn path(&self) -> &Path {
        self.dir.path()
    }
}

/// Folders of ours that nobody holds any more.
fn abandoned(base: &Path, kind: &str, now: SystemTime) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(base).into_iter().flatten().flatten();
    let start = format!("{PREFIX}{kind}-");
    let named = entries.filter(|e| e.file_name().to_string_lossy().starts_with(&start));
    named.map(|e| e.path()).filter(|path| is_abandoned(path, now)).collect()
}

fn is_abandoned(path: &Path, now: SystemTime) -> bool {
    let Ok(meta) = std::fs::symlink_metadata(path) else { return false };
    let old = meta.modified().is_ok_and(|at| now.duration_since(at).is_ok_and(|d| d > FRESH));
    if !meta.is_dir() || !old || !fs::is_own(&meta) {
        return false;
    }
    // A name in a shared folder may be anybody's: only a plain lock file of ours counts.
    let lock = path.join(LOCK);
    let plain = std::fs::symlink_metadata(&lock).is_ok_and(|m| m.is_file() && fs::is_own(&m));
    plain && File::open(lock).is_ok_and(|file| file.try_lock().is_ok())
}

#[cfg(all(test, unix))]
mod tests {
    use super::{FRESH, LOCK, Scratch, abandoned};
    use std::time::SystemTime;

    #[test]
    fn a_folder_that_is_held_or_not_ours_stays_and_one_that_was_left_goes() {
        let base = tempfile::tempdir().unwrap();
        let later = || SystemTime::now() + FRESH * 2;
        let held = Scratch::below(base.path(), "test").unwrap();
        assert!(held.path().join(LOCK).is_file());
        let other = base.path().join("harness-test-other");
        std::fs::create_dir(&other).unwrap();
        assert!(abandoned(base.path(), "test", later()).is_empty());
        let left = base.path().join("harness-test-left");
        std::fs::create_dir(&left).unwrap();
        std::fs::write(left.join(LOCK), "").unwrap();
        std::fs::write(left.join("more"), "").unwrap();
        assert!(abandoned(base.path(), "test", SystemTime::now()).is_empty(), "it is fresh");
        assert!(abandoned(base.path(), "else", later()).is_empty(), "of another kind");
        assert_eq!(abandoned(base.path(), "test", later()), [left]);
        let path = held.path().to_path_buf();
        drop(held);
        assert!(!path.exists());
    }

    #[test]
    fn a_lock_that_leads_elsewhere_is_no_lock() {
        let base = tempfile::tempdir().unwrap();
        let folder = base.path().join("harness-test-x");
        std::fs::create_dir(&folder).unwrap();
        let real = base.path().join("real");
        std::fs::write(&real, "").unwrap();
        std::os::unix::fs::symlink(&real, folder.join(LOCK)).unwrap();
        assert!(abandoned(base.path(), "test", SystemTime::now() + FRESH * 2).is_empty());
    }

    #[test]
    fn what_was_left_goes_when_the_next_begins() {
        let base = tempfile::tempdir().unwrap();
        let left = base.path().join("harness-test-left");
        std::fs::create_dir(&left).unwrap();
        let lock = std::fs::File::create(left.join(LOCK)).unwrap();
        lock.lock().unwrap();
        let long_ago = SystemTime::now() - FRESH * 2;
        std::fs::File::open(&left).unwrap().set_modified(long_ago).unwrap();
        let _first = Scratch::below(base.path(), "test").unwrap();
        assert!(left.exists(), "it is in use");
        drop(lock);
        let _second = Scratch::below(base.path(), "test").unwrap();
        assert!(!left.exists());
    }
}
