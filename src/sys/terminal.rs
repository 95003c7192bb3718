//! The terminal: how wide it is, and whether it is still there.

use std::time::Duration;

/// The columns of the terminal that standard output is; `None` where it is none, or
/// doesn't know.
#[must_use]
pub fn columns() -> Option<usize> {
    of(libc::STDOUT_FILENO)
}

fn of(fd: libc::c_int) -> Option<usize> {
    let mut size = libc::winsize { ws_row: 0, ws_col: 0, ws_xpixel: 0, ws_ypixel: 0 };
    // SAFETY: the kernel writes one `winsize`, which lives until the call returns; any
    // descriptor may be asked, one that is no terminal is an error.
    let asked = unsafe { libc::ioctl(fd, libc::TIOCGWINSZ, &raw mut size) };
    (asked == 0 && size.ws_col > 0).then(|| usize::from(size.ws_col))
}

/// Waits so long for something to be typed, or until a signal comes; whether the terminal at
/// standard input is still there. Nobody is told by a signal that it is gone whose session's
/// it isn't.
pub fn wait(time: Duration) -> bool {
    is_there(libc::STDIN_FILENO, time)
}

fn is_there(fd: libc::c_int, time: Duration) -> bool {
    let mut one = libc::pollfd { fd, events: libc::POLLIN, revents: 0 };
    let time = libc::c_int::try_from(time.as_millis()).unwrap_or(libc::c_int::MAX);
    // SAFETY: one live `pollfd`.
    let told = unsafe { libc::poll(&raw mut one, 1, time) };
    told <= 0 || one.revents & (libc::POLLHUP | libc::POLLERR) == 0
}

#[cfg(test)]
mod tests {
    use super::{is_there, of};
    use std::os::fd::AsRawFd;
    use std::time::Duration;

    #[test]
    fn what_is_no_terminal_has_no_width() {
        let file = std::fs::File::open("/dev/null").expect("it is there");
        assert_eq!(of(file.as_raw_fd()), None);
        assert_eq!(of(-1), None);
    }

    #[test]
    fn what_nobody_writes_to_any_more_is_gone() {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        let there = || is_there(reader.as_raw_fd(), Duration::ZERO);
        assert!(there());
        drop(writer);
        assert!(!there());
    }
}
