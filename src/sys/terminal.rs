//! The terminal: how wide it is, and whether it is still there.

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

/// Whether the terminal at standard input was hung up. Nobody is told by a signal whose
/// session it isn't.
#[must_use]
pub fn gone() -> bool {
    hung_up(libc::STDIN_FILENO)
}

fn hung_up(fd: libc::c_int) -> bool {
    let mut one = libc::pollfd { fd, events: 0, revents: 0 };
    // SAFETY: one live `pollfd`, and no waiting.
    let told = unsafe { libc::poll(&raw mut one, 1, 0) };
    told > 0 && one.revents & (libc::POLLHUP | libc::POLLERR) != 0
}

#[cfg(test)]
mod tests {
    use super::{hung_up, of};
    use std::os::fd::AsRawFd;

    #[test]
    fn what_is_no_terminal_has_no_width() {
        let file = std::fs::File::open("/dev/null").expect("it is there");
        assert_eq!(of(file.as_raw_fd()), None);
        assert_eq!(of(-1), None);
    }

    #[test]
    fn what_nobody_writes_to_any_more_is_hung_up() {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        assert!(!hung_up(reader.as_raw_fd()));
        drop(writer);
        assert!(hung_up(reader.as_raw_fd()));
    }
}
