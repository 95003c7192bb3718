//! Killed at any point, an install or uninstall can be run again to its end.

#![cfg(feature = "faults")]

use super::{assert_one_each, install, parsed, settings, uninstall, world};

const TEXT: &[u8] = b"{ \"model\":\"m\" , \"hooks\" : { } }";

#[test]
fn a_killed_install_is_repaired_by_the_next() {
    for point in ["program", "owner", "manifest", "backup", "settings"] {
        let sandbox = world("2.1.332");
        sandbox.write(sandbox.user_settings(), TEXT);
        let killed = sandbox.run(["install", "--yes"]);
        let killed = killed.env("HARNESS_FAULT", format!("install-{point}:kill")).go();
        assert_eq!(killed.status.code(), None, "{point}: {killed:?}");
        if point != "settings" {
            assert_eq!(settings(&sandbox), TEXT, "{point}");
        }
        install(&sandbox);
        assert_one_each(&parsed(&sandbox));
        uninstall(&sandbox);
        assert_eq!(settings(&sandbox), TEXT, "{point}");
    }
}

#[test]
fn a_killed_uninstall_is_finished_by_the_next() {
    for point in ["consent", "entries-out", "retired"] {
        let sandbox = world("2.1.332");
        sandbox.write(sandbox.user_settings(), TEXT);
        install(&sandbox);
        let killed = sandbox.run(["uninstall", "--yes"]);
        let killed = killed.env("HARNESS_FAULT", format!("install-{point}:kill")).go();
        assert_eq!(killed.status.code(), None, "{point}: {killed:?}");
        uninstall(&sandbox);
        assert_eq!(settings(&sandbox), TEXT, "{point}");
        assert!(!sandbox.home().join(".local/state/harness/owner").exists(), "{point}");
    }
}
