//! Hooks of others: listed with what the client does with them, run with consent only, and
//! dead only where somebody said what they are for.

use super::{World, found};
use crate::support::Ran;
use serde_json::{Value, json};

const DENY: &str = r#"printf '%s' '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}'"#;

/// A world in whose settings stand these hooks of others: file name, script, matcher, and
/// whether it is started without a shell.
fn world(hooks: &[(&str, &str, &str, bool)]) -> World {
    let world = World::healthy();
    let mut settings = world.settings();
    for (name, script, matcher, exec) in hooks {
        let file =
            world.sandbox.script(format!("others/{name}"), &format!("#!/bin/sh\n{script}\n"));
        let mut entry = json!({ "type": "command", "command": file });
        if *exec {
            entry["args"] = json!(["--gate"]);
        }
        let group = json!({ "matcher": matcher, "hooks": [entry] });
        settings["hooks"]["PreToolUse"].as_array_mut().expect("a list").push(group);
    }
    world.write_settings(&settings);
    world
}

fn run(world: &World, more: &[&str]) -> Ran {
    let args = ["doctor", "--json", "--all-hooks", "--yes"].iter().chain(more);
    world.sandbox.run(args).env("HARNESS_HOME", world.sandbox.home().join("h")).go()
}

/// The evidence of a check, joined.
fn evidence(report: &Value, id: &str) -> String {
    let checks = report["checks"].as_array().expect("a list").iter().filter(|c| c["id"] == id);
    let lines = checks.flat_map(|c| c["evidence"].as_array().expect("a list"));
    lines.filter_map(Value::as_str).collect::<Vec<_>>().join("\n")
}

#[test]
fn they_are_listed_with_what_the_client_does_with_them() {
    let world = world(&[("all", "exit 0", "*", false), ("some", "exit 0", "Bash|Write", true)]);
    let mut settings: Value =
        serde_json::from_str(&world.sandbox.read("home/.claude/settings.json")).expect("JSON");
    settings["enabledPlugins"] = json!({ "plug@mk": true, "off@mk": false, "far@mk": true });
    world.write_settings(&settings);
    let root = |name: &str| world.sandbox.root().join("plugins").join(name);
    let entry =
        |name: &str| json!([{ "scope": "user", "installPath": root(name), "version": "1" }]);
    let mut far = entry("far");
    far[0]["projectPath"] = "/elsewhere".into();
    let list = json!({ "version": 2, "plugins": {
        "plug@mk": entry("plug"), "off@mk": entry("off"), "far@mk": far, "unsaid@mk": entry("unsaid"),
    }});
    world.sandbox.write("home/.claude/plugins/installed_plugins.json", list.to_string());
    for name in ["plug", "off", "far", "unsaid"] {
        world.sandbox.script(format!("plugins/{name}/h.sh"), "#!/bin/sh\n");
        let hook = json!({ "type": "command", "command": "\"${CLAUDE_PLUGIN_ROOT}\"/h.sh", "timeout": 7, "onFailure": "block" });
        let hooks = json!({ "hooks": { "PreToolUse": [{ "hooks": [hook] }] } });
        world.sandbox.write(format!("plugins/{name}/hooks/hooks.json"), hooks.to_string());
    }
    let report = world.doctor(&[]).json();
    assert_eq!(found(&report), [""; 0], "{report:#}");
    let lines = evidence(&report, "foreign-hooks");
    let has = |words: &str| assert!(lines.contains(words), "{words}\n{lines}");
    has("(user settings): PreToolUse on all, 600 s, goes on if it fails: ");
    has("PreToolUse on `Bash|Write`, 600 s, goes on if it fails: ");
    has("(plugin plug@mk): PreToolUse on all, 7 s, stops the call if it fails: ");
    has(&format!("\"{}\"/h.sh", root("plug").display()));
    assert!(lines.contains("others/some --gate"), "{lines}");
    assert_eq!(lines.lines().count(), 3, "{lines}");
    // What is wrong with a plugin's hook is found as with any other.
    std::fs::remove_file(root("plug").join("h.sh")).expect("there");
    assert_eq!(found(&world.doctor(&[]).json()), ["orphan-foreign"]);
}

#[test]
fn nothing_is_run_before_a_yes() {
    let world = World::healthy();
    let mark = world.sandbox.root().join("ran");
    let script =
        world.sandbox.script("others/x", &format!("#!/bin/sh\ntouch '{}'\n", mark.display()));
    let mut settings = world.settings();
    settings["hooks"]["Stop"] = json!([{ "hooks": [{ "type": "command", "command": script }] }]);
    world.write_settings(&settings);
    let home = world.sandbox.home().join("h");
    let run = |args: &[&str]| world.sandbox.run(args).env("HARNESS_HOME", &home);
    let asked = run(&["doctor", "--all-hooks"]).code(2);
    assert!(asked.stderr.contains(&script.display().to_string()), "{}", asked.stderr);
    assert!(!mark.exists());
    run(&["doctor", "--all-hooks", "--yes"]).ok();
    assert!(mark.exists());
}

#[test]
fn a_hook_that_says_nothing_has_no_opinion_and_is_not_dead() {
    let gate = format!("case \"$(cat)\" in *'rm -rf /'*) {DENY};; esac");
    let world = world(&[("quiet", "cat >/dev/null", "*", false), ("gate", &gate, "*", true)]);
    let ran = run(&world, &[]);
    let report = ran.json();
    assert_eq!((found(&report), ran.status.code()), (Vec::new(), Some(0)), "{report:#}");
    let said = evidence(&report, "foreign-opinion");
    assert!(said.contains("others/quiet: no opinion on our probes"), "{said}");
    assert!(said.contains("others/gate --gate: denies Bash rm -rf /"), "{said}");
}

#[test]
fn hooks_that_fail_or_deny_everything_are_told_apart() {
    for (script, root) in [
        ("exit 1", "foreign-failing"),
        ("kill -9 $$", "foreign-failing"),
        ("cat >/dev/null; echo no >&2; exit 2", "foreign-opinion"),
    ] {
        let world = world(&[("x", script, "*", true)]);
        let report = run(&world, &[]).json();
        assert_eq!(found(&report), [root], "{script}: {report:#}");
        // The verdicts are harness's own.
        assert_eq!(report["hosts"][0]["gate"]["state"], "alive", "{report:#}");
        assert!(evidence(&report, root).contains("others/x --gate"), "{report:#}");
    }
}

#[test]
fn what_is_expected_of_them_makes_the_difference() {
    let gate = format!("case \"$(cat)\" in *'terraform destroy'*) {DENY};; esac");
    let world =
        world(&[("guard.sh", &gate, "Bash", false), ("quiet", "cat >/dev/null", "*", false)]);
    let calls = |command: &str, expect: &str, hook: &str| {
        let text = format!(
            "[[call]]\ntool = \"Bash\"\ninput = {{ command = \"{command}\" }}\nexpect = \"{expect}\"\n{hook}"
        );
        world.sandbox.write("project/calls.toml", text);
        let ran = run(&world, &["--expect", "calls.toml"]);
        (found(&ran.json()), ran.status.code())
    };
    let none: Vec<String> = Vec::new();
    assert_eq!(calls("terraform destroy", "deny", ""), (none.clone(), Some(0)));
    assert_eq!(calls("terraform plan", "none", ""), (none, Some(0)));
    let open = (vec!["foreign-gate/open".to_owned()], Some(1));
    assert_eq!(calls("terraform apply", "deny", ""), open);
    assert_eq!(calls("terraform destroy", "deny", "hook = \"quiet\"\n"), open);
    assert_eq!(calls("terraform destroy", "deny", "hook = \"nobody\"\n"), open);
    let stops = (vec!["foreign-gate/stops".to_owned()], Some(1));
    assert_eq!(calls("terraform destroy", "none", ""), stops);
    let home = world.sandbox.home().join("h");
    let run = |args: &[&str]| world.sandbox.run(args).env("HARNESS_HOME", &home);
    run(&["doctor", "--expect", "calls.toml"]).code(2);
    world.sandbox.write("project/bad.toml", "[[call]]\ntool = 1\n");
    let bad = run(&["doctor", "--all-hooks", "--expect", "bad.toml"]).code(2);
    assert!(bad.stderr.contains("bad.toml") && bad.stderr.contains("line 2"), "{}", bad.stderr);
    run(&["doctor", "--all-hooks", "--expect", "none.toml"]).code(3);
}
