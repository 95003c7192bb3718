//! The end of a chained log: what its next line links to.

use std::fs::File;
use std::io;

use super::hash::Short;
use super::record::Record;
use crate::sys::append;

/// What is read of the end for the line before: first enough for most, then more.
const LAST: u64 = 2 << 10;
const MORE: u64 = 32;
const LAST_AT_MOST: u64 = 4 << 20;

/// The end of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct End {
    /// The hash of the last line.
    pub(super) hash: Short,
    /// Whether that line is whole; a process that was killed as it wrote leaves half a one.
    pub(super) whole: bool,
}

impl End {
    /// Of a log with nothing in it.
    pub(super) const EMPTY: Self = Self { hash: Short::NONE, whole: true };

    /// Of a log of this size.
    pub(super) fn of(log: &File, size: u64) -> io::Result<Self> {
        if size == 0 {
            return Ok(Self::EMPTY);
        }
        let mut most = LAST;
        loop {
            let tail = append::tail(log, size, most)?;
            let (body, whole) = match tail.split_last() {
                Some((b'\n', body)) => (body, true),
                _ => (tail.as_slice(), false),
            };
            match body.iter().rposition(|b| *b == b'\n') {
                Some(at) => {
                    let last = body.get(at + 1..).unwrap_or_default();
                    return Ok(Self { hash: Short::of(last), whole });
                }
                None if size <= most || most >= LAST_AT_MOST => {
                    return Ok(Self { hash: Short::of(body), whole });
                }
                None => most = (most * MORE).min(LAST_AT_MOST),
            }
        }
    }

    /// The bytes of these records behind this end, each linked to the line before it. A
    /// damaged end is closed with a line end, so that it spoils nothing behind it.
    pub(super) fn then(self, records: impl IntoIterator<Item = Record>) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut before = self.hash;
        for record in records {
            let line = record.line(before.as_str());
            before = Short::of(line.strip_suffix(b"\n").unwrap_or(&line));
            if bytes.is_empty() && self.whole {
                bytes = line;
                continue;
            }
            if bytes.is_empty() {
                bytes.push(b'\n');
            }
            bytes.extend_from_slice(&line);
        }
        bytes
    }
}
