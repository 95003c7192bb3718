//! `harness demo`: all of it happens, and nothing is left.

use crate::support::Sandbox;

#[test]
fn a_call_is_denied_both_channels_live_and_nothing_is_left() {
    let sandbox = Sandbox::new();
    let temp = sandbox.root().join("임시 폴더");
    std::fs::create_dir(&temp).expect("it is new");
    let ran = sandbox.run(["demo"]).env("TMPDIR", &temp).ok();
    for said in [
        "DENIED: ",
        "ls -la       runs",
        "gate         alive",
        "soft         alive",
        "byte for byte",
    ] {
        assert!(ran.stdout.contains(said), "{said}\n{}", ran.stdout);
    }
    assert!(ran.stdout.contains("built-in host"), "{}", ran.stdout);
    assert_eq!(std::fs::read_dir(&temp).expect("it is there").count(), 0);
    assert_eq!(std::fs::read_dir(sandbox.home()).expect("it is there").count(), 0);
}

#[test]
fn nobody_without_a_home_can_see_it_too() {
    let sandbox = Sandbox::in_temp();
    let temp = sandbox.home();
    sandbox.run(["demo"]).env("TMPDIR", &temp).env("HOME", "").as_nobody().ok();
    assert_eq!(std::fs::read_dir(&temp).expect("it is there").count(), 0);
}

#[test]
fn where_nothing_can_be_written_it_says_so() {
    let sandbox = Sandbox::new();
    let ran = sandbox.run(["demo"]).env("TMPDIR", "/nowhere/at/all").code(3);
    assert!(ran.stderr.contains("TMPDIR"), "{}", ran.stderr);
}
