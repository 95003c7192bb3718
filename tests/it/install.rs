//! Install, uninstall and status, end to end.

mod beside;
mod crowd;
mod faults;
mod forms;
mod migration;
mod refusals;
mod reported;
mod scopes;
mod status;
mod surfaces;
mod truthful;

use crate::support::Sandbox;
use serde_json::Value;
use std::path::PathBuf;

/// A world with a client of this version in it.
fn world(version: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.stub_claude(version);
    sandbox
}

fn install(sandbox: &Sandbox) {
    sandbox.run(["install", "--yes"]).ok();
}

fn uninstall(sandbox: &Sandbox) {
    sandbox.run(["uninstall", "--yes"]).ok();
}

fn settings(sandbox: &Sandbox) -> Vec<u8> {
    std::fs::read(sandbox.user_settings()).expect("the settings are there")
}

fn parsed(sandbox: &Sandbox) -> Value {
    let bytes = settings(sandbox);
    let text = std::str::from_utf8(&bytes).expect("UTF-8").trim_start_matches('\u{feff}');
    // A lone surrogate is legal JSON for the client and no text for us.
    serde_json::from_str(&text.replace("\\ud83d", "")).expect("strict JSON")
}

/// The commands registered for an event, with their arguments.
fn commands(settings: &Value, event: &str) -> Vec<String> {
    let groups = settings["hooks"][event].as_array().cloned().unwrap_or_default();
    let hooks = groups.iter().flat_map(|g| g["hooks"].as_array().cloned().unwrap_or_default());
    hooks.map(|h| format!("{} {}", h["command"].as_str().unwrap_or_default(), h["args"])).collect()
}

fn state(sandbox: &Sandbox) -> PathBuf {
    sandbox.home().join(".local/state/harness")
}

const ALWAYS: [&str; 6] = [
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "SessionStart",
    "ConfigChange",
    "SessionEnd",
];

fn assert_one_each(settings: &Value) {
    for event in ALWAYS {
        let ours = commands(settings, event);
        let ours: Vec<_> = ours.iter().filter(|c| c.contains("claude-code")).collect();
        assert_eq!(ours.len(), 1, "{event}: {ours:?}");
    }
}

const ODD: &[&[u8]] = &[
    b"",
    b"\n",
    b"{}",
    b"{ }\n",
    b"\xef\xbb\xbf{}\r\n",
    b"{\"model\":\"m\"}",
    b"{\n\t\"n\": 12345678901234567890,\n\t\"e\": 1e3, \"u\": \"\\/\\u00e9\\ud83d \xed\x95\x9c\"\n}",
    b"{\r\n    \"hooks\": {},\r\n    \"z\": null\r\n}",
    b"{\"hooks\":{\"PreToolUse\":[ ], \"Stop\" : [ \n ]}}",
    b"{\"hooks\":{\"FutureEvent\":[{\"hooks\":[]}],\"SessionStart\":[{\"matcher\":\"compact\",\"hooks\":\
      [{\"type\":\"command\",\"command\":\"echo mine\"}]}]}}",
    b"{\n  \"hooks\": {\n    \"PreToolUse\": [{\n      \"hooks\": [\n      ]\n    }]\n  }\n}\n\n",
    b"{\"statusLine\":{\"command\":\"echo {a,} [b,]\"},\"x\":[{},[]]}",
];

#[test]
fn install_then_uninstall_gives_back_every_byte() {
    let sandbox = world("2.1.332");
    for text in ODD {
        let shown = String::from_utf8_lossy(text);
        sandbox.write(sandbox.user_settings(), text);
        install(&sandbox);
        assert_one_each(&parsed(&sandbox));
        uninstall(&sandbox);
        assert_eq!(String::from_utf8_lossy(&settings(&sandbox)), shown);
    }
}

#[test]
fn what_was_not_there_is_gone_again() {
    let sandbox = world("2.1.332");
    install(&sandbox);
    assert_one_each(&parsed(&sandbox));
    uninstall(&sandbox);
    assert!(!sandbox.home().join(".claude").exists());
}

#[test]
fn a_second_install_changes_nothing() {
    let sandbox = world("2.1.332");
    sandbox.write(sandbox.user_settings(), "{\"model\": \"m\"}");
    install(&sandbox);
    let manifest = state(&sandbox).join("manifest.json");
    let (before, memory) = (settings(&sandbox), std::fs::read(&manifest).expect("written"));
    let ran = sandbox.run(["install", "--yes"]).ok();
    assert!(ran.stdout.contains("nothing changed"), "{}", ran.stdout);
    assert_eq!(settings(&sandbox), before);
    assert_eq!(std::fs::read(&manifest).expect("still there"), memory);
    sandbox.run(["install", "--dry-run"]).ok();
}

#[test]
fn a_dry_run_shows_the_change_and_makes_none() {
    let sandbox = world("2.1.332");
    sandbox.write(sandbox.user_settings(), "{\"model\": \"m\"}\n");
    let ran = sandbox.run(["install", "--dry-run"]).code(1);
    assert!(ran.stdout.contains("+++ ") && ran.stdout.contains("\n+"), "{}", ran.stdout);
    assert_eq!(settings(&sandbox), b"{\"model\": \"m\"}\n");
    assert!(!state(&sandbox).exists() && !sandbox.home().join(".local/bin").exists());
    install(&sandbox);
    let ran = sandbox.run(["uninstall", "--dry-run"]).code(1);
    assert!(ran.stdout.contains("\n-"), "{}", ran.stdout);
    assert_one_each(&parsed(&sandbox));
    uninstall(&sandbox);
    sandbox.run(["uninstall", "--dry-run"]).ok();
}

#[test]
fn a_dry_run_on_one_long_line_shows_what_changes_and_not_the_line() {
    let sandbox = world("2.1.332");
    let theirs = "{\"type\":\"command\",\"command\":\"echo {mine}, [yours]\"}";
    let theirs = format!("{{\"hooks\":[{}]}}", [theirs; 40].join(","));
    let text = format!("{{\"model\":\"m\",\"hooks\":{{\"PreToolUse\":[{theirs}]}},\"z\":1}}");
    sandbox.write(sandbox.user_settings(), &text);
    let readable = |stdout: &str, sign: char| {
        let heads = ["--- ", "+++ "];
        let changed =
            |l: &&str| l.starts_with(['+', '-']) && !heads.iter().any(|h| l.starts_with(h));
        let lines: Vec<&str> = stdout.lines().filter(changed).collect();
        assert!(lines.iter().all(|l| l.starts_with(sign)), "{stdout}");
        assert!(lines.len() > ALWAYS.len() && !lines.concat().contains("mine"), "{stdout}");
        assert!(stdout.lines().all(|l| l.len() < 260), "{stdout}");
        ALWAYS.iter().for_each(|event| assert!(lines.concat().contains(event), "{stdout}"));
    };
    readable(&sandbox.run(["install", "--dry-run"]).code(1).stdout, '+');
    install(&sandbox);
    readable(&sandbox.run(["uninstall", "--dry-run"]).code(1).stdout, '-');
    uninstall(&sandbox);
    assert_eq!(settings(&sandbox), text.as_bytes());
}

#[test]
fn edits_and_siblings_of_others_survive() {
    let sandbox = world("2.1.332");
    sandbox.write(sandbox.user_settings(), "{\n  \"a\": 1\n}\n");
    install(&sandbox);
    let text = sandbox.read(sandbox.user_settings());
    let sibling = "\"hooks\": [\n          {\"type\": \"command\", \"command\": \"mine\"},";
    let edited = text.replacen("\"a\": 1", "\"b\": [2 ]", 1).replacen("\"hooks\": [", sibling, 1);
    sandbox.write(sandbox.user_settings(), &edited);
    uninstall(&sandbox);
    let left = parsed(&sandbox);
    let kept = serde_json::json!({"PreToolUse": [{"matcher": "*", "hooks":
        [{"type": "command", "command": "mine"}]}]});
    assert_eq!(left, serde_json::json!({"b": [2], "hooks": kept}));
    assert!(sandbox.read(sandbox.user_settings()).contains("\"b\": [2 ]"));
}

#[test]
fn uninstall_needs_neither_manifest_nor_binary_nor_settings() {
    let sandbox = world("2.1.332");
    sandbox.write(sandbox.user_settings(), "{\"model\":\"m\"}");
    install(&sandbox);
    std::fs::remove_dir_all(state(&sandbox)).expect("it was made");
    std::fs::remove_file(sandbox.home().join(".local/bin/harness")).expect("it was copied");
    uninstall(&sandbox);
    assert_eq!(settings(&sandbox), b"{\"model\":\"m\"}");
    install(&sandbox);
    std::fs::remove_file(sandbox.user_settings()).expect("it is there");
    uninstall(&sandbox);
    assert!(!sandbox.user_settings().exists());
    let ran = sandbox.run(["uninstall", "--yes"]).ok();
    assert!(ran.stdout.contains("nothing"), "{}", ran.stdout);
}

#[test]
fn the_owner_is_private_kept_and_retired() {
    use std::os::unix::fs::PermissionsExt;
    let sandbox = world("2.1.332");
    install(&sandbox);
    let file = state(&sandbox).join("owner");
    let owner = sandbox.read(&file);
    let mode = std::fs::metadata(&file).expect("there").permissions().mode();
    assert_eq!((owner.len(), mode & 0o777), (33, 0o600));
    assert!(commands(&parsed(&sandbox), "PreToolUse")[0].contains(owner.trim()));
    install(&sandbox);
    assert_eq!(sandbox.read(&file), owner);
    uninstall(&sandbox);
    assert!(!file.exists());
    assert_eq!(sandbox.read(state(&sandbox).join("retired")), owner);
    let consent: Value =
        serde_json::from_str(&sandbox.read(state(&sandbox).join("consent.json"))).expect("JSON");
    assert_eq!(consent["file"], sandbox.user_settings().to_str().expect("UTF-8"));
    install(&sandbox);
    assert_ne!(sandbox.read(&file), owner);
}

#[test]
fn backups_are_private_and_five() {
    use std::os::unix::fs::PermissionsExt;
    let sandbox = world("2.1.332");
    sandbox.write(sandbox.user_settings(), "{\"first\":1}");
    for _ in 0..4 {
        install(&sandbox);
        uninstall(&sandbox);
    }
    let folder = std::fs::read_dir(state(&sandbox).join("backups")).expect("made");
    let copies: Vec<_> = folder.flatten().collect();
    assert_eq!(copies.len(), 5);
    for copy in copies {
        assert_eq!(copy.metadata().expect("there").permissions().mode() & 0o777, 0o600);
    }
}

#[test]
fn what_does_not_prove_itself_is_taken_back() {
    let sandbox = world("2.1.332");
    let text = "{ \"model\" :\"m\" }";
    sandbox.write(sandbox.user_settings(), text);
    // A policy that denies everything, reading too, would lock a person out.
    let all = "version = 1\n[[guard]]\nid = \"all\"\ntool = \"*\"\ndeny = \"nothing goes\"\n\
               examples.match = [\"ls\"]\n";
    sandbox.write(sandbox.user_policy(), all);
    let ran = sandbox.run(["install", "--yes"]).code(1);
    assert!(ran.stderr.contains("did not prove themselves"), "{}", ran.stderr);
    assert_eq!(settings(&sandbox), text.as_bytes());
    assert!(!state(&sandbox).join("manifest.json").exists());
    std::fs::remove_file(sandbox.user_settings()).expect("there");
    sandbox.run(["install", "--yes"]).code(1);
    assert!(!sandbox.user_settings().exists());
}

#[test]
fn json_says_what_was_done() {
    let sandbox = world("2.1.332");
    let done = sandbox.run(["install", "--yes", "--json"]).ok().json();
    assert_eq!((&done["schema"], &done["changed"]), (&1.into(), &true.into()));
    let host = &done["hosts"][0];
    assert_eq!(host["client"], "2.1.332");
    assert_eq!(host["events"].as_array().map(Vec::len), Some(ALWAYS.len()));
    assert!(host["weaknesses"].as_array().is_some_and(|w| !w.is_empty()));
    let gone = sandbox.run(["uninstall", "--yes", "--json"]).ok().json();
    assert_eq!(gone["files"][0]["entries"], ALWAYS.len());
}
