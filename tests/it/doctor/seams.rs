//! Faults of Windows, macOS and Linux on Windows, through the doctor's own seams: the
//! system, the search path, the mounts and the other side's homes are what a test says.

use super::World;
use harness::doctor::report::{Report, Status};
use harness::doctor::{Request, examine};
use harness::hosts::claude_code::places::Os;
use harness::install::Surroundings;
use serde_json::json;

/// The system that most tests say.
pub(super) const LINUX: Os = Os::Linux;

/// What a doctor on another system would be asked.
pub(super) fn request(world: &World, os: Os) -> Request {
    let sandbox = &world.sandbox;
    let h = sandbox.home().join("h");
    let around = Surroundings {
        home: sandbox.home(),
        harness: harness::home::Home::under(&h),
        one_folder: Some(h),
        config_dir: None,
        cwd: sandbox.project(),
        git_root: Some(sandbox.project()),
        os,
        path: match os {
            Os::Windows => sandbox.bin().into_os_string(),
            _ => format!("{}:/usr/bin:/bin", sandbox.bin().display()).into(),
        },
    };
    let mut request = Request::here(around);
    request.managed = sandbox.root().join("managed");
    request.switches = harness::doctor::effective::Switches::default();
    request.mounts = String::new();
    request.windows_users = sandbox.root().join("nowhere");
    request
}

fn status(report: &Report, id: &str) -> Status {
    report.checks.iter().find(|c| c.id == id).expect("it is there").status
}

fn roots(report: &Report) -> Vec<String> {
    let bad = |s| matches!(s, Status::Warn | Status::Fail | Status::Error);
    report.checks.iter().filter(|c| bad(c.status)).map(|c| c.id.clone()).collect()
}

/// Adds somebody's hook.
fn with_hook(world: &World, command: &str) {
    let mut settings = world.settings();
    settings["hooks"]["Stop"] = json!([{ "hooks": [{ "type": "command", "command": command }] }]);
    world.write_settings(&settings);
}

#[test]
fn names_that_stand_for_something_else_on_windows() {
    let world = World::healthy();
    let launcher = world.sandbox.script("Windows/System32/bash.exe", "x");
    let stub = world.sandbox.script("apps/WindowsApps/python3.exe", "");
    let real = world.sandbox.script("Git/bin/bash.exe", "x");
    let folder = |p: &std::path::Path| p.parent().expect("it has one").display().to_string();
    let path = |first: &std::path::Path| {
        format!("{};{};{}", folder(first), folder(&real), world.sandbox.bin().display())
    };
    let run = |first: &std::path::Path, command: &str| {
        with_hook(&world, command);
        let mut request = request(&world, Os::Windows);
        request.around.path = path(first).into();
        examine(&request, &|_| {})
    };
    let report = run(&launcher, "bash /x/hook.sh");
    assert_eq!(status(&report, "wsl-bash"), Status::Fail, "{report:#?}");
    assert_eq!(status(&report, "store-stub"), Status::Ok);
    let report = run(&stub, "python3 /x/hook.py");
    assert_eq!(status(&report, "store-stub"), Status::Fail, "{report:#?}");
    assert_eq!(status(&report, "wsl-bash"), Status::Ok);
    let report = run(&real, "bash /x/hook.sh");
    assert_eq!(status(&report, "wsl-bash"), Status::Ok, "{report:#?}");
    assert_eq!(status(&report, "store-stub"), Status::Ok);
}

#[test]
fn windows_without_bash_has_no_such_tool() {
    let world = World::healthy();
    let report = examine(&request(&world, Os::Windows), &|_| {});
    assert_eq!(status(&report, "shell-tool-gap"), Status::Note, "{report:#?}");
    world.sandbox.script("bin/bash.exe", "x");
    let report = examine(&request(&world, Os::Windows), &|_| {});
    assert_eq!(status(&report, "shell-tool-gap"), Status::Ok, "{report:#?}");
}

#[test]
fn a_program_that_macos_kills_as_it_starts() {
    let world = World::new("kill -9 $$", super::SOFT);
    let report = examine(&request(&world, Os::MacOs), &|_| {});
    assert_eq!(roots(&report), ["killed-at-start"], "{report:#?}");
    assert_eq!(report.hosts[0].gate.because, ["killed-at-start"]);
    // One that had begun to speak was killed by something else.
    let world = World::new("echo x; kill -9 $$", super::SOFT);
    let report = examine(&request(&world, Os::MacOs), &|_| {});
    assert_eq!(roots(&report), ["fails-open"], "{report:#?}");
}

#[test]
fn settings_on_what_breaks_locks_and_renames() {
    let world = World::healthy();
    let mut request = request(&world, Os::Linux);
    let report = examine(&request, &|_| {});
    assert_eq!(status(&report, "fragile-location"), Status::Ok, "{report:#?}");
    request.mounts = format!("C: {} 9p rw 0 0\n", world.sandbox.home().display());
    let report = examine(&request, &|_| {});
    assert_eq!(status(&report, "fragile-location"), Status::Note, "{report:#?}");
    assert_eq!(roots(&report), [""; 0]);
    request.mounts = String::new();
    let synced = world.sandbox.root().join("OneDrive - Firm");
    std::fs::create_dir(&synced).expect("made");
    std::fs::rename(world.sandbox.home().join(".claude"), synced.join("claude")).expect("moved");
    let link = world.sandbox.home().join(".claude");
    std::os::unix::fs::symlink(synced.join("claude"), link).expect("nothing is there");
    let report = examine(&request, &|_| {});
    assert_eq!(status(&report, "fragile-location"), Status::Note, "{report:#?}");
}

#[test]
fn the_other_side_of_linux_on_windows() {
    let world = World::healthy();
    let mut request = request(&world, Os::Linux);
    request.windows_users = world.sandbox.root().join("Users");
    let report = examine(&request, &|_| {});
    assert_eq!(status(&report, "other-side-unprotected"), Status::Ok, "{report:#?}");
    world.sandbox.write("Users/x/.claude/settings.json", "{}");
    let report = examine(&request, &|_| {});
    assert_eq!(status(&report, "other-side-unprotected"), Status::Note, "{report:#?}");
    assert_eq!(roots(&report), [""; 0]);
    let installed = world.settings().to_string().replace("hooks/gate", "bin/harness.exe");
    world.sandbox.write("Users/x/.claude/settings.json", installed);
    let report = examine(&request, &|_| {});
    assert_eq!(status(&report, "other-side-unprotected"), Status::Ok, "{report:#?}");
}
