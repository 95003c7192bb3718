//! The journal's older parts: a journal that has grown is put aside under a number, and
//! what is too much or too old goes. The chain runs on from one part to the next.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// How much is kept.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// A journal that has reached this size is put aside.
    pub part: u64,
    /// The most parts that are kept beside the journal; never fewer than one.
    pub parts: usize,
    /// The longest that a part is kept after its last record.
    pub age: Duration,
}

impl Bounds {
    /// Half a gigabyte, half a year.
    pub const DEFAULT: Self =
        Self { part: 64 << 20, parts: 7, age: Duration::from_secs(183 * 24 * 60 * 60) };
}

/// The parts of a journal that were put aside, the oldest first, with their numbers.
///
/// # Errors
/// What the system says, but for a folder that isn't there.
pub fn aside(journal: &Path) -> io::Result<Vec<(u64, PathBuf)>> {
    let (Some(folder), Some(stem)) = (journal.parent(), journal.file_stem()) else {
        return Ok(Vec::new());
    };
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        other => other?,
    };
    let stem = format!("{}.", stem.to_string_lossy());
    let mut parts = Vec::new();
    for entry in entries {
        let path = entry?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        let number = name
            .as_deref()
            .and_then(|name| name.strip_prefix(&stem)?.strip_suffix(".jsonl")?.parse().ok());
        if let Some(number) = number {
            parts.push((number, path));
        }
    }
    parts.sort_unstable();
    Ok(parts)
}

/// Puts a journal aside, whose lock the caller holds, and lets go what is too much or too
/// old.
pub(super) fn put_aside(journal: &Path, bounds: &Bounds) -> io::Result<()> {
    let mut parts = aside(journal)?;
    let number = parts.last().map_or(1, |(number, _)| number + 1);
    let stem = journal.file_stem().unwrap_or_default().to_string_lossy();
    let to = journal.with_file_name(format!("{stem}.{number:06}.jsonl"));
    fs::rename(journal, &to)?;
    parts.push((number, to));
    let surplus = parts.len().saturating_sub(bounds.parts.max(1));
    let newest = parts.len().saturating_sub(1);
    for (_, part) in parts
        .iter()
        .take(newest)
        .enumerate()
        .filter_map(|(at, part)| (at < surplus || is_old(&part.1, bounds.age)).then_some(part))
    {
        let _ = fs::remove_file(part);
    }
    Ok(())
}

fn is_old(part: &Path, age: Duration) -> bool {
    let written = fs::metadata(part).and_then(|meta| meta.modified());
    let now = SystemTime::now();
    written.is_ok_and(|at| now.duration_since(at).is_ok_and(|passed| passed > age))
}
