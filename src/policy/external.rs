//! External guards: a program of any language, started without a shell.
//!
//! The contract. Standard input: one JSON object with `session_id`, `cwd`, `tool_name`
//! and `tool_input`. Exit 0 with nothing on standard output: no objection. Exit 0 with
//! `{"decision":"deny","reason":"…"}`: a denial. Any other exit: a denial, its reason the
//! first line of standard error. Everything else (a signal, a timeout, other output, too
//! much of it) is a failure, and a failing guard denies. The environment is the system's,
//! not the hook's: what a repository's settings set there must not change a guard's mind.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use harness_core::{Json, Text, ToolCall, json};

use super::model::Run;
use crate::sys::program::{self, Trouble};
use crate::sys::{environment, tree};

/// The most a guard may print.
const OUTPUT: u64 = 64 * 1024;
/// The most of a reason that is kept, in bytes.
const REASON: usize = 2_000;

/// What an external guard said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// No objection.
    Nothing,
    /// Not this call, and why.
    Deny(String),
    /// It failed, and how; the same as a denial.
    Failed(String),
}

/// Runs a guard on a call, in a folder.
#[must_use]
pub fn ask(run: &Run<'_>, folder: &str, call: &ToolCall<'_>) -> Said {
    let Some((program, args)) = run.argv.split_first() else {
        return Said::Failed("it names no program".to_owned());
    };
    let mut command = Command::new(located(program, folder));
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    if !folder.is_empty() {
        command.current_dir(folder);
    }
    let (name, value) = mark();
    command.env_clear().envs(environment::plain()).env(name, &value);
    tree::apart(&mut command);
    let begun = Instant::now();
    match command.spawn() {
        Err(e) => Said::Failed(format!("it could not be started: {e}")),
        Ok(child) => {
            let timeout = Duration::from_millis(run.timeout_ms.into());
            converse(child, payload(call), (begun, timeout), &format!("{name}={value}"))
        }
    }
}

/// Why a guard's program can't be started, as far as that shows without starting it.
#[must_use]
pub fn trouble(run: &Run<'_>, folder: &str) -> Option<String> {
    let Some(program) = run.argv.first() else { return Some("it names no program".to_owned()) };
    if program.contains('/') || super::paths::is_absolute(program) {
        let file = located(program, folder);
        return program::trouble_without_shell(Path::new(&file)).map(|t| t.to_string());
    }
    let variables = environment::plain();
    let (_, folders) = variables.iter().find(|(name, _)| name == "PATH")?;
    let found = std::env::split_paths(folders).map(|folder| folder.join(program));
    let found: Vec<_> = found.map(|file| program::trouble_without_shell(&file)).collect();
    if found.contains(&None) {
        return None;
    }
    // One that is there and can't be started says more than one that isn't.
    let there = found.into_iter().flatten().find(|trouble| *trouble != Trouble::Missing);
    let nowhere = || "no folder of the system's search path has it".to_owned();
    Some(there.map_or_else(nowhere, |trouble| trouble.to_string()))
}

/// A program written with a slash is relative to the folder, whatever the hook's own.
fn located(program: &str, folder: &str) -> String {
    if program.contains('/') && !super::paths::is_absolute(program) && !folder.is_empty() {
        return super::paths::normal(folder, program);
    }
    program.to_owned()
}

fn payload(call: &ToolCall<'_>) -> Vec<u8> {
    let id = call.identity();
    let mut out = Vec::with_capacity(256);
    for (key, value) in [
        (&b"{\"session_id\":"[..], &id.session),
        (b",\"cwd\":", &id.cwd),
        (b",\"tool_name\":", &id.tool),
    ] {
        out.extend_from_slice(key);
        json::write_string(&Text::from(value.as_ref()), &mut out);
    }
    out.extend_from_slice(b",\"tool_input\":");
    call.input().write(&mut out);
    out.extend_from_slice(b"}\n");
    out
}

fn converse(
    mut child: Child,
    payload: Vec<u8>,
    (begun, timeout): (Instant, Duration),
    mark: &str,
) -> Said {
    let end = begun + timeout;
    // A guard that never reads must not stop us: threads of their own do the talking. They
    // end with the pipes, at the latest when the process does.
    if let Some(mut stdin) = child.stdin.take() {
        thread::spawn(move || stdin.write_all(&payload));
    }
    let out = child.stdout.take().map(collect);
    let err = child.stderr.take().map(collect);
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if Instant::now() < end => {
                let left = end.saturating_duration_since(Instant::now());
                thread::sleep(left.min(Duration::from_millis(2)));
            }
            Ok(None) => {
                let _ = tree::end(&mut child, mark);
                return Said::Failed(format!("it took longer than {} ms", timeout.as_millis()));
            }
            Err(e) => {
                let _ = tree::end(&mut child, mark);
                return Said::Failed(format!("it could not be waited for: {e}"));
            }
        }
    };
    let left = end.saturating_duration_since(Instant::now()).max(Duration::from_millis(50));
    let gathered = out.map(|rx| rx.recv_timeout(left));
    let complaint = err.and_then(|rx| rx.recv_timeout(Duration::from_millis(50)).ok());
    tree::sweep(child.id(), mark);
    let Some(Ok(stdout)) = gathered else {
        return Said::Failed("something it started keeps its output open".to_owned());
    };
    if stdout.len() as u64 > OUTPUT {
        return Said::Failed("it printed too much".to_owned());
    }
    let complaint = complaint.unwrap_or_default();
    match status.code() {
        None => Said::Failed(format!("it was killed ({status})")),
        Some(0) => judged(&stdout),
        Some(code) => {
            Said::Deny(first_line(&complaint).unwrap_or(format!("it exited with {code}")))
        }
    }
}

fn judged(stdout: &[u8]) -> Said {
    if stdout.iter().all(u8::is_ascii_whitespace) {
        return Said::Nothing;
    }
    let rest_blank = |used: usize| {
        stdout.get(used..).is_some_and(|rest| rest.iter().all(u8::is_ascii_whitespace))
    };
    match json::parse(stdout, json::Limits::default()) {
        Ok(doc) if rest_blank(doc.used) => match doc.value.str_at("decision").as_deref() {
            Some("deny") => {
                let reason = doc.value.get("reason").and_then(Json::as_str).unwrap_or_default();
                Said::Deny(bounded(&reason))
            }
            _ => Said::Failed("its JSON is not `{\"decision\":\"deny\",\"reason\":…}`".to_owned()),
        },
        _ => Said::Failed("it printed something that is not one JSON object".to_owned()),
    }
}

fn collect(mut pipe: impl Read + Send + 'static) -> mpsc::Receiver<Vec<u8>> {
    let (tx, rx) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = (&mut pipe).take(OUTPUT + 1).read_to_end(&mut bytes);
        let _ = tx.send(bytes);
    });
    rx
}

fn first_line(bytes: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(bytes);
    let line = text.lines().map(str::trim).find(|l| !l.is_empty())?;
    Some(bounded(line))
}

fn bounded(text: &str) -> String {
    text.get(..text.floor_char_boundary(REASON)).unwrap_or("").to_owned()
}

/// A mark in the environment by which whatever the guard starts is found again.
fn mark() -> (&'static str, String) {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    ("HARNESS_GUARD_RUN", format!("{}-{number}", std::process::id()))
}

#[cfg(test)]
mod tests;
