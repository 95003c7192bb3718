//! `harness exec`: a command in the stations' own hands.

mod escapes;
mod work;

use crate::support::{Ran, Sandbox};
use serde_json::Value;
use std::path::PathBuf;

/// The backends of this system.
const BACKENDS: &[&str] = &["namespaces", "bubblewrap", "landlock"];

fn exec(sandbox: &Sandbox, options: &[&str], words: &[&str]) -> Ran {
    let args = [&["exec"], options, &["--"], words].concat();
    sandbox.run(args).env("HARNESS_HOME", home(sandbox)).go()
}

fn home(sandbox: &Sandbox) -> PathBuf {
    sandbox.root().join("h")
}

/// The receipts in the journal.
fn records(sandbox: &Sandbox, kind: &str) -> Vec<Value> {
    let log = sandbox.run(["log", "--json"]).env("HARNESS_HOME", home(sandbox)).go().stdout;
    let records = log.lines().map(|line| serde_json::from_str::<Value>(line).expect("json"));
    records.filter(|record| record["type"] == kind).collect()
}

#[test]
fn streams_arguments_and_ends_are_the_command_s_own() {
    let sandbox = Sandbox::new();
    sandbox.write("project/plain", "text\n");
    for mode in ["danger-full-access", "workspace-write", "read-only"] {
        let run = |words: &[&str]| exec(&sandbox, &["--sandbox", mode], words);
        let ran = sandbox
            .run([
                "exec",
                "--sandbox",
                mode,
                "--",
                "sh",
                "-c",
                "cat; printf '%s|' \"$@\" >&2; pwd",
                "x",
            ])
            .env("HARNESS_HOME", home(&sandbox));
        let ran = ran.stdin("in\0put\n").ok();
        let folder = sandbox.project();
        assert_eq!(ran.stdout, format!("in\0put\n{}\n", folder.display()), "{mode}");
        assert_eq!(ran.stderr, "|", "{mode}");
        let words = ["", "a b", "-x", "$HOME", "'\"\\", "line\nend", "é\u{1F600}"];
        let said = run(&[&["printf", "%s\\0"], &words[..]].concat());
        assert_eq!(said.stdout.split_terminator('\0').collect::<Vec<_>>(), words, "{mode}");
        for code in ["0", "1", "3", "42", "255"] {
            let ran = run(&["sh", "-c", &format!("exit {code}")]);
            assert_eq!(ran.status.code(), code.parse().ok(), "{mode}");
        }
        use std::os::unix::process::ExitStatusExt;
        for signal in [9, 15, 10] {
            let ran = run(&["sh", "-c", &format!("kill -{signal} $$")]);
            assert_eq!(ran.status.signal(), Some(signal), "{mode}: {ran:?}");
        }
        assert_eq!(run(&["no-such-program"]).status.code(), Some(127), "{mode}");
        assert_eq!(run(&["./plain"]).status.code(), Some(126), "{mode}");
    }
}

#[test]
fn every_station_has_its_say() {
    let sandbox = Sandbox::new();
    let policy = "version = 1\n[[guard]]\nid = \"no-x\"\ntool = \"Bash\"\nmentions = [\"xyzzy\"]\ndeny = \"not that word\"\nexamples.match = [\"echo xyzzy\"]\nexamples.pass = [\"echo\"]\n";
    sandbox.write("h/policy.toml", policy);
    let denied = exec(&sandbox, &["--sandbox", "read-only"], &["echo", "xyzzy"]);
    assert_eq!((denied.status.code(), denied.stdout.as_str()), (Some(125), ""));
    assert!(denied.stderr.contains("not that word"), "{}", denied.stderr);
    // Nobody is there to be asked.
    let asks = exec(&sandbox, &[], &["mv", ".git", "g"]);
    assert_eq!((asks.status.code(), asks.stdout.as_str()), (Some(125), ""));
    assert!(asks.stderr.contains("consent"), "{}", asks.stderr);
    exec(&sandbox, &["--sandbox", "read-only"], &["sh", "-c", "echo y; exit 3"]);
    let last = records(&sandbox, "exec/result").pop().expect("a receipt");
    assert_eq!((&last["exit"], &last["sandbox"]), (&3.into(), &"read-only".into()));
    assert!(last["wall_ms"].is_u64() && last["peak_kib"].as_u64() > Some(100), "{last}");
    assert!(last["written"].as_u64() >= Some(2), "{last}");
    assert_eq!(records(&sandbox, "tool/call").len(), 3);
    assert_eq!(records(&sandbox, "approval/decided")[0]["outcome"], "unavailable");
}

#[test]
fn p35_a_timeout_stops_the_whole_tree_and_says_so() {
    let sandbox = Sandbox::new();
    let script = "(trap '' TERM; sleep 2; echo late > late) & sleep 30; echo no";
    for mode in ["danger-full-access", "workspace-write"] {
        let started = std::time::Instant::now();
        let ran = exec(&sandbox, &["--sandbox", mode, "--timeout", "1s"], &["sh", "-c", script]);
        assert_eq!((ran.status.code(), ran.stdout.as_str()), (Some(124), ""), "{ran:?}");
        assert!(started.elapsed().as_secs() < 10, "{mode}");
        assert_eq!(records(&sandbox, "exec/result").pop().expect("one")["code"], "TOOL_TIMEOUT");
        // One that ends in time is told as what it is.
        let ran = exec(&sandbox, &["--sandbox", mode, "--timeout", "20s"], &["sh", "-c", "exit 9"]);
        assert_eq!(ran.status.code(), Some(9), "{mode}");
    }
    std::thread::sleep(std::time::Duration::from_secs(2));
    assert!(!sandbox.project().join("late").exists(), "what it started goes on");
    assert_eq!(sandbox.run(["exec", "--timeout", "0s", "--", "true"]).go().status.code(), Some(2));
}

#[test]
fn what_fails_is_tried_again_as_often_as_is_said() {
    let sandbox = Sandbox::new();
    let script = "echo x >> tries; test $(wc -l < tries) -ge 3";
    let ran =
        exec(&sandbox, &["--retry", "4", "--sandbox", "workspace-write"], &["sh", "-c", script]);
    assert_eq!(ran.status.code(), Some(0), "{ran:?}");
    assert_eq!(records(&sandbox, "exec/result")[0]["attempts"], 3);
    let ran = exec(&sandbox, &["--retry", "1"], &["sh", "-c", "echo y >> more; exit 5"]);
    assert_eq!(ran.status.code(), Some(5));
    assert_eq!(sandbox.read("project/more"), "y\ny\n");
    exec(&sandbox, &["--retry", "3"], &["no-such-program"]);
    assert_eq!(records(&sandbox, "exec/result").pop().expect("one")["attempts"], 1);
}

#[test]
fn p61_a_wider_mode_needs_a_reason_and_a_person() {
    let sandbox = Sandbox::new();
    sandbox.write("h/policy.toml", "version = 1\n[knobs]\nsandbox = \"workspace-write\"\n");
    let touch = ["touch", "made"];
    for options in [
        &["--sandbox", "danger-full-access"][..],
        &["--sandbox", "danger-full-access", "--because", "  "],
        &["--because", "a reason"],
        &["--sandbox", "workspace-write", "--because", "a reason"],
        &["--sandbox", "read-only", "--because", "a reason"],
    ] {
        let ran = exec(&sandbox, options, &touch);
        assert_eq!(ran.status.code(), Some(2), "{options:?}: {ran:?}");
    }
    assert!(records(&sandbox, "approval/asked").is_empty());
    let wide = ["--sandbox", "danger-full-access", "--because", "a reason"];
    assert_eq!(exec(&sandbox, &wide, &touch).status.code(), Some(125));
    assert_eq!(records(&sandbox, "approval/decided").len(), 1);
    assert!(!sandbox.project().join("made").exists());
    // The next one runs as before.
    assert_eq!(exec(&sandbox, &[], &touch).status.code(), Some(0));
    assert_eq!(records(&sandbox, "exec/result").pop().expect("one")["sandbox"], "workspace-write");
}

#[test]
fn p60_without_a_sandbox_nothing_runs() {
    let sandbox = Sandbox::new();
    let run = sandbox.run(["exec", "--sandbox", "read-only", "--", "touch", "made"]);
    let ran = run.env("HARNESS_HOME", home(&sandbox)).env("HARNESS_BACKEND", "seatbelt").go();
    assert_eq!(ran.status.code(), Some(125), "{ran:?}");
    assert!(ran.stderr.contains("SANDBOX_UNAVAILABLE") && ran.stderr.contains("hint: "), "{ran:?}");
    assert!(!sandbox.project().join("made").exists());
    let last = records(&sandbox, "exec/result").pop().expect("a receipt");
    assert_eq!(last["code"], "SANDBOX_UNAVAILABLE");
}

#[test]
fn without_a_network_not_even_this_machine_answers() {
    let sandbox = Sandbox::new();
    let server = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = server.local_addr().expect("bound").port().to_string();
    let script = "exec 3<>/dev/tcp/127.0.0.1/$0 && echo reached";
    for backend in ["namespaces", "bubblewrap"] {
        for (network, reached) in [("on", true), ("off", false)] {
            let args = [
                "exec",
                "--sandbox",
                "read-only",
                "--network",
                network,
                "--",
                "bash",
                "-c",
                script,
                &port,
            ];
            let ran = sandbox
                .run(args)
                .env("HARNESS_HOME", home(&sandbox))
                .env("HARNESS_BACKEND", backend)
                .go();
            if ran.stderr.contains("SANDBOX_UNAVAILABLE") {
                continue;
            }
            assert_eq!(ran.stdout.contains("reached"), reached, "{backend} {network}: {ran:?}");
        }
    }
}
