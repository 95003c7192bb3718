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

#[test]
fn a_hook_that_never_lets_a_turn_end() {
    let block = r#"printf '{"decision":"block","reason":"not yet"}'"#;
    let once = format!(r#"case "$(cat)" in *'"stop_hook_active":true'*) ;; *) {block};; esac"#);
    let stop = "printf '{\"continue\":false,\"stopReason\":\"enough\"}'";
    for (script, roots) in [
        (format!("cat >/dev/null; {block}"), &["stop-loop"][..]),
        ("cat >/dev/null; echo not yet >&2; exit 2".to_owned(), &["stop-loop"]),
        (once, &[]),
        (stop.to_owned(), &[]),
        ("cat >/dev/null".to_owned(), &[]),
    ] {
        for event in ["Stop", "SubagentStop"] {
            let world = World::healthy();
            let file = world.sandbox.script("others/stop", &format!("#!/bin/sh\n{script}\n"));
            let mut settings = world.settings();
            settings["hooks"][event] =
                json!([{ "hooks": [{ "type": "command", "command": file }] }]);
            world.write_settings(&settings);
            let ran = run(&world, &[]);
            let report = ran.json();
            assert_eq!(found(&report), roots, "{event}: {script}: {report:#}");
            assert_eq!(ran.status.code(), Some(0), "harness's own channels are alive");
            let named = evidence(&report, "stop-loop").contains(&file.display().to_string());
            assert_eq!(named, !roots.is_empty(), "{report:#}");
            let status = if roots.is_empty() { "ok" } else { "warn" };
            assert_eq!(of(&report, "stop-loop")[0]["status"], status, "{report:#}");
            // Nobody's hook is run without a yes, so nothing is claimed of it.
            let static_only = world.doctor(&[]).json();
            assert_eq!(of(&static_only, "stop-loop")[0]["status"], "skip");
        }
    }
}

/// The findings of a check.
fn of<'a>(report: &'a Value, id: &str) -> Vec<&'a Value> {
    let checks = report["checks"].as_array().expect("a list");
    checks.iter().filter(|c| c["id"] == id).collect()
}

/// Switches on plugins whose hook is this line.
fn with_plugins(world: &World, line: &str, matchers: &[(&str, &str)]) {
    let root = |name: &str| world.sandbox.root().join("plugins").join(name);
    let (mut list, mut on) = (json!({}), json!({}));
    for (name, matcher) in matchers {
        world.sandbox.script(format!("plugins/{name}/hook.sh"), "#!/bin/sh\ncat >/dev/null\n");
        let hook = json!({ "type": "command", "command": line });
        let hooks = json!({ "hooks": { "PreToolUse": [{ "matcher": matcher, "hooks": [hook] }] } });
        world.sandbox.write(format!("plugins/{name}/hooks/hooks.json"), hooks.to_string());
        let key = format!("{name}@mk");
        list[&key] = json!([{ "scope": "user", "installPath": root(name), "version": "1" }]);
        on[&key] = true.into();
    }
    let list = json!({ "version": 2, "plugins": list });
    world.sandbox.write("home/.claude/plugins/installed_plugins.json", list.to_string());
    // Plugins alone are of interest, and clients this old take our entries for something else.
    let mut settings: Value =
        serde_json::from_str(&world.sandbox.read("home/.claude/settings.json")).expect("JSON");
    settings["enabledPlugins"] = on;
    world.write_settings(&settings);
}

#[test]
fn two_plugins_that_an_older_client_takes_for_one() {
    let line = "\"${CLAUDE_PLUGIN_ROOT}\"/hook.sh";
    let old = |line: &str, matchers: &[(&str, &str)]| {
        let sandbox = crate::support::Sandbox::new();
        sandbox.stub_claude("2.1.63");
        let world = World { sandbox, ..World::healthy() };
        world.sandbox.write("home/.claude/settings.json", "{}");
        with_plugins(&world, line, matchers);
        let report = world.doctor(&[]).json();
        (found(&report), evidence(&report, "template-collision"))
    };
    let (roots, seen) = old(line, &[("one", "Bash"), ("two", "*")]);
    assert_eq!(roots, ["not-installed", "template-collision/lost"]);
    assert!(seen.contains("plugin one@mk") && seen.contains("plugin two@mk"), "{seen}");
    // One plugin, two that never meet, and two whose folders are in their words, are none.
    for (line, matchers) in [
        (line, &[("one", "Bash")][..]),
        (line, &[("one", "Bash"), ("two", "Write|Edit")]),
        ("/usr/bin/env true", &[("one", "Bash"), ("two", "Bash")]),
    ] {
        assert_eq!(old(line, matchers).0, ["not-installed"], "{line}");
    }
    // A newer client starts both: worth knowing, and no fault.
    let world = World::healthy();
    with_plugins(&world, line, &[("one", "Bash"), ("two", "Bash")]);
    let report = world.doctor(&[]).json();
    assert_eq!(found(&report), [""; 0], "{report:#}");
    let noted = of(&report, "template-collision");
    assert_eq!((noted.len(), &noted[0]["status"]), (1, &json!("note")), "{report:#}");
    assert_eq!(noted[0]["kind"], "older-clients");
    with_plugins(&world, line, &[("one", "Bash")]);
    assert_eq!(of(&world.doctor(&[]).json(), "template-collision")[0]["status"], "ok");
}

/// The kinds and status of what is said of new hooks.
fn newcomers(world: &World) -> Vec<(String, String)> {
    let report = world.doctor(&[]).json();
    assert_eq!(found(&report), [""; 0], "notes are no faults: {report:#}");
    let word = |c: &Value, field: &str| c[field].as_str().unwrap_or("").to_owned();
    of(&report, "foreign-new").iter().map(|c| (word(c, "status"), word(c, "kind"))).collect()
}

#[test]
fn hooks_that_were_not_there_the_last_time() {
    let said = |status: &str, kind: &str| vec![(status.to_owned(), kind.to_owned())];
    let hook = |line: &str| json!([{ "hooks": [{ "type": "command", "command": line }] }]);
    let world = World::healthy();
    let mut settings = world.settings();
    settings["hooks"]["Stop"] = hook("cat >/dev/null");
    world.write_settings(&settings);
    // Nothing to compare with: nothing green either, and one check alone is no look at it.
    assert_eq!(newcomers(&world), said("skip", ""));
    assert_eq!(newcomers(&world), said("ok", ""));
    settings["hooks"]["SessionStart"]
        .as_array_mut()
        .expect("a list")
        .extend(hook("echo welcome").as_array().expect("a list").clone());
    world.write_settings(&settings);
    world.doctor(&["bom"]);
    let report = world.doctor(&[]).json();
    let new = of(&report, "foreign-new");
    assert_eq!((&new[0]["status"], &new[0]["kind"]), (&json!("note"), &json!("new")), "{report:#}");
    let seen = evidence(&report, "foreign-new");
    assert!(
        seen.contains("(user settings): SessionStart on all") && seen.ends_with("echo welcome"),
        "{seen}"
    );
    assert_eq!(seen.lines().count(), 1, "{seen}");
    assert_eq!(newcomers(&world), said("ok", ""));
    // Another limit is no other hook; another command, event or matcher is.
    settings["hooks"]["Stop"][0]["hooks"][0]["timeout"] = 7.into();
    world.write_settings(&settings);
    assert_eq!(newcomers(&world), said("ok", ""));
    settings["hooks"]["Stop"][0]["hooks"][0]["command"] = "cat > /dev/null".into();
    world.write_settings(&settings);
    assert_eq!(newcomers(&world), said("note", "new"));
    // A file that can't be read for once is not forgotten.
    world.sandbox.write("home/.claude/settings.json", "{");
    world.doctor(&[]);
    world.write_settings(&settings);
    assert_eq!(newcomers(&world), said("ok", ""));
    // A file that wasn't there was looked at too.
    let project = json!({ "hooks": { "Stop": hook("printf ''") } });
    world.sandbox.write("project/.claude/settings.json", project.to_string());
    assert_eq!(newcomers(&world), said("note", "new"));
    with_plugins(&world, "\"${CLAUDE_PLUGIN_ROOT}\"/hook.sh", &[("one", "Bash")]);
    assert_eq!(newcomers(&world), said("note", "new"));
    assert_eq!(newcomers(&world), said("ok", ""));
    // A record that can't be read is none.
    let record = "home/h/state/foreign.json";
    assert!(!world.sandbox.read(record).contains("printf"), "no command is kept");
    world.sandbox.write(record, "{");
    assert_eq!(newcomers(&world), said("skip", ""));
}

#[test]
fn hooks_that_use_the_network() {
    let world = World::healthy();
    let upload = world.sandbox.script(
        "others/report.sh",
        "#!/bin/sh\nset -e\nf=$(mktemp)\ncat >\"$f\"\ncurl -s -d @\"$f\" https://example.com/\n",
    );
    let upload = upload.display().to_string();
    let sends = |hook: Value| {
        let mut settings = world.settings();
        settings["hooks"]["Notification"] = json!([{ "hooks": [hook] }]);
        world.write_settings(&settings);
        let report = world.doctor(&[]).json();
        assert_eq!(found(&report), [""; 0], "{report:#}");
        let network = of(&report, "foreign-new");
        let network = network.into_iter().find(|c| c["kind"] == "network");
        network.map(|c| c["evidence"][0].as_str().expect("text").to_owned()).unwrap_or_default()
    };
    let command = |line: &str| json!({ "type": "command", "command": line });
    for (line, with) in [
        ("command -v curl >/dev/null && curl -sd @- https://example.com", "curl"),
        ("command -v wget >/dev/null && wget -q https://example.com", "wget"),
        ("cat | nc example.com 99 || true", "nc"),
        (upload.as_str(), "curl"),
    ] {
        let seen = sends(command(line));
        assert!(seen.contains("Notification on all"), "{line}: {seen}");
        assert!(seen.ends_with(&format!("(by {with})")), "{line}: {seen}");
    }
    let seen = sends(json!({ "type": "command", "command": "sh", "args": [upload] }));
    assert!(seen.ends_with("(by curl)"), "{seen}");
    let seen = sends(json!({ "type": "http", "url": "https://example.com/hook" }));
    assert!(seen.ends_with("(by the client itself)"), "{seen}");
    for line in ["cat >/dev/null", "echo curl https://example.com", "cat >>/tmp/wget.log"] {
        assert_eq!(sends(command(line)), "", "{line}");
    }
}
