//! `harness off`: silence for a while, on a person's word.

use crate::support::World;

#[test]
fn off_silences_all_but_self_protection_is_told_and_ends_by_itself() {
    let world = World::new();
    world.sandbox.write("h/policy.toml", "version = 1\n[[guard");
    world.begin();
    assert_eq!(world.bash("npm test"), "deny", "a broken policy denies");
    let refused = world.cli(&["off", "--for", "10m"]);
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    for wrong in ["9h", "0s", "soon"] {
        assert_eq!(world.cli(&["off", "--for", wrong, "--yes"]).status.code(), Some(2), "{wrong}");
    }
    let agent = world.sandbox.run(["off", "--for", "10m", "--yes"]);
    agent.env("HARNESS_HOME", world.root()).env("CLAUDECODE", "1").code(2);
    assert_eq!(world.bash("npm test"), "deny");
    assert_eq!(world.cli(&["off", "--for", "3s", "--yes"]).status.code(), Some(0));
    let began = std::time::Instant::now();
    for lifted in ["npm test", "touch a"] {
        assert_eq!(world.bash(lifted), "none", "{lifted}");
    }
    for stands in ["harness uninstall --yes", "rm -rf /", "echo {} > .claude/settings.json"] {
        assert_eq!(world.bash(stands), "deny", "{stands}");
    }
    let calls = world.records("tool/call");
    let lifted: Vec<_> = calls.iter().filter(|call| call["off"] == true).collect();
    assert!(lifted.iter().all(|c| c["verdict"] == "deny" && c["answer"] == "none"));
    assert_eq!(lifted.len(), 2);
    assert!(world.cli(&["status", "--json"]).json()["off"]["until"].is_u64());
    assert!(world.cli(&["status"]).stdout.contains("harness off --end"));
    let doctor = world.cli(&["doctor", "off", "--json"]).json();
    assert_eq!(doctor["checks"][0]["status"], "warn", "{doctor}");
    if let Some(left) = std::time::Duration::from_millis(3_100).checked_sub(began.elapsed()) {
        std::thread::sleep(left);
    }
    assert_eq!(world.bash("npm test"), "deny");
    assert!(world.cli(&["status", "--json"]).json()["off"]["until"].is_null());
    // And at a person's word before.
    world.cli(&["off", "--for", "10m", "--yes"]);
    assert_eq!(world.bash("npm test"), "none");
    world.cli(&["off", "--end"]);
    assert_eq!(world.bash("npm test"), "deny");
    assert_eq!(world.records("off/until").len(), 2);
    assert_eq!(world.cli(&["log", "verify"]).status.code(), Some(0));
}
