//! Two plugins whose hooks are the same words until the client puts their folders in.

use super::clients;
use super::world::handler;
use harness::doctor::live::client::Client;
use harness::doctor::live::drive::{Run, drive};
use harness::doctor::live::script::{Call, Turn};
use harness::doctor::live::stage::{Stage, put, put_json};
use serde_json::json;
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

/// Which of two such hooks a client starts.
fn started(client: &Client) -> Vec<&'static str> {
    let stage = Stage::new().unwrap();
    let root = |name: &str| stage.home.join("plugins").join(name);
    let names = ["one", "two"];
    let turns = vec![Turn::call(Call::bash("true")), Turn::text("done")];
    let mut run = Run::new(client, &stage, turns);
    for name in names {
        let manifest = json!({ "name": name, "version": "1.0.0", "description": "A gate" });
        put_json(&root(name).join(".claude-plugin/plugin.json"), &manifest).unwrap();
        let hook = handler("\"${CLAUDE_PLUGIN_ROOT}\"/hook.sh");
        let hooks = json!({ "hooks": { "PreToolUse": [{ "matcher": "Bash", "hooks": [hook] }] } });
        put_json(&root(name).join("hooks/hooks.json"), &hooks).unwrap();
        let script = root(name).join("hook.sh");
        put(&script, "#!/bin/sh\ntouch \"${0%/*}/ran\"\n").unwrap();
        std::fs::set_permissions(&script, PermissionsExt::from_mode(0o755)).unwrap();
        run.args.extend(["--plugin-dir".into(), root(name).into_os_string()]);
    }
    run.limit = Duration::from_secs(90);
    let _place = clients::place();
    let session = drive(run).unwrap();
    assert!(session.result(0, 0).is_some(), "{session:?}");
    names.into_iter().filter(|n| root(n).join("ran").exists()).collect()
}

/// Measured besides: 2.1.20 and 2.1.63 start one of the two.
#[test]
fn these_clients_start_both_of_two_plugins_with_one_line() {
    assert_eq!(started(&clients::new()), ["one", "two"]);
    assert_eq!(started(&clients::old()), ["one", "two"]);
}
