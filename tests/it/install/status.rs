//! `harness status`.

use super::{ALWAYS, install, uninstall, world};

#[test]
fn status_follows_install_and_uninstall() {
    let sandbox = world("2.1.332");
    assert!(sandbox.run(["status"]).code(1).stdout.contains("not installed"));
    install(&sandbox);
    let ran = sandbox.run(["status"]).ok();
    assert!(
        ran.stdout.contains("installed (user)") && ran.stdout.contains("can't hold"),
        "{}",
        ran.stdout
    );
    let ran = sandbox.run(["status", "-q"]).ok();
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("", ""));
    let json = sandbox.run(["status", "--json"]).ok().json();
    let host = &json["hosts"][0];
    assert_eq!((&host["id"], &host["client"]), (&"claude-code".into(), &"2.1.332".into()));
    assert_eq!(host["scopes"][0]["events"].as_array().map(Vec::len), Some(ALWAYS.len()));
    assert_eq!(host["binary"]["present"], true);
    uninstall(&sandbox);
    sandbox.run(["status", "-q"]).code(1);
}

#[test]
fn an_off_switch_is_seen_by_the_clients_precedence() {
    let sandbox = world("2.1.332");
    install(&sandbox);
    sandbox.write("project/.claude/settings.json", "{\n \"disableAllHooks\": true\n}");
    let ran = sandbox.run(["status"]).code(1);
    assert!(ran.stdout.contains("switched off (user)"), "{}", ran.stdout);
    assert!(ran.stdout.contains("settings.json:2"), "{}", ran.stdout);
    sandbox.write("project/.claude/settings.local.json", "{\"disableAllHooks\": false}");
    sandbox.run(["status", "-q"]).ok();
    sandbox.run(["status", "-q"]).env("CLAUDE_CODE_SIMPLE", "1").code(1);
}

#[test]
fn what_went_missing_is_named() {
    let sandbox = world("2.1.332");
    install(&sandbox);
    let text = sandbox.read(sandbox.user_settings());
    sandbox.write(sandbox.user_settings(), text.replacen("\"timeout\": 30", "\"timeout\": 1", 1));
    let ran = sandbox.run(["status"]).code(1);
    assert!(ran.stdout.contains("the entry for PreToolUse is gone or changed"), "{}", ran.stdout);
    install(&sandbox);
    std::fs::remove_file(sandbox.home().join(".local/bin/harness")).expect("it was copied");
    let ran = sandbox.run(["status"]).code(1);
    assert!(
        ran.stdout.contains("the registered program ~/.local/bin/harness is gone"),
        "{}",
        ran.stdout
    );
    sandbox.write(sandbox.user_settings(), "{ // x\n}");
    let ran = sandbox.run(["status"]).code(1);
    assert!(ran.stdout.contains(":1:3: a comment"), "{}", ran.stdout);
    assert!(ran.stdout.contains("installed, and ignored for a mistake"), "{}", ran.stdout);
    for untrue in ["not installed", "is gone or changed"] {
        assert!(!ran.stdout.contains(untrue), "{untrue}: {}", ran.stdout);
    }
    let host = &sandbox.run(["status", "--json"]).code(1).json()["hosts"][0];
    assert_eq!(host["ignored"], serde_json::json!([sandbox.user_settings()]));
}

#[test]
fn entries_of_an_installation_that_is_lost_are_no_good_news() {
    let sandbox = world("2.1.332");
    install(&sandbox);
    let owner = sandbox.home().join(".local/state/harness/owner");
    std::fs::remove_file(&owner).expect("it was written");
    let ran = sandbox.run(["status"]).code(1);
    assert!(ran.stdout.contains("isn't known, so every call is denied"), "{}", ran.stdout);
    install(&sandbox);
    sandbox.run(["status", "-q"]).ok();
}

#[test]
fn a_program_that_lost_its_mode_is_put_there_again() {
    use std::os::unix::fs::PermissionsExt;
    let sandbox = world("2.1.332");
    install(&sandbox);
    let program = sandbox.home().join(".local/bin/harness");
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o644)).expect("set");
    sandbox.run(["status"]).code(1);
    install(&sandbox);
    sandbox.run(["status", "-q"]).ok();
    let mode = program.metadata().expect("there").permissions().mode();
    assert_eq!(mode & 0o777, 0o755);
}
