//! Killed at any point, an install or uninstall can be run again to its end.

#![cfg(feature = "faults")]

use super::{assert_one_each, install, parsed, settings, uninstall, world};
use crate::support::Sandbox;
use std::path::PathBuf;

const TEXT: &[u8] = b"{ \"model\":\"m\" , \"hooks\" : { } }";

const NOTHING: [PathBuf; 0] = [];

/// Every place at which an install is stopped, and whether the settings are written by then.
const INSTALL: &[(&str, bool)] = &[
    ("program-temp", false),
    ("install-program", false),
    ("own-temp", false),
    ("install-owner", false),
    ("install-manifest", false),
    ("install-backup", false),
    ("replace-temp", false),
    ("replace-swapped", true),
    ("install-settings", true),
];

/// Temporary files of ours, wherever they may be.
fn temporary(sandbox: &Sandbox) -> Vec<PathBuf> {
    let folders = [".claude", ".local/bin", ".local/state/harness", ".local/state/harness/backups"];
    let folders = folders.map(|f| std::fs::read_dir(sandbox.home().join(f)));
    let all = folders.into_iter().flatten().flatten().flatten().map(|e| e.path());
    all.filter(|p| p.to_string_lossy().contains(".harness-")).collect()
}

fn kill(sandbox: &Sandbox, command: &str, point: &str) {
    let killed = sandbox.run([command, "--yes"]).env("HARNESS_FAULT", format!("{point}:kill")).go();
    assert_eq!(killed.status.code(), None, "{point}: {killed:?}");
}

#[test]
fn a_killed_install_is_repaired_by_the_next() {
    for (point, written) in INSTALL {
        let sandbox = world("2.1.332");
        sandbox.write(sandbox.user_settings(), TEXT);
        kill(&sandbox, "install", point);
        if !written {
            assert_eq!(settings(&sandbox), TEXT, "{point}");
        }
        let left = temporary(&sandbox);
        assert_eq!(
            left.is_empty(),
            !point.contains("temp") && !point.contains("swapped"),
            "{point}"
        );
        let ran = sandbox.run(["install", "--yes"]).ok();
        assert_one_each(&parsed(&sandbox));
        assert_eq!(
            ran.stderr.matches("left by a run that was stopped").count(),
            left.len(),
            "{ran:?}"
        );
        assert_eq!(temporary(&sandbox), NOTHING, "{point}");
        uninstall(&sandbox);
        assert_eq!(settings(&sandbox), TEXT, "{point}");
    }
}

#[test]
fn a_killed_install_is_taken_back_by_an_uninstall() {
    for (point, _) in INSTALL.iter().filter(|(point, _)| *point != "replace-swapped") {
        // Where there was no file there is none again, and no folder either.
        let sandbox = world("2.1.332");
        kill(&sandbox, "install", point);
        uninstall(&sandbox);
        assert!(!sandbox.home().join(".claude").exists(), "{point}");
        assert!(!sandbox.home().join(".local/state/harness/owner").exists(), "{point}");
        assert_eq!(temporary(&sandbox), NOTHING, "{point}");
        sandbox.run(["status"]).code(1);
    }
}

#[test]
fn what_half_a_write_left_of_our_own_files_holds_nothing_up() {
    let sandbox = world("2.1.332");
    // Without the manifest nobody knows of empty objects that were there.
    let text = b"{ \"model\":\"m\" }";
    sandbox.write(sandbox.user_settings(), text);
    install(&sandbox);
    let state = ".local/state/harness";
    for (file, half) in [
        ("manifest.json", "{\"schema\": 1, \"vers"),
        ("manifest.json", ""),
        ("owner", "0123"),
        ("retired", "\0\0\0"),
        ("consent.json", "{"),
        ("live.json", "["),
        ("install.lock", "somebody"),
    ] {
        let place = format!("home/{state}/{file}");
        sandbox.write(&place, half);
        let ran = sandbox.run(["install", "--yes"]).ok();
        if file == "manifest.json" {
            assert!(ran.stderr.contains("the manifest was unreadable"), "{ran:?}");
        }
        assert_one_each(&parsed(&sandbox));
        sandbox.run(["status", "-q"]).ok();
        sandbox.write(&place, half);
        uninstall(&sandbox);
        assert_eq!(settings(&sandbox), text, "{file}");
        install(&sandbox);
    }
}

#[test]
fn a_killed_uninstall_is_finished_by_the_next() {
    for point in [
        "own-temp",
        "install-consent",
        "replace-temp",
        "replace-swapped",
        "install-entries-out",
        "install-retired",
    ] {
        let sandbox = world("2.1.332");
        sandbox.write(sandbox.user_settings(), TEXT);
        install(&sandbox);
        kill(&sandbox, "uninstall", point);
        uninstall(&sandbox);
        assert_eq!(settings(&sandbox), TEXT, "{point}");
        assert_eq!(temporary(&sandbox), NOTHING, "{point}");
        assert!(!sandbox.home().join(".local/state/harness/owner").exists(), "{point}");
    }
}

#[test]
fn what_another_program_wrote_just_before_the_kill_is_in_the_backups() {
    let sandbox = world("2.1.332");
    sandbox.write(sandbox.user_settings(), TEXT);
    kill(&sandbox, "install", "replace-swapped");
    let left = temporary(&sandbox);
    std::fs::write(&left[0], "{\"theirs\": true}").expect("it is there");
    install(&sandbox);
    let folder = std::fs::read_dir(sandbox.home().join(".local/state/harness/backups"));
    let mut copies = folder.expect("made").flatten().map(|e| std::fs::read(e.path()));
    assert!(copies.any(|c| c.is_ok_and(|c| c == b"{\"theirs\": true}")));
}
