//! The deadline, and requests to stop.
//!
//! A timer's signal isn't delivered while the process hangs in the kernel (a network file
//! system that doesn't answer), so a thread keeps the time. It also waits for the
//! signals that ask to stop, which saves a handler for each of them. Where a thread is
//! refused, handlers and a timer do what they can.

use std::sync::atomic::{AtomicU64, Ordering};

use super::net;

/// Room for the waiting, one answer and a signal frame.
const STACK: usize = 32 << 10;

static AFTER_MS: AtomicU64 = AtomicU64::new(0);

/// From now on `milliseconds`, then the net answers.
pub fn start(milliseconds: u64) {
    AFTER_MS.store(milliseconds, Ordering::Release);
    if !watched() {
        net::handle_requests();
        timer(milliseconds);
    }
}

/// The answer is out: what is left to do may take this long.
pub fn linger(milliseconds: u64) {
    timer(milliseconds);
}

/// Starts the thread; whether there is one.
#[cfg(target_os = "linux")]
fn watched() -> bool {
    // A bare thread on memory of our own: a `pthread` maps, protects and prepares a stack
    // for each start, which costs more than the thread. It shares the main thread's
    // thread-local memory, `errno` with it, so it makes system calls and nothing else; the
    // one that can fail does so when the time is up.
    const FLAGS: libc::c_int = libc::CLONE_VM
        | libc::CLONE_FS
        | libc::CLONE_FILES
        | libc::CLONE_SIGHAND
        | libc::CLONE_THREAD
        | libc::CLONE_SYSVSEM;
    let requests = Box::leak(Box::new(net::hold_requests()));
    // SAFETY: the stack is a static of the size given, grows down from its 16-byte aligned
    // end and serves one thread, as this runs once in a process; `requests` is for good.
    unsafe {
        let top = SLEEPER.0.get().cast::<u8>().wrapping_add(STACK);
        libc::clone(watch, top.cast(), FLAGS, std::ptr::from_mut(requests).cast()) > 0
    }
}

#[cfg(target_os = "linux")]
extern "C" fn watch(requests: *mut libc::c_void) -> libc::c_int {
    // SAFETY: what `watched` leaked for this thread.
    let requests = unsafe { &*requests.cast::<net::Requests>() };
    let stop = requests.wait(AFTER_MS.load(Ordering::Acquire));
    net::fail(if stop { net::Cause::Stopped } else { net::Cause::Deadline })
}

#[cfg(target_os = "linux")]
#[repr(C, align(16))]
struct Stack(std::cell::UnsafeCell<[u8; STACK]>);
// SAFETY: only the watching thread uses it.
#[cfg(target_os = "linux")]
unsafe impl Sync for Stack {}
#[cfg(target_os = "linux")]
static SLEEPER: Stack = Stack(std::cell::UnsafeCell::new([0; STACK]));

/// Starts a thread that keeps the time; requests to stop and the timer stay with the
/// handlers, as this system has no call that waits for a signal so long and no longer.
#[cfg(not(target_os = "linux"))]
fn watched() -> bool {
    extern "C" fn watch(_: *mut libc::c_void) -> *mut libc::c_void {
        super::fd::nap(AFTER_MS.load(Ordering::Acquire));
        net::fail(net::Cause::Deadline)
    }
    net::hold_requests();
    // SAFETY: the attributes are initialised before use and destroyed after it; the
    // thread's function has the C ABI and never returns. It inherits the mask, so that
    // the handlers run on the main thread, which has the stack for them.
    unsafe {
        let mut attributes: libc::pthread_attr_t = std::mem::zeroed();
        if libc::pthread_attr_init(&raw mut attributes) == 0 {
            let stack = STACK.max(libc::PTHREAD_STACK_MIN);
            libc::pthread_attr_setstacksize(&raw mut attributes, stack);
            libc::pthread_attr_setdetachstate(&raw mut attributes, libc::PTHREAD_CREATE_DETACHED);
            let mut id: libc::pthread_t = std::mem::zeroed();
            libc::pthread_create(&raw mut id, &raw const attributes, watch, std::ptr::null_mut());
            libc::pthread_attr_destroy(&raw mut attributes);
        }
    }
    false
}

fn timer(milliseconds: u64) {
    let time = |ms: u64| libc::timeval {
        tv_sec: (ms / 1000).try_into().unwrap_or(1),
        tv_usec: (ms % 1000 * 1000).try_into().unwrap_or(0),
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
