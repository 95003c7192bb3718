//! What a person grants in advance: `harness approve` and `harness grants`.

use serde_json::{Value, json};

use crate::support::{Ran, World};

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

fn said(ran: &Ran) -> &'static str {
    if ran.denied().is_some() {
        "deny"
    } else if ran.stdout.contains("\"ask\"") {
        "ask"
    } else {
        assert!(ran.stdout.is_empty(), "{ran:?}");
        "none"
    }
}

fn approve(world: &World, args: &[&str]) {
    let ran = world.cli(&[&["approve", "--yes"][..], args].concat());
    assert_eq!(ran.status.code(), Some(0), "{ran:?}");
}

#[test]
fn one_call_is_allowed_once_and_no_other() {
    let world = asking();
    let call = |id: &str, command: &str| said(&world.call(id, "Bash", &bash(command), None));
    assert_eq!(call("c1", "touch a"), "ask");
    approve(&world, &[]);
    assert_eq!(call("c2", "touch b"), "ask", "another call");
    assert_eq!(said(&world.call("c3", "Bash", &bash("touch a"), Some("agent-1"))), "deny");
    assert_eq!(call("c4", "touch a"), "none");
    assert_eq!(call("c4", "touch a"), "none", "the same event delivered twice");
    assert_eq!(call("c5", "touch a"), "ask", "it is used up");
    let used = world.records("tool/call");
    let used: Vec<_> = used.iter().filter(|r| r["grant"].is_string()).collect();
    assert_eq!(used.len(), 2);
    assert_eq!((&used[0]["call"], &used[0]["answer"]), (&json!("c4"), &json!("none")));
    assert_eq!(world.records("grant/made")[0]["id"], used[0]["grant"]);
    assert!(world.cli(&["grants", "--json"]).json()["grants"].as_array().expect("rows").is_empty());
    // It ran as it was decided: no alarm.
    world.ran("c4", "Bash", &bash("touch a"));
    assert!(world.records("tool/result").iter().all(|r| r["alarm"].is_null()));
}

#[test]
fn two_calls_at_once_use_one_grant_once() {
    let world = asking();
    world.call("c0", "Bash", &bash("touch a"), None);
    approve(&world, &[]);
    let got = std::thread::scope(|scope| {
        let call = |n: usize| said(&world.call(&format!("p{n}"), "Bash", &bash("touch a"), None));
        let all: Vec<_> = (0..6).map(|n| scope.spawn(move || call(n))).collect();
        all.into_iter().map(|t| t.join().expect("no panic")).collect::<Vec<_>>()
    });
    assert_eq!(got.iter().filter(|said| **said == "none").count(), 1, "{got:?}");
}

#[test]
fn a_session_s_grants_hold_for_rule_path_and_prefix_until_they_are_taken_back() {
    let world = asking();
    let path = |file: &str| json!({"file_path": world.inside(file), "content": "x"});
    let write = |id: &str, file: &str| said(&world.call(id, "Write", &path(file), None));
    let call = |id: &str, command: &str| said(&world.call(id, "Bash", &bash(command), None));
    assert_eq!(write("w1", "src/a"), "ask");
    approve(&world, &["w1", "--path", "src"]);
    assert_eq!((write("w2", "src/b"), write("w3", "b")), ("none", "ask"));
    call("b1", "npm publish");
    approve(&world, &["b1", "--prefix", "npm  publish"]);
    assert_eq!((call("b2", "npm publish x"), call("b3", "npm test")), ("none", "ask"));
    assert_eq!(call("b4", "npm publish; touch x"), "ask");
    approve(&world, &["b3", "--rule", "--for", "1h"]);
    assert_eq!((call("b5", "npm test"), write("w4", "b")), ("none", "none"));
    // Of a rule's denial and of a subagent nothing changed.
    assert_eq!(call("d1", "rm -rf /"), "deny");
    assert_eq!(said(&world.call("s1", "Bash", &bash("npm test"), Some("agent-1"))), "deny");
    let grants = world.cli(&["grants", "--json"]).json();
    let grants = grants["grants"].as_array().expect("rows").clone();
    let scopes: Vec<_> = grants.iter().filter_map(|g| g["scope"].as_str()).collect();
    assert_eq!(scopes, ["path", "prefix", "rule"]);
    let id = grants[2]["id"].as_str().expect("text");
    assert_eq!(world.cli(&["grants", "--revoke", id]).status.code(), Some(0));
    assert_eq!((call("b6", "npm test"), call("b7", "npm publish")), ("ask", "none"));
    assert_eq!(world.cli(&["grants", "--revoke", id]).status.code(), Some(1));
    // The end of the session is theirs too.
    world.event("SessionEnd", &[("reason", "other")]);
    assert_eq!((call("b8", "npm publish"), write("w5", "src/c")), ("ask", "ask"));
    assert_eq!(world.cli(&["log", "verify"]).status.code(), Some(0));
}

#[test]
fn only_a_person_grants_and_never_against_a_denial_or_never() {
    let world = asking();
    let session = world.begin();
    world.call("c1", "Bash", &bash("touch a"), None);
    let refused = |args: &[&str], code: i32, says: &str| {
        let ran = world.cli(args);
        assert_eq!(ran.status.code(), Some(code), "{args:?}: {ran:?}");
        assert!(ran.stderr.contains(says), "{args:?}: {ran:?}");
    };
    refused(&["approve"], 2, "--yes");
    let agent = world.sandbox.run(["approve", "--yes"]).env("HARNESS_HOME", world.root());
    assert!(agent.env("CLAUDECODE", "1").code(2).stderr.contains("person"));
    for command in ["harness approve --yes", "harness grants --revoke all", "harness off --for 10m"]
    {
        assert_eq!(world.bash(command), "deny", "{command}");
    }
    world.call("d1", "Bash", &bash("rm -rf /"), None);
    refused(&["approve", "d1", "--yes"], 1, "no grant lifts a denial");
    world.call("n1", "Bash", &bash("ls"), None);
    refused(&["approve", "n1", "--yes"], 1, "nothing asked");
    world.call("s1", "Bash", &bash("touch a"), Some("agent-1"));
    refused(&["approve", "s1", "--yes"], 1, "subagent");
    refused(&["approve", "zz", "--yes"], 1, "no record");
    assert!(world.records("grant/made").is_empty());
    // A grant that is there doesn't answer where nobody is to be asked.
    approve(&world, &["c1", "--rule"]);
    assert_eq!(said(&world.call("c2", "Bash", &bash("touch a"), None)), "none");
    world.cli(&["knob", "approval", "never", "--session", &session]);
    assert_eq!(said(&world.call("c3", "Bash", &bash("touch a"), None)), "deny");
    refused(&["approve", "c3", "--yes"], 1, "never");
}

#[test]
fn what_guards_harness_itself_asks_each_time() {
    let world = asking();
    let edit =
        json!({"file_path": world.inside(".harness/policy.toml"), "content": "version = 1\n"});
    assert_eq!(said(&world.call("c1", "Write", &edit, None)), "ask");
    for scope in [&["--rule"][..], &["--path", "."]] {
        let ran = world.cli(&[&["approve", "c1", "--yes"][..], scope].concat());
        assert_eq!(ran.status.code(), Some(2), "{ran:?}");
    }
    world.call("c2", "Write", &json!({"file_path": world.inside("a"), "content": "x"}), None);
    approve(&world, &["c2", "--path", "."]);
    assert_eq!(
        said(&world.call(
            "c3",
            "Write",
            &json!({"file_path": world.inside("a"), "content": "x"}),
            None
        )),
        "none"
    );
    assert_eq!(said(&world.call("c4", "Write", &edit, None)), "ask");
}
