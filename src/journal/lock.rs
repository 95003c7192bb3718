//! The lock that writers of a log take turns by.

use std::fs::{File, TryLockError};
use std::io;

use crate::sys::fd;

/// Tries to take the lock, and the pause between two, in milliseconds.
const TRIES: u32 = 800;
const PAUSE_MS: u64 = 1;

/// Takes the lock of a log; it ends with the file's closing, also when the process dies.
///
/// # Errors
/// Somebody else kept it all the while, or the system's word.
pub(super) fn take(log: &File) -> io::Result<()> {
    for _ in 0..TRIES {
        match log.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) => fd::nap(PAUSE_MS),
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
    Err(io::ErrorKind::WouldBlock.into())
}
