//! A doctor that is interrupted, or killed, in the middle of a probe that hangs: nothing of it
//! stays, and what it was about to say isn't said.

use super::{SOFT, World};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A world whose gate hangs for longer than anybody waits, and a doctor at work in it.
struct AtWork {
    world: World,
    temp: PathBuf,
    doctor: Child,
    mark: String,
}

impl AtWork {
    fn begin() -> Self {
        let mark = format!("{}", 80_000 + std::process::id() % 10_000);
        let world = World::new(&format!("exec sleep {mark}"), SOFT);
        let settings = world.settings().to_string().replace("\"timeout\":3", "\"timeout\":600");
        world.sandbox.write("home/.claude/settings.json", settings);
        let temp = world.sandbox.root().join("temp");
        std::fs::create_dir(&temp).expect("made");
        let home = world.sandbox.home();
        let mut command = Command::new(crate::support::binary());
        command.args(["doctor", "--json"]).env_clear().current_dir(world.sandbox.project());
        let path = format!("{}:/usr/bin:/bin", world.sandbox.bin().display());
        command.env("HOME", &home).env("HARNESS_HOME", home.join("h"));
        command.env("PATH", path).env("TMPDIR", &temp);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let doctor = command.spawn().expect("it starts");
        let work = Self { world, temp, doctor, mark };
        assert!(soon(|| work.hooks() > 0), "the gate was never started");
        work
    }

    /// How many of its hanging gates run.
    fn hooks(&self) -> usize {
        let processes = std::fs::read_dir("/proc").expect("Linux").flatten();
        let lines = processes.filter_map(|p| std::fs::read(p.path().join("cmdline")).ok());
        lines.filter(|l| l == format!("sleep\0{}\0", self.mark).as_bytes()).count()
    }

    fn signal(&self, name: &str) {
        let pid = self.doctor.id().to_string();
        assert!(Command::new("kill").args([name, &pid]).status().expect("kill").success());
    }

    fn end(self) -> (World, PathBuf, Output) {
        (self.world, self.temp, self.doctor.wait_with_output().expect("it ends"))
    }
}

fn soon(holds: impl Fn() -> bool) -> bool {
    let until = Instant::now() + Duration::from_secs(30);
    while Instant::now() < until {
        if holds() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    holds()
}

fn left(temp: &Path) -> Vec<PathBuf> {
    std::fs::read_dir(temp).expect("it is there").flatten().map(|e| e.path()).collect()
}

#[test]
fn an_interrupted_doctor_says_nothing_and_leaves_nothing() {
    for signal in ["-INT", "-TERM"] {
        let work = AtWork::begin();
        work.signal(signal);
        assert!(soon(|| work.hooks() == 0), "a hook goes on");
        let (_world, temp, output) = work.end();
        assert_eq!(output.status.code(), Some(130), "{output:?}");
        assert!(output.stdout.is_empty(), "{output:?}");
        assert_eq!(left(&temp), [""; 0].map(PathBuf::from));
    }
}

#[test]
fn a_killed_doctor_takes_its_hooks_along_and_the_next_one_its_folders() {
    let work = AtWork::begin();
    work.signal("-KILL");
    assert!(soon(|| work.hooks() == 0), "a hook goes on");
    let (world, temp, _) = work.end();
    let folders = left(&temp);
    assert!(!folders.is_empty(), "there is nothing for the next one to do");
    for folder in &folders {
        let long_ago = std::time::SystemTime::now() - Duration::from_secs(600);
        std::fs::File::open(folder).expect("there").set_modified(long_ago).expect("ours");
    }
    let home = world.sandbox.home().join("h");
    let run = world.sandbox.run(["doctor", "--json"]).env("HARNESS_HOME", home);
    world.sandbox.script("hooks/gate", "#!/bin/sh\nexit 1\n");
    run.env("TMPDIR", &temp).code(1);
    assert_eq!(left(&temp), [""; 0].map(PathBuf::from));
}
