//! The rules a doctor must keep so that nobody is fooled by it, a test each.

use super::scopes::{machine, roots};
use super::{GATE, OWNER, SOFT, World, found};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// A gate and a soft hook that also write down what they were sent.
fn recording() -> World {
    let world = World::healthy();
    let log = world.sandbox.root().join("sent");
    std::fs::create_dir(&log).expect("made");
    let keep = format!(
        r#"input=$(head -n 1)
f='{}'/sent.$$; printf '%s\n' "$input" >"$f""#,
        log.display()
    );
    let gate = GATE.replace("input=$(head -n 1)", &keep);
    let soft = SOFT.replace("IFS= read -r input", &keep);
    world.sandbox.script("hooks/gate", &format!("#!/bin/sh\n{gate}\n"));
    world.sandbox.script("hooks/soft", &format!("#!/bin/sh\n{soft}\n"));
    world.write_manifest();
    world
}

/// What they were sent, as far as it is JSON.
fn sent(world: &World) -> Vec<Value> {
    let entries = std::fs::read_dir(world.sandbox.root().join("sent")).expect("it is there");
    let texts = entries.flatten().filter_map(|e| std::fs::read(e.path()).ok());
    texts.filter_map(|t| serde_json::from_slice(&t).ok()).collect()
}

#[test]
fn rule_1_two_verdicts_are_never_merged_and_unknown_is_not_green() {
    World::healthy().expect(&[], "alive", "alive");
    World::new("exit 1", SOFT).expect(&["fails-open/exit-1"], "dead", "alive");
    World::new(GATE, "exit 1").expect(&["context-shape/exit-1"], "alive", "dead");
    // Entries that look like ours, of a program that nobody is known to have installed.
    let world = World::healthy();
    std::fs::remove_file(world.sandbox.home().join("h/state/manifest.json")).expect("there");
    let program = world.sandbox.script("other/harness", "#!/bin/sh\n");
    let entry = |event: &str| {
        let args = ["hook", "claude-code", event, "--owner", OWNER];
        json!([{ "hooks": [{ "type": "command", "command": program, "args": args, "onFailure": "block" }] }])
    };
    let hooks = json!({ "PreToolUse": entry("PreToolUse"), "SessionStart": entry("SessionStart") });
    world.write_settings(&json!({ "hooks": hooks }));
    let home = world.sandbox.home().join("h");
    let run = |args: &[&str]| world.sandbox.run(args).env("HARNESS_HOME", &home).go();
    let ran = run(&["doctor", "--json"]);
    let host = &ran.json()["hosts"][0];
    let states = [&host["gate"]["state"], &host["soft"]["state"]];
    assert_eq!(states, ["unknown", "unknown"], "{:#}", ran.json());
    assert_eq!(ran.status.code(), Some(4), "neither the code of alive nor that of dead");
    let text = run(&["doctor"]).stdout;
    assert!(text.contains("unknown") && !text.contains("alive"), "{text}");
}

#[test]
fn rule_2_the_evidence_is_said_with_each_verdict() {
    let evidence = |world: &World| -> [String; 2] {
        let report = world.doctor(&[]).json();
        ["gate", "soft"].map(|channel| {
            report["hosts"][0][channel]["evidence"].as_str().expect("a word").to_owned()
        })
    };
    let world = World::healthy();
    assert_eq!(evidence(&world), ["executed", "executed"]);
    let home = world.sandbox.home().join("h");
    let text = world.sandbox.run(["doctor"]).env("HARNESS_HOME", home).ok().stdout;
    assert!(text.matches("as run by doctor").count() == 2, "{text}");
    std::fs::remove_file(world.gate_program()).expect("it is there");
    assert_eq!(evidence(&world), ["static", "executed"]);
}

#[test]
fn rule_3_the_command_in_the_file_is_run_and_no_other() {
    let world = World::healthy();
    let seen = world.sandbox.root().join("seen");
    // The original says nothing; a copy elsewhere, which the file names, is the gate.
    let gate = format!("echo \"$0 $* in $PWD\" >>'{}'\n{GATE}", seen.display());
    let copy = world.sandbox.script("else where/gate", &format!("#!/bin/sh\n{gate}\n"));
    world.sandbox.script("hooks/gate", "#!/bin/sh\nexit 1\n");
    let mut gate = world.gate.clone();
    gate["command"] = json!(copy);
    let world = World { gate, ..world };
    world.write_settings(&world.settings());
    world.write_manifest();
    let report = world.doctor(&[]).json();
    assert_eq!(report["hosts"][0]["gate"]["state"], "alive", "{report:#}");
    let home = world.sandbox.home().join("h");
    let right = format!(
        "{} hook claude-code PreToolUse --owner {OWNER} --home {} in {}",
        copy.display(),
        home.display(),
        world.sandbox.project().display()
    );
    let lines = world.sandbox.read("seen");
    assert!(lines.lines().count() > 10 && lines.lines().all(|l| l == right), "{right}\n{lines}");
}

#[test]
fn rule_4_probes_come_in_pairs_and_each_has_its_own_nonce() {
    let world = recording();
    world.expect(&[], "alive", "alive");
    let sent = sent(&world);
    let calls: Vec<&Value> = sent.iter().filter(|p| p["hook_event_name"] == "PreToolUse").collect();
    let forbidden = |p: &&&Value| p["tool_input"].to_string().contains("policy.toml");
    let tools = |calls: &mut dyn Iterator<Item = &&Value>| -> BTreeSet<String> {
        calls.map(|p| p["tool_name"].as_str().unwrap_or_default().to_owned()).collect()
    };
    let denied = tools(&mut calls.iter().filter(forbidden));
    let twins = tools(&mut calls.iter().filter(|p| !forbidden(p)));
    assert!(denied.len() >= 7 && denied.is_subset(&twins), "{denied:?} {twins:?}");
    let sessions: BTreeSet<&str> = sent.iter().filter_map(|p| p["session_id"].as_str()).collect();
    assert!(sessions.len() > 20, "{sessions:?}");
    // The same answer as last time is not an answer: it has the wrong nonce.
    let stale = SOFT.replace("harness %s\"", "harness 0123abcd\"").replace(" \"$s\"", "");
    World::new(GATE, &stale).expect(&["context-shape/no-nonce"], "alive", "dead");
}

#[test]
fn rule_5_every_probe_is_bounded_and_leaves_nothing() {
    let mark = format!("{}", 70_000 + std::process::id() % 10_000);
    let gate = format!(
        "trap '' TERM HUP; (trap '' TERM; sleep {mark}) & yes x & yes y >&2 & sleep {mark}"
    );
    let world = World::new(&gate, SOFT);
    let begun = Instant::now();
    world.expect(&["slow/timeout"], "dead", "alive");
    assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", begun.elapsed());
    let left = || {
        let processes = std::fs::read_dir("/proc").expect("Linux").flatten();
        let lines = processes.filter_map(|p| std::fs::read(p.path().join("cmdline")).ok());
        lines.filter(|l| l == format!("sleep\0{mark}\0").as_bytes()).count()
    };
    let until = Instant::now() + Duration::from_secs(5);
    while left() > 0 && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(left(), 0);
}

#[test]
fn rule_6_hooks_of_others_are_listed_and_not_run_and_probes_touch_nothing() {
    let world = recording();
    let mark = world.sandbox.root().join("ran");
    let script = format!("#!/bin/sh\ntouch '{}'\n", mark.display());
    let foreign = world.sandbox.script("tool/hook", &script);
    let hook = json!({ "type": "command", "command": foreign });
    let groups = json!([{ "hooks": [hook] }]);
    let project = json!({ "hooks": { "PreToolUse": groups, "SessionStart": groups } });
    world.sandbox.write("project/.claude/settings.json", project.to_string());
    world.expect(&[], "alive", "alive");
    let report = world.doctor(&["foreign-hooks"]).json();
    let listed = report["checks"][0]["evidence"].to_string();
    assert!(listed.contains("tool/hook") && listed.contains("SessionStart"), "{listed}");
    assert!(!mark.exists());
    for payload in sent(&world) {
        let transcript = payload["transcript_path"].as_str().expect("a path");
        assert!(transcript.contains("harness-doctor-"), "{transcript}");
        let path = payload["tool_input"]["file_path"].as_str().unwrap_or("policy.toml");
        let scratch = path.contains("harness-doctor-") || path.contains("policy.toml");
        assert!(scratch, "{payload:#}");
    }
    assert!(!world.sandbox.home().join("h/config/policy.toml").exists());
}

#[test]
fn rule_7_off_switches_are_said_before_all_else() {
    let world = World::new("exit 1", "exit 1");
    world.sandbox.write("project/.claude/settings.json", r#"{"disableAllHooks":true}"#);
    let report = world.doctor(&[]).json();
    assert_eq!(found(&report).first().map(String::as_str), Some("switched-off/project"));
    let home = world.sandbox.home().join("h");
    let text = world.sandbox.run(["doctor"]).env("HARNESS_HOME", home).code(1).stdout;
    let at = |what: &str| text.find(what).expect("it is said");
    assert!(at("disableAllHooks") < at("exits 1"), "{text}");
}

// Rule 8, that each check is tested with its fault and without, is a law of the house:
// `house::checks`.

#[test]
fn rule_9_a_repair_prunes_nothing_is_shown_and_is_proven() {
    let sandbox = machine("2.1.332");
    let foreign = json!({ "hooks": {
        "PreToolUse": [{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "/gone/guard" }] }],
        "Stop": [{ "hooks": [{ "type": "command", "command": "cat >/dev/null" }] }],
    }});
    sandbox.write("home/.claude/settings.json", format!("{foreign:#}\n"));
    sandbox.run(["install", "--yes"]).ok();
    let healthy = sandbox.read("home/.claude/settings.json");
    sandbox.write("home/.claude/settings.json", format!("{foreign:#}\n"));
    let before = sandbox.run(["doctor", "--json"]).code(1).json();
    assert_eq!(roots(&before), ["own-entry-lost/missing", "orphan-foreign"], "{before:#}");
    let fixed = sandbox.run(["doctor", "--fix", "--yes"]).go();
    assert!(fixed.stdout.contains('+') && fixed.stdout.contains("PreToolUse"), "{}", fixed.stdout);
    assert!(fixed.stdout.contains("alive"), "{}", fixed.stdout);
    assert_eq!(sandbox.read("home/.claude/settings.json"), healthy);
    // The dead guard of another tool is still named, and still there.
    let after = sandbox.run(["doctor", "--json"]).ok().json();
    assert_eq!(roots(&after), ["orphan-foreign"], "{after:#}");
    let now: Value = serde_json::from_str(&healthy).expect("JSON");
    assert!(now.to_string().contains("/gone/guard"));
}

#[test]
fn rule_10_every_finding_says_where_and_what_next() {
    type Injury = fn(&World);
    let worlds: [(&str, Injury); 8] = [
        ("gate", |w| drop(w.sandbox.script("hooks/gate", "#!/bin/sh\nexit 1\n"))),
        ("soft", |w| drop(w.sandbox.script("hooks/soft", "#!/bin/sh\nsleep 20\n"))),
        ("gone", |w| std::fs::remove_file(w.gate_program()).expect("there")),
        ("lost", |w| w.write_settings(&json!({}))),
        ("off", |w| {
            w.sandbox.write("project/.claude/settings.json", r#"{"disableAllHooks":true}"#);
        }),
        ("broken", |w| drop(w.sandbox.write("home/.claude/settings.json", "{ // x\n}"))),
        ("variables", |w| {
            w.sandbox.write("project/.claude/settings.json", r#"{"env":{"BASH_ENV":"/x"}}"#);
        }),
        ("matcher", |w| {
            let mut settings = w.settings();
            settings["hooks"]["PreToolUse"][0]["matcher"] = "bash".into();
            w.write_settings(&settings);
        }),
    ];
    for (name, injure) in worlds {
        let world = World::healthy();
        injure(&world);
        let report = world.doctor(&[]).json();
        let checks = report["checks"].as_array().expect("a list");
        let bad = |c: &&Value| matches!(c["status"].as_str(), Some("warn" | "fail" | "error"));
        let mut count = 0;
        for check in checks.iter().filter(bad) {
            count += 1;
            let evidence = check["evidence"].as_array().expect("a list");
            let text = check["evidence"].to_string();
            let placed = text.contains("settings") || text.contains("/hooks/");
            assert!(!evidence.is_empty() && placed, "{name}: {check:#}");
            assert!(check["fix"].as_str().is_some_and(|f| f.len() > 10), "{name}: {check:#}");
            assert!(check["doc"].as_str().is_some_and(|d| d.contains("docs/doctor.md#")));
        }
        assert!(count > 0, "{name}: {report:#}");
    }
}
