//! What people's commands print gets to its reader, or the exit code says that it didn't.

use crate::support::{Ran, Sandbox, World, binary};
use serde_json::json;
use std::path::Path;

/// Runs a command with this behind it, in a shell.
fn piped(sandbox: &Sandbox, words: &[&str], behind: &str) -> Ran {
    let script = format!("\"$0\" \"$@\" {behind}");
    let program = binary();
    let args = [Path::new("-c"), Path::new(&script), &program];
    let args = args.into_iter().chain(words.iter().map(Path::new));
    sandbox.program("/bin/bash", args).go()
}

#[test]
fn output_that_is_lost_is_an_error_of_every_command() {
    let sandbox = Sandbox::new();
    sandbox.stub_claude("2.1.332");
    assert_eq!(piped(&sandbox, &["install", "--yes"], "").status.code(), Some(0));
    for words in [
        &["status"][..],
        &["status", "--json"],
        &["doctor", "--json"],
        &["doctor"],
        &["explain", "ls"],
        &["explain", "--json", "--exit-code", "ls"],
        &["policy", "check"],
        &["policy", "show"],
        &["knob", "--json"],
        &["preset"],
        &["log", "--probes"],
        &["completions", "bash"],
        &["install", "--json", "--yes"],
        &["console", "--plain"],
        &["--help"],
        &["--version"],
    ] {
        let ran = piped(&sandbox, words, ">/dev/full");
        assert_eq!(ran.status.code(), Some(3), "{words:?}: {ran:?}");
        assert!(
            ran.stderr.contains("error: standard output can't be written"),
            "{words:?}: {ran:?}"
        );
    }
    // Nothing to print, nothing to lose.
    assert_eq!(piped(&sandbox, &["status", "--quiet"], ">/dev/full").status.code(), Some(0));
}

#[test]
fn whoever_reads_no_further_has_lost_nothing() {
    let sandbox = Sandbox::new();
    for words in [&["policy", "show"][..], &["--help"], &["completions", "bash"]] {
        let ran = piped(&sandbox, words, "| head -n 1; exit ${PIPESTATUS[0]}");
        assert_eq!((ran.status.code(), ran.stderr.as_str()), (Some(0), ""), "{words:?}");
        assert_eq!(ran.stdout.lines().count(), 1, "{words:?}");
    }
}

#[test]
fn a_log_can_be_cut_to_its_last_records() {
    let world = World::new();
    world.begin();
    for n in 0..5 {
        world.bash(&format!("echo {n}"));
    }
    let shown = |args: &[&str]| {
        let mut all = vec!["log"];
        all.extend(args);
        let ran = world.cli(&all);
        assert_eq!(ran.status.code(), Some(0), "{ran:?}");
        ran.stdout.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let whole = shown(&[]);
    assert!(whole.len() > 5, "{whole:?}");
    assert_eq!(shown(&["-n", "2"]), whole[whole.len() - 2..]);
    assert!(whole[whole.len() - 1].contains("echo 4"));
    assert_eq!(shown(&["--lines", "99"]), whole);
    assert!(shown(&["-n", "0"]).is_empty());
    let json = shown(&["--json", "-n", "1"]);
    assert!(json.len() == 1 && json[0].contains("echo 4"), "{json:?}");
    assert_eq!(world.cli(&["log", "-n", "few"]).status.code(), Some(2));
}

#[test]
fn a_session_that_the_log_does_not_know_is_said_to_be_unknown() {
    let world = World::new();
    world.begin();
    world.verdict("Bash", &json!({"command": "ls"}));
    for args in [&["log", "--session", "zz"][..], &["log", "--session", "zz", "--json"]] {
        let ran = world.cli(args);
        assert_eq!((ran.status.code(), ran.stdout.as_str()), (Some(1), ""), "{args:?}");
        assert!(ran.stderr.contains("no record") && ran.stderr.contains("`zz`"), "{ran:?}");
    }
    let ran = world.cli(&["log", "--session", "4f6a"]);
    assert_eq!((ran.status.code(), ran.stderr.as_str()), (Some(0), ""), "{ran:?}");
    assert!(ran.stdout.contains("Bash"), "{ran:?}");
}
