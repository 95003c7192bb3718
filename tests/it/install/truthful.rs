//! What install says is what the client will find: switches, homes, what could not be taken
//! back, what a file has beside its bytes.

use super::{assert_one_each, install, parsed, state, world};
use crate::support::Sandbox;

#[test]
fn hooks_that_a_setting_keeps_off_are_never_called_proven() {
    let off = "{\n  \"disableAllHooks\": true\n}\n";
    for file in [".claude/settings.json", "../project/.claude/settings.json"] {
        let sandbox = world("2.1.332");
        sandbox.write(sandbox.home().join(file), off);
        let ran = sandbox.run(["install", "--dry-run"]).code(1);
        assert!(ran.stderr.contains("settings.json:2 keeps the client from"), "{ran:?}");
        let ran = sandbox.run(["install", "--yes"]).code(1);
        assert!(ran.stdout.contains("`disableAllHooks` at "), "{ran:?}");
        assert!(ran.stdout.contains("settings.json:2 keeps the client from"), "{ran:?}");
        assert!(!ran.stdout.contains("proven"), "{ran:?}");
        let json = sandbox.run(["install", "--yes", "--json"]).code(1).json();
        assert_eq!(json["hosts"][0]["proven"], false);
        assert_eq!(json["hosts"][0]["off_switches"][0]["name"], "disableAllHooks");
        sandbox.run(["status", "-q"]).code(1);
        // They are in all the same: whoever takes the switch out is guarded.
        assert_one_each(&parsed(&sandbox));
        let mended = sandbox.read(sandbox.home().join(file)).replace("true", "false");
        sandbox.write(sandbox.home().join(file), mended);
        let json = sandbox.run(["install", "--yes", "--json"]).ok().json();
        assert_eq!(json["hosts"][0]["proven"], true);
        assert_eq!(json["hosts"][0]["off_switches"], serde_json::json!([]));
    }
    let sandbox = world("2.1.332");
    let ran = sandbox.run(["install", "--yes"]).env("CLAUDE_CODE_SIMPLE", "1").code(1);
    assert!(ran.stdout.contains("`CLAUDE_CODE_SIMPLE` keeps"), "{ran:?}");
}

#[test]
fn a_relative_home_is_refused_and_nobody_elses_settings_are_touched() {
    let sandbox = Sandbox::in_temp();
    for command in [&["install", "--yes"][..], &["uninstall", "--yes"], &["status"]] {
        // Should the refusal ever be lost: the user database names a home of `nobody` that
        // can't be made, where it names a real one of whoever runs the tests.
        let ran = sandbox.run(command).env("HOME", "elsewhere").as_nobody().code(2);
        assert!(ran.stderr.contains("`HOME` is `elsewhere`"), "{ran:?}");
    }
    assert!(!sandbox.home().join(".claude").exists());
}

#[cfg(feature = "faults")]
#[test]
fn what_could_not_be_taken_back_is_said() {
    let sandbox = world("2.1.332");
    sandbox.write(sandbox.user_settings(), "{\"model\":\"m\"}");
    // Where everything is denied the proof fails.
    let all = "version = 1\n[[guard]]\nid = \"all\"\ntool = \"*\"\ndeny = \"nothing goes\"\n\
               examples.match = [\"ls\"]\n";
    sandbox.write(sandbox.user_policy(), all);
    let ran =
        sandbox.run(["install", "--yes"]).env("HARNESS_FAULT", "install-take-back:error").code(3);
    assert!(ran.stderr.contains("could not be put back and may hold the hooks"), "{ran:?}");
    assert!(ran.stderr.contains("the old text is in /"), "{ran:?}");
    assert!(!ran.stderr.contains("another program"), "{ran:?}");
    assert_ne!(super::settings(&sandbox), b"{\"model\":\"m\"}");
    super::uninstall(&sandbox);
    assert_eq!(super::settings(&sandbox), b"{\"model\":\"m\"}");
}

#[test]
fn doctor_repairs_what_the_entries_stand_on() {
    type Harm = fn(&Sandbox);
    let harms: [Harm; 4] = [
        |s| std::fs::remove_file(state(s).join("manifest.json")).expect("there"),
        |s| std::fs::write(state(s).join("manifest.json"), "{").expect("written"),
        |s| std::fs::remove_file(state(s).join("owner")).expect("there"),
        |s| std::fs::remove_dir_all(state(s)).expect("there"),
    ];
    for (n, harm) in harms.into_iter().enumerate() {
        let sandbox = world("2.1.332");
        install(&sandbox);
        harm(&sandbox);
        let ran = sandbox.run(["doctor", "--fix", "--yes"]).ok();
        assert!(!ran.stderr.contains("nothing to repair"), "{n}: {ran:?}");
        assert!(ran.stdout.contains("gate (a denial stops the call): alive"), "{n}: {ran:?}");
        assert_one_each(&parsed(&sandbox));
        let ran = sandbox.run(["doctor", "--fix", "--yes"]).ok();
        assert!(ran.stderr.contains("nothing to repair"), "{n}: {ran:?}");
        sandbox.run(["status", "-q"]).ok();
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_for_a_lock_is_an_error_and_no_wait() {
    let sandbox = world("2.1.332");
    install(&sandbox);
    let lock = state(&sandbox).join("install.lock");
    std::fs::remove_file(&lock).expect("there");
    let made = std::process::Command::new("mkfifo").arg(&lock).status().expect("it starts");
    assert!(made.success());
    for command in ["install", "uninstall"] {
        let ran = sandbox.run([command, "--yes"]).code(3);
        assert!(ran.stderr.contains("install.lock: the lock must be a regular file"), "{ran:?}");
    }
}
