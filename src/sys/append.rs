//! Files that are appended to: private, made with their folder when missing, never a
//! link, a pipe or a device that would be waited for.

use std::fs::{DirBuilder, File};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, FileExt, MetadataExt};
use std::path::Path;

use super::open;

/// Opens a file to append to, and to read from.
///
/// # Errors
/// What the system says.
pub fn open(file: &Path) -> io::Result<File> {
    let flags = libc::O_RDWR | libc::O_APPEND | libc::O_CREAT;
    let open = || open::open(file, flags | libc::O_NOFOLLOW | libc::O_NONBLOCK);
    match open() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            if let Some(folder) = file.parent() {
                DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
            }
            open()
        }
        other => other,
    }
}

/// Whether [`open`] would give a file that keeps what is appended to it; nothing is made or
/// written to find out.
///
/// # Errors
/// Why it would not.
pub fn ready(file: &Path) -> io::Result<()> {
    use io::ErrorKind::{NotADirectory, NotFound};
    let flags = libc::O_RDWR | libc::O_APPEND | libc::O_NOFOLLOW | libc::O_NONBLOCK;
    let refused = |what: &str| io::Error::new(io::ErrorKind::InvalidInput, what.to_owned());
    match open::open(file, flags) {
        Ok(file) => size(&file).map(drop),
        Err(_) if file.is_symlink() => Err(refused("it is a link, which is not written through")),
        Err(error) if matches!(error.kind(), NotFound | NotADirectory) => {
            let there = file.ancestors().skip(1).find(|f| f.symlink_metadata().is_ok());
            let Some(folder) = there else { return Err(error) };
            if !folder.is_dir() {
                return Err(refused(&format!("`{}` is no folder", folder.display())));
            }
            if may_add(folder) {
                return Ok(());
            }
            Err(refused(&format!("nothing can be made in `{}`", folder.display())))
        }
        Err(error) => Err(error),
    }
}

/// Whether this user may make files in a folder.
fn may_add(folder: &Path) -> bool {
    use std::os::unix::ffi::OsStrExt;
    let Ok(path) = std::ffi::CString::new(folder.as_os_str().as_bytes()) else { return false };
    // SAFETY: a NUL-terminated path that outlives the call.
    unsafe { libc::access(path.as_ptr(), libc::W_OK | libc::X_OK) == 0 }
}

/// Opens such a file to read from, with its size: at once, whatever it is.
///
/// # Errors
/// What the system says; it is no regular file.
pub fn to_read(file: &Path) -> io::Result<(File, u64)> {
    let open = open::open(file, libc::O_RDONLY | libc::O_NONBLOCK)?;
    let size = size(&open)?;
    Ok((open, size))
}

/// The size of an open file.
///
/// # Errors
/// What the system says; it is no regular file.
pub fn size(file: &File) -> io::Result<u64> {
    let meta = file.metadata()?;
    if meta.is_file() {
        Ok(meta.len())
    } else {
        Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"))
    }
}

/// Appends all of `bytes` to a file of this size, or nothing of them: what a full disk let
/// through is taken back. The caller holds the file's lock, so nobody wrote behind it.
///
/// # Errors
/// What the system says.
pub fn whole(mut file: &File, size: u64, bytes: &[u8]) -> io::Result<()> {
    file.write_all(bytes).inspect_err(|_| {
        let _ = file.set_len(size);
    })
}

/// Whether a path leads to this very file.
#[must_use]
pub fn is_at(path: &Path, file: &File) -> bool {
    let id = |meta: std::fs::Metadata| (meta.dev(), meta.ino());
    let there = std::fs::symlink_metadata(path).map(id);
    matches!((there, file.metadata().map(id)), (Ok(there), Ok(open)) if there == open)
}

/// The last bytes of a file of this size, at most `most` of them.
///
/// # Errors
/// What the system says.
pub fn tail(file: &File, size: u64, most: u64) -> io::Result<Vec<u8>> {
    let want = size.min(most);
    let mut tail = vec![0; usize::try_from(want).map_err(|_| io::ErrorKind::FileTooLarge)?];
    file.read_exact_at(&mut tail, size - want)?;
    Ok(tail)
}

#[cfg(test)]
mod tests {
    use super::{open, ready, tail};
    use std::io::Write;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_file_is_made_private_with_its_folder_and_links_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("new/log");
        let mut file = open(&path).expect("made");
        file.write_all(b"12345").expect("written");
        let mode =
            |path: &std::path::Path| path.metadata().expect("there").permissions().mode() & 0o777;
        assert_eq!((mode(&path), mode(&folder.path().join("new"))), (0o600, 0o700));
        assert_eq!(tail(&file, 5, 2).ok().as_deref(), Some(&b"45"[..]));
        assert_eq!(tail(&file, 5, 9).ok().as_deref(), Some(&b"12345"[..]));
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&path, &link).expect("made");
        assert!(open(&link).is_err());
    }

    #[test]
    fn what_would_take_no_record_is_told_without_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        let link = |to: &str, name: &str| std::os::unix::fs::symlink(to, at(name)).expect("made");
        std::fs::write(at("log"), "1").expect("written");
        link("/dev/full", "full");
        link("log", "file");
        link("none", "dangling");
        std::fs::create_dir(at("dir")).expect("made");
        let pipe = std::process::Command::new("mkfifo").arg(at("pipe")).status().expect("runs");
        assert!(pipe.success());
        for good in ["log", "new", "no/such/folder/log"] {
            assert!(ready(&at(good)).is_ok(), "{good}");
            assert_eq!(at(good).exists(), good == "log", "{good} was made");
        }
        for bad in ["full", "file", "dangling", "dir", "pipe", "log/below", "dangling/below"] {
            assert!(ready(&at(bad)).is_err(), "{bad}");
            assert!(open(&at(bad)).and_then(|f| super::size(&f)).is_err(), "{bad}");
        }
    }
}
