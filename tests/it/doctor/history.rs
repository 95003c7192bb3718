//! Transcripts in which something is wrong, in the lines that the real client writes
//! (`live::history` holds those to it), against a journal.

use super::scopes::{machine, roots};
use crate::support::{Ran, Sandbox};
use serde_json::{Value, json};

const ID: &str = "4f6a1c52-0f0e-4c11-9a53-7f1f5f3c9b10";
/// Long after any install.
const BEGAN: &str = "2099-01-01T00:00:00.000Z";
const CALLED: &str = "2099-01-01T00:00:05.000Z";
const LATER: &str = "2099-01-01T01:00:00.000Z";
/// The second of them in milliseconds.
const MARK: u64 = 4_070_908_805_000;

fn installed() -> Sandbox {
    let sandbox = machine("2.1.332");
    sandbox.run(["install", "--yes"]).ok();
    sandbox
}

fn attachment(at: &str, told: Value) -> Value {
    json!({ "type": "attachment", "timestamp": at, "sessionId": ID, "attachment": told })
}

fn used(at: &str) -> Value {
    let part = json!({ "type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {} });
    json!({ "type": "assistant", "timestamp": at, "message": { "role": "assistant", "content": [part] } })
}

fn text(lines: &[Value]) -> String {
    lines.iter().map(|l| format!("{l}\n")).collect()
}

fn folder(sandbox: &Sandbox) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let slug: String = sandbox.project().to_string_lossy().chars().map(plain).collect();
    format!("home/.claude/projects/{slug}")
}

fn transcript(sandbox: &Sandbox, lines: &[Value]) {
    sandbox.write(format!("{}/{ID}.jsonl", folder(sandbox)), text(lines));
}

/// A mark of the session in the journal.
fn mark(sandbox: &Sandbox, more: Value) {
    let mut record = json!({ "ts": MARK, "type": "tool/call", "session": ID });
    for (key, value) in more.as_object().expect("an object") {
        record[key] = value.clone();
    }
    let journal = "home/.local/state/harness/journal/audit.jsonl";
    let before = sandbox.read(journal);
    sandbox.write(journal, format!("{before}{record}\n"));
}

fn doctor(sandbox: &Sandbox) -> Ran {
    sandbox.run(["doctor", "--json"]).go()
}

/// The command of our hook of this event, as the client writes it down.
fn ours(sandbox: &Sandbox, event: &str) -> String {
    let settings: Value =
        serde_json::from_str(&sandbox.read("home/.claude/settings.json")).expect("JSON");
    let hook = &settings["hooks"][event][0]["hooks"][0];
    let words = hook["args"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let command = hook["command"].as_str().expect("a command");
    std::iter::once(command).chain(words).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_healthy_session_is_no_finding() {
    let sandbox = installed();
    let start = ours(&sandbox, "SessionStart");
    let said = json!({ "hookSpecificOutput": { "hookEventName": "SessionStart", "additionalContext": "harness x" } });
    let well = json!({ "type": "hook_success", "hookEvent": "SessionStart", "stdout": said.to_string(), "command": start });
    let arrived = json!({ "type": "hook_additional_context", "hookEvent": "SessionStart", "content": ["harness x"] });
    let lines = [attachment(BEGAN, well.clone()), attachment(BEGAN, arrived), used(CALLED)];
    transcript(&sandbox, &lines);
    mark(&sandbox, json!({ "agent": "a1" }));
    sandbox.write(
        format!("{}/{ID}/subagents/agent-a1.jsonl", folder(&sandbox)),
        text(&[used(CALLED)]),
    );
    let ran = doctor(&sandbox);
    assert_eq!((roots(&ran.json()), ran.status.code()), (Vec::new(), Some(0)), "{}", ran.stdout);
    // The same without the context: it was said and did not arrive.
    transcript(&sandbox, &[attachment(BEGAN, well), used(CALLED)]);
    let report = doctor(&sandbox).json();
    assert_eq!(roots(&report), ["context-undelivered"], "{report:#}");
    assert_eq!(report["hosts"][0]["soft"]["state"], "unknown");
    assert_eq!(report["hosts"][0]["gate"]["state"], "alive");
}

#[test]
fn what_no_session_showed_is_not_green() {
    let sandbox = installed();
    let ids = ["not-called", "history", "context-undelivered", "subagent-unproven", "cwd-gone"];
    let states = |sandbox: &Sandbox| -> Vec<String> {
        let report = doctor(sandbox).json();
        let of = |id: &&str| {
            let mut checks = report["checks"].as_array().into_iter().flatten();
            let check = checks.find(|c| c["id"] == **id);
            check.and_then(|c| c["status"].as_str()).unwrap_or("?").to_owned()
        };
        ids.iter().map(of).collect()
    };
    assert_eq!(states(&sandbox), ["skip"; 5]);
    transcript(&sandbox, &[used(CALLED)]);
    mark(&sandbox, json!({}));
    // One session that called us shows that, and nothing of the rest.
    assert_eq!(states(&sandbox), ["ok", "skip", "skip", "skip", "skip"]);
}

#[test]
fn subagents_that_left_no_mark_are_unproven() {
    let sandbox = installed();
    transcript(&sandbox, &[used(CALLED)]);
    sandbox.write(
        format!("{}/{ID}/subagents/agent-a1.jsonl", folder(&sandbox)),
        text(&[used(CALLED)]),
    );
    mark(&sandbox, json!({}));
    assert_eq!(roots(&doctor(&sandbox).json()), ["subagent-unproven"]);
    mark(&sandbox, json!({ "agent": "a1" }));
    assert_eq!(roots(&doctor(&sandbox).json()), [""; 0]);
}

#[test]
fn calls_after_the_last_mark_were_not_told_to_us() {
    let sandbox = installed();
    transcript(&sandbox, &[used(CALLED), used(LATER)]);
    mark(&sandbox, json!({}));
    assert_eq!(roots(&doctor(&sandbox).json()), ["not-called/stopped"]);
}

#[test]
fn failures_of_ours_are_warned_of_and_those_of_others_noted() {
    let sandbox = installed();
    let gate = ours(&sandbox, "PreToolUse");
    let failed = |command: &str, code: i32, stderr: &str| {
        attachment(
            CALLED,
            json!({
                "type": "hook_non_blocking_error", "hookEvent": "PreToolUse", "command": command,
                "exitCode": code, "stderr": stderr, "durationMs": 9,
            }),
        )
    };
    let late = json!({ "type": "hook_cancelled", "hookEvent": "PreToolUse", "command": gate, "timedOut": true, "timeoutMs": 5000 });
    let interrupted =
        json!({ "type": "hook_cancelled", "hookEvent": "PreToolUse", "command": gate });
    let mut lines = vec![used(CALLED), attachment(CALLED, late), attachment(CALLED, interrupted)];
    lines.extend((0..73).map(|_| failed("node gone.js", 1, "Cannot find module")));
    transcript(&sandbox, &lines);
    mark(&sandbox, json!({}));
    let report = doctor(&sandbox).json();
    assert_eq!(roots(&report), ["history/ours"], "{report:#}");
    let text = report["checks"].to_string();
    assert!(text.contains("1 times, last PreToolUse not in time (5000 ms): "), "{text}");
    assert!(text.contains("73 times, last PreToolUse exit 1: Cannot find module: node gone.js"));
    let gone = "Error: ENOENT: no such file or directory, posix_spawn '/bin/sh'";
    transcript(&sandbox, &[used(CALLED), failed("node x.js", 1, gone)]);
    assert_eq!(roots(&doctor(&sandbox).json()), ["cwd-gone"]);
    // What was before the install is over.
    let old = text_at_the_past(&failed("node x.js", 1, gone));
    transcript(&sandbox, &[old]);
    assert_eq!(roots(&doctor(&sandbox).json()), [""; 0]);
}

fn text_at_the_past(line: &Value) -> Value {
    let mut line = line.clone();
    line["timestamp"] = "2020-01-01T00:00:00.000Z".into();
    line
}

#[test]
fn a_folder_that_was_never_accepted_is_noted() {
    let sandbox = installed();
    let state = |accepted: bool| {
        let project = json!({ "hasTrustDialogAccepted": accepted });
        json!({ "projects": { sandbox.project().to_string_lossy(): project } }).to_string()
    };
    let status = || {
        let report = doctor(&sandbox).json();
        let checks = report["checks"].as_array().expect("a list").clone();
        checks.into_iter().find(|c| c["id"] == "untrusted").expect("there")["status"].clone()
    };
    // Where the client says nothing of the folder, nothing was seen.
    assert_eq!(status(), "skip");
    sandbox.write("home/.claude.json", state(false));
    assert_eq!(status(), "note");
    sandbox.write("home/.claude.json", state(true));
    assert_eq!(status(), "ok");
}

#[test]
fn a_crowd_of_long_transcripts_and_odd_files_costs_little() {
    let sandbox = installed();
    let folder = folder(&sandbox);
    let long = format!("{}{}\n", text(&[used(BEGAN)]), "x".repeat(8 << 20));
    for n in 0..30 {
        sandbox.write(format!("{folder}/{n:08}-0f0e-4c11-9a53-7f1f5f3c9b10.jsonl"), &long);
    }
    let pipe = sandbox.root().join(&folder).join("pipe.jsonl");
    sandbox.program("/usr/bin/mkfifo", [pipe]).ok();
    sandbox.write(format!("{folder}/not.jsonl"), b"\xff\xfe{\n[1,2\n{\"timestamp\":7}\n");
    let report = doctor(&sandbox).json();
    let silent =
        report["checks"].as_array().expect("a list").iter().find(|c| c["id"] == "not-called");
    let named = silent.expect("there")["evidence"].as_array().expect("a list").len();
    assert!((1..=12).contains(&named), "only the newest are read: {named}");
}
