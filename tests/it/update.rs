//! `harness update`: signed, proven before and after, and never a moment without a guard.
#![cfg(feature = "faults")]

use crate::support::release::{Key, TRIPLE, is_here, pack};
use crate::support::server::{Fault, Server};
use crate::support::{Ran, Sandbox, binary, is_long, pre_tool_use};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

const OLD: &str = env!("CARGO_PKG_VERSION");
const NEW: &str = "0.2.0";

/// The binary under test without what only a debugger reads.
fn stripped() -> Vec<u8> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let out = tempfile::NamedTempFile::new_in(folder).expect("made");
    let ran = std::process::Command::new("strip").arg("-o").arg(out.path()).arg(binary()).status();
    assert!(ran.is_ok_and(|s| s.success()), "`strip` is part of binutils");
    std::fs::read(out.path()).expect("written")
}

/// The same program with a text of it changed for one as long: another version, or a fault.
fn changed(program: &[u8], from: &str, to: &str) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let mut out = program.to_vec();
    let mut at = 0;
    while let Some(found) = out[at..].windows(from.len()).position(|w| w == from.as_bytes()) {
        out[at + found..at + found + from.len()].copy_from_slice(to.as_bytes());
        at += found + from.len();
    }
    assert_ne!(out, program);
    out
}

struct World {
    sandbox: Sandbox,
    server: Server,
    key: Key,
    program: Vec<u8>,
}

impl World {
    /// An installed harness and a server with a newer release.
    fn new() -> Self {
        let sandbox = Sandbox::new();
        sandbox.stub_claude("2.1.332");
        let releases = sandbox.root().join("releases");
        std::fs::create_dir(&releases).expect("made");
        let (server, key) = (Server::of(&releases), Key::new(&sandbox, "ours"));
        let world = Self { sandbox, server, key, program: stripped() };
        world.place(&world.program);
        world.run(&["install", "--yes"]).assert(0);
        world.release(NEW, &changed(&world.program, OLD, NEW));
        world
    }

    fn place(&self, program: &[u8]) {
        let path = self.sandbox.write("home/.local/bin/harness", program);
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).expect("ours");
    }

    fn release(&self, version: &str, program: &[u8]) {
        let path = self.sandbox.write(format!("programs/{version}"), program);
        pack(&self.releases(), version, &path, &self.key, &self.server.url());
    }

    fn releases(&self) -> PathBuf {
        self.sandbox.root().join("releases")
    }

    fn target(&self) -> PathBuf {
        self.sandbox.home().join(".local/bin/harness")
    }

    fn run(&self, args: &[&str]) -> Ran {
        self.run_with(args, &[])
    }

    fn run_with(&self, args: &[&str], env: &[(&str, &str)]) -> Ran {
        let run = self.sandbox.program(self.target(), args);
        let run = run.env("HARNESS_FAULT_UPDATE_URL", self.server.url());
        let run = run.env("HARNESS_FAULT_UPDATE_KEY", &self.key.public);
        env.iter().fold(run, |run, (name, value)| run.env(name, value)).go()
    }

    fn version(&self) -> String {
        let said = self.run(&["--version"]).stdout;
        said.trim().trim_start_matches("harness ").to_owned()
    }

    /// Whether the registered hook stops a write to the policy and lets a harmless one pass.
    fn guards(&self) -> bool {
        let text = std::fs::read_to_string(self.sandbox.user_settings()).expect("installed");
        let settings: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let hook = &settings["hooks"]["PreToolUse"][0]["hooks"][0];
        let args: Vec<String> = hook["args"]
            .as_array()
            .expect("exec form")
            .iter()
            .map(|a| a.as_str().expect("text").to_owned())
            .collect();
        let call = |path: PathBuf| {
            let input = json!({"file_path": path, "content": "x"});
            let payload = pre_tool_use(&self.sandbox.project(), "Write", &input);
            let program = hook["command"].as_str().expect("text");
            self.sandbox.program(program, &args).stdin(payload).go()
        };
        call(self.sandbox.user_policy()).denied().is_some()
            && call(self.sandbox.project().join("x.txt")).denied().is_none()
    }

    #[track_caller]
    fn is_untouched(&self, ran: &Ran) {
        assert_eq!(std::fs::read(self.target()).expect("there"), self.program, "{ran:?}");
        assert!(!self.sandbox.home().join(".local/bin/.harness.next").exists(), "{ran:?}");
        assert!(self.guards(), "{ran:?}");
    }
}

impl Ran {
    #[track_caller]
    fn assert(&self, code: i32) -> &Self {
        assert_eq!(self.status.code(), Some(code), "{self:?}");
        self
    }
}

#[test]
fn a_build_without_address_and_key_says_so() {
    let sandbox = Sandbox::new();
    for args in [&["update"][..], &["update", "--check"]] {
        let ran = sandbox.run(args).code(3);
        assert!(ran.stderr.contains("updates are not configured"), "{ran:?}");
    }
    let ran = sandbox.run(["update", "--check"]);
    let ran = ran.env("HARNESS_FAULT_UPDATE_URL", "http://192.0.2.1/");
    let ran = ran.env("HARNESS_FAULT_UPDATE_KEY", "RW").code(3);
    assert!(ran.stderr.contains("HTTPS only"), "{ran:?}");
}

#[test]
fn forward_with_a_proof_and_back_with_a_person() {
    if !is_here() {
        return;
    }
    let world = World::new();
    let ran = world.run(&["update", "--check", "--json"]);
    assert_eq!(ran.assert(100).json()["newest"], NEW);
    assert_eq!(world.version(), OLD);
    let ran = world.run(&["update"]);
    assert!(ran.assert(0).stdout.contains(&format!("harness {OLD} -> {NEW}, proven")), "{ran:?}");
    assert_eq!(world.version(), NEW);
    assert!(world.guards());
    // The entries and the manifest are the new program's: nothing is left to say.
    let doctor = world.run(&["doctor", "--json"]);
    assert_eq!(doctor.json()["hosts"][0]["gate"]["state"], "alive", "{doctor:?}");
    assert!(!doctor.stdout.contains("integrity-changed\",\"kind\""), "{}", doctor.stdout);
    let log = world.run(&["log", "--json"]).stdout;
    assert!(log.contains("update/done"), "{log}");
    assert!(world.run(&["update"]).assert(0).stdout.contains("is the newest"));
    // Back is a widening.
    let agent = world.run_with(&["update", "--rollback", "--yes"], &[("CLAUDECODE", "1")]);
    assert!(agent.assert(2).stderr.contains("person's to give"), "{agent:?}");
    world.run(&["update", "--rollback"]).assert(2);
    assert_eq!(world.version(), NEW);
    world.run(&["update", "--rollback", "--yes"]).assert(0);
    assert_eq!(world.version(), OLD);
    world.is_untouched(&world.run(&["status"]));
    // A certain release that is older is one too.
    world.run(&["update"]).assert(0);
    world.release(OLD, &world.program);
    world.run(&["update", "--version", OLD]).assert(2);
    world.run(&["update", "--version", OLD, "--yes"]).assert(0);
    assert_eq!(world.version(), OLD);
    assert!(world.guards());
}

#[test]
fn what_is_cut_forged_or_gone_changes_nothing() {
    if !is_here() {
        return;
    }
    let world = World::new();
    let archive = format!("harness-{TRIPLE}.tar.gz");
    let signature = format!("{archive}.minisig");
    let file = |name: &str| {
        std::fs::read(world.releases().join(format!("v{NEW}")).join(name)).expect("packed")
    };
    let mut flipped = file(&archive);
    flipped[200] ^= 1;
    let cases = [
        ("release.json", Fault::Status(404), "there is no"),
        ("release.json", Fault::Status(503), "answered 503"),
        ("release.json", Fault::Body(b"{}".to_vec()), "not this project's"),
        ("release.json", Fault::Cut(9), "broke off"),
        ("release.json.minisig", Fault::Body(file(&signature)), "not this project's"),
        (archive.as_str(), Fault::Cut(1000), "broke off"),
        (archive.as_str(), Fault::Body(flipped), "not this project's"),
        (archive.as_str(), Fault::Body(vec![0; 60_000_000]), "larger than a release"),
        (signature.as_str(), Fault::Status(404), "there is no"),
        (signature.as_str(), Fault::Body(file("release.json.minisig")), "not this project's"),
    ];
    for (name, fault, words) in cases {
        world.server.heal();
        world.server.fault(name, fault);
        let ran = world.run(&["update"]);
        assert!(ran.assert(3).stderr.contains(words), "{name}: {words}: {ran:?}");
        assert!(ran.stderr.contains("hint: ") || words.contains("larger"), "{ran:?}");
        world.is_untouched(&ran);
    }
    // A release signed as an older one, handed out under a newer number.
    world.server.heal();
    std::fs::rename(world.releases().join(format!("v{NEW}")), world.releases().join("v0.9.0"))
        .expect("renamed");
    let ran = world.run(&["update", "--version", "0.9.0"]);
    assert!(ran.assert(3).stderr.contains(&format!("what came is harness {NEW}")), "{ran:?}");
    let gone = world.run_with(&["update"], &[("HARNESS_FAULT_UPDATE_URL", "http://127.0.0.1:9")]);
    assert!(gone.assert(3).stderr.contains("can't be reached"), "{gone:?}");
    let proxy = [
        ("https_proxy", "http://me:secret@127.0.0.1:9"),
        ("HARNESS_FAULT_UPDATE_URL", "https://example.invalid"),
    ];
    let ran = world.run_with(&["update"], &proxy);
    assert!(ran.assert(3).stderr.contains("`https_proxy` sends this through"), "{ran:?}");
    assert!(!ran.stderr.contains("secret"), "{ran:?}");
    world.is_untouched(&ran);
}

#[test]
fn a_program_that_proves_nothing_never_stays() {
    if !is_here() {
        return;
    }
    let world = World::new();
    let mute = changed(&world.program, "permissionDecision", "permissionDecisioX");
    world.release("0.3.0", &changed(&mute, OLD, "0.3.0"));
    let ran = world.run(&["update"]);
    assert!(ran.assert(1).stderr.contains("did not prove itself"), "{ran:?}");
    world.is_untouched(&ran);
    // A release that lies about its version.
    world.release("0.4.0", &changed(&world.program, OLD, NEW));
    let ran = world.run(&["update"]);
    assert!(ran.assert(1).stderr.contains("asked for its version"), "{ran:?}");
    world.is_untouched(&ran);
    // Proven before, not after: the old one comes back by itself.
    for fault in ["update-swapped:error", "install-settings:error"] {
        let ran = world.run_with(&["update", "--version", NEW], &[("HARNESS_FAULT", fault)]);
        assert!(ran.assert(1).stderr.contains(&format!("harness {OLD} is back")), "{ran:?}");
        world.is_untouched(&ran);
    }
    assert!(world.run(&["log", "--json"]).stdout.contains("update/taken-back"));
}

#[test]
fn killed_at_any_step_it_leaves_a_hook_that_works_and_the_next_run_settles_it() {
    if !is_here() {
        return;
    }
    let world = World::new();
    let all = ["staged", "proven", "kept", "migrated", "pending", "swapped"];
    // The two sides of the one rename always, the rest in the long form.
    for step in all.into_iter().skip(if is_long() { 0 } else { 4 }) {
        let fault = format!("update-{step}:kill");
        let ran = world.run_with(&["update"], &[("HARNESS_FAULT", &fault)]);
        assert_eq!(ran.status.code(), None, "{step}: {ran:?}");
        assert!(world.guards(), "{step}");
        let swapped = matches!(step, "swapped" | "migrated");
        assert_eq!(world.version(), if swapped { NEW } else { OLD }, "{step}");
        let ran = world.run(&["update"]);
        ran.assert(0);
        if swapped {
            assert!(ran.stderr.contains("that was stopped is finished now"), "{step}: {ran:?}");
        } else if step == "pending" {
            assert!(ran.stderr.contains("before it changed anything"), "{step}: {ran:?}");
            world.run(&["update"]).assert(0);
        }
        assert_eq!(world.version(), NEW, "{step}");
        assert!(world.guards(), "{step}");
        world.run(&["update", "--rollback", "--yes"]).assert(0);
        world.is_untouched(&ran);
    }
}

#[test]
fn calls_during_updates_never_find_the_gate_open() {
    if !is_here() {
        return;
    }
    let world = World::new();
    let (over, calls) = (AtomicBool::new(false), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                assert!(world.guards(), "after {} calls", calls.load(Ordering::Relaxed));
                calls.fetch_add(1, Ordering::Relaxed);
            }
        });
        for _ in 0..if is_long() { 50 } else { 1 } {
            world.run(&["update"]).assert(0);
            world.run(&["update", "--rollback", "--yes"]).assert(0);
        }
        over.store(true, Ordering::Relaxed);
    });
    assert!(calls.load(Ordering::Relaxed) > 3);
}

#[test]
fn who_else_looks_after_a_program_is_left_to_it() {
    let world = World::new();
    let receipt = r#"{"schema":1,"by":"apt","update":"apt-get install --only-upgrade harness"}"#;
    let file = world.sandbox.write("home/.local/share/harness/receipt.json", receipt);
    let ran = world.run(&["update"]);
    assert!(ran.assert(2).stderr.contains("apt looks after this harness"), "{ran:?}");
    assert!(ran.stderr.contains("--only-upgrade harness"), "{ran:?}");
    std::fs::remove_file(file).expect("ours");
    let ran = world.run_with(&["update"], &[("HARNESS_FAULT_PACKAGED_BY", "pacman -Syu")]);
    assert!(ran.assert(2).stderr.contains("run `pacman -Syu`"), "{ran:?}");
    let other = world.sandbox.run(["update"]).env("HARNESS_FAULT_UPDATE_KEY", "x").code(2);
    assert!(other.stderr.contains("another program than this one"), "{other:?}");
    assert!(world.guards());
}
