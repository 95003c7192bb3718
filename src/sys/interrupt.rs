//! Ctrl-C as a question that can be asked, for commands that must tidy up.

use std::sync::atomic::{AtomicBool, Ordering};

static ASKED: AtomicBool = AtomicBool::new(false);

/// From now on an interrupt or a termination is only noted.
#[cfg(unix)]
pub fn note() {
    extern "C" fn noted(_signal: libc::c_int) {
        ASKED.store(true, Ordering::Relaxed);
    }
    let handler = noted as extern "C" fn(libc::c_int) as libc::sighandler_t;
    for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
        // SAFETY: the handler only stores to an atomic, which signals may.
        unsafe { libc::signal(signal, handler) };
    }
}

/// From now on an interrupt or a termination is only noted.
#[cfg(not(unix))]
pub fn note() {}

/// Whether one came.
#[must_use]
pub fn came() -> bool {
    ASKED.load(Ordering::Relaxed)
}
