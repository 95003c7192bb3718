//! The report as SARIF 2.1.0, which code scanning reads: a rule a check, a result a
//! finding or a verdict that isn't alive.

use super::{clean, details, is_finding, name, place, relative, unproven, verdict};
use crate::doctor::report::{Check, Report, State, Status};
use crate::doctor::table::rows;
use serde_json::{Value, json};

/// Where the verdicts are explained.
const PAGE: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/docs/doctor.md");

/// Draws a report; `base` is the folder that files are named from, if they lie below it.
#[must_use]
pub fn render(report: &Report, base: &str) -> String {
    let verdicts = unproven(report).map(|(id, name, channel)| {
        let level = if channel.state == State::Dead { "error" } else { "warning" };
        result(name, level, &format!("{id}: {}", verdict(name, channel)), json!([]))
    });
    let findings = report.checks.iter().filter(|c| is_finding(c) || c.status == Status::Note);
    let results: Vec<Value> = verdicts.chain(findings.map(|c| finding(c, base))).collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "harness doctor",
                "version": env!("CARGO_PKG_VERSION"),
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "informationUri": env!("CARGO_PKG_REPOSITORY"),
                "rules": rules(),
            }},
            "invocations": [{ "executionSuccessful": !broke(report) }],
            "columnKind": "utf16CodeUnits",
            "results": results,
        }],
    });
    format!("{log:#}\n")
}

fn broke(report: &Report) -> bool {
    report.checks.iter().any(|c| c.status == Status::Error)
}

fn rules() -> Vec<Value> {
    let verdict = |id: &str, what: &str| {
        json!({
            "id": id,
            "shortDescription": { "text": what },
            "helpUri": PAGE,
            "defaultConfiguration": { "level": "error" },
        })
    };
    let channels =
        [verdict("gate", "a denial stops the call"), verdict("soft", "context reaches the model")];
    let checks = rows().iter().map(|row| {
        json!({
            "id": row.id,
            "shortDescription": { "text": row.title },
            "helpUri": row.doc(),
            "defaultConfiguration": { "level": level(row.severity) },
        })
    });
    channels.into_iter().chain(checks).collect()
}

const fn level(status: Status) -> &'static str {
    match status {
        Status::Fail | Status::Error => "error",
        Status::Warn => "warning",
        Status::Note => "note",
        Status::Ok | Status::Skip => "none",
    }
}

fn finding(check: &Check, base: &str) -> Value {
    let text = format!("{}\n{}", clean(&check.message), details(check).join("\n"));
    let mut location = json!({
        "logicalLocations": [{ "fullyQualifiedName": format!("doctor/{}", name(check)) }],
    });
    if let Some(place) = place(check) {
        location["physicalLocation"] = json!({
            "artifactLocation": { "uri": uri(relative(&place.file, base)) },
            "region": { "startLine": place.line },
        });
    }
    result(&check.id, level(check.status), &text, json!([location]))
}

fn result(rule: &str, level: &str, text: &str, locations: Value) -> Value {
    json!({
        "ruleId": rule,
        "level": level,
        "message": { "text": text },
        "locations": locations,
    })
}

/// A path as a URI reference.
fn uri(file: &str) -> String {
    let mut out = String::from(if file.starts_with('/') { "file://" } else { "" });
    for byte in file.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
                out.push(char::from(byte));
            }
            b'\\' => out.push('/'),
            other => out.push_str(&format!("%{other:02X}")),
        }
    }
    out
}
