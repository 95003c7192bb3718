//! Faults in files, commands and surroundings, each injected into a healthy world: that
//! root cause and no other. `no_fault_gives_no_finding` is the clean half of every pair.

use super::scopes::{machine, roots};
use super::{OWNER, World};
use crate::support::Sandbox;
use serde_json::{Value, json};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

const SETTINGS: &str = "home/.claude/settings.json";

fn mode(path: &Path, bits: u32) {
    let bits = std::fs::Permissions::from_mode(bits);
    std::fs::set_permissions(path, bits).expect("it is ours");
}

/// The status of a check in a run.
fn status(world: &World, id: &str) -> String {
    let report = world.doctor(&[]).json();
    let checks = report["checks"].as_array().expect("a list");
    let check = checks.iter().find(|c| c["id"] == id).expect("it is there");
    check["status"].as_str().expect("a word").to_owned()
}

/// Adds a hook of somebody else to the person's settings.
fn with_foreign(world: &World, hook: Value) {
    let mut settings = world.settings();
    settings["hooks"]["Stop"] = json!([{ "hooks": [hook] }]);
    world.write_settings(&settings);
}

fn command(line: &str) -> Value {
    json!({ "type": "command", "command": line })
}

#[test]
fn marks_and_encodings() {
    let world = World::healthy();
    world.sandbox.write(SETTINGS, format!("\u{feff}{}", world.settings()));
    world.expect(&["bom"], "alive", "alive");
    let text = world.settings().to_string();
    let wide: Vec<u8> =
        "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    world.sandbox.write(SETTINGS, wide);
    world.expect(&["utf16"], "dead", "dead");
}

#[test]
fn a_key_that_hides_another() {
    let world = World::healthy();
    let text = world.settings().to_string();
    let twice = text.replacen("\"PreToolUse\":", "\"PreToolUse\":[],\"PreToolUse\":", 1);
    world.sandbox.write(SETTINGS, &twice);
    world.expect(&["duplicate-key"], "alive", "alive");
    let hidden = text.replacen("{\"hooks\":", "{\"\\u0068ooks\":", 1);
    world.sandbox.write(
        SETTINGS,
        format!(
            "{},\"hooks\":{{}}}}",
            hidden.trim_end_matches('}').to_owned()
                + &"}".repeat(hidden.len() - hidden.trim_end_matches('}').len() - 1)
        ),
    );
    world.expect(&["duplicate-key"], "dead", "dead");
}

#[test]
fn links_that_are_lost_dangle_or_lead_to_what_nobody_may_write() {
    let world = World::healthy();
    let settings = world.sandbox.user_settings();
    std::fs::remove_file(&settings).expect("it is there");
    symlink(world.sandbox.root().join("nowhere"), &settings).expect("nothing is there");
    world.expect(&["link-dangling"], "dead", "dead");
    let world = World::healthy();
    let settings = world.sandbox.user_settings();
    let store = world.sandbox.write("store/settings.json", world.settings().to_string());
    std::fs::remove_file(&settings).expect("it is there");
    symlink(&store, &settings).expect("nothing is there");
    world.expect(&[], "alive", "alive");
    mode(&store, 0o444);
    world.expect(&["link-readonly"], "alive", "alive");
    let sandbox = machine("2.1.332");
    let store = sandbox.write("store/settings.json", "{}\n");
    std::fs::create_dir_all(sandbox.home().join(".claude")).expect("made");
    symlink(&store, sandbox.user_settings()).expect("nothing is there");
    sandbox.run(["install", "--yes"]).ok();
    assert_eq!(roots(&sandbox.run(["doctor", "--json"]).ok().json()), [""; 0]);
    std::fs::remove_file(sandbox.user_settings()).expect("it is there");
    std::fs::copy(&store, sandbox.user_settings()).expect("copied");
    assert_eq!(roots(&sandbox.run(["doctor", "--json"]).ok().json()), ["link-lost"]);
}

#[test]
fn rights_that_are_too_narrow_or_too_wide() {
    let world = World::healthy();
    mode(&world.sandbox.user_settings(), 0o444);
    world.expect(&[], "alive", "alive");
    assert_eq!(status(&world, "settings-readonly"), "note");
    mode(&world.sandbox.user_settings(), 0o666);
    world.expect(&["settings-too-open"], "alive", "alive");
}

#[test]
fn a_path_that_the_shell_takes_apart_is_quoted_again() {
    let sandbox = machine("2.1.100");
    let home = sandbox.root().join("Ana O'Neil (dev) & co");
    std::fs::create_dir(&home).expect("made");
    let run = |args: &[&str]| sandbox.run(args).env("HOME", &home);
    run(&["install", "--yes"]).ok();
    let file = home.join(".claude/settings.json");
    let text = std::fs::read_to_string(&file).expect("installed");
    let mut settings: Value = serde_json::from_str(&text).expect("JSON");
    let binary = home.join(".local/bin/harness");
    let binary = binary.to_str().expect("Unicode");
    for (event, groups) in settings["hooks"].as_object_mut().expect("an object") {
        let line = format!("{binary} hook claude-code {event}");
        groups[0]["hooks"][0]["command"] = line.into();
    }
    std::fs::write(&file, settings.to_string()).expect("written");
    let report = run(&["doctor", "--json"]).code(1).json();
    assert_eq!(roots(&report), ["unquoted-path"], "{report:#}");
    run(&["doctor", "--fix", "--yes"]).ok();
    let report = run(&["doctor", "--json"]).ok().json();
    assert_eq!(roots(&report), [""; 0], "{report:#}");
}

#[test]
fn backslashes_that_the_shell_eats() {
    let world = World::healthy();
    let mut settings = world.settings();
    settings["hooks"]["PreToolUse"][0]["hooks"][0] = command(&format!(
        r"C:\Users\dev\bin\harness.exe hook claude-code PreToolUse --owner {OWNER}"
    ));
    world.write_settings(&settings);
    world.expect(&["backslash-eaten"], "dead", "alive");
}

#[test]
fn time_limits_in_the_wrong_unit() {
    let world = World::healthy();
    let mut hook = command("true");
    hook["timeout"] = 5000.into();
    with_foreign(&world, hook.clone());
    world.expect(&["timeout-unit"], "alive", "alive");
    hook["timeout"] = 3600.into();
    with_foreign(&world, hook);
    world.expect(&[], "alive", "alive");
}

#[test]
fn commands_that_depend_on_the_folder() {
    for (line, root) in [
        (r#""$CLAUDE_PROJECT_DIR"/.claude/hooks/x.sh"#, "scope-mismatch"),
        ("./hooks/x.sh", "cwd-hijack"),
        ("hooks/x.sh --fast", "cwd-hijack"),
    ] {
        let world = World::healthy();
        with_foreign(&world, command(line));
        world.expect(&[root], "alive", "alive");
    }
    let world = World::healthy();
    world.sandbox.script("project/tool", "#!/bin/sh\n");
    with_foreign(&world, command("tool"));
    let mut path = std::ffi::OsString::from(".:");
    path.push(world.sandbox.bin());
    path.push(":/usr/bin:/bin");
    let home = world.sandbox.home().join("h");
    let run = world.sandbox.run(["doctor", "--json"]).env("HARNESS_HOME", home).env("PATH", path);
    let report = run.ok().json();
    assert_eq!(super::found(&report), ["cwd-hijack"], "{report:#}");
}

#[test]
fn hooks_of_tools_that_are_gone() {
    for line in [
        "/gone/bin/tool check",
        "python3 /gone/hook.py",
        "no-such-tool",
        "~/gone.sh",
        "\"$HOME\"/gone.sh",
    ] {
        let world = World::healthy();
        world.sandbox.script("bin/python3", "#!/bin/sh\n");
        with_foreign(&world, command(line));
        world.expect(&["orphan-foreign"], "alive", "alive");
    }
    for line in ["[ -x /gone ] && /gone", "echo hi", "command -v gone || true", "cat >/dev/null"] {
        let world = World::healthy();
        with_foreign(&world, command(line));
        world.expect(&[], "alive", "alive");
    }
}

#[test]
fn files_in_places_that_nothing_reads() {
    let world = World::healthy();
    world.sandbox.write("home/.claude/hooks/hooks.json", "{}");
    world.expect(&[], "alive", "alive");
    assert_eq!(status(&world, "not-registered"), "note");
}

#[test]
fn a_program_that_is_another_than_the_installed_one() {
    let world = World::healthy();
    let script = world.sandbox.read("hooks/gate");
    world.sandbox.script("hooks/gate", &format!("{script}\n# changed\n"));
    world.expect(&["integrity-changed"], "alive", "alive");
}

#[test]
fn another_build_and_a_place_that_does_not_last() {
    let sandbox = machine("2.1.332");
    sandbox.run(["install", "--yes"]).ok();
    let copy = sandbox.root().join("other-harness");
    let mut bytes = std::fs::read(crate::support::binary()).expect("built");
    bytes.push(0);
    std::fs::write(&copy, bytes).expect("written");
    mode(&copy, 0o755);
    let report = sandbox.program(&copy, ["doctor", "--json"]).ok().json();
    assert_eq!(roots(&report), ["version-skew"], "{report:#}");
    let world = World::healthy();
    let place = world.sandbox.root().join("Cellar/harness/1.0/bin");
    std::fs::create_dir_all(&place).expect("made");
    std::fs::copy(world.gate_program(), place.join("gate")).expect("copied");
    let moved = place.join("gate");
    let moved = World {
        gate: {
            let mut gate = world.gate.clone();
            gate["command"] = json!(moved);
            gate
        },
        ..world
    };
    moved.write_settings(&moved.settings());
    moved.write_manifest();
    moved.expect(&["fragile-path"], "alive", "alive");
}

#[test]
fn worktrees_that_lack_the_gate() {
    let sandbox = machine("2.1.332");
    let Some(view) = sandbox.machine() else { return };
    sandbox.run_on(&view, ["install", "--yes", "--scope", "project"]).ok();
    let tree = sandbox.root().join("tree");
    std::fs::create_dir(&tree).expect("made");
    sandbox.write("project/.git/worktrees/tree/gitdir", format!("{}/.git\n", tree.display()));
    let report = sandbox.run_on(&view, ["doctor", "--json"]).ok().json();
    assert_eq!(roots(&report), ["worktree-gap"], "{report:#}");
    let shared = sandbox.read("project/.claude/settings.json");
    sandbox.write("tree/.claude/settings.json", shared);
    assert_eq!(roots(&sandbox.run_on(&view, ["doctor", "--json"]).ok().json()), [""; 0]);
}

/// A transcript of a session that called a tool at these times.
fn transcript(sandbox: &Sandbox, id: &str, began: &str, called: &str) {
    let slug: String = sandbox
        .project()
        .to_string_lossy()
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    let line = |at: &str, what: &str| {
        format!("{{\"type\":\"{what}\",\"timestamp\":\"{at}\",\"sessionId\":\"{id}\"}}\n")
    };
    let text = line(began, "user") + &line(called, "tool_use");
    sandbox.write(format!("home/.claude/projects/{slug}/{id}.jsonl"), text);
}

#[test]
fn sessions_that_never_called_our_hooks() {
    let id = "4f6a1c52-0f0e-4c11-9a53-7f1f5f3c9b10";
    let run = |began: &str, called: &str| {
        let sandbox = machine("2.1.332");
        sandbox.run(["install", "--yes"]).ok();
        transcript(&sandbox, id, began, called);
        sandbox
    };
    let (old, new) = ("2020-01-01T00:00:00.000Z", "2099-01-01T00:00:00.000Z");
    let older = run(old, new).run(["doctor", "--json"]).ok().json();
    assert_eq!(roots(&older), ["not-called/older"]);
    let sandbox = run(new, new);
    let never = sandbox.run(["doctor", "--json"]).code(1).json();
    assert_eq!(roots(&never), ["not-called"], "{never:#}");
    assert_eq!(never["hosts"][0]["gate"]["state"], "unknown");
    // Its hook was started: the journal knows the session.
    let heard = json!({ "ts": 1, "type": "tool/call", "session": id });
    let journal = "home/.local/state/harness/journal/audit.jsonl";
    let before = sandbox.read(journal);
    sandbox.write(journal, format!("{before}{heard}\n"));
    assert_eq!(roots(&sandbox.run(["doctor", "--json"]).ok().json()), [""; 0]);
    assert_eq!(roots(&run(old, old).run(["doctor", "--json"]).ok().json()), [""; 0]);
}

#[test]
fn calls_that_somebody_changed_in_between() {
    let world = World::healthy();
    let record = json!({ "ts": 1, "type": "tool/result", "session": "s", "call": "c", "tool": "Bash", "sealed": "broken" });
    let log = world.sandbox.write("home/h/state/journal/audit.jsonl", format!("{record}\n"));
    mode(&log, 0o600);
    world.expect(&["foreign-rewrite"], "alive", "alive");
}

#[test]
fn policies_that_cannot_be_used() {
    for (bytes, bits) in [(&b"\xff\xfev\0"[..], 0o600), (b"version = \"x\"\n", 0o600), (b"", 0o600)]
    {
        let sandbox = machine("2.1.332");
        sandbox.run(["install", "--yes"]).ok();
        let policy = sandbox.write("home/.config/harness/policy.toml", bytes);
        mode(&policy, bits);
        let report = sandbox.run(["doctor", "--json"]).code(1).json();
        assert_eq!(roots(&report), ["policy-bad"], "{report:#}");
    }
}

#[test]
fn switches_of_the_environment() {
    for name in ["CLAUDE_CODE_SIMPLE", "CLAUDE_CODE_SAFE_MODE"] {
        let world = World::healthy();
        let home = world.sandbox.home().join("h");
        let run = world.sandbox.run(["doctor", "--json"]).env("HARNESS_HOME", home).env(name, "1");
        let report = run.code(1).json();
        assert_eq!(super::found(&report), ["switched-off/environment"], "{report:#}");
        assert_eq!(report["checks"][0]["id"], "switched-off", "off switches come first");
    }
}

#[test]
fn matchers_that_miss_tools() {
    for (matcher, root) in [
        ("bash", "matcher-dead"),
        ("Bahs", "matcher-dead"),
        ("Bash", "matcher-dead/gap"),
        ("Bash|Write|Edit", "matcher-dead/gap"),
    ] {
        let world = World::healthy();
        let mut settings = world.settings();
        settings["hooks"]["PreToolUse"][0]["matcher"] = matcher.into();
        world.write_settings(&settings);
        world.expect(&[root], "dead", "alive");
    }
}

#[test]
fn events_that_the_client_does_not_know() {
    let world = World::healthy();
    let mut settings = world.settings();
    settings["hooks"]["AfterLunch"] = json!([{ "hooks": [command("true")] }]);
    world.write_settings(&settings);
    world.expect(&[], "alive", "alive");
    assert_eq!(status(&world, "event-unknown"), "note");
    // A slip is no newer client's event.
    settings["hooks"]["PreTooluse"] = json!([{ "hooks": [command("true")] }]);
    world.write_settings(&settings);
    world.expect(&["event-unknown/misspelt"], "alive", "alive");
    let sandbox = machine("2.1.100");
    sandbox.run(["install", "--yes"]).ok();
    let mut settings: Value = serde_json::from_str(&sandbox.read(SETTINGS)).expect("JSON");
    settings["hooks"]["PreTooluse"] = json!([{ "hooks": [command("true")] }]);
    sandbox.write(SETTINGS, settings.to_string());
    let report = sandbox.run(["doctor", "--json"]).code(1).json();
    assert_eq!(roots(&report), ["event-unknown"], "{report:#}");
}

#[test]
fn repairs_leave_what_is_not_ours() {
    let sandbox = machine("2.1.332");
    let foreign =
        json!({ "hooks": { "Stop": [{ "hooks": [command("cat >/dev/null")] }] }, "model": "opus" });
    sandbox.write(SETTINGS, format!("{foreign:#}\n"));
    sandbox.run(["install", "--yes"]).ok();
    let installed = sandbox.read(SETTINGS);
    let mut settings: Value = serde_json::from_str(&installed).expect("JSON");
    let twice = settings["hooks"]["PreToolUse"][0].clone();
    settings["hooks"]["PreToolUse"].as_array_mut().expect("a list").push(twice);
    sandbox.write(SETTINGS, format!("{settings:#}\n"));
    assert_eq!(roots(&sandbox.run(["doctor", "--json"]).ok().json()), ["duplicate-entry"]);
    sandbox.run(["doctor", "--fix", "--yes"]).ok();
    assert_eq!(roots(&sandbox.run(["doctor", "--json"]).ok().json()), [""; 0]);
    let now: Value = serde_json::from_str(&sandbox.read(SETTINGS)).expect("JSON");
    assert_eq!(
        (&now["hooks"]["Stop"], &now["model"]),
        (&foreign["hooks"]["Stop"], &foreign["model"])
    );
    std::fs::remove_file(sandbox.home().join(".local/bin/harness")).expect("it is there");
    assert_eq!(roots(&sandbox.run(["doctor", "--json"]).code(1).json()), ["target-missing"]);
    sandbox.run(["doctor", "--fix", "--yes"]).ok();
    assert_eq!(roots(&sandbox.run(["doctor", "--json"]).ok().json()), [""; 0]);
}
