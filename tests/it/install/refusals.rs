//! What is in the way is said, and nothing changes.

use super::{install, settings, world};
use crate::support::{Sandbox, is_root};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

fn mode(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("ours");
}

#[test]
fn texts_that_the_client_would_drop_are_left_alone() {
    let sandbox = world("2.1.332");
    let cases: &[(&[u8], &str)] = &[
        (b"{\n  // mine\n}", ":2:3: a comment"),
        (b"{\"a\":1,}", ":1:7: a comma before"),
        (b"{\"a\":", ":1:6: the text ends too early"),
        (b"[]", ":1:1: the settings must be an object"),
        (b"{\n\"hooks\": null}", ":2:10: `hooks` must be an object"),
        (b"{\"hooks\":[]}", ":1:10: `hooks` must be an object"),
        (b"{\"hooks\":{\"PreToolUse\":{}}}", ":1:24: `hooks.PreToolUse` must be an array"),
        (b"{\"hooks\":{},\"hooks\":{}}", ":1:13: `hooks` is here a second time"),
        (b"\xff\xfe{\0}\0", ":1:1: this is UTF-16"),
        (b"{\"a\":\"\xe9\"}", ":1:7: a byte that is not UTF-8"),
        (
            b"{\"hooks\":{\"PreToolUse\":[{\"hooks\":[{\"type\":\"command\",\"command\":\"x\",\"timeout\":\"5\"}]}]}}",
            "`hooks.PreToolUse[0].hooks[0].timeout`: `timeout` must be a number",
        ),
    ];
    for (text, told) in cases {
        sandbox.write(sandbox.user_settings(), text);
        let ran = sandbox.run(["install", "--yes"]).code(3);
        assert!(ran.stderr.contains(told), "{told}\n{}", ran.stderr);
        assert!(ran.stderr.contains("hint: nothing was changed"), "{}", ran.stderr);
        assert_eq!(settings(&sandbox), *text);
    }
    assert!(!sandbox.home().join(".local/state/harness/manifest.json").exists());
}

#[test]
fn an_uninstall_from_a_broken_file_says_where_and_keeps_the_memory() {
    let sandbox = world("2.1.332");
    install(&sandbox);
    let broken = sandbox.read(sandbox.user_settings()).replacen('{', "{ /* x */", 1);
    sandbox.write(sandbox.user_settings(), &broken);
    let ran = sandbox.run(["uninstall", "--yes"]).code(3);
    assert!(ran.stderr.contains(":1:3: a comment"), "{}", ran.stderr);
    assert_eq!(sandbox.read(sandbox.user_settings()), broken);
    assert!(sandbox.home().join(".local/state/harness/owner").exists());
    sandbox.write(sandbox.user_settings(), broken.replacen(" /* x */", "", 1));
    sandbox.run(["uninstall", "--yes"]).ok();
    assert!(!sandbox.user_settings().exists());
}

#[test]
fn links_are_followed_and_kept() {
    let sandbox = world("2.1.332");
    let real = sandbox.write("dotfiles/claude.json", "{\"a\": 1}");
    std::fs::create_dir(sandbox.home().join(".claude")).expect("made");
    let middle = sandbox.root().join("middle.json");
    symlink("dotfiles/claude.json", &middle).expect("linked");
    symlink(&middle, sandbox.user_settings()).expect("linked");
    mode(&real, 0o640);
    let ran = sandbox.run(["install", "--yes"]).ok();
    assert!(ran.stderr.contains("is a link"), "{}", ran.stderr);
    assert!(sandbox.user_settings().is_symlink() && middle.is_symlink());
    assert!(sandbox.read(&real).contains("PreToolUse"));
    assert_eq!(std::fs::metadata(&real).expect("there").permissions().mode() & 0o777, 0o640);
    sandbox.run(["uninstall", "--yes"]).ok();
    assert_eq!(sandbox.read(&real), "{\"a\": 1}");
    assert!(sandbox.user_settings().is_symlink());
}

#[test]
fn a_dangling_link_and_a_folder_are_said() {
    let sandbox = world("2.1.332");
    std::fs::create_dir(sandbox.home().join(".claude")).expect("made");
    symlink("nowhere", sandbox.user_settings()).expect("linked");
    let ran = sandbox.run(["install", "--yes"]).code(3);
    assert!(ran.stderr.contains("it is a link to `nowhere`"), "{}", ran.stderr);
    assert!(sandbox.user_settings().is_symlink());
    std::fs::remove_file(sandbox.user_settings()).expect("ours");
    std::fs::create_dir(sandbox.user_settings()).expect("made");
    let ran = sandbox.run(["install", "--yes"]).code(3);
    assert!(ran.stderr.contains("it is a folder"), "{}", ran.stderr);
    // The folder itself, or one above it.
    for (link, folder) in [(".claude", ".claude"), ("dots", "dots/claude")] {
        let sandbox = world("2.1.332");
        symlink("not-mounted", sandbox.home().join(link)).expect("linked");
        let run = sandbox.run(["install", "--yes"]);
        let ran = run.env("CLAUDE_CONFIG_DIR", sandbox.home().join(folder)).code(3);
        assert!(ran.stderr.contains(&format!("/{link}: it is a link to `not-mounted`")), "{ran:?}");
        assert!(ran.stderr.contains("make that folder"), "{ran:?}");
        assert!(sandbox.home().join(link).is_symlink());
    }
}

#[test]
fn read_only_is_a_wish_and_respected() {
    let sandbox = Sandbox::in_temp();
    sandbox.stub_claude("2.1.332");
    let file = sandbox.write(sandbox.user_settings(), "{}");
    mode(&file, 0o444);
    let ran = sandbox.run(["install", "--yes"]).as_nobody().code(3);
    assert!(ran.stderr.contains("it is read-only (mode 0444"), "{}", ran.stderr);
    mode(&file, 0o000);
    let ran = sandbox.run(["install", "--yes"]).as_nobody().code(3);
    assert!(ran.stderr.contains("cannot read"), "{}", ran.stderr);
    mode(&file, 0o644);
    let folder = sandbox.home().join(".claude");
    mode(&folder, 0o555);
    let ran = sandbox.run(["install", "--yes"]).as_nobody().code(3);
    assert!(ran.stderr.contains("the folder is read-only"), "{}", ran.stderr);
    mode(&folder, 0o755);
    assert_eq!(settings(&sandbox), b"{}");
    assert_eq!(std::fs::read_dir(&folder).expect("there").count(), 1);
    assert!(!sandbox.home().join(".local/state/harness/manifest.json").exists());
    sandbox.run(["install", "--yes"]).as_nobody().ok();
}

#[test]
fn a_full_disk_loses_nothing() {
    if !is_root() {
        return;
    }
    let sandbox = world("2.1.332");
    let script = "mount -t tmpfs -o size=8k none \"$HOME/.claude\" || exit 77\n\
                  printf '{\"model\":\"m\"}' > \"$HOME/.claude/settings.json\"\n\
                  head -c 100000 /dev/zero > \"$HOME/.claude/fill\" 2>/dev/null\n\
                  \"$@\"; echo \"rc $?\"; ls -A \"$HOME/.claude\"; cat \"$HOME/.claude/settings.json\"\n";
    std::fs::create_dir(sandbox.home().join(".claude")).expect("made");
    let binary = crate::support::binary();
    let args =
        ["-m", "sh", "-c", script, "sh", binary.to_str().expect("UTF-8"), "install", "--yes"];
    let ran = sandbox.program("/usr/bin/unshare", args).go();
    if ran.status.code() == Some(77) || !ran.status.success() {
        // No mounts in this sandbox of a machine.
        return;
    }
    assert!(ran.stdout.contains("rc 3"), "{ran:?}");
    assert!(ran.stdout.ends_with("fill\nsettings.json\n{\"model\":\"m\"}"), "{ran:?}");
    assert!(ran.stderr.contains("free some space"), "{ran:?}");
}

#[test]
fn a_broken_policy_is_mended_first() {
    let sandbox = world("2.1.332");
    sandbox.write(sandbox.user_policy(), "version = 1\n\n[[guard]\n");
    let ran = sandbox.run(["install", "--yes"]).code(3);
    assert!(
        ran.stderr.contains("policy.toml:3:") && ran.stderr.contains("policy check"),
        "{ran:?}"
    );
    assert!(!sandbox.user_settings().exists());
}

#[test]
fn an_agent_cannot_take_its_guard_off() {
    let sandbox = world("2.1.332");
    install(&sandbox);
    let ran = sandbox.run(["uninstall", "--yes"]).env("CLAUDECODE", "1").code(2);
    assert!(ran.stderr.contains("a person's to give"), "{}", ran.stderr);
    sandbox.run(["status", "-q"]).ok();
}

#[test]
fn nobody_is_asked_where_nobody_can_answer() {
    let sandbox = world("2.1.332");
    for command in ["install", "uninstall"] {
        let ran = sandbox.run([command]).code(2);
        assert!(ran.stderr.contains("refusing to change settings without confirmation"));
        assert!(ran.stderr.contains("hint: pass `--yes`"), "{}", ran.stderr);
    }
    assert!(!sandbox.user_settings().exists());
    sandbox.run(["install", "--yes", "--host", "emacs"]).code(2);
    sandbox.run(["install", "--yes", "--scope", "galaxy"]).code(2);
    sandbox.run(["install", "--yes", "--require"]).code(2);
}
