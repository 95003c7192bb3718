//! The process that becomes the command: what it gives up, and how it starts.

use std::ffi::{CString, OsStr};
use std::io;
use std::os::unix::ffi::OsStrExt;

use super::Body;

/// A command, ready to be started without asking for memory.
pub(super) struct Ready {
    words: Vec<CString>,
    env: Vec<(CString, CString)>,
}

impl Ready {
    /// Of a body; words with a NUL can't be given to any program.
    pub(super) fn of(before: &[std::ffi::OsString], body: &Body) -> io::Result<Self> {
        let text = |word: &OsStr| CString::new(word.as_bytes()).map_err(io::Error::from);
        let words = before.iter().chain(&body.words);
        let env = body.env.iter();
        Ok(Self {
            words: words.map(|word| text(word)).collect::<Result<_, _>>()?,
            env: env.map(|(k, v)| Ok((text(k)?, text(v)?))).collect::<io::Result<_>>()?,
        })
    }

    /// Becomes the command; comes back with the system's error only.
    pub(super) fn start(&self) -> i32 {
        super::signals::plain();
        for (name, value) in &self.env {
            // SAFETY: both strings live; this process has one thread.
            unsafe { libc::setenv(name.as_ptr(), value.as_ptr(), 1) };
        }
        let mut words: Vec<*const libc::c_char> = self.words.iter().map(|w| w.as_ptr()).collect();
        words.push(std::ptr::null());
        let Some(program) = self.words.first() else { return libc::ENOENT };
        // SAFETY: a list of live strings with a null at its end.
        unsafe { libc::execvp(program.as_ptr(), words.as_ptr()) };
        io::Error::last_os_error().raw_os_error().unwrap_or(libc::EIO)
    }
}

/// Closes what was inherited and could write: of what is open beyond the three streams only
/// pipes are the command's, and files that are only read, where those can't be opened anew
/// for writing.
pub(super) fn close_writers(files: bool) {
    let Ok(open) = std::fs::read_dir("/proc/self/fd") else { return };
    let numbers = open.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<i32>().ok());
    let numbers: Vec<i32> = numbers.filter(|fd| *fd > 2).collect();
    for fd in numbers {
        let mut about = std::mem::MaybeUninit::<libc::stat>::uninit();
        // SAFETY: the structure is read only where the kernel has filled it; the rest are
        // numbers. What is closed is nobody's: our own descriptors close at the start of
        // a program anyway, and are left alone.
        unsafe {
            let own = libc::fcntl(fd, libc::F_GETFD);
            if own < 0 || own & libc::FD_CLOEXEC != 0 || libc::fstat(fd, about.as_mut_ptr()) != 0 {
                continue;
            }
            let kind = about.assume_init().st_mode & libc::S_IFMT;
            let reads = libc::fcntl(fd, libc::F_GETFL) & libc::O_ACCMODE == libc::O_RDONLY;
            if kind != libc::S_IFIFO && !(files && kind == libc::S_IFREG && reads) {
                libc::close(fd);
            }
        }
    }
}

/// Closes everything beyond the three streams but these: what is open in a process that only
/// waits keeps others waiting.
pub(super) fn close_but(keep: &[std::os::fd::RawFd]) {
    let Ok(open) = std::fs::read_dir("/proc/self/fd") else { return };
    let numbers = open.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<i32>().ok());
    let numbers: Vec<i32> = numbers.filter(|fd| *fd > 2 && !keep.contains(fd)).collect();
    for fd in numbers {
        // SAFETY: a number. Nothing in this process uses what it closes any more: it ends
        // without tidying up.
        unsafe { libc::close(fd) };
    }
}

/// Leaves the three streams to the command: who only waits must not keep them open.
pub(super) fn leave_streams() {
    // SAFETY: a constant name, and numbers.
    unsafe {
        let null = libc::open(c"/dev/null".as_ptr(), libc::O_RDWR);
        if null >= 0 {
            for fd in 0..3 {
                libc::dup2(null, fd);
            }
            if null > 2 {
                libc::close(null);
            }
        }
    }
}
