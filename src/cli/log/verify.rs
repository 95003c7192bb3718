//! `harness log verify`: the chains of the journal and of every authority log.

use std::io;
use std::path::Path;

use crate::cli::exit::Exit;
use crate::cli::out;
use crate::journal::place;
use crate::journal::verify::{Finding, Verified, verify, verify_alone};

/// Findings shown of one log.
const SHOWN: usize = 20;

pub(super) fn run(state: &Path) -> io::Result<Exit> {
    let journal = match verify(&place::audit(state)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        other => Some(other?),
    };
    let mut sound = true;
    if let Some(journal) = &journal {
        if journal.cut {
            out::note("note: the oldest parts of the journal are gone, as is done with what is too much or too old");
        }
        if journal.findings.is_empty() {
            let aside = match journal.files.len().saturating_sub(1) {
                0 => String::new(),
                aside => format!(" in {} files", aside + 1),
            };
            out::line(format!(
                "{} records{aside}, every one linked to the one before it; head {}",
                journal.lines, journal.head
            ));
        }
        sound &= tell(journal);
    }
    let (mut logs, mut lines) = (0, 0);
    for file in place::authority(state)? {
        let log = match verify_alone(&file) {
            Err(_) if file.is_symlink() && !file.exists() => {
                out::line(format!("{}: it is a link that leads nowhere", file.display()));
                sound = false;
                continue;
            }
            // Somebody moved it away meanwhile.
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            other => other?,
        };
        (logs, lines) = (logs + 1, lines + log.lines);
        sound &= tell(&log);
    }
    if journal.is_none() && logs == 0 {
        return Err(io::ErrorKind::NotFound.into());
    }
    if sound && logs > 0 {
        out::line(format!(
            "{lines} events in {logs} logs of authority, every one linked to the one before it"
        ));
    }
    Ok(if sound { Exit::Done } else { Exit::No })
}

/// Whether a log is sound; names what isn't, the first break first.
fn tell(log: &Verified) -> bool {
    for finding in log.findings.iter().take(SHOWN) {
        let (Finding::Broken(line) | Finding::Damaged(line)) = finding;
        let (file, line) = log.place(*line);
        let what = match finding {
            Finding::Broken(_) => "does not link to the line before it: one of the two was changed, or lines between them are gone",
            Finding::Damaged(_) => "is no whole record: a process was killed as it wrote, or something else wrote there",
        };
        out::line(format!("{}:{line}: {what}", file.display()));
    }
    if log.findings.is_empty() {
        return true;
    }
    let name = log.files.last().map(|(file, _)| file.display().to_string()).unwrap_or_default();
    out::note(format!(
        "error: {} of {} lines are not sound in {name}",
        log.findings.len(),
        log.lines
    ));
    false
}
