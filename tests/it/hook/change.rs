//! ConfigChange: edits of settings while a session runs.

use super::{World, blocked, session_log, silent};
use serde_json::json;
use std::path::Path;

#[test]
fn edits_that_weaken_our_hooks_are_vetoed() {
    let world = World::new();
    let settings = world.install();
    silent(&world.change(&settings).go());
    let whole = world.settings("");
    let mut off = whole.clone();
    off["disableAllHooks"] = true.into();
    for edit in [
        "{}".to_owned(),
        "{\"hooks\": {".to_owned(),
        format!("// mine\n{whole}"),
        whole.to_string().replace("\"*\"", "\"Bash\""),
        whole.to_string().replace("\"block\"", "\"continue\""),
        world.settings("async").to_string(),
        world.settings("timeout").to_string(),
        off.to_string(),
    ] {
        std::fs::write(&settings, &edit).expect("written");
        let reason = blocked(&world.change(&settings).go());
        assert!(reason.contains("harness/config-change"), "{edit}: {reason}");
    }
    std::fs::remove_file(&settings).expect("there");
    assert!(blocked(&world.change(&settings).go()).contains("gone"));
}

#[test]
fn a_person_at_work_and_a_retired_owner_are_let_through() {
    let world = World::new();
    let settings = world.install();
    std::fs::write(&settings, "{}").expect("written");
    blocked(&world.change(&settings).go());
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("now");
    let consent = |file: &Path, until: u128| {
        let until = u64::try_from(until).expect("fits");
        let agreed = blake3::hash(b"{}").to_hex().to_string();
        let text = json!({"file": file, "until_ms": until, "blake3": agreed}).to_string();
        world.sandbox.write("h/state/consent.json", text);
    };
    consent(&settings, now.as_millis() + 60_000);
    silent(&world.change(&settings).go());
    std::fs::write(&settings, "{ }").expect("written");
    blocked(&world.change(&settings).go());
    std::fs::write(&settings, "{}").expect("written");
    consent(Path::new("/another.json"), now.as_millis() + 60_000);
    blocked(&world.change(&settings).go());
    consent(&settings, now.as_millis() - 1);
    blocked(&world.change(&settings).go());
    world.sandbox.write("h/state/owner", "new\n");
    world.sandbox.write("h/state/retired", "abc123\n");
    silent(&world.change(&settings).go());
}

#[test]
fn a_project_that_repeats_us_weaker_is_vetoed_and_tightens() {
    let world = World::new();
    world.install();
    let project = world.sandbox.write("project/.claude/settings.json", "{}");
    silent(&world.change(&project).go());
    std::fs::write(&project, world.settings("async").to_string()).expect("written");
    assert!(blocked(&world.change(&project).go()).contains("repeats our `PreToolUse` hook"));
    let start = world.payload("SessionStart", json!({"source": "startup"}));
    let ran = world.hook("SessionStart", &["--owner", "abc123"]).stdin(start).ok();
    assert!(ran.stdout.contains("gate weakened") && ran.stdout.contains("harness warns"));
    assert!(world.sandbox.read(session_log()).contains("alarm/tightened"));
    assert!(world.journal().pop().expect("a record")["alarm"].is_string());
}

#[test]
fn a_switch_in_the_project_is_vetoed_whatever_file_changed() {
    let world = World::new();
    world.install();
    let project =
        world.sandbox.write("project/.claude/settings.json", "{\"disableAllHooks\":true}");
    blocked(&world.change(&project).go());
    let local =
        world.sandbox.write("project/.claude/settings.local.json", "{\"disableAllHooks\":false}");
    silent(&world.change(&project).go());
    std::fs::remove_file(&local).expect("there");
    blocked(&world.change(&local).go());
}

#[test]
fn a_manifest_that_is_gone_lets_no_change_through() {
    let world = World::new();
    let settings = world.install();
    std::fs::remove_file(world.root().join("state/manifest.json")).expect("there");
    assert!(blocked(&world.change(&settings).go()).contains("manifest.json"));
}
