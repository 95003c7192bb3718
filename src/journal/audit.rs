//! The audit journal: appended to in one write, at a cost that doesn't grow with it.

use std::fs::{File, TryLockError};
use std::io::{self, Write};
use std::path::Path;

use harness_core::Json;
use harness_core::json::{Limits, parse};

use super::hash::Short;
use super::record::Record;
use crate::sys::{append, fd};

/// Tries to take the lock, and the pause between two, in milliseconds.
const TRIES: u32 = 800;
const PAUSE_MS: u64 = 1;
/// What is read of the end for the line before: first enough for most, then more.
const LAST: u64 = 2 << 10;
const MORE: u64 = 32;
const LAST_AT_MOST: u64 = 4 << 20;

/// Appends a record, linked to the line before it. A damaged end (a process that was
/// killed as it wrote) is closed with a line end, so that it spoils nothing behind it.
///
/// # Errors
/// What the system says; nothing is half written by an error of ours.
pub fn append(file: &Path, record: Record) -> io::Result<()> {
    let mut log = append::open(file)?;
    lock(&log)?;
    let (previous, whole) = last_line(&log)?;
    let mut line = record.line(previous.as_str());
    if !whole {
        line.insert(0, b'\n');
    }
    log.write_all(&line)
}

fn lock(log: &File) -> io::Result<()> {
    for _ in 0..TRIES {
        match log.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) => fd::nap(PAUSE_MS),
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
    Err(io::ErrorKind::WouldBlock.into())
}

/// The hash of the last line and whether that line is whole.
fn last_line(log: &File) -> io::Result<(Short, bool)> {
    let size = log.metadata()?.len();
    if size == 0 {
        return Ok((Short::NONE, true));
    }
    let mut most = LAST;
    loop {
        let tail = append::tail(log, size, most)?;
        let (body, whole) = match tail.split_last() {
            Some((b'\n', body)) => (body, true),
            _ => (tail.as_slice(), false),
        };
        match body.iter().rposition(|b| *b == b'\n') {
            Some(at) => return Ok((Short::of(body.get(at + 1..).unwrap_or_default()), whole)),
            None if size <= most || most >= LAST_AT_MOST => return Ok((Short::of(body), whole)),
            None => most = (most * MORE).min(LAST_AT_MOST),
        }
    }
}

/// Calls `each` with the records in the last `most` bytes of the journal that hold
/// `needle`, the newest first, until it says that it has found what it wanted.
pub fn search<T>(
    file: &Path,
    most: usize,
    needle: &str,
    mut each: impl FnMut(&Json<'_>) -> Option<T>,
) -> Option<T> {
    let log = File::open(file).ok()?;
    let size = log.metadata().ok()?.len();
    let tail = append::tail(&log, size, u64::try_from(most).ok()?).ok()?;
    // A cut through a character spoils only the line that is cut anyway.
    let text = String::from_utf8_lossy(&tail);
    let mut rest: &str = &text;
    while let Some(at) = rest.rfind(needle) {
        let start = rest.get(..at)?.rfind('\n').map_or(0, |at| at + 1);
        let line = text.get(start..)?.lines().next()?;
        if let Ok(parsed) = parse(line.as_bytes(), Limits::default())
            && parsed.used == line.len()
            && let Some(found) = each(&parsed.value)
        {
            return Some(found);
        }
        rest = rest.get(..start)?;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{append, search};
    use crate::journal::record::Record;
    use crate::journal::verify::{Finding, verify};
    use std::io::Write;

    #[test]
    fn records_are_chained_and_a_damaged_end_is_closed() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("journal/audit.jsonl");
        append(&file, Record::new("a", 1)).expect("appended");
        append(&file, Record::new("b", 2)).expect("appended");
        assert_eq!(verify(&file).expect("read").findings, []);
        let mut log = std::fs::OpenOptions::new().append(true).open(&file).expect("there");
        log.write_all(b"{\"ts\":3,\"type\":\"half").expect("written");
        append(&file, Record::new("c", 4)).expect("appended");
        append(&file, Record::new("d", 5)).expect("appended");
        let report = verify(&file).expect("read");
        assert_eq!((report.lines, report.findings), (5, vec![Finding::Damaged(3)]));
    }

    #[test]
    fn the_newest_record_is_found_first() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("audit.jsonl");
        for (n, kind) in ["a", "b", "c"].into_iter().enumerate() {
            append(&file, Record::new(kind, n as u64).text("call", "x")).expect("appended");
        }
        let mut seen = Vec::new();
        let none = search(&file, 1 << 20, "\"call\":\"x\"", |record| {
            seen.push(record.str_at("type").unwrap_or_default().into_owned());
            None::<()>
        });
        assert_eq!((none, seen), (None, vec!["c".to_owned(), "b".into(), "a".into()]));
        // A window that cuts into the middle of a line doesn't see that line.
        let some = search(&file, 60, "\"call\":\"x\"", |_| Some(()));
        assert_eq!(some, None);
    }
}
