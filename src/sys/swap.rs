//! Two files change places in one step, and who has a file open for writing: the means by
//! which nothing is lost that another program writes at the same time. Linux has them;
//! elsewhere the answers say so.

use std::io;
use std::path::Path;

/// Whether anybody has a file open for writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Writers {
    /// Nobody has.
    None,
    /// Somebody has.
    Some,
    /// The system or the file system doesn't say.
    Unknown,
}

/// Whether an error of [`exchange`] says that there is no such thing here.
pub(super) fn is_missing(e: &io::Error) -> bool {
    // What Linux says where the file system has no such rename.
    const EINVAL: i32 = 22;
    let here = cfg!(target_os = "linux") && e.raw_os_error() == Some(EINVAL);
    e.kind() == io::ErrorKind::Unsupported || here
}

/// Swaps two files that are there.
#[cfg(target_os = "linux")]
pub(super) fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    use std::ffi::CString;
    use std::os::unix::ffi::OsStrExt;
    const RENAME_EXCHANGE: libc::c_uint = 2;
    let text = |path: &Path| CString::new(path.as_os_str().as_bytes());
    let (one, other) = (text(one)?, text(other)?);
    // SAFETY: both are texts that end with a zero, and live until the call is over.
    let result = unsafe {
        libc::syscall(
            libc::SYS_renameat2,
            libc::AT_FDCWD,
            one.as_ptr(),
            libc::AT_FDCWD,
            other.as_ptr(),
            RENAME_EXCHANGE,
        )
    };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Swaps two files that are there.
#[cfg(not(target_os = "linux"))]
pub(super) fn exchange(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Asks for a lease, which the system grants for reading only while nobody has the file
/// open for writing, and gives it back.
#[cfg(target_os = "linux")]
pub(super) fn writers(path: &Path) -> Writers {
    use std::os::fd::AsRawFd;
    const F_SETSIG: libc::c_int = 10;
    const F_SETLEASE: libc::c_int = 1024;
    let Ok(file) = std::fs::File::open(path) else { return Writers::Unknown };
    let control = |command: libc::c_int, value: libc::c_int| {
        // SAFETY: a number in, a number out, for a descriptor that is open until the end.
        unsafe { libc::fcntl(file.as_raw_fd(), command, value) }
    };
    // Whoever opens the file meanwhile sends a signal: one that nobody minds.
    if control(F_SETSIG, libc::SIGURG) != 0 {
        return Writers::Unknown;
    }
    if control(F_SETLEASE, libc::F_RDLCK) == 0 {
        control(F_SETLEASE, libc::F_UNLCK);
        return Writers::None;
    }
    match io::Error::last_os_error().raw_os_error() {
        Some(libc::EAGAIN) => Writers::Some,
        _ => Writers::Unknown,
    }
}

/// Nobody can be asked.
#[cfg(not(target_os = "linux"))]
pub(super) fn writers(_: &Path) -> Writers {
    Writers::Unknown
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn two_files_change_places() {
        let dir = tempfile::tempdir().unwrap();
        let (one, other) = (dir.path().join("one"), dir.path().join("other"));
        std::fs::write(&one, "1").unwrap();
        assert!(exchange(&one, &other).is_err_and(|e| !is_missing(&e)));
        std::fs::write(&other, "2").unwrap();
        exchange(&one, &other).unwrap();
        assert_eq!(
            (std::fs::read(&one).unwrap(), std::fs::read(&other).unwrap()),
            (b"2".into(), b"1".into())
        );
    }

    #[test]
    fn who_has_it_open_for_writing_is_seen_and_who_reads_is_no_matter() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("f");
        std::fs::write(&path, "1").unwrap();
        let reader = std::fs::File::open(&path).unwrap();
        assert_eq!(writers(&path), Writers::None);
        let writer = std::fs::File::options().write(true).open(&path).unwrap();
        assert_eq!(writers(&path), Writers::Some);
        drop(writer);
        assert_eq!(writers(&path), Writers::None);
        drop(reader);
    }
}
