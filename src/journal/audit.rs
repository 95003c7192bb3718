//! The audit journal: appended to in one write, at a cost that doesn't grow with it.

use std::fs::File;
use std::io;
use std::path::Path;

use harness_core::Json;
use harness_core::json::{Limits, parse};

use super::chain::End;
use super::hash::Short;
use super::lock;
use super::record::Record;
use super::segments::{self, Bounds};
use crate::sys::append;

/// How often a journal may be found full before it is given up.
const TURNS: u32 = 8;

/// Appends records in one write, each linked to the line before it. A damaged end (a
/// process that was killed as it wrote) is closed with a line end, so that it spoils
/// nothing behind it.
///
/// # Errors
/// What the system says; nothing is half written by an error of ours.
pub fn append(file: &Path, records: impl IntoIterator<Item = Record>) -> io::Result<()> {
    append_within(file, records, &Bounds::DEFAULT)
}

/// The same, with other bounds on what is kept.
///
/// # Errors
/// What the system says; nothing is half written by an error of ours.
pub fn append_within(
    file: &Path,
    records: impl IntoIterator<Item = Record>,
    bounds: &Bounds,
) -> io::Result<()> {
    let (log, size) = turn(file, bounds)?;
    let end = match size {
        0 => last_aside(file)?,
        size => End::of(&log, size)?,
    };
    append::whole(&log, size, &end.then(records))
}

/// Why the journal would take no record, if so; none is written to find out.
#[must_use]
pub fn refusal(file: &Path) -> Option<String> {
    append::ready(file).err().map(|error| error.to_string())
}

/// The journal, locked, with room in it. Whoever finds it full puts it aside, and who was
/// waiting meanwhile finds that it is no longer the journal: nobody writes to a full one.
fn turn(file: &Path, bounds: &Bounds) -> io::Result<(File, u64)> {
    for _ in 0..TURNS {
        let log = append::open(file)?;
        lock::take(&log)?;
        let size = append::size(&log)?;
        if size < bounds.part {
            return Ok((log, size));
        }
        if append::is_at(file, &log) {
            segments::put_aside(file, bounds)?;
        }
    }
    Err(io::ErrorKind::WouldBlock.into())
}

/// What an empty journal's first record links to: the last line of what was put aside, if
/// anything was.
fn last_aside(file: &Path) -> io::Result<End> {
    let Some((_, part)) = segments::aside(file)?.pop() else { return Ok(End::EMPTY) };
    let (part, size) = append::to_read(&part)?;
    Ok(End { whole: true, ..End::of(&part, size)? })
}

/// Calls `each` with the records in the last `most` bytes of the journal that hold
/// `needle`, the newest first, until it says that it has found what it wanted. A journal
/// that has just begun goes on in what was put aside.
pub fn search<T>(
    file: &Path,
    most: usize,
    needle: &str,
    mut each: impl FnMut(&Json<'_>) -> Option<T>,
) -> Option<T> {
    let most = u64::try_from(most).ok()?;
    let (log, size) = append::to_read(file).ok()?;
    let tail = append::tail(&log, size, most).ok()?;
    if let Some(found) = search_in(&tail, needle, &mut each) {
        return Some(found);
    }
    let first = tail.split(|b| *b == b'\n').next().unwrap_or_default();
    let begins = first.ends_with(format!("\"prev\":\"{}\"}}", Short::NONE).as_bytes());
    if size >= most || begins {
        return None;
    }
    let (_, part) = segments::aside(file).ok()?.pop()?;
    let (part, length) = append::to_read(&part).ok()?;
    let tail = append::tail(&part, length, most - size).ok()?;
    search_in(&tail, needle, &mut each)
}

fn search_in<T>(
    tail: &[u8],
    needle: &str,
    each: &mut impl FnMut(&Json<'_>) -> Option<T>,
) -> Option<T> {
    // A cut through a character spoils only the line that is cut anyway.
    let text = String::from_utf8_lossy(tail);
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
    use super::{append, append_within, search};
    use crate::journal::hash::Short;
    use crate::journal::record::Record;
    use crate::journal::segments::{Bounds, aside};
    use crate::journal::verify::{Finding, verify};
    use std::io::Write;
    use std::time::Duration;

    #[test]
    fn records_are_chained_and_a_damaged_end_is_closed() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("journal/audit.jsonl");
        append(&file, [Record::new("a", 1)]).expect("appended");
        append(&file, [Record::new("b", 2)]).expect("appended");
        assert_eq!(verify(&file).expect("read").findings, []);
        let mut log = std::fs::OpenOptions::new().append(true).open(&file).expect("there");
        log.write_all(b"{\"ts\":3,\"type\":\"half").expect("written");
        append(&file, [Record::new("c", 4)]).expect("appended");
        append(&file, [Record::new("d", 5)]).expect("appended");
        let report = verify(&file).expect("read");
        assert_eq!((report.lines, report.findings), (5, vec![Finding::Damaged(3)]));
    }

    #[test]
    fn the_newest_record_is_found_first() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("audit.jsonl");
        for (n, kind) in ["a", "b", "c"].into_iter().enumerate() {
            append(&file, [Record::new(kind, n as u64).text("call", "x")]).expect("appended");
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

    #[test]
    fn a_grown_journal_is_put_aside_and_the_chain_runs_on() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("audit.jsonl");
        let bounds = Bounds { part: 1_000, parts: 3, age: Duration::from_secs(3_600) };
        for n in 0..100_u64 {
            append_within(&file, [Record::new("a", n)], &bounds).expect("appended");
            let report = verify(&file).expect("read");
            assert_eq!(report.findings, [], "{n}");
        }
        let numbers: Vec<u64> = aside(&file).expect("read").iter().map(|(n, _)| *n).collect();
        assert_eq!(numbers.len(), 3, "{numbers:?}");
        let report = verify(&file).expect("read");
        assert!(report.lines < 100 && report.cut, "{report:?}");
        assert_ne!(report.head, Short::NONE);
        // The newest part is still searched.
        let last = search(&file, 1 << 20, "\"type\":\"a\"", |record| {
            record.get("ts").map(|ts| format!("{ts:?}"))
        });
        assert!(last.is_some_and(|ts| ts.contains("99")));
        // A part in the middle that is gone is seen.
        let (_, middle) = aside(&file).expect("read").swap_remove(1);
        std::fs::remove_file(middle).expect("removed");
        assert!(matches!(verify(&file).expect("read").findings.as_slice(), [Finding::Broken(_)]));
    }

    #[test]
    fn parts_too_old_go_but_never_the_newest() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("audit.jsonl");
        let bounds = Bounds { part: 1, parts: 9, age: Duration::ZERO };
        for n in 0..5 {
            append_within(&file, [Record::new("a", n)], &bounds).expect("appended");
            std::thread::sleep(Duration::from_millis(3));
        }
        assert_eq!(aside(&file).expect("read").len(), 1);
        assert_eq!(verify(&file).expect("read").findings, []);
    }

    #[test]
    fn sixty_four_writers_of_a_thousand_records_leave_sixty_four_thousand() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("audit.jsonl");
        std::thread::scope(|scope| {
            for writer in 0..64_u64 {
                let file = &file;
                scope.spawn(move || {
                    for n in 0..1_000_u64 {
                        let record = Record::new("a", n).number("writer", writer);
                        append(file, [record]).expect("appended");
                    }
                });
            }
        });
        let report = verify(&file).expect("read");
        assert_eq!((report.lines, report.findings, report.cut), (64_000, vec![], false));
    }

    #[test]
    fn many_writers_lose_nothing_while_it_is_put_aside() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("audit.jsonl");
        let bounds = Bounds { part: 4_000, parts: 1_000, age: Duration::from_secs(3_600) };
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for n in 0..100 {
                        append_within(&file, [Record::new("a", n)], &bounds).expect("appended");
                    }
                });
            }
        });
        let report = verify(&file).expect("read");
        assert_eq!((report.lines, report.findings, report.cut), (800, vec![], false));
        assert!(aside(&file).expect("read").len() > 5);
    }
}
