//! A service and a timer of the person's systemd.

use super::{Every, Job, Plan, Question, Unit, words};
use std::fmt::Write;

const TIMER: &str = "harness-doctor.timer";

pub(super) fn plan(job: &Job) -> Plan {
    let folder = job.config.join("systemd").join("user");
    let file = |name: &str, text: String| Unit::text(folder.join(name), text);
    Plan {
        files: vec![file("harness-doctor.service", service(job)), file(TIMER, timer(job.every))],
        start: vec![
            words(&["systemctl", "--user", "daemon-reload"]),
            words(&["systemctl", "--user", "enable", "--now", TIMER]),
        ],
        stop: vec![words(&["systemctl", "--user", "disable", "--now", TIMER])],
        gone: vec![words(&["systemctl", "--user", "daemon-reload"])],
        // 3: not active, 4: no such unit.
        ask: Question {
            command: words(&["systemctl", "--user", "is-active", TIMER]),
            absent: &[3, 4],
        },
        notes: vec![
            "a run that finds something dead fails: `systemctl --user --failed` lists it, \
             `journalctl --user -u harness-doctor` shows it"
                .to_owned(),
        ],
    }
}

fn service(job: &Job) -> String {
    let mut out = String::from(
        "[Unit]\nDescription=Proof that the hooks of coding agents work (harness doctor)\n\n\
         [Service]\nType=oneshot\nWorkingDirectory=~\nNice=10\nTimeoutStartSec=300\n",
    );
    for (name, value) in &job.variables {
        let _ = writeln!(out, "Environment={}", quoted(&format!("{name}={value}"), false));
    }
    let mut line = program(&job.program.to_string_lossy());
    for arg in job.args() {
        let _ = write!(line, " {}", quoted(&arg, true));
    }
    let _ = writeln!(out, "ExecStart={line}");
    out
}

/// The program of a command: systemd expands no variable in it, and takes none whose path
/// holds a quote or a backslash, so a shell starts those.
fn program(path: &str) -> String {
    if path.contains(['"', '\'', '\\']) {
        return format!(r#"/bin/sh -c "exec \"$$0\" \"$$@\"" {}"#, quoted(path, true));
    }
    quoted(path, false)
}

/// A word as systemd reads it; in a command it also expands variables.
fn quoted(word: &str, command: bool) -> String {
    let mut out = String::from("\"");
    for c in word.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            '%' => out.push_str("%%"),
            '$' if command => out.push_str("$$"),
            '\n' => out.push_str("\\n"),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

fn timer(every: Every) -> String {
    let calendar = match every {
        Every::Hour => "hourly",
        Every::Day => "daily",
        Every::Week => "weekly",
    };
    format!(
        "[Unit]\nDescription=Starts harness doctor\n\n\
         [Timer]\nOnCalendar={calendar}\nPersistent=true\nRandomizedDelaySec=10min\n\n\
         [Install]\nWantedBy=timers.target\n"
    )
}
