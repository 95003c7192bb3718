//! The net under the hook process: whatever happens, there is one answer.
//!
//! A panic, a fatal signal, a stack overflow, an allocation that fails, a request to
//! stop and the deadline all end in an answer that was rendered when harness was
//! built, written with raw `write(2)`, and `_exit`. Who answers first claims the
//! answer; nobody else writes a byte after that, but for one: an answer that is stuck in
//! standard output has its reason put on standard error before the process ends.

use std::panic::PanicHookInfo;
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};

use super::fd;

/// A complete answer known before the event is read.
#[derive(Clone, Copy, Debug)]
pub struct Ready {
    /// Standard output, exactly.
    pub stdout: &'static [u8],
    /// Standard error, exactly.
    pub stderr: &'static [u8],
}

/// The ready answers of one host and event.
#[derive(Debug)]
pub struct Plan {
    /// How the process ends with any of them.
    pub code: u8,
    /// harness panicked.
    pub panic: Ready,
    /// A fatal signal, stack overflow included.
    pub crash: Ready,
    /// Memory ran out.
    pub memory: Ready,
    /// The time ran out.
    pub deadline: Ready,
    /// Somebody asked the process to stop.
    pub stopped: Ready,
    /// Standard output took no answer.
    pub unwritable: Ready,
}

/// Why the net had to answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// A panic.
    Panic,
    /// A fatal signal.
    Crash,
    /// An allocation failed.
    Memory,
    /// The deadline passed.
    Deadline,
    /// A signal asked to stop.
    Stopped,
}

/// Nobody has answered.
const OPEN: u32 = 0;
/// Somebody is writing the answer.
const WRITING: u32 = 1;
/// The answer is out; the exit code is in the low byte.
const DONE: u32 = 0x100;

/// How long the net waits for an answer that another thread is writing.
const GRACE_MS: u64 = 1000;
/// The same for a failure on the thread that may itself have been writing.
const OWN_GRACE_MS: u64 = 50;

static STATE: AtomicU32 = AtomicU32::new(OPEN);
static PLAN: AtomicPtr<Plan> = AtomicPtr::new(std::ptr::null_mut());
static ALARMS: AtomicU32 = AtomicU32::new(0);
/// What an answer still has to put on standard error; null once somebody has taken it.
static REASON: AtomicPtr<&[u8]> = AtomicPtr::new(std::ptr::null_mut());
/// How long a descriptor may take to become ready for the net's own words.
const READY_MS: libc::c_int = 100;

/// A stack for handlers, since a stack overflow leaves none to run on.
#[repr(C, align(16))]
struct HandlerStack(std::cell::UnsafeCell<[u8; HANDLER_STACK]>);
const HANDLER_STACK: usize = 32 << 10;
// SAFETY: only the kernel writes to it, for one handler at a time.
unsafe impl Sync for HandlerStack {}
static HANDLER: HandlerStack = HandlerStack(std::cell::UnsafeCell::new([0; HANDLER_STACK]));

const FATAL: &[libc::c_int] =
    &[libc::SIGSEGV, libc::SIGBUS, libc::SIGILL, libc::SIGFPE, libc::SIGABRT, libc::SIGSYS];
/// Requests to stop, and what else would end the process from outside. Among them a file
/// that may not grow: held, it is an error from `write` and no end. (A closed pipe is one
/// already: Rust's runtime has seen to that.)
const STOPPING: &[libc::c_int] = &[
    libc::SIGTERM,
    libc::SIGINT,
    libc::SIGHUP,
    libc::SIGQUIT,
    libc::SIGUSR1,
    libc::SIGUSR2,
    libc::SIGXCPU,
    libc::SIGVTALRM,
    libc::SIGPROF,
    libc::SIGALRM,
    libc::SIGXFSZ,
    libc::SIGIO,
    libc::SIGTRAP,
    #[cfg(target_os = "linux")]
    libc::SIGPWR,
    #[cfg(target_os = "linux")]
    libc::SIGSTKFLT,
];

/// Stretches the net. The first thing the hook process does.
pub fn arm(plan: &'static Plan) {
    PLAN.store(std::ptr::from_ref(plan).cast_mut(), Ordering::Release);
    std::panic::set_hook(Box::new(panicked));
    let stack =
        libc::stack_t { ss_sp: HANDLER.0.get().cast(), ss_flags: 0, ss_size: HANDLER_STACK };
    // SAFETY: the stack is a static of the size given.
    unsafe { libc::sigaltstack(&raw const stack, std::ptr::null_mut()) };
    for &signal in FATAL {
        install(signal, crashed as *const () as libc::sighandler_t);
    }
}

/// Requests to stop wait until somebody asks for them (see [`Requests`]); every other
/// signal comes, whatever mask the host handed down.
pub(super) fn hold_requests() -> Requests {
    let mut set = set_of(STOPPING);
    hold_numbered(&mut set);
    // SAFETY: an initialised set; the old mask isn't wanted.
    unsafe { libc::sigprocmask(libc::SIG_SETMASK, &raw const set, std::ptr::null_mut()) };
    Requests(set)
}

/// The signals without a name, which end a process that doesn't know them.
#[cfg(target_os = "linux")]
fn hold_numbered(set: &mut libc::sigset_t) {
    for signal in libc::SIGRTMIN()..=libc::SIGRTMAX() {
        // SAFETY: an initialised set and a signal of this system.
        unsafe { libc::sigaddset(set, signal) };
    }
}

/// Elsewhere there are none.
#[cfg(not(target_os = "linux"))]
fn hold_numbered(_: &mut libc::sigset_t) {}

/// Requests to stop are answered by a handler, in whatever the process is at.
pub(super) fn handle_requests() {
    for &signal in STOPPING {
        install(signal, stopped as *const () as libc::sighandler_t);
    }
    let none = set_of(&[]);
    // SAFETY: an initialised set; the old mask isn't wanted.
    unsafe { libc::sigprocmask(libc::SIG_SETMASK, &raw const none, std::ptr::null_mut()) };
}

/// The held requests to stop.
pub(super) struct Requests(libc::sigset_t);

impl Requests {
    /// Waits for one, at most so long; whether there was one. Calls nothing but the kernel.
    #[cfg(target_os = "linux")]
    pub(super) fn wait(&self, milliseconds: u64) -> bool {
        let time = fd::timespec(milliseconds);
        // Where a kernel set is eight bytes, they are the first of the library's.
        // SAFETY: pointers to live objects, the set's size as the kernel has it.
        let signal = unsafe {
            libc::syscall(
                libc::SYS_rt_sigtimedwait,
                &raw const self.0,
                std::ptr::null_mut::<libc::siginfo_t>(),
                &raw const time,
                KERNEL_SET,
            )
        };
        signal > 0
    }
}

/// Bytes in a signal set as the kernel has it: 64 signals.
#[cfg(target_os = "linux")]
const KERNEL_SET: usize = 8;

/// Aims the net at another answer: what was read corrected what argv said.
pub fn aim(plan: &'static Plan) {
    PLAN.store(std::ptr::from_ref(plan).cast_mut(), Ordering::Release);
}

/// Whether the net is stretched.
#[must_use]
pub fn armed() -> bool {
    !PLAN.load(Ordering::Acquire).is_null()
}

/// Gives the answer. Comes back to let the journal be written; end with [`finish`].
/// If the net has answered meanwhile this never returns. An answer with words that
/// standard output doesn't take ends as the plan's `unwritable`.
pub fn answer(stdout: &[u8], stderr: &[u8], code: u8) {
    if STATE.compare_exchange(OPEN, WRITING, Ordering::AcqRel, Ordering::Acquire).is_err() {
        wait_for_the_end();
    }
    let mut code = code;
    let mut reason = stderr;
    REASON.store((&raw mut reason).cast(), Ordering::Release);
    let out = fd::write_all(fd::STDOUT, stdout);
    if REASON.swap(std::ptr::null_mut(), Ordering::AcqRel).is_null() {
        // The net is writing it, and ends the process.
        wait_for_the_end();
    }
    let err = fd::write_all(fd::STDERR, reason);
    // A denial also stands on standard error and the exit code; anything else that is
    // lost on a gate becomes one.
    let denied = err && code == 2;
    let lost = !(out || denied);
    if lost
        && let Some(plan) = plan()
        && plan.code != 0
    {
        let _ = fd::write_all(fd::STDERR, plan.unwritable.stderr);
        code = plan.code;
    }
    STATE.store(DONE | u32::from(code), Ordering::Release);
}

/// Ends the process with the code of the answer given.
pub fn finish() -> ! {
    match STATE.load(Ordering::Acquire) {
        state if state & DONE != 0 => end(low_byte(state)),
        _ => fail(Cause::Panic),
    }
}

/// Ends the process with the net's answer for `cause`, or with the answer that is
/// already out.
pub fn fail(cause: Cause) -> ! {
    let own = matches!(cause, Cause::Panic | Cause::Crash | Cause::Memory);
    settle(cause, if own { OWN_GRACE_MS } else { GRACE_MS })
}

fn settle(cause: Cause, grace: u64) -> ! {
    match STATE.compare_exchange(OPEN, WRITING, Ordering::AcqRel, Ordering::Acquire) {
        Ok(_) => {
            let Some(plan) = plan() else { end(2) };
            let ready = match cause {
                Cause::Panic => plan.panic,
                Cause::Crash => plan.crash,
                Cause::Memory => plan.memory,
                Cause::Deadline => plan.deadline,
                Cause::Stopped => plan.stopped,
            };
            // Standard error first: it says the same, and each may be full.
            fd::write_within(fd::STDERR, ready.stderr, READY_MS);
            fd::write_within(fd::STDOUT, ready.stdout, READY_MS);
            STATE.store(DONE | u32::from(plan.code), Ordering::Release);
            end(plan.code)
        }
        Err(WRITING) => {
            fd::nap(grace);
            match STATE.load(Ordering::Acquire) {
                state if state & DONE != 0 => end(low_byte(state)),
                _ => stuck(),
            }
        }
        Err(state) => end(low_byte(state)),
    }
}

/// Standard output doesn't take the answer that is being written: the reason stands on
/// standard error at least.
fn stuck() -> ! {
    let Some(plan) = plan() else { end(2) };
    let reason = REASON.swap(std::ptr::null_mut(), Ordering::AcqRel);
    if plan.code != 0 && !reason.is_null() {
        // SAFETY: it was not taken before, so whoever put it there is in `answer`, which
        // doesn't come back from there once it is.
        let reason = unsafe { *reason };
        let reason = if reason.is_empty() { plan.unwritable.stderr } else { reason };
        fd::write_within(fd::STDERR, reason, READY_MS);
    }
    end(plan.code)
}

fn wait_for_the_end() -> ! {
    loop {
        fd::nap(GRACE_MS);
    }
}

const fn low_byte(state: u32) -> u8 {
    state.to_le_bytes()[0]
}

fn plan() -> Option<&'static Plan> {
    // SAFETY: the pointer is null or came from a `&'static Plan` in `arm` or `aim`.
    unsafe { PLAN.load(Ordering::Acquire).as_ref() }
}

fn end(code: u8) -> ! {
    // SAFETY: ends the process without running anything more of it.
    unsafe { libc::_exit(libc::c_int::from(code)) }
}

/// The reason is the plan's; where it happened goes to standard error behind it.
fn panicked(info: &PanicHookInfo<'_>) {
    if STATE.load(Ordering::Acquire) == OPEN
        && let Some(plan) = plan()
        && plan.code != 0
        && let Some(place) = info.location()
        && STATE.compare_exchange(OPEN, WRITING, Ordering::AcqRel, Ordering::Acquire).is_ok()
    {
        let mut digits = [0_u8; 10];
        let line = decimal(place.line(), &mut digits);
        let told = [plan.panic.stderr, b"panicked at ", place.file().as_bytes(), b":", line, b"\n"];
        told.into_iter().for_each(|part| fd::write_within(fd::STDERR, part, READY_MS));
        fd::write_within(fd::STDOUT, plan.panic.stdout, READY_MS);
        end(plan.code)
    }
    fail(Cause::Panic)
}

fn decimal(mut number: u32, digits: &mut [u8; 10]) -> &[u8] {
    let mut start = digits.len();
    for (at, digit) in digits.iter_mut().enumerate().rev() {
        *digit = b'0' + low_byte(number % 10);
        number /= 10;
        start = at;
        if number == 0 {
            break;
        }
    }
    digits.get(start..).unwrap_or_default()
}

extern "C" fn crashed(_signal: libc::c_int) {
    settle(Cause::Crash, OWN_GRACE_MS)
}

/// A request to stop. Comes back while an answer is being written, so that the thread
/// it interrupted can finish it; the second alarm doesn't wait any longer.
extern "C" fn stopped(signal: libc::c_int) {
    let alarm = signal == libc::SIGALRM;
    if STATE.load(Ordering::Acquire) == WRITING
        && !(alarm && ALARMS.fetch_add(1, Ordering::AcqRel) > 0)
    {
        return;
    }
    settle(if alarm { Cause::Deadline } else { Cause::Stopped }, 0)
}

fn set_of(signals: &[libc::c_int]) -> libc::sigset_t {
    // SAFETY: `sigemptyset` initialises the set whatever was in it.
    unsafe {
        let mut set = std::mem::zeroed();
        libc::sigemptyset(&raw mut set);
        for &signal in signals {
            libc::sigaddset(&raw mut set, signal);
        }
        set
    }
}

fn install(signal: libc::c_int, handler: libc::sighandler_t) {
    // SAFETY: all-zero is a valid `sigaction`; its fields are set before it is used, and
    // the handlers call only what is safe in one.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = handler;
        action.sa_flags = libc::SA_ONSTACK | libc::SA_NODEFER | libc::SA_RESTART;
        libc::sigemptyset(&raw mut action.sa_mask);
        libc::sigaction(signal, &raw const action, std::ptr::null_mut());
    }
}

#[cfg(test)]
mod tests {
    use super::decimal;

    #[test]
    fn numbers_are_spelled_without_allocating() {
        for (number, text) in [(0, "0"), (7, "7"), (1205, "1205"), (u32::MAX, "4294967295")] {
            assert_eq!(decimal(number, &mut [0; 10]), text.as_bytes());
        }
    }
}
