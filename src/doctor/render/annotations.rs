//! The findings as lines of a pipeline's log: commands that GitHub shows beside the files,
//! and plain words elsewhere.

use super::{clean, is_finding, name, place, relative, unproven, verdict};
use crate::doctor::report::{Report, State, Status};

/// Who reads the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// GitHub Actions, which takes lines for commands.
    GitHub,
    /// People, and programs that look for `warning:` and `error:`.
    Plain,
}

/// One line for a log.
struct Line {
    dead: bool,
    title: String,
    message: String,
    file: Option<(String, usize)>,
}

/// Draws a report's findings; `base` is the folder that files are named from.
#[must_use]
pub fn render(report: &Report, reader: Reader, base: &str) -> Vec<String> {
    lines(report, base).into_iter().map(|line| drawn(&line, reader)).collect()
}

fn lines(report: &Report, base: &str) -> Vec<Line> {
    let verdicts = unproven(report).map(|(id, name, channel)| Line {
        dead: channel.state == State::Dead,
        title: "harness doctor".to_owned(),
        message: format!("{id}: {}", verdict(name, channel)),
        file: None,
    });
    let findings = report.checks.iter().filter(|c| is_finding(c)).map(|check| {
        let fix = check.fix.as_ref().map(|fix| format!("; {fix}")).unwrap_or_default();
        Line {
            dead: matches!(check.status, Status::Fail | Status::Error),
            title: format!("harness doctor: {}", name(check)),
            message: format!("{}{fix} ({})", check.message, check.doc),
            // A file outside the repository is nothing that GitHub could show.
            file: place(check)
                .map(|p| (relative(&p.file, base).to_owned(), p.line))
                .filter(|(file, _)| !file.starts_with(['/', '~'])),
        }
    });
    verdicts.chain(findings).collect()
}

fn drawn(line: &Line, reader: Reader) -> String {
    let message = clean(&line.message);
    let level = if line.dead { "error" } else { "warning" };
    if reader == Reader::Plain {
        return format!("{level}: {}: {message}", line.title);
    }
    let mut properties = vec![format!("title={}", property(&line.title))];
    if let Some((file, number)) = &line.file {
        properties.push(format!("file={}", property(file)));
        properties.push(format!("line={number}"));
    }
    format!("::{level} {}::{}", properties.join(","), data(&message))
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
