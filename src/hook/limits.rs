//! Every bound of the hook process, in one place.

use crate::hosts::EventName;

/// The timeout written into the host's settings, in seconds: far above the deadline,
/// since a host that runs out of patience lets the call pass.
#[must_use]
pub const fn registered_timeout_s(event: EventName) -> u32 {
    match event {
        EventName::SessionEnd => 5,
        _ => 30,
    }
}

/// When the net answers, in milliseconds after the start.
#[must_use]
pub const fn deadline_ms(event: EventName) -> u64 {
    match event {
        EventName::SessionEnd => 1_000,
        _ => 10_000,
    }
}

/// How long the journal may take once the answer is out.
pub const LINGER_MS: u64 = 1_000;

/// The largest payload read.
pub const PAYLOAD: usize = 64 << 20;

/// The first read's size, and the least room for each later one.
pub const READ: usize = 16 << 10;

/// How much of the journal's end is searched for a call's seal or a session's start.
/// What lies further back is decided again, so this bounds cost and not safety.
pub const TAIL: usize = 256 << 10;

/// How much of the journal's end is searched for the beginning of a session whose
/// authority log is gone.
pub const BEGUN_TAIL: usize = 64 << 10;

/// The largest settings file compared.
pub const SETTINGS: u64 = 8 << 20;

/// Arguments in a journal record, in bytes after redaction.
pub const JOURNAL_INPUT: usize = 4 << 10;

/// The longest authority log read, in bytes.
pub const AUTHORITY: u64 = 1 << 20;
