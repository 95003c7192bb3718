//! Reads a file that may be anything: bounded, never waiting on a pipe or a device.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

/// Why a file could not be read as a small text file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// It isn't there (nor is its folder).
    Missing,
    /// It is a folder, a pipe, a socket or a device.
    NotAFile,
    /// It is larger than the bound.
    TooLarge(u64),
    /// The system refused.
    Refused(String),
}

impl std::fmt::Display for Unreadable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Missing => f.write_str("it does not exist"),
            Self::NotAFile => f.write_str("it is not a regular file"),
            Self::TooLarge(bound) => write!(f, "it is larger than {bound} bytes"),
            Self::Refused(why) => f.write_str(why),
        }
    }
}

/// Reads at most `bound` bytes of a regular file.
///
/// # Errors
/// When it isn't there, isn't a regular file, is larger, or the system refuses.
pub fn read(path: &Path, bound: u64) -> Result<Vec<u8>, Unreadable> {
    let file = open(path).map_err(|e| refused(&e))?;
    let meta = file.metadata().map_err(|e| refused(&e))?;
    if !meta.is_file() {
        return Err(Unreadable::NotAFile);
    }
    if meta.len() > bound {
        return Err(Unreadable::TooLarge(bound));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(meta.len()).unwrap_or(0) + 1);
    // A file of /proc says it is empty and isn't; one that grows meanwhile is cut at the bound.
    file.take(bound + 1).read_to_end(&mut bytes).map_err(|e| refused(&e))?;
    if bytes.len() as u64 > bound {
        return Err(Unreadable::TooLarge(bound));
    }
    Ok(bytes)
}

fn refused(e: &io::Error) -> Unreadable {
    match e.kind() {
        // A parent that is a file means that nothing can be here either.
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Unreadable::Missing,
        io::ErrorKind::IsADirectory => Unreadable::NotAFile,
        _ => Unreadable::Refused(e.to_string()),
    }
}

#[cfg(unix)]
fn open(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    // Without O_NONBLOCK, opening a pipe nobody writes to waits for ever.
    OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY).open(path)
}

#[cfg(not(unix))]
fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).open(path)
}

/// Whether only this user (or root) can have written the file behind an open path.
#[must_use]
pub fn is_private(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let Ok(meta) = std::fs::symlink_metadata(path) else { return false };
        let me = effective_user();
        meta.is_file() && (meta.uid() == me || meta.uid() == 0) && meta.mode() & 0o022 == 0
    }
    #[cfg(not(unix))]
    {
        path.is_file()
    }
}

#[cfg(unix)]
fn effective_user() -> u32 {
    // SAFETY: geteuid has no preconditions and cannot fail.
    unsafe { libc::geteuid() }
}

#[cfg(test)]
mod tests {
    use super::{Unreadable, read};

    #[test]
    fn bounds_hold() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("f");
        std::fs::write(&file, b"12345").unwrap();
        assert_eq!(read(&file, 5).unwrap(), b"12345");
        assert_eq!(read(&file, 4), Err(Unreadable::TooLarge(4)));
        assert_eq!(read(&dir.path().join("none"), 4), Err(Unreadable::Missing));
        assert_eq!(read(&file.join("below"), 4), Err(Unreadable::Missing));
        assert_eq!(read(dir.path(), 4), Err(Unreadable::NotAFile));
    }

    #[cfg(unix)]
    #[test]
    fn pipe_does_not_hang() {
        let dir = tempfile::tempdir().unwrap();
        let pipe = dir.path().join("p");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert_eq!(read(&pipe, 10), Err(Unreadable::NotAFile));
    }
}
