//! Programs as they lie on a machine in use.
//!
//! The system keeps a file in memory in the pieces it was written in. One that comes in a
//! single piece, as `harness install` writes it, is mapped in far fewer steps than one that a
//! linker or a copier wrote bit by bit; one that was read back from the disk, as after a
//! start of the machine, lies between.

use std::fs::{self, File, Permissions};
use std::io::{Error, Result};
use std::os::fd::AsRawFd;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// A copy of a program in a folder, written as `harness install` does.
///
/// # Errors
///
/// If it can't be read or written.
pub fn put(program: &Path, folder: &Path) -> Result<PathBuf> {
    fs::create_dir_all(folder)?;
    let copy = folder.join(program.file_name().unwrap_or_default());
    fs::write(&copy, fs::read(program)?)?;
    fs::set_permissions(&copy, Permissions::from_mode(0o755))?;
    Ok(copy)
}

/// Takes a file out of the system's memory, to be read back from the disk.
///
/// # Errors
///
/// If the system refuses.
pub fn forget(file: &Path) -> Result<()> {
    let file = File::open(file)?;
    // What isn't on the disk yet stays in memory.
    file.sync_all()?;
    // SAFETY: a call on a descriptor of ours.
    match unsafe { libc::posix_fadvise(file.as_raw_fd(), 0, 0, libc::POSIX_FADV_DONTNEED) } {
        0 => Ok(()),
        code => Err(Error::from_raw_os_error(code)),
    }
}
