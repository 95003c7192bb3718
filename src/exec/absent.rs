//! What was missing when a command began and may not be there when it ends: it can't be
//! protected by mounting over it, and is never made in order to protect it.

use std::path::{Path, PathBuf};

use super::git;
use super::walk::{End, walk};

/// Something that was missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Absent {
    /// This path, below something writable.
    Path {
        /// What is writable.
        root: PathBuf,
        /// The path.
        path: PathBuf,
    },
    /// A repository at the root of this folder: one that the command makes may hold nothing
    /// that starts programs.
    Repository(PathBuf),
}

/// Takes away what the command made of what was missing; what was taken away.
#[must_use]
pub fn sweep(all: &[Absent]) -> Vec<PathBuf> {
    let mut gone = Vec::new();
    for absent in all {
        match absent {
            Absent::Path { root, path } => gone.extend(take(root, path)),
            Absent::Repository(root) => repository(root, &mut gone),
        }
    }
    gone
}

/// Takes away a path, or the link on the way to it: what lies behind a link was there before.
fn take(root: &Path, path: &Path) -> Option<PathBuf> {
    let made = match walk(root, path).end {
        End::There { .. } => path.to_path_buf(),
        End::Link(link) if path.symlink_metadata().is_ok() => link,
        _ => return None,
    };
    remove(&made).then_some(made)
}

/// Removes a file, a link or a folder with all in it, and follows no link.
fn remove(path: &Path) -> bool {
    let Ok(about) = std::fs::symlink_metadata(path) else { return false };
    if about.is_dir() {
        std::fs::remove_dir_all(path).is_ok()
    } else {
        std::fs::remove_file(path).is_ok()
    }
}

/// Of a new repository hooks are taken away that would start, and a configuration that is
/// more than plain.
fn repository(root: &Path, gone: &mut Vec<PathBuf>) {
    let dot = root.join(".git");
    let Ok(about) = std::fs::symlink_metadata(&dot) else { return };
    if !about.is_dir() {
        // A file or a link that says where the repository is.
        if remove(&dot) {
            gone.push(dot);
        }
        return;
    }
    let hooks = dot.join("hooks");
    match std::fs::symlink_metadata(&hooks) {
        Ok(about) if about.is_dir() => {
            let entries = std::fs::read_dir(&hooks).into_iter().flatten().flatten();
            let starts =
                entries.filter(|e| !e.file_name().as_encoded_bytes().ends_with(b".sample"));
            gone.extend(starts.map(|e| e.path()).filter(|path| remove(path)));
        }
        Ok(_) if remove(&hooks) => gone.push(hooks),
        _ => {}
    }
    for name in ["config", "config.worktree"] {
        let config = dot.join(name);
        let plain = match std::fs::symlink_metadata(&config) {
            Err(_) => true,
            Ok(about) if !about.is_file() => false,
            Ok(_) => crate::sys::bounded::read(&config, 64 << 10)
                .ok()
                .and_then(|bytes| String::from_utf8(bytes).ok())
                .is_some_and(|text| git::is_plain(&text)),
        };
        if !plain && remove(&config) {
            gone.push(config);
        }
    }
    let modules = dot.join("modules");
    for path in git::look(root).frozen {
        if path.starts_with(&modules) && !path.ends_with("config") && remove(&path) {
            gone.push(path);
        }
    }
}
