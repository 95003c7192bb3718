//! Bytes through numbered descriptors, without a lock, a buffer or an allocation of
//! our own: what the hook process reads and writes, also from a signal handler.

use std::io;
use std::os::fd::RawFd;

/// Standard input.
pub const STDIN: RawFd = 0;
/// Standard output.
pub const STDOUT: RawFd = 1;
/// Standard error.
pub const STDERR: RawFd = 2;

/// Reads once, appending at most `room` bytes; 0 is the end. Waits where the
/// descriptor doesn't block of its own.
///
/// # Errors
/// What the system says, interruptions apart.
pub fn read_some(fd: RawFd, into: &mut Vec<u8>, room: usize) -> io::Result<usize> {
    into.reserve(room);
    loop {
        let spare = into.spare_capacity_mut();
        let want = spare.len().min(room);
        // SAFETY: `spare` is writable memory of at least `want` bytes owned by `into`.
        let got = unsafe { libc::read(fd, spare.as_mut_ptr().cast(), want) };
        if let Ok(got) = usize::try_from(got) {
            // SAFETY: the kernel has just filled `got` ≤ `want` bytes of the spare room.
            unsafe { into.set_len(into.len() + got) };
            return Ok(got);
        }
        let error = io::Error::last_os_error();
        match error.kind() {
            io::ErrorKind::Interrupted => {}
            io::ErrorKind::WouldBlock => wait(fd, libc::POLLIN),
            _ => return Err(error),
        }
    }
}

/// Writes everything, or says that it could not. Safe in a signal handler.
#[must_use]
pub fn write_all(fd: RawFd, mut bytes: &[u8]) -> bool {
    while !bytes.is_empty() {
        // SAFETY: `bytes` is readable memory of the length given.
        let put = unsafe { libc::write(fd, bytes.as_ptr().cast(), bytes.len()) };
        match usize::try_from(put) {
            Ok(0) => return false,
            Ok(put) => bytes = bytes.get(put..).unwrap_or_default(),
            Err(_) => match errno() {
                libc::EINTR => {}
                libc::EAGAIN => wait(fd, libc::POLLOUT),
                _ => return false,
            },
        }
    }
    true
}

/// Writes a few bytes if the descriptor takes them within that time, and never waits longer:
/// what it says it is ready for is written in one piece (a pipe has room for a page then).
/// Safe in a signal handler.
pub(super) fn write_within(fd: RawFd, bytes: &[u8], milliseconds: libc::c_int) {
    let mut one = libc::pollfd { fd, events: libc::POLLOUT, revents: 0 };
    // SAFETY: one live `pollfd`.
    let ready = unsafe { libc::poll(&raw mut one, 1, milliseconds) };
    if ready > 0 && one.revents & libc::POLLOUT != 0 {
        // SAFETY: `bytes` is readable memory of the length given.
        let _ = unsafe { libc::write(fd, bytes.as_ptr().cast(), bytes.len().min(ONE_PIECE)) };
    }
}

/// What a pipe that is ready takes without waiting.
const ONE_PIECE: usize = 4096;

/// Sleeps, interruptions included in the time. Safe in a signal handler.
pub fn nap(milliseconds: u64) {
    let mut left = timespec(milliseconds);
    // SAFETY: both pointers are to live locals.
    while unsafe { libc::nanosleep(&raw const left, &raw mut left) } != 0 && errno() == libc::EINTR
    {
    }
}

/// Milliseconds as the kernel takes them.
pub(super) fn timespec(milliseconds: u64) -> libc::timespec {
    libc::timespec {
        tv_sec: (milliseconds / 1000).try_into().unwrap_or(i32::MAX.into()),
        tv_nsec: libc::c_long::try_from(milliseconds % 1000 * 1_000_000).unwrap_or(0),
    }
}

fn wait(fd: RawFd, events: libc::c_short) {
    let mut one = libc::pollfd { fd, events, revents: 0 };
    // SAFETY: one live `pollfd`.
    unsafe { libc::poll(&raw mut one, 1, -1) };
}

fn errno() -> libc::c_int {
    io::Error::last_os_error().raw_os_error().unwrap_or(0)
}
