//! The deadline: a thread of its own, since a timer's signal isn't delivered while the
//! process hangs in the kernel (a network file system that doesn't answer), and a
//! timer beside it, since a thread may be refused.

use std::sync::atomic::{AtomicU64, Ordering};

use super::{fd, net};

/// Room for one sleep, one write and a signal frame.
const STACK: usize = 32 << 10;

static AFTER_MS: AtomicU64 = AtomicU64::new(0);

/// From now on `milliseconds`, then the net answers.
pub fn start(milliseconds: u64) {
    AFTER_MS.store(milliseconds, Ordering::Release);
    timer(milliseconds + 200);
    thread();
}

/// The answer is out: what is left to do may take this long.
pub fn linger(milliseconds: u64) {
    timer(milliseconds);
}

fn thread() {
    // SAFETY: the attributes are initialised before use and destroyed after it; the
    // thread's function has the C ABI and never returns. Failure leaves the timer.
    unsafe {
        let mut attributes: libc::pthread_attr_t = std::mem::zeroed();
        if libc::pthread_attr_init(&raw mut attributes) != 0 {
            return;
        }
        libc::pthread_attr_setstacksize(&raw mut attributes, STACK.max(libc::PTHREAD_STACK_MIN));
        libc::pthread_attr_setdetachstate(&raw mut attributes, libc::PTHREAD_CREATE_DETACHED);
        let mut id: libc::pthread_t = std::mem::zeroed();
        libc::pthread_create(&raw mut id, &raw const attributes, watch, std::ptr::null_mut());
        libc::pthread_attr_destroy(&raw mut attributes);
    }
}

extern "C" fn watch(_: *mut libc::c_void) -> *mut libc::c_void {
    // SAFETY: an initialised set; signals are for the main thread, which has the stack
    // for them.
    unsafe {
        let mut all: libc::sigset_t = std::mem::zeroed();
        libc::sigfillset(&raw mut all);
        libc::pthread_sigmask(libc::SIG_BLOCK, &raw const all, std::ptr::null_mut());
    }
    fd::nap(AFTER_MS.load(Ordering::Acquire));
    net::fail(net::Cause::Deadline)
}

fn timer(milliseconds: u64) {
    let time = |ms: u64| libc::timeval {
        tv_sec: libc::time_t::try_from(ms / 1000).unwrap_or(1),
        tv_usec: libc::suseconds_t::try_from(ms % 1000 * 1000).unwrap_or(0),
    };
    let every = libc::itimerval { it_interval: time(1000), it_value: time(milliseconds.max(1)) };
    // SAFETY: `every` is a live local; the old timer isn't wanted.
    unsafe { setitimer(libc::ITIMER_REAL, &raw const every, std::ptr::null_mut()) };
}

unsafe extern "C" {
    fn setitimer(
        which: libc::c_int,
        new: *const libc::itimerval,
        old: *mut libc::itimerval,
    ) -> libc::c_int;
}
