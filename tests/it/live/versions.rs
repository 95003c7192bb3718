//! One home, two versions of the client: what one reads that was written for the other.

use super::clients;
use super::world::{FORBIDDEN, REASON, World, result, state};

/// The gate denies what it must and nothing else.
fn guarded(world: &World) {
    let session = world.bash(&[FORBIDDEN, "echo free"]);
    let given = result(&session, 0);
    assert!(given.is_error && given.text.contains(REASON), "{given:?}");
    assert!(!world.has("canary"));
    let given = result(&session, 1);
    assert!(!given.is_error && given.text == "free", "{given:?}");
}

#[test]
fn what_was_written_for_the_old_client_guards_the_new_one() {
    let world = World::installed(clients::old()).with(clients::new());
    guarded(&world);
    assert_eq!(state(&world.doctor(), "gate"), "alive");
    // Written anew it closes on failure too, which only the new one can.
    world.must(&["install", "--yes"]);
    assert_eq!(world.handler("PreToolUse")["onFailure"], "block");
    guarded(&world);
}

#[test]
fn what_was_written_for_the_new_client_stops_the_old_one_in_words_until_install() {
    let world = World::installed(clients::new()).with(clients::old());
    // It starts our program without its arguments: no prompt gets through, no call runs.
    let session = world.bash(&[FORBIDDEN, "echo free"]);
    assert!(session.result(0, 0).is_none_or(|r| r.is_error), "{session:?}");
    assert!(!world.has("canary"));
    let told = format!("{}{}", session.ended.stdout, session.ended.stderr);
    assert!(told.contains("harness install"), "{told}");
    let report = world.doctor();
    assert_eq!(state(&report, "gate"), "dead", "{report:#}");
    assert!(report.to_string().contains("entries-outdated"), "{report:#}");
    world.must(&["install", "--yes"]);
    guarded(&world);
    assert_eq!(state(&world.doctor(), "gate"), "alive");
    guarded(&world.with(clients::new()));
}

#[test]
fn what_was_written_where_both_are_guards_both_and_closes_where_it_can() {
    let world = World::bare(clients::new()).beside(&clients::old());
    world.must(&["install", "--yes"]);
    let gate = world.handler("PreToolUse");
    assert!(gate.get("args").is_none(), "{gate}");
    guarded(&world);
    let program = world.registered();
    let world = world.with(clients::old());
    guarded(&world);
    std::fs::remove_file(program).unwrap();
    let session = world.with(clients::new()).bash(&["echo free"]);
    let given = result(&session, 0);
    assert!(given.is_error && given.text.contains("onFailure"), "{given:?}");
}
