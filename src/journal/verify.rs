//! Reads a whole log, the audit journal or one of authority, and says where its chain is
//! broken.

use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use harness_core::json::{Limits, parse};

use super::hash::Short;
use super::segments;
use crate::sys::append;

/// What is wrong with a line, by its 1-based number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// It is no record: a process died as it wrote, or something else wrote there.
    Damaged(usize),
    /// It does not link to the line before it: one of the two was changed, or lines
    /// between them were taken out.
    Broken(usize),
}

/// What reading the journal showed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// Lines in it and in what was put aside, counted through.
    pub lines: usize,
    /// The files read, each with the number of lines before it.
    pub files: Vec<(PathBuf, usize)>,
    /// Whether the oldest parts are gone: then the first line links to nothing that is
    /// left.
    pub cut: bool,
    /// The hash of its last line: what a receipt can anchor.
    pub head: Short,
    /// What is wrong, in order.
    pub findings: Vec<Finding>,
}

/// Checks every link, from the oldest part that is left to the journal's last line.
///
/// # Errors
/// What the system says on a failed read.
pub fn verify(file: &Path) -> io::Result<Verified> {
    let parts = segments::aside(file)?;
    let mut verified = Verified {
        lines: 0,
        files: Vec::new(),
        cut: parts.first().is_some_and(|(number, _)| *number > 1),
        head: Short::NONE,
        findings: Vec::new(),
    };
    for (_, part) in &parts {
        verified.read(part)?;
    }
    match verified.read(file) {
        // A process died as it put the journal aside.
        Err(error) if error.kind() == io::ErrorKind::NotFound && !parts.is_empty() => {}
        other => other?,
    }
    Ok(verified)
}

/// Checks every link of a log that is never put aside: one of authority.
///
/// # Errors
/// What the system says on a failed read.
pub fn verify_alone(file: &Path) -> io::Result<Verified> {
    let mut verified = Verified {
        lines: 0,
        files: Vec::new(),
        cut: false,
        head: Short::NONE,
        findings: Vec::new(),
    };
    verified.read(file)?;
    Ok(verified)
}

impl Verified {
    /// The file and the line in it that a line counted through is.
    #[must_use]
    pub fn place(&self, line: usize) -> (&Path, usize) {
        let of = self.files.iter().rev().find(|(_, before)| *before < line);
        of.map_or((Path::new(""), line), |(file, before)| (file, line - before))
    }

    fn read(&mut self, part: &Path) -> io::Result<()> {
        let mut reader = BufReader::new(append::to_read(part)?.0);
        self.files.push((part.to_path_buf(), self.lines));
        let mut line = Vec::new();
        loop {
            line.clear();
            if reader.read_until(b'\n', &mut line)? == 0 {
                return Ok(());
            }
            let whole = line.last() == Some(&b'\n');
            if whole {
                line.pop();
            }
            self.lines += 1;
            self.judge(&line, whole);
            self.head = Short::of(&line);
        }
    }

    fn judge(&mut self, line: &[u8], whole: bool) {
        let record = parse(line, Limits::default()).ok().filter(|p| p.used == line.len());
        let link = record.as_ref().and_then(|p| p.value.str_at("prev"));
        let first = self.cut && self.lines == 1;
        match link {
            Some(link) if whole && (first || link == self.head.as_str()) => {}
            Some(_) if whole => self.findings.push(Finding::Broken(self.lines)),
            _ => self.findings.push(Finding::Damaged(self.lines)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Finding, verify};
    use crate::journal::audit::append;
    use crate::journal::record::Record;

    #[test]
    fn an_edit_and_a_cut_are_seen() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("audit.jsonl");
        for n in 0..4 {
            append(&file, [Record::new("a", n)]).expect("appended");
        }
        let text = std::fs::read_to_string(&file).expect("there");
        let findings = |text: &str| {
            std::fs::write(&file, text).expect("written");
            verify(&file).expect("read").findings
        };
        assert_eq!(findings(&text), []);
        assert_eq!(findings(&text.replace("\"ts\":1", "\"ts\":9")), [Finding::Broken(3)]);
        let cut: String = text.lines().skip(1).map(|l| format!("{l}\n")).collect();
        assert_eq!(findings(&cut), [Finding::Broken(1)]);
        assert_eq!(findings(text.trim_end()), [Finding::Damaged(4)]);
    }
}
