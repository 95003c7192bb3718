//! Opens a file in one system call.

use std::fs::File;
use std::io;
use std::path::Path;

/// Opens a file with these flags, never to be inherited by a child; one that it makes is
/// private. musl's `open` follows each with a second call for kernels before 2.6.23.
///
/// # Errors
/// What the system says.
#[cfg(target_os = "linux")]
pub(super) fn open(path: &Path, flags: libc::c_int) -> io::Result<File> {
    use std::os::fd::FromRawFd;
    use std::os::unix::ffi::OsStrExt;
    let path = std::ffi::CString::new(path.as_os_str().as_bytes())?;
    let flags = flags | libc::O_CLOEXEC;
    loop {
        // SAFETY: a NUL-terminated path; the kernel takes flags and mode as integers.
        let fd =
            unsafe { libc::syscall(libc::SYS_openat, libc::AT_FDCWD, path.as_ptr(), flags, 0o600) };
        match libc::c_int::try_from(fd) {
            // SAFETY: the kernel has just given this descriptor to us alone.
            Ok(fd) if fd >= 0 => return Ok(unsafe { File::from_raw_fd(fd) }),
            _ => {
                let error = io::Error::last_os_error();
                if error.kind() != io::ErrorKind::Interrupted {
                    return Err(error);
                }
            }
        }
    }
}

/// The same elsewhere.
///
/// # Errors
/// What the system says.
#[cfg(all(unix, not(target_os = "linux")))]
pub(super) fn open(path: &Path, flags: libc::c_int) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    let access = flags & libc::O_ACCMODE;
    std::fs::OpenOptions::new()
        .read(access != libc::O_WRONLY)
        .write(access != libc::O_RDONLY)
        .append(flags & libc::O_APPEND != 0)
        .create(flags & libc::O_CREAT != 0)
        .mode(0o600)
        .custom_flags(flags & !(libc::O_ACCMODE | libc::O_APPEND | libc::O_CREAT))
        .open(path)
}
