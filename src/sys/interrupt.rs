//! Ctrl-C as a question that can be asked, for commands that must tidy up.

use std::sync::atomic::{AtomicBool, Ordering};

static ASKED: AtomicBool = AtomicBool::new(false);

#[cfg(unix)]
const SIGNALS: [libc::c_int; 3] = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP];

#[cfg(unix)]
extern "C" fn noted(_signal: libc::c_int) {
    ASKED.store(true, Ordering::Relaxed);
}

#[cfg(unix)]
fn handler() -> libc::sighandler_t {
    noted as extern "C" fn(libc::c_int) as libc::sighandler_t
}

/// From now on an interrupt or a termination is only noted.
pub fn note() {
    std::mem::forget(Noting::begin());
}

/// Whether one came.
#[must_use]
pub fn came() -> bool {
    ASKED.load(Ordering::Relaxed)
}

/// While it lives an interrupt or a termination is only noted; then it is as before. One
/// that whoever started this process had it ignore stays ignored.
#[derive(Debug)]
pub struct Noting {
    #[cfg(unix)]
    before: [libc::sighandler_t; 3],
}

impl Noting {
    /// From now on.
    #[must_use]
    pub fn begin() -> Self {
        Self {
            #[cfg(unix)]
            before: SIGNALS.map(begin),
        }
    }
}

#[cfg(unix)]
fn begin(signal: libc::c_int) -> libc::sighandler_t {
    // SAFETY: the handler only stores to an atomic, which signals may; else it is what the
    // system said was there before.
    unsafe {
        let before = libc::signal(signal, handler());
        if before == libc::SIG_IGN {
            libc::signal(signal, before);
        }
        before
    }
}

#[cfg(unix)]
impl Drop for Noting {
    fn drop(&mut self) {
        for (signal, before) in SIGNALS.into_iter().zip(self.before) {
            if before != libc::SIG_ERR {
                // SAFETY: it is what the system said was there before.
                unsafe { libc::signal(signal, before) };
            }
        }
    }
}
