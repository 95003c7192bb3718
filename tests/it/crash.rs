//! Whatever breaks inside, a gate answers with a denial. The faults are built in with the
//! feature `faults`: `cargo nextest run --features faults -E 'test(crash::)'`.
#![cfg(feature = "faults")]

use serde_json::json;
use std::os::unix::process::ExitStatusExt;

use crate::support::{Ran, Sandbox, pre_tool_use};

/// Stations before the answer, each on the way of a PreToolUse.
const BEFORE: &[&str] = &["input", "decode", "policy-load", "listeners", "guards", "ask", "encode"];
/// Every kind but `kill`, and the rule its denial names.
const KINDS: &[(&str, &str)] = &[
    ("error", "harness/station"),
    ("panic", "harness/panic"),
    ("stall", "harness/deadline"),
    ("overflow", "harness/crash"),
    ("alloc", "harness/memory"),
];

fn run(sandbox: &Sandbox, event: &str, fault: &str, payload: &str) -> Ran {
    let root = sandbox.root().join("h");
    sandbox
        .run(["hook", "claude-code", event, "--home", root.to_str().expect("text")])
        .env("HARNESS_FAULT", fault)
        .env("HARNESS_DEADLINE_MS", "400")
        .stdin(payload)
        .go()
}

fn bash(sandbox: &Sandbox) -> String {
    pre_tool_use(&sandbox.project(), "Bash", &json!({"command": "ls"}))
}

#[test]
fn every_fault_at_every_station_of_a_gate_is_a_denial() {
    let sandbox = Sandbox::new();
    for station in BEFORE {
        for (kind, rule) in KINDS {
            let fault = format!("{station}:{kind}");
            let ran = run(&sandbox, "PreToolUse", &fault, &bash(&sandbox));
            let reason = ran.denied().unwrap_or_else(|| panic!("{fault}: {ran:?}"));
            assert!(reason.contains(rule), "{fault}: {reason}");
            assert!(ran.stderr.starts_with(&reason), "{fault}: {ran:?}");
        }
    }
}

#[test]
fn a_settings_change_is_vetoed_by_every_fault_on_its_way() {
    let sandbox = Sandbox::new();
    let payload = json!({
        "session_id": "s", "cwd": sandbox.project(), "hook_event_name": "ConfigChange",
        "source": "user_settings", "file_path": "/x",
    })
    .to_string();
    for station in ["input", "decode", "encode"] {
        for (kind, rule) in KINDS {
            let fault = format!("{station}:{kind}");
            let ran = run(&sandbox, "ConfigChange", &fault, &payload);
            assert_eq!((ran.status.code(), &ran.json()["decision"]), (Some(2), &json!("block")));
            assert!(ran.json()["reason"].as_str().is_some_and(|r| r.contains(rule)), "{fault}");
        }
    }
}

#[test]
fn events_that_stop_nothing_fail_silently() {
    let sandbox = Sandbox::new();
    let payload = bash(&sandbox).replace("PreToolUse", "PostToolUse");
    for station in ["input", "decode", "post", "policy-load", "listeners", "ask", "encode"] {
        for (kind, _) in KINDS {
            let fault = format!("{station}:{kind}");
            let ran = run(&sandbox, "PostToolUse", &fault, &payload);
            assert_eq!(
                (ran.status.code(), ran.stdout.as_str(), ran.stderr.as_str()),
                (Some(0), "", ""),
                "{fault}"
            );
        }
    }
}

#[test]
fn a_broken_journal_changes_no_answer() {
    let sandbox = Sandbox::new();
    let deny = pre_tool_use(&sandbox.project(), "Frobnicate", &json!({}));
    for (kind, _) in KINDS {
        let fault = format!("journal:{kind}");
        let ran = run(&sandbox, "PreToolUse", &fault, &bash(&sandbox));
        assert_eq!((ran.status.code(), ran.stdout.as_str()), (Some(0), ""), "{fault}");
        let ran = run(&sandbox, "PreToolUse", &fault, &deny);
        assert!(ran.denied().is_some_and(|r| r.contains("unknown-tool")), "{fault}: {ran:?}");
    }
}

#[test]
fn killed_from_outside_it_leaves_a_journal_that_goes_on() {
    let sandbox = Sandbox::new();
    for station in BEFORE.iter().chain(&["journal"]) {
        let ran = run(&sandbox, "PreToolUse", &format!("{station}:kill"), &bash(&sandbox));
        assert_eq!(ran.status.signal(), Some(9), "{station}");
        assert_eq!(run(&sandbox, "PreToolUse", "", &bash(&sandbox)).status.code(), Some(0));
    }
    let verify = sandbox.run(["log", "verify"]).env("HARNESS_HOME", sandbox.root().join("h"));
    let told = verify.ok().stdout;
    assert!(told.starts_with(&format!("{} records", BEFORE.len() + 1)), "{told}");
}

#[test]
fn half_a_payload_on_an_open_pipe_ends_at_the_deadline() {
    let sandbox = Sandbox::new();
    let root = sandbox.root().join("h");
    for half in ["", "{\"session_id\":\"s\",", "\u{feff}"] {
        let ran = sandbox
            .run(["hook", "claude-code", "PreToolUse", "--home", root.to_str().expect("text")])
            .env("HARNESS_DEADLINE_MS", "300")
            .stdin(half)
            .hold_stdin()
            .go();
        let reason = ran.denied().unwrap_or_else(|| panic!("{half}: {ran:?}"));
        assert!(reason.contains("harness/deadline"), "{reason}");
    }
}
