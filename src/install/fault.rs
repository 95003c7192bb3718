//! Named points at which the crash tests end the process. Nothing in a shipped build.

/// Ends the process here if `HARNESS_FAULT=install-<point>:kill` says so.
#[cfg(feature = "faults")]
pub(super) fn point(name: &str) {
    let wanted = std::env::var("HARNESS_FAULT").unwrap_or_default();
    if wanted == format!("install-{name}:kill") {
        // No destructor, no flush: as good as `kill -9` for what is on disk.
        std::process::abort();
    }
}

/// Nothing.
#[cfg(not(feature = "faults"))]
pub(super) const fn point(_: &str) {}
