//! Where things go: config folders, one folder for everything, local and managed scope.

use super::{ALWAYS, commands, parsed, world};
use crate::support::{Sandbox, binary};
use serde_json::Value;

fn read(sandbox: &Sandbox, path: &str) -> Value {
    serde_json::from_str(&sandbox.read(path)).expect("JSON")
}

#[test]
fn the_clients_config_folder_is_honoured() {
    let sandbox = world("2.1.332");
    let alt = sandbox.root().join("alt");
    sandbox.run(["install", "--yes"]).env("CLAUDE_CONFIG_DIR", &alt).ok();
    assert_eq!(commands(&read(&sandbox, "alt/settings.json"), "PreToolUse").len(), 1);
    assert!(!sandbox.home().join(".claude").exists());
    // The manifest remembers the place, the variable need not be set again.
    sandbox.run(["uninstall", "--yes"]).ok();
    assert!(!alt.exists());
    sandbox.run(["install", "--yes"]).env("CLAUDE_CONFIG_DIR", " ").ok();
    assert!(sandbox.user_settings().exists());
    let ran = sandbox.run(["install", "--yes"]).env("CLAUDE_CONFIG_DIR", "~/x").code(2);
    assert!(ran.stderr.contains("not an absolute path"), "{}", ran.stderr);
}

#[test]
fn one_folder_for_everything_is_written_into_the_command() {
    let sandbox = world("2.1.332");
    let one = sandbox.root().join("one folder");
    sandbox.run(["install", "--yes"]).env("HARNESS_HOME", &one).ok();
    let gate = commands(&parsed(&sandbox), "PreToolUse").remove(0);
    assert!(gate.contains(&format!("\"--home\",\"{}\"", one.display())), "{gate}");
    assert!(one.join("state/manifest.json").exists());
    assert!(!sandbox.home().join(".local/state").exists());
    sandbox.run(["uninstall", "--yes"]).env("HARNESS_HOME", &one).ok();
    assert!(!sandbox.user_settings().exists());
}

#[test]
fn the_search_variables_are_read_at_install_time_only() {
    let sandbox = world("2.1.332");
    let state = sandbox.root().join("xdg");
    sandbox.run(["install", "--yes"]).env("XDG_STATE_HOME", &state).ok();
    let gate = commands(&parsed(&sandbox), "PreToolUse").remove(0);
    assert!(gate.contains(&format!("\"--state\",\"{}/harness\"", state.display())), "{gate}");
    assert!(
        gate.contains(&format!("\"--config\",\"{}/.config/harness\"", sandbox.home().display()))
    );
}

#[test]
fn local_scope_stays_in_the_repository_and_leaves_it_as_it_was() {
    let sandbox = world("2.1.332");
    std::fs::create_dir_all(sandbox.project().join("sub")).expect("made");
    let local = ["install", "--yes", "--scope", "local"];
    sandbox.run(local).cwd("project/sub").ok();
    let file = "project/.claude/settings.local.json";
    assert_eq!(commands(&read(&sandbox, file), "PreToolUse").len(), 1);
    assert!(!sandbox.user_settings().exists());
    sandbox.run(["uninstall", "--yes"]).cwd("home").ok();
    assert!(!sandbox.project().join(".claude").exists());
    let outside = Sandbox::in_temp();
    outside.stub_claude("2.1.332");
    outside.run(local).cwd("home").code(2);
}

#[test]
fn one_scope_can_go_and_the_other_stays() {
    let sandbox = world("2.1.332");
    sandbox.run(["install", "--yes"]).ok();
    sandbox.run(["install", "--yes", "--scope", "local"]).ok();
    sandbox.run(["uninstall", "--yes", "--scope", "local"]).ok();
    assert!(!sandbox.project().join(".claude").exists());
    assert_eq!(commands(&parsed(&sandbox), "PreToolUse").len(), 1);
    assert!(sandbox.home().join(".local/state/harness/owner").exists());
    sandbox.run(["status", "-q"]).ok();
}

#[test]
fn project_scope_names_no_secret_and_no_place() {
    // As nobody: this hook finds its folders by the system's word, and nobody has no home.
    let sandbox = Sandbox::in_temp();
    sandbox.stub_claude("2.1.332");
    std::fs::copy(binary(), sandbox.bin().join("harness")).expect("copied");
    let file = "project/.claude/settings.json";
    let project = |command: &str, more: &[&str]| {
        let args = [&[command, "--yes", "--scope", "project"][..], more].concat();
        sandbox.run(args).as_nobody().ok()
    };
    project("install", &[]);
    let text = sandbox.read(file);
    let root = sandbox.root().to_str().expect("UTF-8");
    assert!(!text.contains(root) && !text.contains("--owner") && !text.contains("args"), "{text}");
    let all = read(&sandbox, file);
    for event in ALWAYS {
        assert_eq!(commands(&all, event).len(), 1, "{event}");
    }
    assert_eq!(all["hooks"]["PreToolUse"][0]["hooks"][0]["onFailure"], "continue");
    // Those who lack it are told, and nothing else happens to them.
    let line = all["hooks"]["SessionStart"][0]["hooks"][0]["command"].as_str().expect("a line");
    let bare = sandbox.program("/bin/sh", ["-c", line]).env("PATH", "/nowhere").ok();
    assert!(bare.stdout.contains("not installed here"), "{bare:?}");
    project("install", &["--require"]);
    assert_eq!(read(&sandbox, file)["hooks"]["PreToolUse"][0]["hooks"][0]["onFailure"], "block");
    project("uninstall", &[]);
    assert!(!sandbox.project().join(".claude").exists());
    let args = ["install", "--yes", "--scope", "project"];
    sandbox.run(args).cwd("home").as_nobody().code(2);
}

#[test]
fn managed_scope_is_proven_for_everyone_in_the_form_of_an_old_client_too() {
    let sandbox = world("2.1.100");
    let Some(machine) = sandbox.machine() else { return };
    let file = machine.managed().join("managed-settings.d/50-harness.json");
    sandbox.run_on(&machine, ["install", "--yes", "--scope", "managed"]).ok();
    let all: Value = serde_json::from_slice(&std::fs::read(&file).expect("written")).expect("JSON");
    assert!(all["hooks"]["PreToolUse"][0]["hooks"][0].get("args").is_none());
    // What a policy of the machine's forbids to all it forbids to the proof.
    let all = "version = 1\n[[guard]]\nid = \"all\"\ntool = \"*\"\ndeny = \"nothing goes\"\n\
               examples.match = [\"ls\"]\n";
    let policy = machine.managed().with_file_name("harness").join("policy.toml");
    std::fs::create_dir_all(policy.parent().expect("a folder")).expect("made");
    std::fs::write(&policy, all).expect("ours");
    let ran = sandbox.run_on(&machine, ["install", "--yes", "--scope", "managed"]).code(1);
    assert!(ran.stderr.contains("did not prove themselves"), "{ran:?}");
    std::fs::remove_file(policy).expect("ours");
    sandbox.run_on(&machine, ["uninstall", "--yes", "--scope", "managed"]).ok();
    assert!(!file.exists());
}

#[test]
fn managed_scope_is_a_drop_in_of_our_own_that_everyone_can_read() {
    let sandbox = world("2.1.332");
    let Some(machine) = sandbox.machine() else { return };
    let ran = sandbox.run_on(&machine, ["install", "--yes", "--scope", "managed"]).ok();
    assert!(!ran.stderr.contains("can't hold"), "{ran:?}");
    let file = machine.managed().join("managed-settings.d/50-harness.json");
    let all: Value = serde_json::from_slice(&std::fs::read(&file).expect("written")).expect("JSON");
    for event in ALWAYS {
        let ours = commands(&all, event);
        assert_eq!(ours.len(), 1);
        assert!(
            ours[0].starts_with("/usr/local/bin/harness ") && !ours[0].contains("--owner"),
            "{ours:?}"
        );
    }
    use std::os::unix::fs::PermissionsExt;
    let mode = std::fs::metadata(&file).expect("there").permissions().mode();
    assert_eq!(mode & 0o777, 0o644);
    assert!(machine.bin().join("harness").is_file());
    sandbox.run_on(&machine, ["uninstall", "--yes", "--scope", "managed"]).ok();
    assert_eq!(std::fs::read_dir(machine.managed()).expect("there").count(), 0);
}

#[test]
fn a_place_that_an_ordinary_user_can_write_is_refused_for_everyone() {
    use std::os::unix::fs::{PermissionsExt, chown};
    if !crate::support::is_root() {
        return;
    }
    let sandbox = world("2.1.332");
    let Some(machine) = sandbox.machine() else { return };
    let managed = ["install", "--yes", "--scope", "managed"];
    let mode = |path: &std::path::Path, mode: u32| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("ours");
    };
    let refused = |what: &str, who: &str| {
        let ran = sandbox.run_on(&machine, managed).code(3);
        assert!(ran.stderr.contains(what) && ran.stderr.contains(who), "{what}: {ran:?}");
        assert!(ran.stderr.contains("nothing was changed"), "{ran:?}");
        // The program can go elsewhere, the settings can't.
        assert_eq!(
            ran.stderr.contains("put harness in `/usr/bin`"),
            what.contains("/bin"),
            "{ran:?}"
        );
        assert!(!machine.managed().join("managed-settings.d").exists());
        assert!(!machine.bin().join("harness").exists());
    };
    // The folder of the program, by its mode, its owner and a group that has members.
    mode(&machine.bin(), 0o777);
    refused("/usr/local/bin can be changed by", "every user");
    mode(&machine.bin(), 0o755);
    chown(machine.bin(), Some(1234), None).expect("root may");
    refused("/usr/local/bin can be changed by", "user 1234");
    chown(machine.bin(), Some(0), Some(50)).expect("root may");
    mode(&machine.bin(), 0o2775);
    let group = machine.managed().with_file_name("group");
    std::fs::write(&group, "root:x:0:\nstaff:x:50:ann\n").expect("a copy of ours");
    refused("/usr/local/bin can be changed by", "user ann, of group 50");
    // As Debian makes it: a group that nobody is in.
    std::fs::write(&group, "root:x:0:\nstaff:x:50:\n").expect("a copy of ours");
    // The folder of the settings.
    mode(&machine.managed(), 0o757);
    refused("/etc/claude-code can be changed by", "every user");
    mode(&machine.managed(), 0o755);
    let drop_ins = machine.managed().join("managed-settings.d");
    std::fs::create_dir(&drop_ins).expect("made");
    mode(&drop_ins, 0o777);
    let ran = sandbox.run_on(&machine, managed).code(3);
    assert!(ran.stderr.contains("managed-settings.d can be changed by"), "{ran:?}");
    assert!(ran.stderr.contains("chmod go-w") && !ran.stderr.contains("/usr/bin"), "{ran:?}");
    std::fs::remove_dir(&drop_ins).expect("empty");
    sandbox.run_on(&machine, managed).ok();
    sandbox.run_on(&machine, ["uninstall", "--yes", "--scope", "managed"]).ok();
    // A program that others can't start would lock all of them out.
    std::fs::copy(binary(), machine.bin().join("harness")).expect("copied");
    mode(&machine.bin().join("harness"), 0o700);
    let (program, args) = machine.wrap("/usr/local/bin/harness", managed);
    let ran = sandbox.program(program, args).code(1);
    assert!(ran.stderr.contains("shut to other users"), "{ran:?}");
    assert!(!machine.managed().join("managed-settings.d/50-harness.json").exists());
}
