//! What is written for which client, from where, and out of which older states.

use super::{ALWAYS, assert_one_each, commands, install, parsed, settings, uninstall, world};
use crate::support::{Sandbox, binary};
use serde_json::{Value, json};

fn hook(settings: &Value, event: &str) -> Value {
    settings["hooks"][event][0]["hooks"][0].clone()
}

#[test]
fn a_new_client_gets_arguments_and_a_closing_gate() {
    let sandbox = world("2.1.332");
    install(&sandbox);
    let all = parsed(&sandbox);
    let gate = hook(&all, "PreToolUse");
    assert!(
        gate["args"].as_array().is_some_and(|a| a[0] == "hook" && a.contains(&"2.1.332".into()))
    );
    assert_eq!((&gate["timeout"], &gate["onFailure"]), (&30.into(), &"block".into()));
    assert_eq!(all["hooks"]["PreToolUse"][0]["matcher"], "*");
    let end = hook(&all, "SessionEnd");
    assert_eq!((&end["timeout"], end.get("onFailure")), (&5.into(), None));
    assert!(all["hooks"]["SessionEnd"][0].get("matcher").is_none());
}

#[test]
fn an_old_client_gets_a_shell_line() {
    let sandbox = world("2.1.100");
    install(&sandbox);
    let gate = hook(&parsed(&sandbox), "PreToolUse");
    let line = gate["command"].as_str().expect("a string");
    assert!(line.contains(" hook claude-code PreToolUse --owner "), "{line}");
    assert!(gate.get("args").is_none() && gate.get("onFailure").is_none());
}

#[test]
fn an_ancient_client_gets_no_event_it_does_not_know() {
    let sandbox = world("1.0.60");
    install(&sandbox);
    let all = parsed(&sandbox);
    let events: Vec<&String> = all["hooks"].as_object().expect("an object").keys().collect();
    assert_eq!(events, ["PreToolUse", "PostToolUse"]);
}

#[test]
fn of_several_clients_the_lowest_counts() {
    let sandbox = world("2.1.332");
    sandbox.script("home/.local/bin/claude", "#!/bin/sh\necho '2.1.100 (Claude Code)'\n");
    sandbox.script("home/.nvm/versions/node/v1/bin/claude", "#!/bin/sh\nexit 3\n");
    let ran = sandbox.run(["install", "--yes"]).ok();
    assert!(
        ran.stderr.contains("2.1.100 and 2.1.332 are here: written for 2.1.100"),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains(".nvm"), "{}", ran.stderr);
    let gate = hook(&parsed(&sandbox), "PreToolUse");
    // An older client doesn't know the field and doesn't mind; the newer one's gate closes.
    assert_eq!((gate.get("args"), &gate["onFailure"]), (None, &json!("block")));
}

#[test]
fn no_entry_exceeds_what_the_lowest_client_found_knows() {
    use harness::hosts::EventName;
    use harness::hosts::claude_code::caps::{EXEC_FORM, Version, knows};
    for low in ["1.0.60", "2.0.30", "2.1.100", "2.1.138", "2.1.139", "2.1.295", "2.1.332"] {
        for high in ["2.1.100", "2.1.295", "2.1.332"] {
            let sandbox = world(high);
            let script = format!("#!/bin/sh\necho '{low} (Claude Code)'\n");
            sandbox.script("home/.local/bin/claude", &script);
            let ran = sandbox.run(["install", "--yes", "--json"]).ok().json();
            let versions = [low, high].map(|v| Version::parse(v).expect("a version"));
            let lowest = *versions.iter().min().expect("two");
            assert_eq!(ran["hosts"][0]["client"], lowest.to_string(), "{low} {high}");
            for (event, groups) in parsed(&sandbox)["hooks"].as_object().expect("an object") {
                let name = EventName::parse(event).expect("ours");
                assert!(knows(name, lowest), "{event} for {low} and {high}");
                let exec = groups[0]["hooks"][0].get("args").is_some();
                assert_eq!(exec, lowest >= EXEC_FORM, "{event} for {low} and {high}");
            }
        }
    }
}

#[test]
fn without_a_client_the_oldest_form_is_written_and_said() {
    let sandbox = Sandbox::new();
    let ran = sandbox.run(["install", "--yes"]).ok();
    assert!(ran.stderr.contains("no Claude Code was found"), "{}", ran.stderr);
    let gate = hook(&parsed(&sandbox), "PreToolUse");
    assert!(gate.get("args").is_none());
    assert!(!gate["command"].as_str().expect("a string").contains("--client"));
}

#[test]
fn a_client_that_hangs_is_not_waited_for_long() {
    let sandbox = Sandbox::new();
    sandbox.script("bin/claude", "#!/bin/sh\nexec sleep 40\n");
    let start = std::time::Instant::now();
    let ran = sandbox.run(["install", "--dry-run"]).code(1);
    assert!(start.elapsed().as_secs() < 25);
    assert!(ran.stderr.contains("didn't end within 10 s"), "{}", ran.stderr);
}

#[test]
fn a_new_client_is_followed_by_the_next_install() {
    let sandbox = world("2.1.100");
    sandbox.write(sandbox.user_settings(), "{\"a\":[ ]}");
    install(&sandbox);
    sandbox.stub_claude("2.1.332");
    install(&sandbox);
    assert_one_each(&parsed(&sandbox));
    assert!(hook(&parsed(&sandbox), "PreToolUse")["args"].is_array());
    uninstall(&sandbox);
    assert_eq!(settings(&sandbox), b"{\"a\":[ ]}");
}

#[test]
fn homes_with_odd_names_work_in_both_forms() {
    for version in ["2.1.100", "2.1.332"] {
        let sandbox = world(version);
        let home = sandbox.root().join("o'neil \"x\" $HOME 한글");
        std::fs::create_dir(&home).expect("a legal name");
        // The proof at the end of the install starts what was written.
        sandbox.run(["install", "--yes"]).env("HOME", &home).ok();
        sandbox.run(["install", "--dry-run"]).env("HOME", &home).ok();
        sandbox.run(["uninstall", "--yes"]).env("HOME", &home).ok();
        assert!(!home.join(".claude").exists());
    }
}

#[test]
fn every_older_form_of_ours_becomes_one_entry_and_near_misses_stay() {
    let sandbox = world("2.1.332");
    let shell = |line: &str| json!({"type": "command", "command": line});
    let near = [
        "my-harness hook claude-code PreToolUse",
        "harness explain x",
        "echo harness hook claude-code PreToolUse",
    ];
    let old = json!({"hooks": {
        "PreToolUse": [
            {"matcher": "Bash", "hooks": [shell("/old/bin/harness hook claude-code PreToolUse"), shell(near[0])]},
            {"matcher": "", "hooks": [shell("\"/new bin/harness\" hook claude-code PreToolUse --owner ab")]},
            {"hooks": [shell(near[1])]},
            {"hooks": [{"type": "command", "command": "/x/harness", "async": true, "timeout": 1,
                "args": ["hook", "claude-code", "PreToolUse"]}]},
        ],
        "Stop": [{"hooks": [shell("harness hook claude-code SessionEnd"), shell(near[2])]}],
    }});
    sandbox.write(sandbox.user_settings(), old.to_string());
    install(&sandbox);
    let new = parsed(&sandbox);
    assert_eq!(commands(&new, "PreToolUse").len(), 3, "{new:#}");
    for (event, line) in [("PreToolUse", near[0]), ("PreToolUse", near[1]), ("Stop", near[2])] {
        assert!(commands(&new, event).contains(&format!("{line} null")), "{line}");
    }
    uninstall(&sandbox);
    let left = parsed(&sandbox);
    assert_eq!(
        commands(&left, "PreToolUse"),
        [format!("{} null", near[0]), format!("{} null", near[1])]
    );
    assert!(ALWAYS.iter().skip(1).all(|event| commands(&left, event).is_empty()), "{left}");
}

#[test]
fn a_program_in_a_build_tree_is_copied_to_a_stable_place_and_said() {
    let sandbox = world("2.1.332");
    let ran = sandbox.run(["install", "--yes"]).ok();
    assert!(ran.stderr.contains("copied to ~/.local/bin/harness"), "{}", ran.stderr);
    let stable = sandbox.home().join(".local/bin/harness");
    assert!(std::fs::read(&stable).expect("copied") == std::fs::read(binary()).expect("built"));
    assert_eq!(hook(&parsed(&sandbox), "PreToolUse")["command"], stable.to_str().expect("UTF-8"));
    let ran = sandbox.program(&stable, ["install", "--yes"]).ok();
    assert!(ran.stdout.contains("nothing changed") && !ran.stderr.contains("copied"), "{ran:?}");
}

#[test]
fn a_stable_link_is_registered_and_not_what_it_leads_to() {
    let sandbox = world("2.1.332");
    let real = sandbox.root().join("home/opt/Cellar/harness/1.0/bin/harness");
    std::fs::create_dir_all(real.parent().expect("a folder")).expect("made");
    std::fs::copy(binary(), &real).expect("copied");
    let link = sandbox.home().join(".local/bin/harness");
    std::fs::create_dir_all(link.parent().expect("a folder")).expect("made");
    // Out of the build folder's shadow: only the version in the path matters here.
    std::os::unix::fs::symlink(&real, &link).expect("linked");
    sandbox.program(&link, ["install", "--yes"]).ok();
    assert_eq!(hook(&parsed(&sandbox), "PreToolUse")["command"], link.to_str().expect("UTF-8"));
}

#[test]
fn a_foreign_program_of_our_name_is_not_replaced() {
    let sandbox = world("2.1.332");
    let theirs = sandbox.script("home/.local/bin/harness", "#!/bin/sh\necho another\n");
    let ran = sandbox.run(["install", "--yes"]).code(3);
    assert!(ran.stderr.contains("is another program"), "{}", ran.stderr);
    assert!(sandbox.read(theirs).contains("another"));
    assert!(!sandbox.user_settings().exists());
}
