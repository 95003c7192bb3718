//! The authority log of a session: small, appended to rarely, read before every
//! decision. What can't be read of it folds to the strictest.

use std::io::{self, Write};
use std::path::Path;

use harness_core::Json;
use harness_core::json::{Limits, parse};

use super::record::Record;
use crate::sys::append;
use crate::sys::bounded::{self, Unreadable};

/// How a session stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Authority {
    /// Whether the log says that the session began.
    pub began: bool,
    /// The workspace pinned at its beginning; empty where none may be trusted.
    pub workspace: Option<String>,
    /// Nobody is to be asked.
    pub never: bool,
    /// Everything but reading asks: an alarm, a read-only sandbox, or a log that can't
    /// be read.
    pub tightened: bool,
}

impl Authority {
    /// How a session stands whose log is gone or can't be read.
    #[must_use]
    pub const fn strictest() -> Self {
        Self { began: true, workspace: None, never: true, tightened: true }
    }

    fn take(&mut self, record: &Json<'_>) {
        let value = |key: &str| record.str_at(key);
        match value("type").as_deref() {
            // The first beginning counts: a later one can't move the workspace.
            Some("session/start") if !self.began => {
                self.began = true;
                self.workspace = value("workspace").map(std::borrow::Cow::into_owned);
            }
            Some("session/start") => {}
            Some("approval/policy") => self.never = value("policy").as_deref() != Some("ask"),
            Some("sandbox/mode") => match value("mode").as_deref() {
                Some("workspace-write" | "danger-full-access") => {}
                _ => self.tightened = true,
            },
            Some("permission/preset") => {}
            Some("alarm/tightened") => self.tightened = true,
            _ => self.tightened = true,
        }
    }
}

/// Folds a session's log. `None`: there is no log.
///
/// A log that is there and can't be read, or is larger than `most`, is the strictest.
#[must_use]
pub fn fold(file: &Path, most: u64) -> Option<Authority> {
    let bytes = match bounded::read(file, most) {
        Ok(bytes) => bytes,
        Err(Unreadable::Missing) => return None,
        Err(_) => return Some(Authority::strictest()),
    };
    let mut authority = Authority::default();
    for line in bytes.split(|b| *b == b'\n').filter(|line| !line.is_empty()) {
        match parse(line, Limits::default()) {
            Ok(parsed) => authority.take(&parsed.value),
            // Half a line may have been an alarm.
            Err(_) => authority.tightened = true,
        }
    }
    Some(authority)
}

/// Appends a record in one write.
///
/// # Errors
/// What the system says.
pub fn append(file: &Path, record: Record) -> io::Result<()> {
    let mut log = append::open(file)?;
    log.write_all(&record.unlinked())
}

#[cfg(test)]
mod tests {
    use super::{Authority, append, fold};
    use crate::journal::record::Record;

    fn folded(lines: &str) -> Option<Authority> {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("s.jsonl");
        std::fs::write(&file, lines).expect("written");
        fold(&file, 1 << 20)
    }

    #[test]
    fn the_first_beginning_pins_the_workspace() {
        let got = folded(concat!(
            "{\"type\":\"session/start\",\"workspace\":\"/a\"}\n",
            "{\"type\":\"session/start\",\"workspace\":\"/b\"}\n",
        ));
        let want = Authority { began: true, workspace: Some("/a".into()), ..Authority::default() };
        assert_eq!(got, Some(want));
    }

    #[test]
    fn what_is_unknown_is_the_strictest() {
        let tight = |line: &str| folded(line).is_some_and(|a| a.tightened);
        assert!(tight("{\"type\":\"alarm/tightened\"}\n"));
        assert!(tight("{\"type\":\"new/thing\"}\n"));
        assert!(tight("{\"type\":\"alarm/tight"));
        assert!(tight("{\"type\":\"sandbox/mode\",\"mode\":\"loose\"}\n"));
        assert!(!tight("{\"type\":\"sandbox/mode\",\"mode\":\"workspace-write\"}\n"));
        let never = |line: &str| folded(line).is_some_and(|a| a.never);
        assert!(never("{\"type\":\"approval/policy\",\"policy\":\"maybe\"}\n"));
        assert!(!never("{\"type\":\"approval/policy\",\"policy\":\"ask\"}\n"));
    }

    #[test]
    fn a_log_that_is_no_file_is_the_strictest() {
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(fold(folder.path(), 1 << 20), Some(Authority::strictest()));
        assert_eq!(fold(&folder.path().join("none"), 1 << 20), None);
    }

    #[test]
    fn what_is_appended_is_folded() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("sessions/s.jsonl");
        append(&file, Record::new("session/start", 1).text("workspace", "/w")).expect("written");
        append(&file, Record::new("alarm/tightened", 2)).expect("written");
        let got = fold(&file, 1 << 20).unwrap_or_default();
        assert!(got.began && got.tightened && got.workspace.as_deref() == Some("/w"));
    }
}
