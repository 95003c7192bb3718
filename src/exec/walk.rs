//! The way from something writable to something that is to stay as it is, part by part.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// What is found on the way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Way {
    /// Folders on the way, outermost first, the writable one apart.
    pub folders: Vec<PathBuf>,
    /// Where it ends.
    pub end: End,
}

/// Where a way ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum End {
    /// It is there; whether it has other names too, by which it can be written.
    There {
        /// Whether another name leads to the same file.
        linked: bool,
    },
    /// It isn't; this part of the way is the first that is missing.
    Missing(PathBuf),
    /// This part is a symbolic link, which can be replaced.
    Link(PathBuf),
    /// It can't be looked at.
    #[default]
    Unknown,
}

/// Walks from `root` to `path`, which lies below it.
#[must_use]
pub fn walk(root: &Path, path: &Path) -> Way {
    let mut way = Way::default();
    let Ok(rest) = path.strip_prefix(root) else { return way };
    let parts: Vec<_> = rest.components().collect();
    let mut at = root.to_path_buf();
    for (number, part) in parts.iter().enumerate() {
        at.push(part);
        let last = number + 1 == parts.len();
        match std::fs::symlink_metadata(&at) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                way.end = End::Missing(at);
                return way;
            }
            Err(_) => return way,
            Ok(about) if about.is_symlink() => {
                way.end = End::Link(at);
                return way;
            }
            Ok(about) if last => {
                way.end = End::There { linked: about.is_file() && about.nlink() > 1 };
            }
            Ok(about) if about.is_dir() => way.folders.push(at.clone()),
            // A file in the place of a folder: what would be below is missing.
            Ok(_) => {
                way.end = End::Missing(at);
                return way;
            }
        }
    }
    way
}
