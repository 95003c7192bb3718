//! `harness status`: what can't be used and what was last proven, without a probe.

use super::scopes::machine;

#[test]
fn status_names_the_place_of_a_broken_policy() {
    let sandbox = machine("2.1.332");
    sandbox.run(["install", "--yes"]).ok();
    sandbox.write(
        "home/.config/harness/policy.toml",
        "version = 1\n[[guard]]\nid = \"x\"\ntool = 3\ndeny = \"no\"\n",
    );
    let ran = sandbox.run(["status"]).code(1);
    assert!(ran.stdout.contains("policy.toml:2:"), "{}", ran.stdout);
    assert!(ran.stdout.contains("every call is denied"), "{}", ran.stdout);
    let json = sandbox.run(["status", "--json"]).code(1).json();
    assert!(json["hosts"][0]["problems"][0].as_str().is_some_and(|p| p.contains("policy.toml:2:")));
}

#[test]
fn the_last_live_result_is_shown_until_the_client_changes() {
    use std::time::UNIX_EPOCH;
    let sandbox = machine("2.1.332");
    sandbox.run(["install", "--yes"]).ok();
    assert!(!sandbox.run(["status"]).ok().stdout.contains("live:"));
    let client = sandbox.bin().join("claude");
    let meta = std::fs::metadata(&client).expect("it is there");
    let written = meta.modified().expect("a time").duration_since(UNIX_EPOCH).expect("later");
    let live = serde_json::json!({
        "at_ms": 1_790_000_000_000_u64, "client": "2.1.332", "gate": "alive", "soft": "alive",
        "program": { "path": client, "bytes": meta.len(), "written_ms": written.as_millis() as u64 },
    });
    sandbox.write("home/.local/state/harness/live.json", live.to_string());
    let shown = sandbox.run(["status"]).ok().stdout;
    assert!(
        shown.contains("live: gate alive, soft alive in Claude Code 2.1.332 on 2026-09-21"),
        "{shown}"
    );
    assert!(!shown.contains("expired"), "{shown}");
    sandbox.stub_claude("2.1.340 newer");
    let shown = sandbox.run(["status"]).ok().stdout;
    assert!(shown.contains("expired: the client has changed since"), "{shown}");
    sandbox.run(["install", "--yes"]).ok();
    let json = sandbox.run(["status", "--json"]).ok().json();
    assert_eq!(json["hosts"][0]["live"]["expired"], "the client is 2.1.340 now", "{json:#}");
    // What a client showed of hooks that are gone since says nothing of now.
    sandbox.run(["uninstall", "--yes"]).ok();
    let shown = sandbox.run(["status"]).code(1).stdout;
    assert!(shown.contains("not installed") && !shown.contains("live:"), "{shown}");
}
