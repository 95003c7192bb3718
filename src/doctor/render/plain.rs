//! The report in sentences, for screen readers: the verdicts first, no signs, no columns,
//! nothing told by layout or colour.

use super::{channels, clean, known, name, state};
use crate::doctor::report::{Check, Report, Status};

/// Draws a report; `verbose` tells of the checks that found nothing too.
#[must_use]
pub fn render(report: &Report, verbose: bool) -> String {
    let mut lines = vec![format!("harness {}.", env!("CARGO_PKG_VERSION"))];
    for host in &report.hosts {
        let client = host.version.as_deref().unwrap_or("of unknown version");
        let scope = if host.scope.is_empty() { "no scope".into() } else { host.scope.join(", ") };
        lines.push(format!("Agent {} {client}, installed in {scope}.", host.id));
        for (name, what, channel) in channels(host) {
            lines.push(format!(
                "The {name} channel, {what}, is {}, {}.",
                state(channel.state),
                known(channel)
            ));
        }
    }
    let shown = |c: &&Check| verbose || !matches!(c.status, Status::Ok | Status::Skip);
    let told: Vec<&Check> = report.checks.iter().filter(shown).collect();
    let rest = report.checks.len() - told.len();
    lines.push(format!("{}.", counted(told.len(), "finding", "findings")));
    for (number, check) in told.iter().enumerate() {
        lines.push(String::new());
        lines.push(format!(
            "{}: {}: {}.",
            number + 1,
            word(check.status),
            sentence(&check.message)
        ));
        lines.push(format!("Check: {}.", name(check)));
        lines.extend(check.evidence.iter().map(|e| format!("Seen: {}.", sentence(e))));
        lines.extend(check.fix.iter().map(|f| format!("To do: {}.", sentence(f))));
        lines.push(format!("Explained at {}", check.doc));
    }
    if rest > 0 {
        lines.push(String::new());
        lines.push(format!("{} found nothing or did not apply.", counted(rest, "check", "checks")));
    }
    lines.join("\n")
}

fn counted(number: usize, one: &str, many: &str) -> String {
    match number {
        0 => format!("No {many}"),
        1 => format!("1 {one}"),
        _ => format!("{number} {many}"),
    }
}

const fn word(status: Status) -> &'static str {
    match status {
        Status::Ok => "Fine",
        Status::Note => "Note",
        Status::Warn => "Warning",
        Status::Fail => "Failed",
        Status::Skip => "Skipped",
        Status::Error => "Doctor itself failed",
    }
}

fn sentence(text: &str) -> String {
    clean(text).trim_end_matches('.').to_owned()
}
