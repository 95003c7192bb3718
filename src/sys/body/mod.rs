//! Runs a command in the place of this process: its terminal, its streams, its signals and
//! its end are the command's own.

use std::ffi::OsString;
use std::time::Duration;

#[cfg(unix)]
mod child;
#[cfg(unix)]
mod family;
#[cfg(target_os = "linux")]
mod init;
#[cfg(unix)]
mod signals;
#[cfg(unix)]
mod start;
#[cfg(unix)]
mod supervise;
#[cfg(unix)]
mod wire;

#[cfg(unix)]
pub use signals::die_by;
#[cfg(unix)]
pub use supervise::run;

use super::confine::Fence;

/// What to run.
#[derive(Clone, Debug)]
pub struct Body {
    /// The program, looked for as a shell does, and its arguments.
    pub words: Vec<OsString>,
    /// Variables that it gets beside those that are set.
    pub env: Vec<(OsString, OsString)>,
}

/// What holds it.
#[derive(Clone, Debug)]
pub enum Holder {
    /// Nothing.
    Nobody,
    /// Namespaces of its own, and Landlock of this version (0: none).
    Namespaces(Fence, u32),
    /// Landlock alone, of this version.
    Landlock(Fence, u32),
    /// A program that holds what it starts: its words go before the command's. Landlock of
    /// this version keeps what the program leaves open.
    Program(Vec<OsString>, u32),
}

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// With this code.
    Exit(i32),
    /// By this signal.
    Signal(i32),
}

/// What it came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    /// How.
    pub status: Status,
    /// From start to end.
    pub wall: Duration,
    /// Of processors, with all it waited for.
    pub cpu: Duration,
    /// The largest of its processes, in KiB.
    pub peak_kib: u64,
    /// Bytes that it and what it waited for wrote, to wherever; 0 where nobody counts.
    pub written: u64,
    /// Whether processes that it started go on.
    pub leaves: bool,
    /// Whether it was stopped because nobody wants it any more.
    pub stopped: bool,
}

/// Why it never ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotRun {
    /// The program can't be started: the system's error.
    Program(i32),
    /// What holds it couldn't be set up: the step, and the system's error.
    Holder(String, i32),
}

/// Somebody outside who hears of the tree's end, whatever becomes of this process.
pub trait Watch {
    /// Puts right what the command may not leave behind. `alone` says that the one who
    /// started the command is gone and can tell nobody. The answer reaches that one
    /// otherwise.
    fn ended(&self, alone: bool) -> Vec<u8>;
}

/// Whether one of the three streams is a file or a folder: it could be opened again by
/// whoever has it, in another way than it is open.
#[cfg(unix)]
#[must_use]
pub fn opened_files() -> bool {
    (0..3).any(|fd| {
        let mut about = std::mem::MaybeUninit::<libc::stat>::uninit();
        // SAFETY: the structure is read only where the kernel has filled it.
        unsafe {
            libc::fstat(fd, about.as_mut_ptr()) == 0
                && matches!(
                    about.assume_init().st_mode & libc::S_IFMT,
                    libc::S_IFREG | libc::S_IFDIR
                )
        }
    })
}

/// The system's error for a program that isn't there.
#[cfg(unix)]
pub const NOT_FOUND: i32 = libc::ENOENT;
