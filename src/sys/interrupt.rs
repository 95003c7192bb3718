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

/// From now on an interrupt or a termination is only noted; one that whoever started this
/// process had it ignore stays ignored.
#[cfg(unix)]
pub fn note() {
    for signal in SIGNALS {
        // SAFETY: the handler only stores to an atomic, which signals may.
        unsafe {
            if libc::signal(signal, handler()) == libc::SIG_IGN {
                libc::signal(signal, libc::SIG_IGN);
            }
        }
    }
}

/// From now on an interrupt or a termination is only noted.
#[cfg(not(unix))]
pub fn note() {}

/// From now on one ends this process again, as it does any other.
#[cfg(unix)]
pub fn forget() {
    for signal in SIGNALS {
        // SAFETY: what is set is the default, or what was there before.
        unsafe {
            let before = libc::signal(signal, libc::SIG_DFL);
            if before != handler() {
                libc::signal(signal, before);
            }
        }
    }
}

/// From now on one ends this process again, as it does any other.
#[cfg(not(unix))]
pub fn forget() {}

/// Whether one came.
#[must_use]
pub fn came() -> bool {
    ASKED.load(Ordering::Relaxed)
}

/// While it lives an interrupt or a termination is only noted; then it is as before.
#[cfg(unix)]
#[derive(Debug)]
pub struct Noting {
    before: [libc::sighandler_t; 3],
}

#[cfg(unix)]
impl Noting {
    /// From now on.
    #[must_use]
    pub fn begin() -> Self {
        // SAFETY: the handler only stores to an atomic, which signals may.
        Self { before: SIGNALS.map(|signal| unsafe { libc::signal(signal, handler()) }) }
    }

    /// Whether one came.
    #[must_use]
    pub fn came(&self) -> bool {
        came()
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
