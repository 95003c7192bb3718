//! Pipes and sockets between the processes around a command.

use std::io;
use std::os::fd::{FromRawFd, OwnedFd, RawFd};

fn both(fds: [RawFd; 2], code: libc::c_int) -> io::Result<(OwnedFd, OwnedFd)> {
    if code != 0 {
        return Err(io::Error::last_os_error());
    }
    for fd in fds {
        // SAFETY: a number and constants. We are alone: nobody starts a program between.
        unsafe { libc::fcntl(fd, libc::F_SETFD, libc::FD_CLOEXEC) };
    }
    let [one, other] = fds;
    // SAFETY: the kernel has just made both for us alone.
    Ok(unsafe { (OwnedFd::from_raw_fd(one), OwnedFd::from_raw_fd(other)) })
}

/// A pipe that no program inherits: where it is read, where it is written.
pub(super) fn pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    let mut fds = [-1; 2];
    // SAFETY: room for two descriptors.
    let code = unsafe { libc::pipe(fds.as_mut_ptr()) };
    both(fds, code)
}

/// Two ends of a line that keeps messages apart; no program inherits them.
pub(super) fn pair() -> io::Result<(OwnedFd, OwnedFd)> {
    let mut fds = [-1; 2];
    let kind = if cfg!(target_os = "linux") { libc::SOCK_SEQPACKET } else { libc::SOCK_DGRAM };
    // SAFETY: room for two descriptors.
    let code = unsafe { libc::socketpair(libc::AF_UNIX, kind, 0, fds.as_mut_ptr()) };
    both(fds, code)
}

/// From now on nobody waits at this descriptor.
pub(super) fn nonblocking(fd: RawFd) {
    // SAFETY: numbers only.
    unsafe {
        let flags = libc::fcntl(fd, libc::F_GETFL);
        libc::fcntl(fd, libc::F_SETFL, flags | libc::O_NONBLOCK);
    }
}

/// Everything that can be read without waiting.
pub(super) fn drain(fd: RawFd) -> Vec<u8> {
    let mut all = Vec::new();
    let mut buffer = [0_u8; 256];
    loop {
        // SAFETY: room for as many bytes as are asked for.
        let got = unsafe { libc::read(fd, buffer.as_mut_ptr().cast(), buffer.len()) };
        match usize::try_from(got) {
            Ok(got) if got > 0 => all.extend_from_slice(buffer.get(..got).unwrap_or_default()),
            _ => return all,
        }
    }
}

/// The next message; `None` at the end of the line.
pub(super) fn receive(fd: RawFd) -> Option<Vec<u8>> {
    let mut buffer = vec![0_u8; 64 << 10];
    loop {
        // SAFETY: room for as many bytes as are asked for.
        let got = unsafe { libc::recv(fd, buffer.as_mut_ptr().cast(), buffer.len(), 0) };
        match usize::try_from(got) {
            Ok(0) => return None,
            Ok(got) => {
                buffer.truncate(got);
                return Some(buffer);
            }
            Err(_) if io::Error::last_os_error().kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return None,
        }
    }
}

/// Sends a message; who no longer listens misses it.
pub(super) fn send(fd: RawFd, message: &[u8]) {
    let bound = message.get(..message.len().min(60 << 10)).unwrap_or_default();
    #[cfg(target_os = "linux")]
    let flags = libc::MSG_NOSIGNAL;
    #[cfg(not(target_os = "linux"))]
    let flags = 0;
    // SAFETY: as many live bytes as are said.
    unsafe { libc::send(fd, bound.as_ptr().cast(), bound.len(), flags) };
}

/// Waits until one of these has something to read, for so many milliseconds (negative:
/// without an end); which of them has.
pub(super) fn wait<const N: usize>(fds: [RawFd; N], millis: libc::c_int) -> [bool; N] {
    let mut polled = fds.map(|fd| libc::pollfd { fd, events: libc::POLLIN, revents: 0 });
    // SAFETY: an array of `N` live structures. An interruption is as nothing to read.
    let found = unsafe { libc::poll(polled.as_mut_ptr(), N as libc::nfds_t, millis) };
    polled.map(|one| found > 0 && one.revents != 0)
}
