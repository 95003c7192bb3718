//! The report for people: what was found with what to do, then the two verdicts.

use super::{clean, known, name, wrap};
use crate::doctor::report::{Channel, Check, Report, State, Status};
use std::fmt::Write;

/// How a report is drawn.
#[derive(Clone, Copy, Debug, Default)]
pub struct Style {
    /// Signs beyond ASCII.
    pub unicode: bool,
    /// Colours, which only repeat what the signs say.
    pub colour: bool,
    /// Every check, also those that found nothing.
    pub verbose: bool,
    /// The columns there are; lines are not broken where that isn't known.
    pub columns: Option<usize>,
}

impl Style {
    /// What suits this process's standard output.
    #[must_use]
    pub fn here() -> Self {
        use std::io::IsTerminal;
        let var = |name: &str| std::env::var(name).ok().filter(|v| !v.is_empty());
        let dumb = var("TERM").is_some_and(|t| t == "dumb");
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(var).unwrap_or_default();
        let locale = locale.to_ascii_lowercase();
        let unicode = (locale.contains("utf-8") || locale.contains("utf8")) && !dumb;
        let colour = var("NO_COLOR").is_none() && !dumb && std::io::stdout().is_terminal();
        Self { unicode, colour, verbose: false, columns: crate::sys::terminal::columns() }
    }

    const fn sign(self, status: Status) -> &'static str {
        match (status, self.unicode) {
            (Status::Ok, true) => "✓",
            (Status::Note, true) => "·",
            (Status::Warn, true) => "!",
            (Status::Fail | Status::Error, true) => "✗",
            (Status::Skip, true) => "–",
            (Status::Ok, false) => "[ok]   ",
            (Status::Note, false) => "[note] ",
            (Status::Warn, false) => "[warn] ",
            (Status::Fail, false) => "[FAIL] ",
            (Status::Error, false) => "[ERROR]",
            (Status::Skip, false) => "[skip] ",
        }
    }

    fn paint(self, text: &str, status: Status) -> String {
        let code = match status {
            _ if !self.colour => return text.to_owned(),
            Status::Ok => "32",
            Status::Warn => "33",
            Status::Fail | Status::Error => "31",
            Status::Note | Status::Skip => "2",
        };
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    }
}

/// Draws a report.
#[must_use]
pub fn render(report: &Report, style: Style) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{}", head(report));
    list(report, style, &mut out);
    verdicts(report, style, &mut out);
    let out = out.trim_end();
    style.columns.map_or_else(|| out.to_owned(), |room| wrap::wrap(out, room))
}

fn head(report: &Report) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let hosts = report.hosts.iter().map(|h| {
        let client = h.version.as_deref().unwrap_or("not found");
        let scopes = if h.scope.is_empty() { "not installed".into() } else { h.scope.join(", ") };
        format!("{} {client} ({scopes})", h.id)
    });
    format!("harness {version}   {}\n", hosts.collect::<Vec<_>>().join("   "))
}

/// Off switches first, as in the table; what found nothing is only counted.
fn list(report: &Report, style: Style, out: &mut String) {
    let mut group = "";
    let quiet = |c: &&Check| c.status == Status::Ok && !style.verbose;
    for check in report.checks.iter().filter(|c| !unreached(c) && !quiet(c)) {
        if check.group != group {
            group = &check.group;
            let mut letters = group.chars();
            let first = letters.next().map(|c| c.to_ascii_uppercase()).unwrap_or_default();
            let _ = writeln!(out, "{first}{}", letters.as_str());
        }
        let sign = style.paint(style.sign(check.status), check.status);
        let message = plain(&check.message, style);
        let _ = match check.status {
            Status::Ok => writeln!(out, "  {sign} {message}"),
            _ => writeln!(out, "  {sign} {message}  {}", name(check)),
        };
        if is_shown(check.status) {
            explain(check, style, out);
        }
    }
    let _ = writeln!(out, "{}", counted(report, style));
    let _ = writeln!(out);
}

/// What was not reached says nothing; what something else explains does.
fn unreached(check: &Check) -> bool {
    check.status == Status::Skip && check.evidence.is_empty()
}

fn counted(report: &Report, style: Style) -> String {
    let fine = report.checks.iter().filter(|c| c.status == Status::Ok).count();
    let skipped = report.checks.iter().filter(|c| unreached(c)).count();
    let sign = style.paint(style.sign(Status::Ok), Status::Ok);
    let (checks, hint) = (
        if fine == 1 { "check" } else { "checks" },
        if style.verbose { "" } else { " (`--verbose` lists them)" },
    );
    match skipped {
        0 => format!("{sign} {fine} {checks} found nothing wrong{hint}"),
        _ => {
            format!("{sign} {fine} {checks} found nothing wrong{hint}, {skipped} were not reached")
        }
    }
}

const fn is_shown(status: Status) -> bool {
    matches!(status, Status::Note | Status::Warn | Status::Fail | Status::Error)
}

/// What was seen and what to do, below the finding.
fn explain(check: &Check, style: Style, out: &mut String) {
    for line in &check.evidence {
        let _ = writeln!(out, "      {}", plain(line, style));
    }
    if let Some(fix) = &check.fix {
        let _ = writeln!(out, "    Fix: {}", plain(fix, style));
    }
    if check.status != Status::Note {
        let _ = writeln!(out, "    Why: {}", check.doc);
    }
}

fn verdicts(report: &Report, style: Style, out: &mut String) {
    for host in &report.hosts {
        let _ = writeln!(out, "{}", host.id);
        let gate = ("gate", "a denial stops the call", &host.gate);
        let soft = ("soft", "context reaches the model", &host.soft);
        for (name, what, channel) in [gate, soft] {
            let (word, status) = match channel.state {
                State::Alive => ("alive", Status::Ok),
                State::Dead => ("DEAD", Status::Fail),
                State::Unknown => ("unknown", Status::Warn),
            };
            let sign = style.paint(style.sign(status), status);
            let _ = writeln!(out, "  {sign} {name} ({what}): {}", said(word, channel));
        }
    }
}

fn said(word: &str, channel: &Channel) -> String {
    format!("{word}, {}", known(channel))
}

fn plain(text: &str, style: Style) -> String {
    let text = clean(text);
    if style.unicode {
        text
    } else {
        let shown =
            |c: char| if c.is_ascii() { c.to_string() } else { c.escape_unicode().to_string() };
        text.chars().map(shown).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Style, render};
    use crate::doctor::report::{Channel, Check, Evidence, HostReport, Report, State, Status};

    fn report() -> Report {
        let check = |id: &str, status, message: &str| Check {
            id: id.into(),
            kind: (status == Status::Fail).then(|| "k".into()),
            group: "probes".into(),
            status,
            title: "a title".into(),
            message: message.into(),
            evidence: vec!["bad \u{1b}[31m bytes".into()],
            fix: Some("do this".into()),
            doc: "https://doc".into(),
        };
        let channel = |state, because: &[&str]| Channel {
            state,
            evidence: Evidence::Executed,
            because: because.iter().map(|b| (*b).into()).collect(),
        };
        Report {
            schema: 1,
            ok: false,
            hosts: vec![HostReport {
                id: "claude-code".into(),
                version: Some("2.1.332".into()),
                scope: vec!["user".into()],
                gate: channel(State::Dead, &["fails-open"]),
                soft: channel(State::Alive, &[]),
            }],
            checks: vec![
                check("fine", Status::Ok, "all well"),
                check("fails-open", Status::Fail, "open"),
            ],
        }
    }

    #[test]
    fn findings_with_advice_then_verdicts() {
        let text = render(&report(), Style { unicode: true, verbose: true, ..Style::default() });
        let at = |what: &str| text.find(what).unwrap_or_else(|| panic!("{what} in\n{text}"));
        assert!(at("✓ all well") < at("✗ open  fails-open/k"));
        assert!(!text.contains("a title"), "a broken check is not told by its healthy words");
        assert!(at("✗ open  fails-open/k") < at("bad \u{fffd}[31m bytes"));
        assert!(at("Fix: do this") < at("gate (a denial stops the call): DEAD"));
        assert!(
            at("DEAD, as run by doctor, because of fails-open") < at("alive, as run by doctor")
        );
        assert!(!text.contains('\u{1b}'), "foreign control characters");
    }

    #[test]
    fn what_is_well_is_counted_unless_asked_for() {
        let text = render(&report(), Style { unicode: true, ..Style::default() });
        assert!(
            !text.contains("all well") && text.contains("✓ 1 check found nothing wrong"),
            "{text}"
        );
    }

    #[test]
    fn ascii_has_words_for_signs_and_colour_only_repeats() {
        let text = render(&report(), Style::default());
        assert!(text.contains("[FAIL]") && text.contains("[ok]"));
        let coloured = render(&report(), Style { unicode: true, colour: true, ..Style::default() });
        assert!(coloured.contains("\u{1b}[31m✗"));
    }
}
