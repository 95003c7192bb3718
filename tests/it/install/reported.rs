//! Kinds of harm that installers were reported to do and that no other test here is named
//! after.

use super::{assert_one_each, commands, install, parsed, settings, world};
use crate::support::{Sandbox, is_root};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// A program that is, by its name and home, a session of the sandbox's client.
fn session(sandbox: &Sandbox, seconds: u32) -> Child {
    let program = sandbox.script("session/claude", &format!("#!/bin/sh\nsleep {seconds}\n"));
    let mut command = std::process::Command::new(program);
    command.env_clear().env("HOME", sandbox.home()).env("PATH", "/usr/bin:/bin");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("a shell starts")
}

#[test]
fn open_sessions_are_named_by_install_and_waited_for_by_uninstall() {
    let sandbox = world("2.1.332");
    let mut open = session(&sandbox, 60);
    let mut others = session(&world("2.1.332"), 60);
    let named = format!("Claude Code is open (process {}):", open.id());
    let ran = sandbox.run(["install", "--yes"]).ok();
    assert!(ran.stderr.contains(&named), "{ran:?}");
    let start = Instant::now();
    let ran = sandbox.run(["uninstall", "--yes", "--json"]).ok();
    assert!(start.elapsed() >= Duration::from_secs(5), "it did not wait");
    assert!(ran.stderr.contains(&named), "{ran:?}");
    assert_eq!(ran.json()["open_sessions"], serde_json::json!([open.id()]));
    open.kill().expect("ours");
    open.wait().expect("ours");
    // Nothing open that reads these settings: nobody waits, nobody is told.
    let ran = sandbox.run(["install", "--yes"]).ok();
    assert!(!ran.stderr.contains("is open"), "{ran:?}");
    let ran = sandbox.run(["uninstall", "--yes", "--json"]).ok();
    assert!(!ran.stderr.contains("is open"), "{ran:?}");
    assert_eq!(ran.json()["open_sessions"], serde_json::json!([]));
    others.kill().expect("ours");
    others.wait().expect("ours");
}

#[test]
fn an_entry_has_no_field_that_the_client_does_not_know() {
    for version in ["2.1.100", "2.1.139", "2.1.332"] {
        let sandbox = world(version);
        install(&sandbox);
        let all = parsed(&sandbox);
        for (event, groups) in all["hooks"].as_object().expect("an object") {
            let group = groups[0].as_object().expect("an object");
            assert!(group.keys().all(|k| k == "matcher" || k == "hooks"), "{event}: {group:?}");
            let known = ["type", "command", "args", "timeout", "onFailure"];
            let hook = group["hooks"][0].as_object().expect("an object");
            assert!(hook.keys().all(|k| known.contains(&k.as_str())), "{event}: {hook:?}");
            // Every tool, whatever it is called in this version.
            let tools =
                ["PreToolUse", "PostToolUse", "PostToolUseFailure"].contains(&event.as_str());
            assert_eq!(group.get("matcher").is_some_and(|m| m == "*"), tools, "{event}");
        }
    }
}

#[test]
fn the_config_folder_is_the_clients_in_every_spelling() {
    for (value, folder) in [
        ("", "home/.claude"),
        ("\t ", "home/.claude"),
        ("ROOT/alt", "alt"),
        ("ROOT/alt/", "alt"),
        ("ROOT/home/../alt", "alt"),
    ] {
        let sandbox = world("2.1.332");
        let root = sandbox.root().to_str().expect("UTF-8").to_owned();
        let set = value.replace("ROOT", &root);
        sandbox.run(["install", "--yes"]).env("CLAUDE_CONFIG_DIR", &set).ok();
        let file = sandbox.root().join(folder).join("settings.json");
        assert!(file.exists(), "{value:?}");
        // No second tree beside it.
        assert_eq!(sandbox.user_settings().exists(), folder == "home/.claude", "{value:?}");
        sandbox.run(["status", "-q"]).env("CLAUDE_CONFIG_DIR", &set).ok();
        sandbox.run(["uninstall", "--yes"]).env("CLAUDE_CONFIG_DIR", &set).ok();
        assert!(!file.exists(), "{value:?}");
    }
    for wrong in ["relative", "./x", "~/x", "~"] {
        let sandbox = world("2.1.332");
        let ran = sandbox.run(["install", "--yes"]).env("CLAUDE_CONFIG_DIR", wrong).code(2);
        assert!(ran.stderr.contains("CLAUDE_CONFIG_DIR"), "{ran:?}");
        assert!(!sandbox.user_settings().exists());
    }
}

#[test]
fn what_holds_everywhere_names_no_project_and_a_home_is_none() {
    // Below no repository: the root of one is where its local settings would rightly go.
    let sandbox = Sandbox::in_temp();
    sandbox.stub_claude("2.1.332");
    install(&sandbox);
    let text = sandbox.read(sandbox.user_settings());
    let project = sandbox.project();
    assert!(
        !text.contains("CLAUDE_PROJECT_DIR") && !text.contains(project.to_str().expect("UTF-8"))
    );
    std::fs::create_dir_all(sandbox.home().join(".claude/sub")).expect("made");
    for folder in ["/", "home", "home/.claude"] {
        for scope in ["local", "project"] {
            if folder == "home/.claude" && scope == "local" {
                // A repository above it may have one; here there is none.
                continue;
            }
            let ran = sandbox.run(["install", "--yes", "--scope", scope]).cwd(folder).go();
            let outside = sandbox.home().join(".claude/.claude");
            assert!(!outside.exists() && ran.status.code() != Some(0), "{folder} {scope}: {ran:?}");
        }
    }
    assert_eq!(sandbox.read(sandbox.user_settings()), text);
}

#[test]
fn sudo_in_a_persons_home_makes_no_file_of_roots_there() {
    if !is_root() {
        return;
    }
    let sandbox = world("2.1.332");
    std::os::unix::fs::chown(sandbox.home(), Some(1234), Some(1234)).expect("root may");
    let ran = sandbox.run(["install", "--yes"]).env("SUDO_UID", "1234").code(2);
    assert!(ran.stderr.contains("without `sudo`"), "{ran:?}");
    assert_eq!(std::fs::read_dir(sandbox.home()).expect("there").count(), 0, "{ran:?}");
}

#[test]
fn setting_up_again_and_again_adds_nothing() {
    let sandbox = world("2.1.332");
    sandbox.write(sandbox.user_settings(), "{\"hooks\":{\"Stop\":[]},\"z\":1}");
    install(&sandbox);
    let once = settings(&sandbox);
    for _ in 0..4 {
        install(&sandbox);
    }
    assert_eq!(settings(&sandbox), once);
    assert_one_each(&parsed(&sandbox));
    assert!(commands(&parsed(&sandbox), "Stop").is_empty());
}
