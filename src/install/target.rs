//! One settings file: read as text, checked by the client's rules, put in place.

use super::clients::Clients;
use super::failure::Failure;
use crate::hosts::claude_code::caps::Version;
use crate::settings::{hooks, syntax};
use crate::sys::fs::{self, FsError};
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

/// How often, and how long apart, a text that isn't whole is read again.
const TRIES: u32 = 5;
const PAUSE: Duration = Duration::from_millis(100);
/// How long an empty file must have been left alone to be taken for one.
const SETTLED: Duration = Duration::from_secs(2);
/// How long an empty file is waited for.
const PATIENCE: Duration = Duration::from_secs(8);

/// The text of a settings file; `None` if there is none. Clients write by emptying the
/// file first: a text that doesn't parse is read again for a while, and an empty one is
/// believed only once nobody has touched it for some time, for what is in the writer's
/// hands would be lost.
///
/// # Errors
/// It can't be read, or isn't a text this could be sure to keep.
pub fn read(file: &Path) -> Result<Option<String>, Failure> {
    let start = Instant::now();
    let mut seen = (Instant::now(), age(file).map(|a| a.1));
    let mut tries = 0;
    loop {
        let Some(bytes) = fs::read(file)? else { return Ok(None) };
        let stamp = age(file);
        let readable = std::str::from_utf8(&bytes).ok();
        if readable.is_some_and(syntax::is_blank) {
            if stamp.map(|s| s.1) != seen.1 {
                seen = (Instant::now(), stamp.map(|s| s.1));
            }
            let left_alone = stamp.map_or(Duration::ZERO, |s| s.0).max(seen.0.elapsed());
            if left_alone >= SETTLED {
                return text(file, bytes).map(Some);
            }
            if start.elapsed() > PATIENCE {
                return Err(FsError::Changed { path: file.to_path_buf() }.into());
            }
        } else {
            if tries == TRIES || readable.is_some_and(|t| syntax::parse(t).is_ok()) {
                return text(file, bytes).map(Some);
            }
            tries += 1;
        }
        std::thread::sleep(PAUSE);
    }
}

/// How long ago a file was written, and when.
fn age(file: &Path) -> Option<(Duration, SystemTime)> {
    let written = std::fs::metadata(file).and_then(|m| m.modified()).ok()?;
    Some((SystemTime::now().duration_since(written).unwrap_or_default(), written))
}

fn text(file: &Path, bytes: Vec<u8>) -> Result<String, Failure> {
    let utf16 = bytes.starts_with(b"\xff\xfe")
        || bytes.starts_with(b"\xfe\xff")
        || matches!(bytes.get(..2), Some([0, b'{'] | [b'{', 0]));
    if utf16 {
        return Err(broken(
            file,
            (1, 1),
            "this is UTF-16, which Claude Code can't read",
            "save it as UTF-8",
        ));
    }
    String::from_utf8(bytes).map_err(|e| {
        let valid = e.utf8_error().valid_up_to();
        let head =
            String::from_utf8_lossy(e.as_bytes().get(..valid).unwrap_or_default()).into_owned();
        let place = syntax::line_column(&head, valid);
        broken(file, place, "a byte that is not UTF-8", "save it as UTF-8")
    })
}

/// A file that must be mended by its owner first.
pub(super) fn broken(
    file: &Path,
    (line, column): (usize, usize),
    what: &str,
    todo: &str,
) -> Failure {
    Failure::could_not(
        format!("{}:{line}:{column}: {what}", file.display()),
        Some(format!("nothing was changed; {todo}, then run it again")),
    )
}

/// How the clients will read a text.
#[derive(Debug, Default)]
pub(super) struct Readable {
    /// The clients that ignore the file, as they did before, and why.
    pub(super) notes: Vec<String>,
    /// The same of the lowest client, for which entries are written.
    pub(super) ignored: Option<String>,
}

/// Checks a whole text by the rules of every client that will read it.
///
/// # Errors
/// No client would read the text, or one that did no longer would.
pub(super) fn check(
    file: &Path,
    old: Option<&str>,
    new: &str,
    clients: &Clients,
) -> Result<Readable, Failure> {
    let mut read = Readable::default();
    let mut last = None;
    let readers = clients.readers();
    for client in &readers {
        let Some(fault) = dropped(new, *client) else { continue };
        let before = old.is_some_and(|old| dropped(old, *client).is_some());
        let what = format!("{}: Claude Code {client} ignores the whole file", fault.1);
        if !before {
            return Err(broken(file, fault.0, &what, "mend that line"));
        }
        let note = format!("{}:{}:{}: {what}", file.display(), fault.0.0, fault.0.1);
        if readers.first() == Some(client) {
            read.ignored = Some(note.clone());
        }
        read.notes.push(note);
        last = Some((fault.0, what));
    }
    match last {
        Some((place, what)) if read.notes.len() == readers.len() => {
            Err(broken(file, place, &what, "mend that line"))
        }
        _ => Ok(read),
    }
}

fn dropped(text: &str, client: Version) -> Option<((usize, usize), String)> {
    match hooks::list(text, client) {
        Err(e) => Some(((e.line, e.column), e.message)),
        Ok(found) => found.file_dropped().map(|f| {
            let at = if f.path.is_empty() { String::new() } else { format!("`{}`: ", f.path) };
            ((f.line, f.column), format!("{at}{}", f.what))
        }),
    }
}
