//! A hook that is gone or dies: what each version makes of it, and that doctor says so.

use super::clients;
use super::world::{FORBIDDEN, World, result, state};

#[test]
fn a_deleted_binary_stops_every_call_of_the_new_client() {
    let world = World::installed(clients::new());
    std::fs::remove_file(world.registered()).unwrap();
    let session = world.bash(&[FORBIDDEN, "echo hello"]);
    assert!(!world.has("canary"));
    for turn in [0, 1] {
        let given = result(&session, turn);
        assert!(given.is_error && given.text.contains("onFailure"), "{given:?}");
    }
    let report = world.doctor();
    assert_eq!(state(&report, "gate"), "dead", "{report:#}");
}

#[test]
fn a_deleted_binary_opens_the_gate_of_the_old_client_and_doctor_says_so() {
    let world = World::installed(clients::old());
    std::fs::remove_file(world.registered()).unwrap();
    world.bash(&[FORBIDDEN]);
    assert!(world.has("canary"), "the host changed, update what we say");
    let report = world.doctor();
    assert_eq!(state(&report, "gate"), "dead", "{report:#}");
}

#[test]
fn a_hook_killed_in_a_call_stops_the_call_of_the_new_client() {
    let world = World::installed(clients::new());
    let session = world.bash(&["touch feather # end-the-hook"]);
    let given = result(&session, 0);
    assert!(given.is_error && given.text.contains("onFailure"), "{given:?}");
    assert!(!world.has("feather"));
}

#[test]
fn a_hook_killed_in_a_call_opens_the_call_of_the_old_client() {
    let world = World::installed(clients::old());
    let session = world.bash(&["touch feather # end-the-hook"]);
    assert!(world.has("feather"), "the host changed: {:?}", result(&session, 0));
}
