//! Questions to a person and their ends, across the processes of a session.

use serde_json::{Value, json};

use crate::support::World;

fn bash(command: &str) -> Value {
    json!({ "command": command })
}

/// A session in which every write asks.
fn asking() -> World {
    let world = World::new();
    world.cli(&["preset", "read-only"]);
    world.begin();
    world
}

fn decision(ran: &crate::support::Ran) -> &'static str {
    if ran.denied().is_some() {
        "deny"
    } else if ran.stdout.contains("\"ask\"") {
        "ask"
    } else {
        "none"
    }
}

/// The pairs in the journal: call, outcome and whether it was inferred; `None` while open.
fn pairs(world: &World) -> Vec<(String, Option<(String, bool)>)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let decided = world.records("approval/decided");
    let asked = world.records("approval/asked");
    for end in &decided {
        let of = |asked: &&Value| asked["id"] == end["id"];
        assert_eq!(asked.iter().filter(of).count(), 1, "an end without its question: {end}");
    }
    let pair = |asked: &Value| {
        let ends: Vec<&Value> = decided.iter().filter(|end| end["id"] == asked["id"]).collect();
        assert!(ends.len() < 2, "two ends: {ends:?}");
        let end = ends.first().map(|end| (text(&end["outcome"]), end["inferred"] == true));
        (text(&asked["call"]), end)
    };
    asked.iter().map(pair).collect()
}

fn pair(call: &str, outcome: &str, inferred: bool) -> (String, Option<(String, bool)>) {
    (call.to_owned(), Some((outcome.to_owned(), inferred)))
}

#[test]
fn a_call_that_ran_was_allowed_once_and_the_next_one_asks_again() {
    let world = asking();
    let input = bash("touch a");
    for id in ["c1", "c2"] {
        assert_eq!(decision(&world.call(id, "Bash", &input, None)), "ask", "{id}");
        assert_eq!(pairs(&world).last(), Some(&(id.to_owned(), None)));
        assert!(world.ran(id, "Bash", &input).denied().is_none());
        assert_eq!(pairs(&world).last(), Some(&pair(id, "allowed-once", false)));
    }
    assert_eq!(pairs(&world).len(), 2);
}

#[test]
fn a_session_that_went_on_took_a_no_and_one_that_ended_took_none() {
    let world = asking();
    world.call("c1", "Bash", &bash("touch a"), None);
    world.call("c2", "Bash", &bash("ls"), None);
    assert_eq!(pairs(&world), [pair("c1", "rejected", true)]);
    world.call("c3", "Bash", &bash("touch b"), None);
    world.event("UserPromptSubmit", &[("prompt", "go on")]);
    world.call("c4", "Bash", &bash("touch c"), None);
    world.event("SessionEnd", &[("reason", "other")]);
    let want =
        [pair("c1", "rejected", true), pair("c3", "rejected", true), pair("c4", "cancelled", true)];
    assert_eq!(pairs(&world), want);
    // A session taken up again knows of no question.
    world.call("c5", "Bash", &bash("touch d"), None);
    world.event("SessionStart", &[("source", "resume")]);
    assert_eq!(pairs(&world).last(), Some(&pair("c5", "cancelled", true)));
}

#[test]
fn what_runs_beside_a_question_ends_it_only_for_a_while() {
    let world = asking();
    let input = bash("touch a");
    world.call("c1", "Bash", &input, None);
    // A subagent goes on while the question stands; another call's end says nothing either.
    world.call("s1", "Bash", &bash("ls"), Some("agent-1"));
    world.ran("other", "Bash", &bash("ls"));
    // The same event delivered twice is one question.
    world.call("c1", "Bash", &input, None);
    assert_eq!(pairs(&world), [("c1".to_owned(), None)]);
    // A call in the same message looks like a no, until the first one runs.
    world.call("c2", "Bash", &bash("ls"), None);
    assert_eq!(pairs(&world), [pair("c1", "rejected", true)]);
    world.ran("c1", "Bash", &input);
    world.ran("c1", "Bash", &input);
    assert_eq!(pairs(&world), [pair("c1", "rejected", true)]);
    let corrected = world.records("approval/corrected");
    assert_eq!(corrected.len(), 1);
    assert_eq!(
        (&corrected[0]["call"], &corrected[0]["outcome"]),
        (&json!("c1"), &json!("allowed-once"))
    );
}

#[test]
fn where_nobody_can_be_asked_the_pair_is_whole_at_once_and_the_texts_differ() {
    let world = asking();
    let session = world.begin();
    let input = bash("touch a");
    let payload = |mode: &str| {
        let payload = crate::support::pre_tool_use(&world.sandbox.project(), "Bash", &input);
        let mut payload: Value = serde_json::from_str(&payload).expect("json");
        payload["permission_mode"] = json!(mode);
        payload["tool_use_id"] = json!(mode);
        payload.to_string()
    };
    let unattended = world
        .hook("PreToolUse", &payload("a mode that nobody measured"))
        .denied()
        .expect("a denial");
    let subagent = world.call("s", "Bash", &input, Some("agent-1")).denied().expect("a denial");
    world.cli(&["knob", "approval", "never", "--session", &session]);
    let never = world.call("n", "Bash", &input, None).denied().expect("a denial");
    let child = world.call("ns", "Bash", &input, Some("agent-1")).denied().expect("a denial");
    assert_eq!(never, child, "`never` is looked at first");
    assert!(never != subagent && never != unattended && subagent != unattended);
    let ends = world.records("approval/decided");
    let ends: Vec<_> = ends.iter().map(|e| (e["outcome"].as_str(), e["by"].as_str())).collect();
    let want = [
        (Some("unavailable"), Some("unattended")),
        (Some("rejected"), Some("subagent")),
        (Some("rejected"), Some("policy")),
        (Some("rejected"), Some("policy")),
    ];
    assert_eq!(ends, want);
    assert_eq!(pairs(&world).len(), 4);
    // Nothing of it is left to be ended later.
    world.event("SessionEnd", &[("reason", "other")]);
    assert_eq!(world.records("approval/decided").len(), 4);
}

#[test]
fn records_of_a_question_hold_no_argument_and_no_secret() {
    let world = asking();
    let secret = "hunter22-very-secret";
    world.call("c1", "Bash", &bash(&format!("psql --password {secret} -c 'drop table x'")), None);
    world.event("SessionEnd", &[("reason", "other")]);
    for kind in ["approval/asked", "approval/decided"] {
        let records = world.records(kind);
        assert_eq!(records.len(), 1, "{kind}");
        let text = records[0].to_string();
        assert!(!text.contains("psql") && !text.contains(secret), "{text}");
    }
    let everything = world.cli(&["log", "--json"]).stdout;
    assert!(!everything.contains(secret));
}

#[test]
fn events_that_come_at_once_end_a_question_once() {
    let world = asking();
    for round in 0..6 {
        let id = format!("c{round}");
        world.call(&id, "Bash", &bash("touch a"), None);
        std::thread::scope(|scope| {
            for n in 0..4 {
                let world = &world;
                scope.spawn(move || world.call(&format!("{round}-{n}"), "Bash", &bash("ls"), None));
            }
        });
    }
    let pairs = pairs(&world);
    assert_eq!(pairs.len(), 6);
    assert!(pairs.iter().all(|(_, end)| *end == Some(("rejected".to_owned(), true))), "{pairs:?}");
    assert_eq!(world.cli(&["log", "verify"]).status.code(), Some(0));
}

#[test]
fn a_session_without_a_question_writes_nothing_of_one() {
    let world = asking();
    let log = || {
        let logs = std::fs::read_dir(world.root().join("state/sessions")).expect("there");
        logs.flatten().map(|e| e.metadata().expect("there").len()).sum::<u64>()
    };
    let before = log();
    for n in 0..5 {
        world.call(&format!("c{n}"), "Bash", &bash("ls"), None);
        world.ran(&format!("c{n}"), "Bash", &bash("ls"));
    }
    world.event("UserPromptSubmit", &[("prompt", "x")]);
    world.event("SessionEnd", &[("reason", "other")]);
    assert_eq!(log(), before);
    assert!(world.records("approval/asked").is_empty());
}
