//! Signals of whoever started us are the command's: those that one process sends to us are
//! passed on, those of the terminal reach the command by themselves.

use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::sync::atomic::{AtomicI32, Ordering};

/// What is passed on. Stops are not here: the terminal stops us and the command together.
const PASSED: &[libc::c_int] = &[
    libc::SIGINT,
    libc::SIGQUIT,
    libc::SIGTERM,
    libc::SIGHUP,
    libc::SIGUSR1,
    libc::SIGUSR2,
    libc::SIGALRM,
];

static PIPE: AtomicI32 = AtomicI32::new(-1);

/// Signals as bytes in a pipe; puts everything back when dropped.
#[derive(Debug)]
pub(super) struct Signals {
    read: OwnedFd,
    _write: OwnedFd,
    before: Vec<(libc::c_int, libc::sigaction)>,
}

extern "C" fn note(signal: libc::c_int, about: *mut libc::siginfo_t, _: *mut libc::c_void) {
    // SAFETY: with `SA_SIGINFO` the kernel gives a filled structure or null.
    let code = if about.is_null() { 0 } else { unsafe { (*about).si_code } };
    // Positive: the kernel itself, for a terminal, and then all of its group have it.
    let passed = signal == libc::SIGCHLD || code <= 0;
    let byte = u8::try_from(signal).unwrap_or(0);
    let fd = PIPE.load(Ordering::Relaxed);
    if passed && fd >= 0 {
        // SAFETY: one live byte; `write` may be called in a handler. A full pipe holds
        // more signals than anybody has to hear of. `errno` is put back.
        unsafe {
            let errno = errno();
            let before = *errno;
            libc::write(fd, (&raw const byte).cast(), 1);
            *errno = before;
        }
    }
}

#[cfg(target_os = "linux")]
unsafe fn errno() -> *mut libc::c_int {
    // SAFETY: the calling thread's own, always valid.
    unsafe { libc::__errno_location() }
}

#[cfg(not(target_os = "linux"))]
unsafe fn errno() -> *mut libc::c_int {
    // SAFETY: the calling thread's own, always valid.
    unsafe { libc::__error() }
}

impl Signals {
    /// From now on signals are noted. What is ignored stays ignored, as `nohup` wants it.
    pub(super) fn catch() -> std::io::Result<Self> {
        let (read, write) = super::wire::pipe()?;
        super::wire::nonblocking(read.as_raw_fd());
        super::wire::nonblocking(write.as_raw_fd());
        PIPE.store(write.as_raw_fd(), Ordering::Relaxed);
        let mut before = Vec::new();
        for signal in PASSED.iter().copied().chain([libc::SIGCHLD]) {
            // SAFETY: all-zero is a valid `sigaction`; both structures live until the call
            // returns; the handler only writes to a pipe.
            unsafe {
                let mut old: libc::sigaction = std::mem::zeroed();
                libc::sigaction(signal, std::ptr::null(), &raw mut old);
                if old.sa_sigaction == libc::SIG_IGN && signal != libc::SIGCHLD {
                    continue;
                }
                let mut new: libc::sigaction = std::mem::zeroed();
                new.sa_sigaction = note as extern "C" fn(_, _, _) as libc::sighandler_t;
                new.sa_flags = libc::SA_SIGINFO | libc::SA_RESTART;
                libc::sigaction(signal, &raw const new, std::ptr::null_mut());
                before.push((signal, old));
            }
        }
        Ok(Self { read, _write: write, before })
    }

    /// Where it is to be waited for them.
    pub(super) fn fd(&self) -> RawFd {
        self.read.as_raw_fd()
    }

    /// Those that came, the end of a child apart.
    pub(super) fn came(&self) -> Vec<libc::c_int> {
        let bytes = super::wire::drain(self.read.as_raw_fd());
        let signals = bytes.into_iter().map(libc::c_int::from);
        signals.filter(|signal| *signal != libc::SIGCHLD).collect()
    }
}

impl Drop for Signals {
    fn drop(&mut self) {
        for (signal, old) in &self.before {
            // SAFETY: what was there before is put back.
            unsafe { libc::sigaction(*signal, old, std::ptr::null_mut()) };
        }
        PIPE.store(-1, Ordering::Relaxed);
    }
}

/// As a program finds its signals: what a library of ours changed is put back, and nothing
/// is held up.
pub(super) fn plain() {
    // SAFETY: a set on the stack, and constants.
    unsafe {
        libc::signal(libc::SIGPIPE, libc::SIG_DFL);
        let mut none = std::mem::MaybeUninit::<libc::sigset_t>::uninit();
        libc::sigemptyset(none.as_mut_ptr());
        libc::sigprocmask(libc::SIG_SETMASK, none.as_ptr(), std::ptr::null_mut());
    }
}

/// Ends this process by a signal, as the command did, and leaves no second core behind.
pub fn die_by(signal: i32) {
    // SAFETY: a structure on the stack, constants and numbers.
    unsafe {
        let none = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        libc::setrlimit(libc::RLIMIT_CORE, &raw const none);
        libc::signal(signal, libc::SIG_DFL);
        let mut one = std::mem::MaybeUninit::<libc::sigset_t>::uninit();
        libc::sigemptyset(one.as_mut_ptr());
        libc::sigaddset(one.as_mut_ptr(), signal);
        libc::sigprocmask(libc::SIG_UNBLOCK, one.as_ptr(), std::ptr::null_mut());
        libc::raise(signal);
    }
}
