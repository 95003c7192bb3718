//! What clients were reported to make of a hook's output, and what ours therefore never
//! says.

use super::World;
use crate::support::{Ran, pre_tool_use};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// A policy that denies, asks, adds context and runs a program.
const POLICY: &str = r#"
version = 1
[[guard]]
id = "no"
tool = "Bash"
command = ["forbidden"]
deny = "never"
examples.match = ["forbidden"]
[[listener]]
id = "ask"
tool = "Bash"
command = ["doubtful"]
vote = "ask"
reason = "a person looks"
examples.match = ["doubtful"]
[[context]]
event = "PreToolUse"
tool = "Bash"
text = "mind \"the\" gap\nλ 🦊"
[[guard]]
id = "program"
tool = "Write"
run = ["sh", "-c", "cat >/dev/null; sleep 30 & exit 0"]
"#;

fn hook(world: &World, event: &str, payload: &str) -> Ran {
    world.hook(event, &[]).stdin(payload).go()
}

fn world() -> World {
    let world = World::new();
    world.sandbox.write("h/policy.toml", POLICY);
    world
}

#[test]
fn it_says_one_object_on_one_line_or_nothing_and_never_what_it_was_given() {
    let world = world();
    let project = world.sandbox.project();
    let marked = |command: &str| json!({"command": format!("{command} # MARK-7f3a"), "description": "MARK-7f3a"});
    let mut seen = Vec::new();
    for (event, command) in [
        ("PreToolUse", "forbidden"),
        ("PreToolUse", "doubtful"),
        ("PreToolUse", "ls"),
        ("PostToolUse", "ls"),
        ("PostToolUseFailure", "ls"),
        ("SessionStart", "ls"),
        ("SessionEnd", "ls"),
        ("Stop", "ls"),
    ] {
        let payload = pre_tool_use(&project, "Bash", &marked(command)).replace("PreToolUse", event);
        for payload in [payload.clone(), payload.replacen('{', "{\"stop_hook_active\":true,", 1)] {
            let ran = hook(&world, event, &payload);
            let told = ran.stdout.as_str();
            assert!(!told.contains("MARK-7f3a"), "{event} {command}: {told}");
            assert!(!ran.stderr.trim_start().starts_with(['{', '[']), "{event}: {}", ran.stderr);
            assert!(matches!(ran.status.code(), Some(0 | 2)), "{event} {command}: {ran:?}");
            if told.is_empty() {
                continue;
            }
            assert!(!told.trim_end().contains('\n'), "{event}: {told:?}");
            let said: Value = serde_json::from_str(told).expect("one document");
            let own = &said["hookSpecificOutput"];
            assert_eq!(own["hookEventName"], event, "{told}");
            // Consent would skip the person's own rules, a rewrite would be run unseen.
            assert_ne!(own["permissionDecision"], "allow", "{told}");
            assert!(
                own.get("updatedInput").is_none()
                    && said.get("decision").is_none_or(|d| d != "approve"),
                "{told}"
            );
            // Where the client looks for it, and nowhere else.
            assert!(
                said.get("additionalContext").is_none() && said.get("permissionDecision").is_none(),
                "{told}"
            );
            seen.push((event, command));
        }
        if event == "Stop" {
            assert_eq!(hook(&world, event, &payload).stdout, "");
        }
    }
    for must in ["forbidden", "doubtful", "ls"] {
        assert!(seen.contains(&("PreToolUse", must)), "{must}: {seen:?}");
    }
}

#[test]
fn a_guards_child_that_holds_its_output_open_is_a_denial_in_time() {
    let world = world();
    let file = world.sandbox.project().join("a");
    let payload =
        pre_tool_use(&world.sandbox.project(), "Write", &json!({"file_path": file, "content": ""}));
    let start = Instant::now();
    let ran = hook(&world, "PreToolUse", &payload);
    assert!(start.elapsed() < Duration::from_secs(10), "{:?} {ran:?}", start.elapsed());
    assert!(ran.denied().is_some_and(|why| why.contains("output open")), "{ran:?}");
}

#[test]
fn a_guards_program_gets_payloads_that_no_environment_could_hold() {
    let world = World::new();
    let policy = "version = 1\n[[guard]]\nid = \"size\"\ntool = \"Write\"\nrun = [\"sh\", \"-c\", \
                  \"n=$(wc -c); [ $n -gt 300000 ] && exit 0; exit 7\"]\n";
    world.sandbox.write("h/policy.toml", policy);
    let file = world.sandbox.project().join("a");
    for (size, passes) in [(400_000, true), (10, false)] {
        let input = json!({"file_path": file, "content": "x".repeat(size)});
        let ran =
            hook(&world, "PreToolUse", &pre_tool_use(&world.sandbox.project(), "Write", &input));
        assert_eq!(ran.denied().is_none(), passes, "{size}: {ran:?}");
    }
}
