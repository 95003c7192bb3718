//! The report as Markdown, for the summary of a pipeline's job.

use super::{channels, clean, count, is_finding, known, name, state};
use crate::doctor::report::{Report, State, Status};
use std::fmt::Write;

/// Draws a report.
#[must_use]
pub fn render(report: &Report) -> String {
    let mut out = String::from("## harness doctor\n\n");
    if !report.hosts.is_empty() {
        out.push_str(
            "| agent | channel | verdict | how it is known |\n| --- | --- | --- | --- |\n",
        );
    }
    for host in &report.hosts {
        let version = host.version.as_deref().unwrap_or("version unknown");
        for (name, what, channel) in channels(host) {
            let bold = if channel.state == State::Alive { "" } else { "**" };
            let _ = writeln!(
                out,
                "| {} {} | {name}: {what} | {bold}{}{bold} | {} |",
                cell(&host.id),
                cell(version),
                state(channel.state),
                cell(&known(channel)),
            );
        }
    }
    let findings: Vec<_> = report.checks.iter().filter(|c| is_finding(c)).collect();
    if !findings.is_empty() {
        out.push_str("\n| | check | found | what to do |\n| --- | --- | --- | --- |\n");
    }
    for check in findings {
        let sign = if check.status == Status::Warn { "warning" } else { "**failed**" };
        let fix = check.fix.as_deref().map(cell).unwrap_or_default();
        let (name, message) = (cell(&name(check)), cell(&check.message));
        let _ = writeln!(out, "| {sign} | [{name}]({}) | {message} | {fix} |", check.doc);
    }
    let _ = writeln!(
        out,
        "\n{} checks found nothing wrong, {} gave a note, {} were skipped.",
        count(report, Status::Ok),
        count(report, Status::Note),
        count(report, Status::Skip),
    );
    out
}

/// Text in a table's cell: no markup of others, no end of the cell.
fn cell(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in clean(text).chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            // Code in backticks stays what it is: it holds commands to copy.
            '|' | '\\' | '[' | ']' | '!' | '*' => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out
}
