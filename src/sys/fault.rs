//! Faults on demand, for the crash tests. Built only with the feature `faults`; a
//! shipped binary has none of this and no variable that would reach it.

/// A station was told to fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Injected;

/// Trips the fault that `HARNESS_FAULT=<station>:<kind>` asks for at `station`.
///
/// # Errors
/// [`Injected`] for the kind `error`; the other kinds don't come back.
#[cfg(not(feature = "faults"))]
#[inline]
pub const fn point(station: &str) -> Result<(), Injected> {
    let _ = station;
    Ok(())
}

/// Trips the fault that `HARNESS_FAULT=<station>:<kind>` asks for at `station`.
///
/// # Errors
/// [`Injected`] for the kind `error`; the other kinds don't come back.
#[cfg(feature = "faults")]
pub fn point(station: &str) -> Result<(), Injected> {
    let wish = std::env::var("HARNESS_FAULT").unwrap_or_default();
    let Some((at, kind)) = wish.split_once(':') else { return Ok(()) };
    if at != station {
        return Ok(());
    }
    match kind {
        "error" => return Err(Injected),
        "panic" => std::panic::panic_any("a fault on demand"),
        "stall" => super::fd::nap(60_000),
        "overflow" => {
            std::hint::black_box(deeper(0));
        }
        "alloc" => {
            std::hint::black_box(Vec::<u8>::with_capacity(isize::MAX as usize));
        }
        // SAFETY: a signal to this very process.
        "kill" => unsafe {
            libc::kill(libc::getpid(), libc::SIGKILL);
        },
        _ => {}
    }
    Ok(())
}

/// The deadline in a test build, shortened by `HARNESS_DEADLINE_MS`.
#[cfg(feature = "faults")]
#[must_use]
pub fn deadline(milliseconds: u64) -> u64 {
    std::env::var("HARNESS_DEADLINE_MS").ok().and_then(|d| d.parse().ok()).unwrap_or(milliseconds)
}

/// The deadline, as it is.
#[cfg(not(feature = "faults"))]
#[must_use]
pub const fn deadline(milliseconds: u64) -> u64 {
    milliseconds
}

/// What a test build is told instead of what it was built with: `HARNESS_FAULT_<NAME>`.
#[cfg(feature = "faults")]
#[must_use]
pub fn setting(name: &str) -> Option<String> {
    std::env::var(format!("HARNESS_FAULT_{name}")).ok()
}

/// Nothing tells a shipped program otherwise.
#[cfg(not(feature = "faults"))]
#[must_use]
pub const fn setting(name: &str) -> Option<String> {
    let _ = name;
    None
}

#[cfg(feature = "faults")]
fn deeper(depth: u64) -> u64 {
    let mut frame = std::hint::black_box([depth; 512]);
    if let Some(first) = frame.first_mut() {
        *first = deeper(depth + 1);
    }
    std::hint::black_box(frame).iter().sum()
}

/// The backend that a test wants a command to be held by (`HARNESS_BACKEND`).
#[cfg(feature = "faults")]
#[must_use]
pub fn backend() -> Option<String> {
    std::env::var("HARNESS_BACKEND").ok()
}

/// Nobody chooses the backend.
#[cfg(not(feature = "faults"))]
#[must_use]
pub const fn backend() -> Option<String> {
    None
}
