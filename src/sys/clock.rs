//! The time of day.

/// Milliseconds since the epoch; 0 if the clock stands before it.
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
#[must_use]
pub fn now_ms() -> u64 {
    // The kernel's own call. A program that asks once pays more for finding the faster way
    // (two page faults and a walk through symbols) than that way saves.
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a live local of the type the kernel fills on 64-bit machines.
    unsafe { libc::syscall(libc::SYS_clock_gettime, libc::CLOCK_REALTIME, &raw mut time) };
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    let part = u64::try_from(time.tv_nsec / 1_000_000).unwrap_or(0);
    seconds.saturating_mul(1000).saturating_add(part)
}

/// Milliseconds since the epoch; 0 if the clock stands before it.
#[cfg(not(all(target_os = "linux", target_pointer_width = "64")))]
#[must_use]
pub fn now_ms() -> u64 {
    std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .map_or(0, |d| u64::try_from(d.as_millis()).unwrap_or(u64::MAX))
}

/// Milliseconds on a clock that never goes back.
#[must_use]
pub fn steady_ms() -> u64 {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    let start = START.get_or_init(std::time::Instant::now);
    u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_clock_is_the_systems() {
        let of_std = std::time::SystemTime::now()
            .duration_since(std::time::UNIX_EPOCH)
            .map_or(0, |d| d.as_millis());
        let ours = u128::from(super::now_ms());
        assert!(ours.abs_diff(of_std) < 60_000, "{ours} is not {of_std}");
    }
}
