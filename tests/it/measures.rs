//! Logs that are long, crowded or not to be written to: what a hook costs beside them,
//! what they hold, and what is said. `HARNESS_TEST_LONG` makes them as long as they get.

use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use harness::journal::record::Record;
use harness::journal::{audit, authority};

use crate::support::{Ran, Sandbox, World, binary, is_long, pre_tool_use};

/// What a hook read and wrote: bytes, and how often, as the system counts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cost {
    read: u64,
    reads: u64,
    written: u64,
    writes: u64,
}

/// The cost of one call: the counts of a shell before and after it waited for the hook.
fn cost(world: &World) -> Cost {
    let call = pre_tool_use(&world.sandbox.project(), "Bash", &json!({"command": "ls"}));
    world.sandbox.write("payload", call);
    let script = "cat /proc/$$/io; \"$@\" < payload > /dev/null 2>&1 || exit 1; cat /proc/$$/io";
    let home = world.root();
    let hook = ["hook", "claude-code", "PreToolUse", "--client", "2.1.332", "--home"];
    let own = binary();
    let args = ["-c", script, "sh", own.to_str().expect("text")];
    let args = args.into_iter().chain(hook).chain([home.to_str().expect("text")]);
    let ran = world.sandbox.program("/bin/sh", args).cwd("").ok();
    let counts = |key: &str| -> (u64, u64) {
        let lines = ran.stdout.lines().filter_map(|line| line.strip_prefix(key));
        let counts: Vec<u64> = lines.map(|n| n.trim().parse().expect("a number")).collect();
        (counts[0], counts[1])
    };
    let spent = |key: &str| {
        let (before, after) = counts(key);
        after - before
    };
    Cost {
        read: spent("rchar:"),
        reads: spent("syscr:"),
        written: spent("wchar:"),
        writes: spent("syscw:"),
    }
}

/// Adds records of a real length, chained as any.
fn fill(journal: &Path, from: usize, to: usize) {
    for start in (from..to).step_by(10_000) {
        let batch = (start..to.min(start + 10_000)).map(|n| {
            Record::new("hook/invoked", 1_790_000_000_000 + n as u64)
                .text("event", "UserPromptSubmit")
                .text("session", &format!("4f6a1c52-0f0e-4c11-9a53-{n:012}"))
                .text("source", "what a client says of itself, as long as such a word gets")
        });
        audit::append(journal, batch).expect("the journal can be written");
    }
}

#[test]
fn a_hook_reads_and_writes_no_more_beside_a_long_journal() {
    let world = World::new();
    world.begin();
    let journal = world.root().join("state/journal/audit.jsonl");
    cost(&world);
    let empty = cost(&world);
    fill(&journal, 0, 10_000);
    let some = cost(&world);
    let most = if is_long() { 1_000_000 } else { 50_000 };
    fill(&journal, 10_000, most);
    let long = cost(&world);
    let near = |a: u64, b: u64, by: u64| a.abs_diff(b) <= by;
    // A few digits more or less stand in the counts themselves.
    assert!(
        near(some.read, long.read, 64) && near(some.written, long.written, 64),
        "{some:?} {long:?}"
    );
    assert_eq!((some.reads, some.writes), (long.reads, long.writes));
    // Of a short journal there is less to find its end in.
    assert!(near(empty.read, long.read, 128 << 10), "{empty:?} {long:?}");
    assert!(near(empty.reads, long.reads, 2) && empty.writes == long.writes, "{empty:?} {long:?}");
    if !is_long() {
        // A build for tests takes minutes to hash as much as the long form has.
        let verified = world.cli(&["log", "verify"]);
        assert_eq!(verified.status.code(), Some(0), "{}", verified.stdout);
    }
    // What was put aside counts too.
    let folder = std::fs::read_dir(journal.parent().expect("a folder")).expect("there");
    let parts = folder.flatten().filter(|e| e.path().extension().is_some_and(|x| x == "jsonl"));
    let lines: usize = parts
        .map(|e| std::fs::read(e.path()).expect("there").iter().filter(|b| **b == b'\n').count())
        .sum();
    assert!(lines > most, "{lines}");
}

/// How many of a writer's records go to a log of knobs too: one of more than a mebibyte in
/// all isn't believed.
const KNOBS: u64 = 100;

/// What a process of this test does where its environment says so: appends records, one a
/// write, and exits.
fn write_as_told() -> bool {
    let Ok(told) = std::env::var("HARNESS_TEST_WRITER") else { return false };
    let mut words = told.splitn(3, ' ');
    let mut word = || words.next().expect("three words").to_owned();
    let (id, count, state) =
        (word(), word().parse::<u64>().expect("a number"), PathBuf::from(word()));
    for n in 0..count {
        let mode = ["read-only", "workspace-write"][usize::try_from(n % 2).expect("small")];
        let record = || Record::new("sandbox/mode", n).text("mode", mode).text("by", &id);
        audit::append(&state.join("journal/audit.jsonl"), [record()]).expect("written");
        if n < KNOBS {
            authority::append(&state.join("knobs.jsonl"), [record()]).expect("written");
        }
    }
    true
}

#[test]
fn p85_many_writers_leave_every_record_whole_chained_and_in_its_own_order() {
    const THIS: &str =
        "measures::p85_many_writers_leave_every_record_whole_chained_and_in_its_own_order";
    if write_as_told() {
        return;
    }
    let (writers, each) = if is_long() { (64, 1_000) } else { (16, 60) };
    let world = World::new();
    let state = world.root().join("state");
    let writer = |id: usize| {
        Command::new(std::env::current_exe().expect("this test"))
            .args([THIS, "--exact"])
            .env("HARNESS_TEST_WRITER", format!("w{id} {each} {}", state.display()))
            .stdout(Stdio::null())
            .spawn()
            .expect("it starts")
    };
    let crowd: Vec<_> = (0..writers).map(writer).collect();
    for mut writer in crowd {
        assert!(writer.wait().expect("it ends").success());
    }
    let verified = world.cli(&["log", "verify"]);
    assert_eq!(verified.status.code(), Some(0), "{}", verified.stdout);
    let logs = [("h/state/journal/audit.jsonl", each), ("h/state/knobs.jsonl", each.min(KNOBS))];
    for (log, each) in logs {
        let text = world.sandbox.read(log);
        let mut next = vec![0_u64; writers];
        for line in text.lines() {
            let record: Value = serde_json::from_str(line).expect("a whole record");
            let by = record["by"].as_str().expect("text")[1..].parse::<usize>().expect("a number");
            assert_eq!(record["ts"], json!(next[by]), "{log}: in the order written");
            next[by] += 1;
        }
        assert!(next.iter().all(|n| *n == each), "{log}: {next:?}");
    }
    // The fold is that of the order in which they stand: the last line wins.
    let text = world.sandbox.read("h/state/knobs.jsonl");
    let last: Value = serde_json::from_str(text.lines().last().expect("some")).expect("json");
    assert_eq!(world.knobs(&[]).0, last["mode"].as_str().expect("text"));
}

/// How a program is kept from writing to the state folder.
#[derive(Clone, Copy, Debug)]
enum Kept {
    /// It runs as a user who may only read.
    Nobody,
    /// The folder is mounted so that nobody may write.
    Mounted,
}

const MOUNT: &str = r#"state=$1; shift
mount --bind "$state" "$state" && mount -o remount,bind,ro "$state" || exit 77
exec "$@""#;

/// Runs the binary so; `None` where this user may not make mounts.
fn kept(world: &World, how: Kept, args: &[&str], stdin: &str) -> Option<Ran> {
    let root = world.root();
    let run = match how {
        Kept::Nobody => world.sandbox.run(args).as_nobody(),
        Kept::Mounted => {
            let state = root.join("state");
            let head = ["-m", "sh", "-c", MOUNT, "sh", state.to_str().expect("text")];
            let own = binary();
            let all =
                head.into_iter().chain([own.to_str().expect("text")]).chain(args.iter().copied());
            world.sandbox.program("/usr/bin/unshare", all)
        }
    };
    let run = run.env("CLAUDE_PROJECT_DIR", world.sandbox.project());
    let run = run.env("CLAUDE_CODE_ENTRYPOINT", "cli").env("HARNESS_HOME", &root);
    let ran = run.stdin(stdin).go();
    let refused = matches!(how, Kept::Mounted)
        && (ran.status.code() == Some(77) || ran.stderr.contains("unshare failed"));
    (!refused).then_some(ran)
}

fn word(ran: &Ran) -> String {
    if ran.denied().is_some() {
        return "deny".to_owned();
    }
    if ran.stdout.is_empty() {
        return "none".to_owned();
    }
    let answer = &ran.json()["hookSpecificOutput"]["permissionDecision"];
    answer.as_str().unwrap_or("none").to_owned()
}

#[test]
fn where_the_state_folder_cannot_be_written_to_the_knobs_hold_and_the_loss_is_said() {
    use std::os::unix::fs::PermissionsExt;
    for how in [Kept::Nobody, Kept::Mounted] {
        let world = World { sandbox: Sandbox::in_temp() };
        world.cli(&["knob", "sandbox", "read-only"]);
        world.begin();
        assert_eq!(world.bash("ls"), "none");
        // Gives all to the user who runs it; what is then taken from that user is writing.
        if kept(&world, how, &["status"], "").is_none() {
            continue;
        }
        if matches!(how, Kept::Nobody) {
            let mut todo = vec![world.root().join("state")];
            while let Some(path) = todo.pop() {
                let folder = path.is_dir();
                todo.extend(
                    std::fs::read_dir(&path).into_iter().flatten().flatten().map(|e| e.path()),
                );
                let mode = if folder { 0o555 } else { 0o444 };
                std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode))
                    .expect("ours");
            }
        }
        let journal = || world.sandbox.read("h/state/journal/audit.jsonl");
        let before = journal();
        let home = world.root();
        let home = home.to_str().expect("text");
        let hook = |event: &str, payload: &str| {
            let args = ["hook", "claude-code", event, "--home", home, "--client", "2.1.332"];
            kept(&world, how, &args, payload).expect("it went before")
        };
        let call = |command: &str, session: &str| {
            let payload =
                pre_tool_use(&world.sandbox.project(), "Bash", &json!({"command": command}));
            let mut payload: Value = serde_json::from_str(&payload).expect("json");
            if !session.is_empty() {
                payload["session_id"] = json!(session);
            }
            hook("PreToolUse", &payload.to_string())
        };
        for (command, wanted) in [("ls", "none"), ("touch a", "ask"), ("rm -rf /", "deny")] {
            assert_eq!(word(&call(command, "")), wanted, "{how:?}: {command}");
        }
        // A session that can't be pinned has the knobs of every new one.
        let start = json!({
            "session_id": "fresh", "cwd": world.sandbox.project(),
            "hook_event_name": "SessionStart", "source": "startup",
        });
        assert_eq!(hook("SessionStart", &start.to_string()).status.code(), Some(0), "{how:?}");
        assert_eq!(word(&call("touch a", "fresh")), "ask", "{how:?}");
        assert_eq!(word(&call("rm -rf /", "fresh")), "deny", "{how:?}");
        assert_eq!(journal(), before, "{how:?}: nothing was written");
        let said = kept(&world, how, &["status"], "").expect("it went before").stdout;
        assert!(said.contains("journal  records are lost: "), "{how:?}: {said}");
        // Who wants no call without its record gets none.
        world.sandbox.write("h/policy.toml", "version = 1\n[journal]\nrequired = true\n");
        let ran = call("ls", "");
        let reason = ran.denied().unwrap_or_else(|| panic!("{how:?}: {ran:?}"));
        assert!(reason.contains("journal.required") && reason.contains("audit.jsonl"), "{reason}");
        if matches!(how, Kept::Nobody) {
            // So that the folder can be removed by whoever runs this.
            let state = world.root().join("state");
            std::fs::set_permissions(&state, std::fs::Permissions::from_mode(0o755)).expect("ours");
        }
    }
}
