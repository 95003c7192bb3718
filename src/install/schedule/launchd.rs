//! An agent of the person's launchd.

use super::{Every, Job, Plan, Question, Unit, words};
use crate::hosts::words::escape;
use std::fmt::Write;

const LABEL: &str = "harness.doctor";

pub(super) fn plan(job: &Job) -> Plan {
    let path = job.home.join("Library/LaunchAgents").join(format!("{LABEL}.plist"));
    let domain = format!("gui/{}", job.user);
    let file = path.to_string_lossy().into_owned();
    Plan {
        files: vec![Unit::text(path, plist(job))],
        start: vec![words(&["launchctl", "bootstrap", &domain, &file])],
        stop: vec![words(&["launchctl", "bootout", &format!("{domain}/{LABEL}")])],
        gone: Vec::new(),
        ask: Question {
            command: words(&["launchctl", "print", &format!("{domain}/{LABEL}")]),
            absent: &[113],
        },
        notes: vec!["what a run says is in `doctor.log` beside the report".to_owned()],
    }
}

fn plist(job: &Job) -> String {
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \
         \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n<plist version=\"1.0\">\n<dict>\n",
    );
    let string = |text: &str| format!("<string>{}</string>", escape(text));
    let _ = writeln!(out, "  <key>Label</key>{}", string(LABEL));
    let _ = writeln!(out, "  <key>ProgramArguments</key>\n  <array>");
    for word in std::iter::once(job.program.to_string_lossy().into_owned()).chain(job.args()) {
        let _ = writeln!(out, "    {}", string(&word));
    }
    out.push_str("  </array>\n");
    if !job.variables.is_empty() {
        out.push_str("  <key>EnvironmentVariables</key>\n  <dict>\n");
        for (name, value) in &job.variables {
            let _ = writeln!(out, "    <key>{name}</key>{}", string(value));
        }
        out.push_str("  </dict>\n");
    }
    let _ = writeln!(out, "  <key>WorkingDirectory</key>{}", string(&job.home.to_string_lossy()));
    let log = job.receipt.with_file_name("doctor.log");
    for key in ["StandardOutPath", "StandardErrorPath"] {
        let _ = writeln!(out, "  <key>{key}</key>{}", string(&log.to_string_lossy()));
    }
    out.push_str("  <key>ProcessType</key><string>Background</string>\n");
    out.push_str("  <key>StartCalendarInterval</key>\n  <dict>\n");
    let at: &[(&str, u8)] = match job.every {
        Every::Hour => &[("Minute", 17)],
        Every::Day => &[("Hour", 10), ("Minute", 17)],
        Every::Week => &[("Weekday", 1), ("Hour", 10), ("Minute", 17)],
    };
    for (key, number) in at {
        let _ = writeln!(out, "    <key>{key}</key><integer>{number}</integer>");
    }
    out.push_str("  </dict>\n</dict>\n</plist>\n");
    out
}
