//! Odd outputs, inputs and homes.

use super::{World, silent};
use crate::support::{Ran, Sandbox, binary, pre_tool_use};
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

/// Starts the hook through a shell that first does `before`, so that descriptors and
/// folders are as odd as the shell can make them.
fn through_shell(world: &World, before: &str, after: &str, payload: &str) -> Ran {
    let script = format!("{before} \"$0\" hook claude-code PreToolUse --home \"$1\" {after}");
    let (program, root) = (binary(), world.root());
    let args = [Path::new("-c"), Path::new(&script), &program, &root];
    world.sandbox.program("/bin/sh", args).stdin(payload).go()
}

#[test]
fn a_denial_survives_closed_and_full_outputs() {
    let world = World::new();
    let deny = pre_tool_use(&world.sandbox.project(), "Frobnicate", &json!({}));
    for after in [">&-", "2>&-", ">&- 2>&-", ">/dev/full", "2>/dev/full", ">/dev/full 2>&1"] {
        let ran = through_shell(&world, "", after, &deny);
        assert_eq!(ran.status.code(), Some(2), "{after}: {ran:?}");
    }
    let ran = through_shell(&world, "", ">/dev/full", &deny);
    assert!(ran.stderr.contains("harness/unknown-tool"));
    let broken = "{ sleep 0.3;";
    let ran = through_shell(&world, broken, "; echo $? >&2; } | true", &deny);
    assert!(ran.stderr.ends_with("\n2\n"), "{ran:?}");
    silent(&through_shell(&world, "", ">&- 2>&-", &world.bash("ls")));
}

#[test]
fn closed_input_denies() {
    let world = World::new();
    let ran = through_shell(&world, "", "<&-", "");
    assert!(ran.denied().is_some_and(|reason| reason.contains("no payload")), "{ran:?}");
}

#[test]
fn an_ask_that_cannot_be_written_is_a_denial() {
    let world = World::new();
    let ask = pre_tool_use(&world.sandbox.project(), "Frobnicate", &json!({}));
    let ran =
        through_shell(&world, "CLAUDE_CODE_ENTRYPOINT=cli", "--client 2.1.332 >/dev/full", &ask);
    assert_eq!(ran.status.code(), Some(2), "{ran:?}");
    assert!(ran.stderr.contains("harness/output"));
}

/// Runs the hook with a pipe as standard output that takes no byte more and that nobody
/// reads.
fn into_a_full_pipe(world: &World, more: &[(&str, &str)], payload: &str) -> (Ran, Duration) {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    // A pipe holds 64 KiB, or less where the user has too many.
    let filler = std::thread::spawn({
        let mut writer = writer.try_clone().expect("a handle");
        move || writer.write_all(&[b'x'; 1 << 20])
    });
    std::thread::sleep(Duration::from_millis(200));
    let mut command = std::process::Command::new(binary());
    command.args(["hook", "claude-code", "PreToolUse", "--client", "2.1.332", "--home"]);
    command.arg(world.root()).current_dir(world.sandbox.project()).env_clear();
    command.env("HOME", world.sandbox.home()).env("PATH", "/usr/bin:/bin");
    command.env("HARNESS_DEADLINE_MS", "600").envs(more.iter().copied());
    command.stdin(Stdio::piped()).stdout(writer);
    let begun = Instant::now();
    let mut child = command.stderr(Stdio::piped()).spawn().expect("started");
    let mut stdin = child.stdin.take().expect("piped");
    stdin.write_all(payload.as_bytes()).expect("read");
    let ended = child.wait_with_output().expect("ours");
    let took = begun.elapsed();
    let stderr = String::from_utf8_lossy(&ended.stderr).into_owned();
    drop(reader);
    assert!(filler.join().expect("no panic").is_err(), "somebody read the pipe");
    (Ran { status: ended.status, stdout: String::new(), stderr }, took)
}

#[test]
fn a_full_pipe_as_output_leaves_the_reason_on_standard_error() {
    let world = World::new();
    let project = world.sandbox.project();
    let deny = pre_tool_use(&project, "Frobnicate", &json!({}));
    let (ran, took) = into_a_full_pipe(&world, &[], &deny);
    assert_eq!(ran.status.code(), Some(2), "{ran:?}");
    assert!(ran.stderr.contains("harness/unknown-tool"), "{ran:?}");
    assert_eq!(ran.stderr.lines().count(), 1, "the reason stands once: {ran:?}");
    assert!(took < Duration::from_secs(13), "{took:?}");
    // A question has no words for standard error; that it was lost has.
    let (ran, _) = into_a_full_pipe(&world, &[("CLAUDE_CODE_ENTRYPOINT", "cli")], &deny);
    assert_eq!(ran.status.code(), Some(2), "{ran:?}");
    assert!(ran.stderr.contains("harness/output"), "{ran:?}");
    // Nothing to say, nothing to lose.
    let (ran, _) = into_a_full_pipe(&world, &[], &world.bash("ls"));
    assert_eq!((ran.status.code(), ran.stderr.as_str()), (Some(0), ""));
    // Where time runs out before there is an answer.
    let policy = "version = 1\n[[guard]]\nid = \"slow\"\ntool = \"Bash\"\nrun = [\"sleep\", \"8\"]\ntimeout = \"8s\"\n";
    let two = policy.to_owned() + &policy.replace("version = 1\n", "").replace("slow", "slower");
    world.sandbox.write("h/policy.toml", two);
    let (ran, took) = into_a_full_pipe(&world, &[], &world.bash("ls"));
    assert_eq!(ran.status.code(), Some(2), "{ran:?}");
    assert!(!ran.stderr.is_empty(), "{ran:?}");
    assert!(took < Duration::from_secs(13), "{took:?}");
}

#[test]
fn odd_surroundings_change_no_verdict() {
    let world = World::new();
    let deny = pre_tool_use(&world.sandbox.project(), "Frobnicate", &json!({}));
    for before in [
        "mkdir gone && cd gone && rmdir ../gone &&",
        "exec env -i",
        "unset HOME;",
        "ulimit -f 0;",
        "ulimit -n 8;",
        "ulimit -s 256;",
    ] {
        let ran = through_shell(&world, before, "", &deny);
        assert!(ran.denied().is_some(), "{before}: {ran:?}");
        silent(&through_shell(&world, before, "", &world.bash("ls")));
    }
}

#[test]
fn a_home_that_is_not_unicode_works() {
    use std::os::unix::ffi::OsStringExt;
    let sandbox = Sandbox::new();
    let mut root = sandbox.root().as_os_str().to_owned().into_encoded_bytes();
    root.extend_from_slice(b"/h\xFF\xFE");
    let root = PathBuf::from(std::ffi::OsString::from_vec(root));
    let run = |tool: &str| {
        let args = ["hook", "claude-code", "PreToolUse", "--home"].map(std::ffi::OsString::from);
        let args = args.into_iter().chain([root.clone().into_os_string()]);
        let input = json!({ "file_path": sandbox.project().join("a") });
        sandbox.run(args).stdin(pre_tool_use(&sandbox.project(), tool, &input)).go()
    };
    silent(&run("Read"));
    assert!(run("Frobnicate").denied().is_some());
    assert!(root.join("state/journal/audit.jsonl").is_file());
}

#[test]
fn a_request_to_stop_is_a_denial() {
    let world = World::new();
    for signal in ["TERM", "INT", "HUP", "QUIT", "USR1", "XCPU", "ABRT", "SEGV", "IO", "TRAP", "40"]
    {
        let after = format!("& p=$!; sleep 0.2; kill -{signal} $p; wait $p");
        let ran = through_shell(&world, "sleep 2 |", &after, "");
        let reason = ran.denied().unwrap_or_else(|| panic!("{signal}: {ran:?}"));
        assert!(reason.contains("harness/stopped") || reason.contains("harness/crash"), "{reason}");
    }
}

#[test]
fn a_journal_that_is_no_file_changes_no_verdict_and_is_waited_for_by_nobody() {
    let world = World::new();
    let journal = world.root().join("state/journal/audit.jsonl");
    std::fs::create_dir_all(journal.parent().expect("a folder")).expect("made");
    world.sandbox.program("mkfifo", [&journal]).ok();
    silent(&through_shell(&world, "", "", &world.bash("ls")));
    let deny = pre_tool_use(&world.sandbox.project(), "Frobnicate", &json!({}));
    let reason = through_shell(&world, "", "", &deny).denied().unwrap_or_default();
    assert!(reason.contains("harness/unknown-tool"), "{reason}");
    for words in [&["log"][..], &["log", "verify"]] {
        let ran = world.sandbox.run(words).env("HARNESS_HOME", world.root()).code(3);
        assert!(ran.stderr.contains("not a regular file"), "{ran:?}");
    }
}
