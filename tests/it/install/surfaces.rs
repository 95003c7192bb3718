//! Files that are unusual where they lie: links, owners, marks of the file system, size.

use super::{assert_one_each, install, parsed, settings, uninstall, world};
use crate::support::is_root;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::path::Path;
use std::process::Command;

/// Sets or clears the file system's own word against changes; false where it has none.
fn immutable(path: &Path, word: &str) -> bool {
    is_root() && Command::new("chattr").arg(word).arg(path).status().is_ok_and(|s| s.success())
}

#[test]
fn a_loop_of_links_is_said_and_kept() {
    let sandbox = world("2.1.332");
    std::fs::create_dir(sandbox.home().join(".claude")).expect("made");
    let other = sandbox.home().join(".claude/other.json");
    symlink("other.json", sandbox.user_settings()).expect("linked");
    symlink("settings.json", &other).expect("linked");
    let ran = sandbox.run(["install", "--yes"]).code(3);
    assert!(ran.stderr.contains("settings.json"), "{ran:?}");
    assert!(sandbox.user_settings().is_symlink() && other.is_symlink());
    assert!(!sandbox.home().join(".local/state/harness/manifest.json").exists());
}

#[test]
fn a_chain_through_a_read_only_store_is_followed_to_its_end() {
    let sandbox = world("2.1.332");
    let real = sandbox.write("writable/b.json", "{\"a\": 1}");
    std::fs::create_dir_all(sandbox.root().join("store")).expect("made");
    std::fs::create_dir(sandbox.home().join(".claude")).expect("made");
    let middle = sandbox.root().join("store/a.json");
    symlink(&real, &middle).expect("linked");
    symlink(&middle, sandbox.user_settings()).expect("linked");
    let mode = |mode| std::fs::Permissions::from_mode(mode);
    std::fs::set_permissions(sandbox.root().join("store"), mode(0o555)).expect("ours");
    install(&sandbox);
    assert!(sandbox.read(&real).contains("PreToolUse") && middle.is_symlink());
    uninstall(&sandbox);
    assert_eq!(sandbox.read(&real), "{\"a\": 1}");
    assert_eq!(std::fs::read_dir(sandbox.root().join("store")).expect("there").count(), 1);
    std::fs::set_permissions(sandbox.root().join("store"), mode(0o755)).expect("ours");
}

#[test]
fn another_owner_and_mode_stay() {
    if !is_root() {
        return;
    }
    let sandbox = world("2.1.332");
    let file = sandbox.write(sandbox.user_settings(), "{}");
    for (owner, group, mode) in [(1234, 4321, 0o600), (65_534, 0, 0o664), (0, 7, 0o640)] {
        chown(&file, Some(owner), Some(group)).expect("root may");
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).expect("root may");
        for command in ["install", "uninstall"] {
            sandbox.run([command, "--yes"]).ok();
            let now = std::fs::metadata(&file).expect("there");
            assert_eq!((now.uid(), now.gid(), now.mode() & 0o7777), (owner, group, mode));
        }
    }
}

#[test]
fn what_the_file_system_holds_fast_is_left_as_it_is() {
    let sandbox = world("2.1.332");
    let file = sandbox.write(sandbox.user_settings(), "{\"a\": 1}");
    let folder = sandbox.home().join(".claude");
    for held in [&file, &folder] {
        if !immutable(held, "+i") {
            return;
        }
        let ran = sandbox.run(["install", "--yes"]).go();
        assert!(immutable(held, "-i"));
        assert_eq!(ran.status.code(), Some(3), "{ran:?}");
        assert!(ran.stderr.contains(".claude") && ran.stderr.contains("not permitted"), "{ran:?}");
        assert_eq!(settings(&sandbox), b"{\"a\": 1}");
        assert_eq!(std::fs::read_dir(&folder).expect("there").count(), 1);
        assert!(!sandbox.home().join(".local/state/harness/manifest.json").exists());
    }
    install(&sandbox);
    for held in [&file, &folder] {
        assert!(immutable(held, "+i"));
        let ran = sandbox.run(["uninstall", "--yes"]).go();
        assert!(immutable(held, "-i"));
        assert_eq!(ran.status.code(), Some(3), "{ran:?}");
        // What is still registered must still answer.
        assert!(sandbox.home().join(".local/state/harness/owner").exists());
        assert_one_each(&parsed(&sandbox));
    }
    uninstall(&sandbox);
    assert_eq!(settings(&sandbox), b"{\"a\": 1}");
}

#[test]
fn ten_megabytes_on_one_line_come_back() {
    let sandbox = world("2.1.332");
    let text = format!("{{\"x\":\"{}\",\"hooks\":{{}}}}", "long, {line} ".repeat(800_000));
    sandbox.write(sandbox.user_settings(), &text);
    install(&sandbox);
    assert_one_each(&parsed(&sandbox));
    uninstall(&sandbox);
    assert!(settings(&sandbox) == text.as_bytes());
}

#[test]
fn the_folders_it_makes_are_private_whatever_the_umask() {
    for umask in ["000", "077"] {
        let sandbox = world("2.1.332");
        let script = format!("umask {umask}; exec \"$0\" install --yes");
        let binary = crate::support::binary();
        sandbox.program("/bin/sh", ["-c", &script, binary.to_str().expect("UTF-8")]).ok();
        let mode =
            |path: &str| std::fs::metadata(sandbox.home().join(path)).expect("made").mode() & 0o777;
        assert_eq!((mode(".claude"), mode(".claude/settings.json")), (0o700, 0o600), "{umask}");
        assert_eq!(mode(".local/state/harness"), 0o700, "{umask}");
    }
}
