//! A copy of every settings file before it is changed.

use super::failure::Failure;
use crate::home::Home;
use crate::sys::fs;
use std::path::{Path, PathBuf};

/// How many copies of one file are kept.
const KEPT: usize = 5;

/// Where the copies are.
#[must_use]
pub fn folder(home: &Home) -> PathBuf {
    home.state.join("backups")
}

/// Copies `bytes`, the content of `file`, to the backups. Older copies beyond five go.
///
/// # Errors
/// The system refuses.
pub fn keep(home: &Home, file: &Path, bytes: &[u8]) -> Result<PathBuf, Failure> {
    let folder = folder(home);
    let hash = blake3::hash(file.as_os_str().as_encoded_bytes()).to_hex();
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let tail = format!("-{}-{name}", hash.get(..8).unwrap_or_default());
    let stamp = jiff::Timestamp::now().strftime("%Y-%m-%dT%H%M%S.%9fZ").to_string();
    let path = folder.join(format!("{stamp}{tail}"));
    fs::write_private(&path, bytes)?;
    let mut copies: Vec<PathBuf> = std::fs::read_dir(&folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|e| e.path())
        .filter(|p| p.to_string_lossy().ends_with(&tail))
        .collect();
    copies.sort();
    for old in copies.iter().rev().skip(KEPT) {
        let _ = std::fs::remove_file(old);
    }
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_five_newest_are_kept_per_file() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::under(dir.path());
        for n in 0..8 {
            keep(&home, Path::new("/a/settings.json"), &[n]).unwrap();
        }
        let last = keep(&home, Path::new("/b/settings.json"), b"b").unwrap();
        let mut kept: Vec<_> =
            std::fs::read_dir(home.state.join("backups")).unwrap().flatten().collect();
        kept.sort_by_key(std::fs::DirEntry::path);
        let mut bytes: Vec<Vec<u8>> =
            kept.iter().map(|e| std::fs::read(e.path()).unwrap()).collect();
        bytes.retain(|b| b != b"b");
        assert_eq!(bytes, [[3], [4], [5], [6], [7]]);
        assert_eq!(std::fs::read(last).unwrap(), b"b");
    }
}
