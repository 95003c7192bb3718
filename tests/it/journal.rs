//! The journal under those who kill, crowd and fill the disk.

use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::support::{Sandbox, binary, pre_tool_use};

struct World {
    sandbox: Sandbox,
}

impl World {
    fn new() -> Self {
        Self { sandbox: Sandbox::new() }
    }

    fn journal(&self) -> PathBuf {
        self.sandbox.root().join("h/state/journal/audit.jsonl")
    }

    /// A hook as its own process, behind a shell that first says something.
    fn hook(&self, before: &str) -> Command {
        let payload = self.sandbox.root().join("payload");
        if !payload.exists() {
            let call =
                pre_tool_use(&self.sandbox.project(), "Bash", &json!({"command": "rm -rf /"}));
            self.sandbox.write("payload", call);
        }
        let mut command = Command::new("/bin/sh");
        command
            .args(["-c", &format!("{before} exec \"$0\" \"$@\" < payload")])
            .arg(binary())
            .args(["hook", "claude-code", "PreToolUse", "--home"])
            .arg(self.sandbox.root().join("h"))
            .env_clear()
            .env("HOME", self.sandbox.home())
            .current_dir(self.sandbox.root())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command
    }

    fn denied(&self, before: &str) {
        let status = self.hook(before).status().expect("it runs");
        assert_eq!(status.code(), Some(2), "{before}");
    }

    fn verify(&self) -> (Option<i32>, String) {
        let ran =
            self.sandbox.run(["log", "verify"]).env("HARNESS_HOME", self.sandbox.root().join("h"));
        let ran = ran.go();
        (ran.status.code(), ran.stdout)
    }

    fn records(&self) -> usize {
        let text = self.sandbox.read(self.journal());
        let whole = |line: &&str| serde_json::from_str::<Value>(line).is_ok();
        text.lines().filter(whole).count()
    }
}

#[test]
fn a_crowd_of_hooks_loses_no_record_and_breaks_no_link() {
    let world = World::new();
    for _ in 0..4 {
        let crowd: Vec<_> = (0..16).map(|_| world.hook("").spawn().expect("it starts")).collect();
        for mut hook in crowd {
            assert_eq!(hook.wait().expect("it ends").code(), Some(2));
        }
    }
    let (code, said) = world.verify();
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(world.records(), 64);
}

#[test]
fn hooks_killed_at_any_moment_leave_whole_records_and_a_chain() {
    let world = World::new();
    for n in 0..60_u64 {
        let mut hook = world.hook("").spawn().expect("it starts");
        std::thread::sleep(Duration::from_micros(n * 150));
        let _ = hook.kill();
        let _ = hook.wait();
    }
    world.denied("");
    let (code, said) = world.verify();
    assert_eq!(code, Some(0), "{said}");
}

#[test]
fn a_full_disk_takes_no_half_record_and_changes_no_verdict() {
    let world = World::new();
    world.denied("");
    let size = |world: &World| std::fs::metadata(world.journal()).expect("there").len();
    while size(&world) % 512 < 200 {
        world.denied("");
    }
    // Blocks of 512 bytes; the signal ignored, so that the write comes back short.
    let blocks = size(&world) / 512 + 1;
    let before = size(&world);
    world.denied(&format!("ulimit -f {blocks};"));
    assert_eq!(size(&world), before, "what didn't fit was taken back");
    assert_eq!(world.verify().0, Some(0));
    world.denied("");
    assert!(size(&world) > before);
    assert_eq!(world.verify().0, Some(0));
}

#[test]
fn a_record_cut_in_the_middle_is_named_and_spoils_nothing_behind_it() {
    let world = World::new();
    world.denied("");
    let whole = std::fs::read(world.journal()).expect("there");
    for cut in [1, whole.len() / 2, whole.len() - 2] {
        std::fs::write(world.journal(), &whole[..cut]).expect("written");
        world.denied("");
        world.denied("");
        let (code, said) = world.verify();
        assert_eq!(code, Some(1), "{cut}");
        assert!(said.contains("audit.jsonl:1: is no whole record"), "{cut}: {said}");
        assert_eq!(said.lines().count(), 1, "{cut}: {said}");
        assert_eq!(world.records(), 2, "{cut}");
    }
}

#[test]
fn a_changed_record_breaks_the_link_behind_it() {
    let world = World::new();
    for _ in 0..3 {
        world.denied("");
    }
    let text = world.sandbox.read(world.journal());
    let changed = text.replacen("\"answer\":\"deny\"", "\"answer\":\"none\"", 1);
    std::fs::write(world.journal(), changed).expect("written");
    let (code, said) = world.verify();
    assert_eq!(code, Some(1));
    assert!(said.contains("audit.jsonl:2: does not link"), "{said}");
}

#[test]
fn a_policy_that_requires_the_journal_passes_no_call_without_its_record() {
    let world = crate::support::World::new();
    world.begin();
    let journal = world.root().join("state/journal");
    let break_it = || {
        std::fs::remove_dir_all(&journal).expect("there");
        std::fs::write(&journal, "no folder").expect("written");
    };
    break_it();
    assert_eq!(world.bash("ls"), "none", "without the key the record is only told");
    world.sandbox.write("h/policy.toml", "version = 1\n[journal]\nrequired = true\n");
    let (verdict, reason) = world.verdict("Bash", &json!({"command": "ls"}));
    assert_eq!(verdict, "deny");
    assert!(reason.contains("journal.required") && reason.contains("audit.jsonl"), "{reason}");
    std::fs::remove_file(&journal).expect("there");
    assert_eq!(world.bash("ls"), "none");
    assert_eq!(world.records("tool/call").len(), 1, "one record a call, written first");
    world
        .sandbox
        .write("project/.harness/policy.toml", "version = 1\n[journal]\nrequired = true\n");
    assert!(world.verdict("Bash", &json!({"command": "npm test"})).1.contains("journal"));
}
