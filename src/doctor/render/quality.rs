//! The report as a code quality report, which GitLab shows in merge requests.

use super::{clean, is_finding, name, place, relative, unproven, verdict};
use crate::doctor::report::{Report, State, Status};
use serde_json::{Value, json};

/// Where a finding is shown that names no file: the format wants one.
const NOWHERE: &str = ".claude/settings.json";

/// Draws a report; `base` is the folder that files are named from, if they lie below it.
#[must_use]
pub fn render(report: &Report, base: &str) -> String {
    let verdicts = unproven(report).map(|(id, name, channel)| {
        let severity = if channel.state == State::Dead { "blocker" } else { "major" };
        issue(name, severity, &format!("{id}: {}", verdict(name, channel)), NOWHERE, 1)
    });
    let findings = report.checks.iter().filter(|c| is_finding(c)).map(|check| {
        let severity = if check.status == Status::Warn { "minor" } else { "critical" };
        let place = place(check);
        let file = place.as_ref().map_or(NOWHERE, |p| relative(&p.file, base));
        let line = place.as_ref().map_or(1, |p| p.line);
        issue(&name(check), severity, &clean(&check.message), file, line)
    });
    let issues: Vec<Value> = verdicts.chain(findings).collect();
    format!("{:#}\n", Value::Array(issues))
}

/// The fingerprint is the same for the same finding in the same place, run after run.
fn issue(name: &str, severity: &str, description: &str, file: &str, line: usize) -> Value {
    let print = blake3::hash(format!("{name}\0{file}\0{line}").as_bytes()).to_hex().to_string();
    json!({
        "description": description,
        "check_name": name,
        "fingerprint": print,
        "severity": severity,
        "location": { "path": file, "lines": { "begin": line } },
    })
}
