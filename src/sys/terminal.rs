//! How wide the terminal at standard output is.

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

#[cfg(test)]
mod tests {
    use super::of;
    use std::os::fd::AsRawFd;

    #[test]
    fn what_is_no_terminal_has_no_width() {
        let file = std::fs::File::open("/dev/null").expect("it is there");
        assert_eq!(of(file.as_raw_fd()), None);
        assert_eq!(of(-1), None);
    }
}
