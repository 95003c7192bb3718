//! What of the person's own stops work while the gate is alive: guards whose programs are
//! lost, choices that can't be read, a journal that takes no record.

use super::World;
use super::scopes::{machine, roots};
use crate::support::Sandbox;
use serde_json::Value;
use std::os::unix::fs::{PermissionsExt, symlink};

const POLICY: &str = "home/.config/harness/policy.toml";
const STATE: &str = "home/.local/state/harness";

fn installed() -> Sandbox {
    let sandbox = machine("2.1.332");
    sandbox.run(["install", "--yes"]).ok();
    sandbox
}

/// A guard that is a program.
fn guard(tool: &str, program: &str) -> String {
    format!(
        "version = 1\n\n[[guard]]\nid = \"licence\"\ntool = \"{tool}\"\nrun = [\"{program}\"]\n"
    )
}

fn check<'r>(report: &'r Value, id: &str) -> &'r Value {
    let checks = report["checks"].as_array().expect("a list");
    checks.iter().find(|check| check["id"] == id).expect("it is there")
}

/// The roots, without what is said of a guard that has no examples.
fn of_guards(sandbox: &Sandbox, code: i32) -> (Vec<String>, Value) {
    let report = sandbox.run(["doctor", "--json"]).code(code).json();
    let mut roots = roots(&report);
    roots.retain(|root| root != "policy-weak");
    (roots, report)
}

#[test]
fn a_guard_whose_program_is_lost_is_the_root_and_the_gate_stays_alive() {
    for (tool, program) in
        [("Bash", "./guard"), ("*", "./guard"), ("Bash", "no-such-program-anywhere")]
    {
        let sandbox = installed();
        sandbox.write(POLICY, guard(tool, program));
        let (roots, report) = of_guards(&sandbox, 1);
        assert_eq!(roots, ["guard-lost/licence"], "{tool} {program}: {report:#}");
        assert_eq!(report["hosts"][0]["gate"]["state"], "alive", "{report:#}");
        let found = check(&report, "guard-lost");
        let text = |key: &str| found[key].to_string();
        assert!(text("message").contains("`licence`") && text("message").contains(program));
        assert!(text("evidence").contains("policy.toml:3"), "{found:#}");
        assert!(text("fix").contains("chmod +x"), "{found:#}");
        let status = sandbox.run(["status"]).code(1).stdout;
        assert!(status.contains("policy.toml:3: the guard `licence` can't be started"), "{status}");
        let said = sandbox.run(["policy", "check"]).go().stderr;
        assert!(said.contains("policy.toml:3") && said.contains("can't be started"), "{said}");
    }
}

#[test]
fn whatever_keeps_a_guard_from_starting_is_said_and_a_good_one_is_not() {
    let sandbox = installed();
    sandbox.write(POLICY, guard("Bash", "./guard"));
    let program = sandbox.root().join("home/.config/harness/guard");
    let said = || {
        let (roots, report) = of_guards(&sandbox, 1);
        assert_eq!(roots, ["guard-lost/licence"], "{report:#}");
        check(&report, "guard-lost")["message"].as_str().expect("text").to_owned()
    };
    symlink("nowhere", &program).expect("made");
    assert!(said().contains("leads nowhere"), "{}", said());
    std::fs::remove_file(&program).expect("there");
    std::fs::create_dir(&program).expect("made");
    assert!(said().contains("a folder"), "{}", said());
    std::fs::remove_dir(&program).expect("there");
    std::fs::write(&program, "#!/bin/sh\nexit 0\n").expect("written");
    assert!(said().contains("not executable"), "{}", said());
    sandbox.script("home/.config/harness/guard", "#!/no/such/shell\nexit 0\n");
    assert!(said().contains("interpreter `/no/such/shell`"), "{}", said());
    // What is said is what happens.
    let explained = sandbox.run(["explain", "--json", "ls"]).ok().json();
    assert_eq!(explained["verdict"], "deny", "{explained}");
    sandbox.script("home/.config/harness/guard", "#!/bin/sh\ncat >/dev/null\n");
    assert_eq!(of_guards(&sandbox, 0).0, [""; 0]);
    sandbox.write(POLICY, guard("Bash", "true"));
    assert_eq!(of_guards(&sandbox, 0).0, [""; 0]);
    let explained = sandbox.run(["explain", "--json", "ls"]).ok().json();
    assert_eq!(explained["verdict"], "none", "{explained}");
    sandbox.run(["status"]).ok();
}

#[test]
fn a_projects_lost_guard_is_a_warning_once_it_is_trusted() {
    let sandbox = installed();
    sandbox.write("project/.harness/policy.toml", guard("Bash", "./guard"));
    assert_eq!(of_guards(&sandbox, 0).0, [""; 0], "it is not asked before");
    sandbox.run(["trust", "--yes"]).ok();
    let (roots, report) = of_guards(&sandbox, 0);
    assert_eq!(roots, ["guard-lost/licence"], "{report:#}");
    assert_eq!(check(&report, "guard-lost")["status"], "warn");
}

#[test]
fn choices_that_cannot_be_read_are_named_with_their_line() {
    let sandbox = installed();
    sandbox.run(["doctor", "--json"]).ok();
    let knobs = format!("{STATE}/knobs.jsonl");
    let good = "{\"ts\":1,\"type\":\"approval/policy\",\"policy\":\"ask\"}\n";
    sandbox.write(&knobs, format!("{good}{good}garbage\n"));
    let report = sandbox.run(["doctor", "--json"]).code(1).json();
    let mut found = roots(&report);
    found.retain(|root| root != "log-damaged");
    assert_eq!(found, ["choice-damaged"], "{report:#}");
    assert_eq!(report["hosts"][0]["gate"]["state"], "alive", "{report:#}");
    let damage = check(&report, "choice-damaged");
    assert!(damage["evidence"].to_string().contains("knobs.jsonl:3"), "{damage:#}");
    assert!(damage["fix"].to_string().contains("harness knob"), "{damage:#}");
    let status = sandbox.run(["status"]).ok().stdout;
    assert!(
        status.contains("held to the strictest") && status.contains("knobs.jsonl:3"),
        "{status}"
    );
    // Set anew behind it, it holds no more.
    let wide = "{\"ts\":1,\"type\":\"sandbox/mode\",\"mode\":\"danger-full-access\"}\n";
    sandbox.write(&knobs, format!("garbage\n{good}{wide}"));
    let report = sandbox.run(["doctor", "--json"]).ok().json();
    assert_eq!(roots(&report), ["choice-damaged"], "{report:#}");
    assert_eq!(check(&report, "choice-damaged")["status"], "warn");
    assert!(!sandbox.run(["status"]).ok().stdout.contains("held to the strictest"));
    sandbox.write(&knobs, format!("{good}{wide}"));
    assert_eq!(roots(&sandbox.run(["doctor", "--json"]).ok().json()), [""; 0]);
    // No file at all.
    std::fs::remove_file(sandbox.root().join(&knobs)).expect("there");
    std::fs::create_dir(sandbox.root().join(&knobs)).expect("made");
    let report = sandbox.run(["doctor", "--json"]).code(1).json();
    assert_eq!(roots(&report), ["choice-damaged"], "{report:#}");
    assert!(check(&report, "choice-damaged")["message"].to_string().contains("not a regular file"));
}

#[test]
fn a_word_of_silence_and_a_folder_of_sessions_that_cannot_be_read() {
    let sandbox = installed();
    sandbox.write(format!("{STATE}/off.jsonl"), "{\"ts\":1,\"type\":\"off/un");
    let report = sandbox.run(["doctor", "--json"]).ok().json();
    assert_eq!(roots(&report), ["choice-damaged/off"], "{report:#}");
    std::fs::remove_file(sandbox.root().join(format!("{STATE}/off.jsonl"))).expect("there");
    let sessions = sandbox.root().join(STATE).join("sessions");
    let _ = std::fs::remove_dir_all(&sessions);
    std::fs::write(&sessions, "").expect("written");
    let report = sandbox.run(["doctor", "--json"]).go().json();
    let named = check(&report, "choice-damaged");
    assert_eq!(named["kind"], "sessions", "{report:#}");
    assert!(named["evidence"].to_string().contains("harness/sessions"), "{report:#}");
}

#[test]
fn a_journal_that_takes_no_record_is_said_by_doctor_and_status() {
    let world = World::healthy();
    let home = world.sandbox.home().join("h");
    let log = home.join("state/journal/audit.jsonl");
    let status = || world.sandbox.run(["status", "--json"]).env("HARNESS_HOME", &home).go().json();
    world.expect(&[], "alive", "alive");
    assert_eq!(status()["journal"]["lost"], Value::Null);
    std::fs::create_dir_all(log.parent().expect("it has one")).expect("made");
    let elsewhere = world.sandbox.write("elsewhere", "");
    std::fs::set_permissions(&elsewhere, std::fs::Permissions::from_mode(0o600)).expect("ours");
    for target in
        ["/dev/full", "/dev/zero", "/dev/null", "nowhere", elsewhere.to_str().expect("text")]
    {
        symlink(target, &log).expect("made");
        world.expect(&["log-unwritable"], "alive", "alive");
        let lost = status()["journal"]["lost"].to_string();
        assert!(lost.contains("audit.jsonl") && lost.contains("link"), "{target}: {lost}");
        let told = world.sandbox.run(["status"]).env("HARNESS_HOME", &home).go().stdout;
        assert!(told.contains("journal  records are lost"), "{target}: {told}");
        std::fs::remove_file(&log).expect("there");
    }
    std::fs::remove_dir(log.parent().expect("it has one")).expect("empty");
    std::fs::write(log.parent().expect("it has one"), "").expect("written");
    assert!(status()["journal"]["lost"].to_string().contains("no folder"), "{}", status());
    world.expect(&["log-unwritable"], "alive", "alive");
}
