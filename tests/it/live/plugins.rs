//! Plugins: two whose hooks are the same words until the client puts their folders in, and
//! those that the client's own commands install.

use super::clients;
use super::world::{World, handler};
use harness::doctor::live::client::Client;
use harness::doctor::live::drive::{Run, drive};
use harness::doctor::live::script::{Call, Turn};
use harness::doctor::live::stage::{Stage, put, put_json};
use serde_json::json;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
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

/// A shelf of two plugins, each with a gate that notes down that it ran, and from where.
fn shelf(root: &Path) {
    let plugin = |name: &str| json!({ "name": name, "source": format!("./{name}"), "description": "A gate" });
    let all = json!({ "name": "shelf", "owner": { "name": "me" }, "plugins": [plugin("all"), plugin("here")] });
    put_json(&root.join(".claude-plugin/marketplace.json"), &all).unwrap();
    for name in ["all", "here"] {
        let folder = root.join(name);
        let manifest = json!({ "name": name, "version": "1.0.0", "description": "A gate" });
        put_json(&folder.join(".claude-plugin/plugin.json"), &manifest).unwrap();
        let mut hook = handler("\"${CLAUDE_PLUGIN_ROOT}\"/hook.sh");
        hook["timeout"] = 7.into();
        let hooks = json!({ "hooks": { "PreToolUse": [{ "matcher": "Bash", "hooks": [hook] }] } });
        put_json(&folder.join("hooks/hooks.json"), &hooks).unwrap();
        let script = folder.join("hook.sh");
        put(&script, "#!/bin/sh\necho \"$0\" >>\"$HOME/ran\"\n").unwrap();
        std::fs::set_permissions(&script, PermissionsExt::from_mode(0o755)).unwrap();
    }
}

/// The client's own command for plugins, in a world's home.
fn plugin(world: &World, folder: &Path, args: &[&str]) {
    let environment = world.stage.environment("http://127.0.0.1:9", "none");
    let mut command = Command::new(&world.client.program);
    command.args(&world.client.leading).arg("plugin").args(args);
    let ran = command.env_clear().envs(environment).current_dir(folder).stdin(Stdio::null());
    let ran = ran.output().unwrap();
    assert!(ran.status.success(), "{args:?}: {ran:?}");
}

/// The plugins' folders whose hooks a client starts for a call in the world's project.
fn ran(world: &World) -> Vec<PathBuf> {
    let file = world.stage.home.join("ran");
    let _ = std::fs::remove_file(&file);
    assert!(world.bash(&["true"]).result(0, 0).is_some());
    let text = std::fs::read_to_string(&file).unwrap_or_default();
    let mut folders: Vec<_> =
        text.lines().map(|l| Path::new(l).parent().unwrap().to_path_buf()).collect();
    folders.sort();
    folders
}

/// What doctor says of hooks that are not ours.
fn listed(world: &World) -> Vec<String> {
    let report = world.doctor();
    let checks = report["checks"].as_array().unwrap();
    let check = checks.iter().find(|c| c["id"] == "foreign-hooks").unwrap();
    let lines = check["evidence"].as_array().unwrap();
    let mut lines: Vec<_> = lines.iter().map(|l| l.as_str().unwrap().to_owned()).collect();
    lines.sort();
    lines
}

/// The line of one of the shelf's plugins.
fn line(world: &World, name: &str) -> String {
    let folder = root(world, name);
    format!(
        "{0}/hooks/hooks.json:1 hooks.PreToolUse[0].hooks[0] (plugin {name}@shelf): PreToolUse on `Bash`, 7 s, goes on if it fails: \"{0}\"/hook.sh",
        folder.display()
    )
}

/// Where the client runs one of them: newer ones where it lies on the shelf, older ones the
/// copy that they made.
fn root(world: &World, name: &str) -> PathBuf {
    if clients::is_new(&world.client) {
        return world.stage.home.join("market").join(name);
    }
    world.stage.home.join(".claude/plugins/cache/shelf").join(name).join("1.0.0")
}

/// Installed by the client's own commands, doctor lists those whose hooks the client starts:
/// of every folder, of this one, switched off, and of another.
fn installed(client: Client) {
    let world = World::installed(client);
    let market = world.stage.home.join("market");
    shelf(&market);
    let project = world.stage.project.clone();
    let both = |names: &[&str]| {
        assert_eq!(ran(&world), names.iter().map(|n| root(&world, n)).collect::<Vec<_>>());
        assert_eq!(listed(&world), names.iter().map(|n| line(&world, n)).collect::<Vec<_>>());
    };
    plugin(&world, &project, &["marketplace", "add", market.to_str().unwrap()]);
    both(&[]);
    plugin(&world, &project, &["install", "all@shelf"]);
    both(&["all"]);
    plugin(&world, &project, &["install", "here@shelf", "--scope", "project"]);
    both(&["all", "here"]);
    plugin(&world, &project, &["disable", "all@shelf"]);
    both(&["here"]);
    plugin(&world, &project, &["uninstall", "here@shelf", "--scope", "project"]);
    let other = world.stage.home.join("other");
    std::fs::create_dir(&other).unwrap();
    plugin(&world, &other, &["install", "here@shelf", "--scope", "project"]);
    plugin(&world, &project, &["enable", "all@shelf"]);
    both(&["all"]);
}

#[test]
fn doctor_lists_the_plugins_whose_hooks_a_client_starts_new() {
    installed(clients::new());
}

#[test]
fn doctor_lists_the_plugins_whose_hooks_a_client_starts_old() {
    installed(clients::old());
}
