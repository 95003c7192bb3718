//! Reads a file that may be anything: bounded, never waiting on a pipe or a device.

use std::fs::{File, Metadata};
use std::io;
use std::mem::ManuallyDrop;
use std::os::unix::fs::FileExt;
use std::path::Path;

use super::stamp::Stamp;
use super::{alloc, net};

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

/// What is read at once by [`Opened::each`].
const PIECE: usize = 4 << 10;

/// A regular file that was within its bound when it was opened.
#[derive(Debug)]
pub struct Opened {
    file: ManuallyDrop<File>,
    meta: Metadata,
    bound: u64,
}

impl Drop for Opened {
    /// A hook opens a few files and is gone: closing each costs it more than it gains.
    fn drop(&mut self) {
        if !net::armed() {
            // SAFETY: nobody uses it after this.
            unsafe { ManuallyDrop::drop(&mut self.file) }
        }
    }
}

impl Opened {
    /// Its bytes, from the first.
    ///
    /// # Errors
    /// When it has grown beyond the bound, or the system refuses.
    pub fn read(&self) -> Result<Vec<u8>, Unreadable> {
        // One more than there should be, so that one call sees the end. A file of /proc says
        // that it is empty and isn't; one that grows meanwhile is cut at the bound.
        let mut bytes = vec![0; self.len() + 1];
        alloc::ready(&mut bytes);
        let mut end = 0;
        loop {
            match self.file.read_at(bytes.get_mut(end..).unwrap_or_default(), end as u64) {
                Ok(got) => {
                    end += got;
                    if end as u64 > self.bound {
                        return Err(Unreadable::TooLarge(self.bound));
                    }
                    if got == 0 || end == self.len() && end > 0 {
                        bytes.truncate(end);
                        return Ok(bytes);
                    }
                    if end == bytes.len() {
                        bytes.resize(end.max(PIECE) * 2, 0);
                    }
                }
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(refused(&e)),
            }
        }
    }

    /// Hands out the bytes it had when it was opened, in pieces, through one small buffer.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn each(&self, mut piece: impl FnMut(&[u8])) -> Result<(), Unreadable> {
        let mut room = vec![0; PIECE.min(self.len())];
        let mut seen = 0;
        while seen < self.len() {
            match self.file.read_at(&mut room, seen as u64) {
                Ok(0) => break,
                Ok(got) => {
                    seen += got;
                    piece(room.get(..got).unwrap_or_default());
                }
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(refused(&e)),
            }
        }
        Ok(())
    }

    /// Its size when it was opened; bounded, so it fits.
    fn len(&self) -> usize {
        usize::try_from(self.meta.len()).unwrap_or(0)
    }

    /// How the system tells this state of the file from others.
    #[must_use]
    pub fn stamp(&self) -> Stamp {
        Stamp::of(&self.meta)
    }

    /// Whether only this user (or root) can have written it.
    #[must_use]
    pub fn is_private(&self) -> bool {
        private(&self.meta)
    }
}

/// Opens a regular file of at most `bound` bytes.
///
/// # Errors
/// When it isn't there, isn't a regular file, is larger, or the system refuses.
pub fn open(path: &Path, bound: u64) -> Result<Opened, Unreadable> {
    opened(open_any(path, true), bound)
}

/// The same for a path that must not be a link.
///
/// # Errors
/// As [`open`]; a link is refused.
pub fn open_no_link(path: &Path, bound: u64) -> Result<Opened, Unreadable> {
    opened(open_any(path, false), bound)
}

fn opened(file: io::Result<File>, bound: u64) -> Result<Opened, Unreadable> {
    let file = file.map_err(|e| refused(&e))?;
    let meta = file.metadata().map_err(|e| refused(&e))?;
    if !meta.is_file() {
        return Err(Unreadable::NotAFile);
    }
    if meta.len() > bound {
        return Err(Unreadable::TooLarge(bound));
    }
    Ok(Opened { file: ManuallyDrop::new(file), meta, bound })
}

/// Reads at most `bound` bytes of a regular file.
///
/// # Errors
/// When it isn't there, isn't a regular file, is larger, or the system refuses.
pub fn read(path: &Path, bound: u64) -> Result<Vec<u8>, Unreadable> {
    open(path, bound)?.read()
}

/// What stands in the way to a file that is missing, if it isn't simply not there: a link
/// that leads nowhere, or something else where its folder should be.
#[must_use]
pub fn astray(path: &Path) -> Option<Unreadable> {
    let lost =
        |part: &Path, is: &str| Some(Unreadable::Refused(format!("`{}` {is}", part.display())));
    let folder = path.parent()?;
    // The common case, that there is no such folder, takes one look.
    let meta = std::fs::symlink_metadata(folder).ok()?;
    if meta.is_symlink() && !std::fs::metadata(folder).is_ok_and(|end| end.is_dir()) {
        return lost(folder, "is a link that leads to no folder");
    }
    if !meta.is_dir() && !meta.is_symlink() {
        return lost(folder, "is no folder");
    }
    let link = std::fs::symlink_metadata(path).is_ok_and(|meta| meta.is_symlink());
    if link { lost(path, "is a link that leads nowhere") } else { None }
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
fn open_any(path: &Path, follow: bool) -> io::Result<File> {
    let no_link = if follow { 0 } else { libc::O_NOFOLLOW };
    // Without O_NONBLOCK, opening a pipe nobody writes to waits for ever.
    super::open::open(path, libc::O_RDONLY | libc::O_NONBLOCK | libc::O_NOCTTY | no_link)
}

#[cfg(not(unix))]
fn open_any(path: &Path, _follow: bool) -> io::Result<File> {
    OpenOptions::new().read(true).open(path)
}

#[cfg(unix)]
fn private(meta: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (meta.uid() == super::own::user() || meta.uid() == 0) && meta.mode() & 0o022 == 0
}

#[cfg(not(unix))]
fn private(_meta: &Metadata) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::{PIECE, Unreadable, astray, open, read};

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
    fn what_is_missing_is_told_from_what_is_lost() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        let link = |to: &str, name: &str| std::os::unix::fs::symlink(at(to), at(name)).unwrap();
        std::fs::create_dir(at("folder")).unwrap();
        std::fs::write(at("file"), "").unwrap();
        link("none", "dangling");
        link("folder", "way");
        for missing in ["none", "none/x", "folder/x", "way/x"] {
            assert_eq!(astray(&at(missing)), None, "{missing}");
        }
        for lost in ["dangling", "dangling/x", "file/x"] {
            assert!(astray(&at(lost)).is_some(), "{lost}");
        }
    }

    #[test]
    fn pieces_are_the_whole_and_can_be_read_again() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("f");
        let bytes: Vec<u8> = (0..3 * PIECE + 5).map(|n| (n % 251) as u8).collect();
        std::fs::write(&file, &bytes).unwrap();
        let opened = open(&file, 1 << 20).unwrap();
        let mut seen = Vec::new();
        opened.each(|piece| seen.extend_from_slice(piece)).unwrap();
        assert!(seen == bytes && opened.read().unwrap() == bytes);
        let short = open(&file, bytes.len() as u64).unwrap();
        std::fs::write(&file, [&bytes[..], b"x"].concat()).unwrap();
        assert_eq!(short.read(), Err(Unreadable::TooLarge(bytes.len() as u64)), "grown");
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
