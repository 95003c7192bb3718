//! What the real client writes down of hooks, and what doctor reads out of that.

use super::clients;
use super::world::World;
use harness::doctor::live::drive::{Run, drive};
use harness::doctor::live::script::{Call, Turn};
use serde_json::{Value, json};
use std::time::Duration;

/// Not the id of a probe, whose sessions are nobody's.
const ID: &str = "4f6a1c52-0f0e-4c11-9a53-7f1f5f3c9b10";

/// A session as a person has it: one shell command.
fn session(world: &World) {
    let turns = vec![Turn::call(Call::bash("echo hello")), Turn::text("done")];
    let mut run = Run::new(&world.client, &world.stage, turns);
    run.args = ["--session-id", ID].map(Into::into).to_vec();
    run.limit = Duration::from_secs(90);
    let _place = clients::place();
    drive(run).expect("the client starts");
}

fn checks(report: &Value, id: &str) -> Vec<Value> {
    let all = report["checks"].as_array().expect("a list").iter();
    all.filter(|c| c["id"] == id).cloned().collect()
}

#[test]
fn a_session_that_our_hooks_saw_is_held_against_its_transcript() {
    let world = World::installed(clients::new());
    session(&world);
    let report = world.doctor();
    let context = &checks(&report, "context-undelivered")[0];
    assert_eq!(context["status"], "ok", "{report:#}");
    let message = context["message"].as_str().expect("text");
    assert!(message.contains("is in its transcript"), "{message}");
    for (id, status) in [
        ("not-called", "ok"),
        ("history", "ok"),
        ("cwd-gone", "ok"),
        // It had no subagent, and a headless client asks nobody about the folder.
        ("subagent-unproven", "skip"),
        ("untrusted", "skip"),
    ] {
        assert_eq!(checks(&report, id)[0]["status"], status, "{id}: {report:#}");
    }
}

#[test]
fn failures_that_the_client_wrote_down_are_told_with_their_command() {
    let world = World::installed(clients::new());
    let hook = |command: &str, timeout: u32| json!({ "type": "command", "command": command, "timeout": timeout });
    let hooks = [hook("echo boom >&2; exit 1", 5), hook("sleep 9", 1), hook("true", 5)];
    world.project_settings(&json!({ "hooks": { "PreToolUse": [{ "hooks": hooks }] } }));
    session(&world);
    let report = world.doctor();
    let [others] = &checks(&report, "history")[..] else { panic!("{report:#}") };
    assert_eq!((&others["kind"], &others["status"]), (&"others".into(), &"note".into()));
    let seen = others["evidence"].to_string();
    assert!(seen.contains("PreToolUse exit 1") && seen.contains("boom"), "{seen}");
    assert!(seen.contains("not in time (1000 ms): sleep 9"), "{seen}");
    assert!(!seen.contains(": true"), "{seen}");
}
