//! harness goes while sessions are open: by `uninstall`, or its program alone. Nobody is
//! locked out who uninstalls, and what goes silently open is said by doctor.

use super::clients;
use super::world::{FORBIDDEN, World, result, state};
use harness::doctor::live::client::Client;
use harness::doctor::live::script::{Call, Turn};
use std::sync::{Arc, Mutex};
use std::time::Duration;

fn bash(command: &str) -> Turn {
    Turn::call(Call::bash(command))
}

/// Uninstalls in the middle of a session, removes the program the moment that is done, as
/// a package manager would in the same line, and goes on for longer than a watcher takes.
fn leave(client: Client) {
    let world = Arc::new(World::installed(client));
    let (program, said) = (world.registered(), Arc::new(Mutex::new(String::new())));
    let (w, s) = (Arc::clone(&world), Arc::clone(&said));
    let go = move || {
        let ran = w.harness(&["uninstall", "--yes"]);
        assert!(ran.status.success(), "{ran:?}");
        *s.lock().unwrap() = String::from_utf8_lossy(&ran.stderr).into_owned();
        std::fs::remove_file(&program).unwrap();
    };
    let session = world.play(vec![
        bash(FORBIDDEN),
        bash("echo one").doing(go),
        bash("echo two").after(Duration::from_secs(1)),
        bash("echo three").after(Duration::from_secs(5)),
    ]);
    assert!(result(&session, 0).is_error && !world.has("canary"));
    for (turn, word) in [(1, "one"), (2, "two"), (3, "three")] {
        let given = result(&session, turn);
        assert!(!given.is_error && given.text == word, "locked out: {given:?}");
    }
    let said = said.lock().unwrap().clone();
    assert!(said.contains("Claude Code is open (process "), "{said}");
    let report = world.doctor();
    assert_eq!(state(&report, "gate"), "dead", "{report:#}");
}

#[test]
fn who_uninstalls_and_removes_the_program_at_once_locks_no_session_out_new() {
    leave(clients::new());
}

#[test]
fn who_uninstalls_and_removes_the_program_at_once_locks_no_session_out_old() {
    leave(clients::old());
}

/// The program alone goes, as `apt remove` does it; then a person does what README says
/// under *Locked out?* with no harness to help.
fn removed(client: Client, closes: bool) {
    let world = Arc::new(World::installed(client));
    let program = world.registered();
    let session = world.play(vec![
        bash(FORBIDDEN),
        bash("echo one").doing(move || std::fs::remove_file(&program).unwrap()),
        bash("echo two").after(Duration::from_secs(4)),
    ]);
    assert!(result(&session, 0).is_error);
    for turn in [1, 2] {
        let given = result(&session, turn);
        assert_eq!(given.is_error, closes, "{given:?}");
        assert_eq!(given.text.contains("onFailure"), closes, "{given:?}");
    }
    // Open or shut, doctor says that nothing is guarded any more.
    let report = world.doctor();
    assert_eq!(state(&report, "gate"), "dead", "{report:#}");
    assert_eq!(state(&report, "soft"), "dead", "{report:#}");
    // By hand: the entries whose command starts harness go, then the agent starts again.
    let mut settings = world.user_settings();
    settings.as_object_mut().unwrap().remove("hooks");
    std::fs::write(world.stage.user_settings(), settings.to_string()).unwrap();
    let given = result(&world.bash(&["echo free"]), 0);
    assert!(!given.is_error && given.text == "free", "{given:?}");
}

#[test]
fn a_program_that_is_removed_in_a_session_closes_it_and_the_way_out_works_new() {
    removed(clients::new(), true);
}

#[test]
fn a_program_that_is_removed_in_a_session_opens_it_and_doctor_says_so_old() {
    removed(clients::old(), false);
}

#[test]
fn a_broken_policy_is_named_in_the_denial_and_moving_it_away_is_enough() {
    let world = Arc::new(World::installed(clients::new()));
    let policy = world.stage.home.join(".config/harness/policy.toml");
    let away = policy.with_extension("away");
    let (broken, moved) = (policy.clone(), policy.clone());
    let session = world.play(vec![
        bash("touch feather")
            .doing(move || std::fs::write(&broken, "version = 1\n[[guard\n").unwrap()),
        bash("echo free").doing(move || std::fs::rename(&moved, &away).unwrap()),
        bash("rm -rf ~"),
    ]);
    let given = result(&session, 0);
    assert!(given.is_error && given.text.contains("policy.toml:2"), "{given:?}");
    assert!(!world.has("feather"));
    assert_eq!(result(&session, 1).text, "free");
    // Built-in rules go on.
    assert!(result(&session, 2).is_error, "{:?}", result(&session, 2));
}
