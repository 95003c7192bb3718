//! The report as JUnit XML, which pipelines show as tests: a suite a host for its two
//! verdicts, a suite a group of checks.

use super::{channels, clean, details, known, name, state};
use crate::doctor::report::{Check, HostReport, Report, State, Status};
use crate::hosts::words::escape;
use std::fmt::Write;

/// How a case came out, in JUnit's words.
enum Outcome {
    Passed,
    /// Passed, with something to read.
    Told,
    Skipped,
    Failed,
    Broken,
}

struct Case {
    class: String,
    name: String,
    outcome: Outcome,
    message: String,
    details: Vec<String>,
}

/// Draws a report; with `strict`, what is warned of has failed.
#[must_use]
pub fn render(report: &Report, strict: bool) -> String {
    let mut suites: Vec<(String, Vec<Case>)> =
        report.hosts.iter().map(|h| (format!("harness {}", h.id), verdicts(h))).collect();
    for check in &report.checks {
        let suite = format!("harness doctor {}", check.group);
        if suites.last().is_none_or(|(name, _)| *name != suite) {
            suites.push((suite, Vec::new()));
        }
        if let Some((_, cases)) = suites.last_mut() {
            cases.push(case(check, strict));
        }
    }
    let all: Vec<&Case> = suites.iter().flat_map(|(_, cases)| cases).collect();
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(out, "<testsuites name=\"harness doctor\"{}>", counts(&all));
    for (name, cases) in &suites {
        let of: Vec<&Case> = cases.iter().collect();
        let _ = writeln!(out, "  <testsuite name=\"{}\"{}>", escape(name), counts(&of));
        for case in cases {
            write(case, &mut out);
        }
        out.push_str("  </testsuite>\n");
    }
    out.push_str("</testsuites>\n");
    out
}

fn counts(cases: &[&Case]) -> String {
    let of = |which: fn(&Outcome) -> bool| cases.iter().filter(|c| which(&c.outcome)).count();
    format!(
        " tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"",
        cases.len(),
        of(|o| matches!(o, Outcome::Failed)),
        of(|o| matches!(o, Outcome::Broken)),
        of(|o| matches!(o, Outcome::Skipped)),
    )
}

/// What is unknown was not passed: it is skipped, with the reason.
fn verdicts(host: &HostReport) -> Vec<Case> {
    let case = |(name, what, channel): (&str, &str, &crate::doctor::report::Channel)| Case {
        class: format!("harness.{}", host.id),
        name: format!("{name}: {what}"),
        outcome: match channel.state {
            State::Alive => Outcome::Passed,
            State::Dead => Outcome::Failed,
            State::Unknown => Outcome::Skipped,
        },
        message: format!("{}, {}", state(channel.state), known(channel)),
        details: Vec::new(),
    };
    channels(host).into_iter().map(case).collect()
}

fn case(check: &Check, strict: bool) -> Case {
    Case {
        class: format!("harness.doctor.{}", check.group),
        name: name(check),
        outcome: match check.status {
            Status::Ok => Outcome::Passed,
            Status::Warn if strict => Outcome::Failed,
            Status::Note | Status::Warn => Outcome::Told,
            Status::Fail => Outcome::Failed,
            Status::Skip => Outcome::Skipped,
            Status::Error => Outcome::Broken,
        },
        message: clean(&check.message),
        details: details(check),
    }
}

fn write(case: &Case, out: &mut String) {
    let (class, name) = (escape(&case.class), escape(&case.name));
    let _ = write!(out, "    <testcase classname=\"{class}\" name=\"{name}\"");
    let (message, details) = (escape(&case.message), escape(&case.details.join("\n")));
    let _ = match case.outcome {
        Outcome::Passed => writeln!(out, "/>"),
        Outcome::Told => {
            writeln!(out, ">\n      <system-out>{message}\n{details}</system-out>\n    </testcase>")
        }
        Outcome::Skipped => {
            writeln!(out, ">\n      <skipped message=\"{message}\"/>\n    </testcase>")
        }
        Outcome::Failed => writeln!(
            out,
            ">\n      <failure message=\"{message}\">{details}</failure>\n    </testcase>"
        ),
        Outcome::Broken => {
            writeln!(
                out,
                ">\n      <error message=\"{message}\">{details}</error>\n    </testcase>"
            )
        }
    };
}
