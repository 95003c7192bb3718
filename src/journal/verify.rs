//! Reads the whole audit journal and says where its chain is broken.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use harness_core::json::{Limits, parse};

use super::hash::Short;

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
    /// Lines in it.
    pub lines: usize,
    /// The hash of its last line: what a receipt can anchor.
    pub head: Short,
    /// What is wrong, in order.
    pub findings: Vec<Finding>,
}

/// Checks every link.
///
/// # Errors
/// What the system says on a failed read.
pub fn verify(file: &Path) -> io::Result<Verified> {
    let mut reader = BufReader::new(File::open(file)?);
    let mut verified = Verified { lines: 0, head: Short::NONE, findings: Vec::new() };
    let mut line = Vec::new();
    loop {
        line.clear();
        if reader.read_until(b'\n', &mut line)? == 0 {
            return Ok(verified);
        }
        let whole = line.last() == Some(&b'\n');
        if whole {
            line.pop();
        }
        verified.lines += 1;
        let record = parse(&line, Limits::default()).ok().filter(|p| p.used == line.len());
        let link = record.as_ref().and_then(|p| p.value.str_at("prev"));
        match link {
            Some(link) if whole && link == verified.head.as_str() => {}
            Some(_) if whole => verified.findings.push(Finding::Broken(verified.lines)),
            _ => verified.findings.push(Finding::Damaged(verified.lines)),
        }
        verified.head = Short::of(&line);
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
            append(&file, Record::new("a", n)).expect("appended");
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
