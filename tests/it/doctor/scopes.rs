//! Every scope, every client: what install wrote, doctor finds nothing wrong with.

use super::found;
use crate::support::{Machine, Sandbox};
use serde_json::Value;

/// A machine with `harness` on the search path, as a shared project needs it.
pub(super) fn machine(client: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.stub_claude(client);
    let target = sandbox.bin().join("harness");
    std::os::unix::fs::symlink(crate::support::binary(), target).expect("nothing is there");
    sandbox
}

/// What is wrong, but for the loader of a test build.
pub(super) fn roots(report: &Value) -> Vec<String> {
    let mut roots = found(report);
    roots.retain(|r| r != "dynamic-binary");
    roots
}

#[test]
fn what_install_wrote_is_healthy_in_every_scope_and_for_every_client() {
    for client in ["2.1.332", "2.1.100"] {
        for scope in ["user", "local", "project"] {
            let sandbox = machine(client);
            let Some(view) = sandbox.machine() else { return };
            sandbox.run_on(&view, ["install", "--yes", "--scope", scope]).ok();
            let report = sandbox.run_on(&view, ["doctor", "--json"]).ok().json();
            assert_eq!(roots(&report), [""; 0], "{client} {scope}: {report:#}");
            let host = &report["hosts"][0];
            assert_eq!(host["gate"]["state"], "alive", "{client} {scope}");
            assert_eq!(host["soft"]["state"], "alive", "{client} {scope}");
        }
    }
}

#[test]
fn a_shared_project_without_the_program_is_told() {
    let sandbox = machine("2.1.332");
    let Some(view) = sandbox.machine() else { return };
    sandbox.run_on(&view, ["install", "--yes", "--scope", "project"]).ok();
    std::fs::remove_file(sandbox.bin().join("harness")).expect("it is there");
    let report = sandbox.run_on(&view, ["doctor", "--json"]).code(1).json();
    assert_eq!(roots(&report), ["target-missing"], "{report:#}");
    let checks = report["checks"].as_array().expect("a list");
    let missing = checks.iter().find(|c| c["id"] == "target-missing").expect("it is there");
    assert!(missing["message"].as_str().is_some_and(|m| m.contains("`harness`")), "{missing:#}");
}

#[test]
fn a_home_that_the_hooks_do_not_go_by_is_said_and_used() {
    let sandbox = machine("2.1.332");
    let other = sandbox.root().join("other");
    std::fs::create_dir(&other).expect("nothing is there");
    let Some(view) = Machine::below(sandbox.root(), &other) else { return };
    sandbox.run_on(&view, ["install", "--yes", "--scope", "project"]).ok();
    let rule = "version = 1\n[[guard]]\nid = \"mine\"\ntool = \"Bash\"\nmentions = [\"zebra\"]\ndeny = \"no\"\n";
    sandbox.write("home/.config/harness/policy.toml", rule);
    // The sandbox's `HOME` is not the home of this user: a shared hook doesn't read it.
    let ran = sandbox.run_on(&view, ["explain", "echo zebra", "--exit-code"]).code(0);
    assert!(ran.stderr.contains("the hooks that run here read"), "{}", ran.stderr);
    let report = sandbox.run_on(&view, ["doctor", "--json"]).ok().json();
    assert_eq!(roots(&report), ["home-differs"], "{report:#}");
    // Told its folders, the hook reads them, and so does `explain`.
    sandbox.run_on(&view, ["install", "--yes"]).ok();
    let ran = sandbox.run_on(&view, ["explain", "echo zebra", "--exit-code"]).code(11);
    assert!(!ran.stderr.contains("the hooks that run here read"), "{}", ran.stderr);
}

#[test]
fn without_a_client_the_recorded_one_is_judged_by() {
    let sandbox = machine("2.1.332");
    sandbox.run(["install", "--yes"]).ok();
    std::fs::remove_file(sandbox.bin().join("claude")).expect("it is there");
    let report = sandbox.run(["doctor", "--json"]).ok().json();
    assert_eq!(roots(&report), [""; 0], "{report:#}");
    assert_eq!(report["hosts"][0]["version"], "2.1.332");
    let text = sandbox.run(["doctor"]).ok().stdout;
    assert!(text.contains("judged as 2.1.332 (the one harness was installed for)"), "{text}");
}

#[test]
fn the_loader_is_named_once() {
    let sandbox = machine("2.1.332");
    sandbox.run(["install", "--yes"]).ok();
    let report = sandbox.run(["doctor", "dynamic-binary", "--json"]).ok().json();
    let checks = report["checks"].as_array().expect("a list");
    let lines = checks.iter().map(|c| c["evidence"].as_array().map_or(0, Vec::len));
    assert!(lines.sum::<usize>() <= 1, "{report:#}");
}

#[test]
fn probes_stay_out_of_the_log() {
    let sandbox = machine("2.1.332");
    sandbox.run(["install", "--yes"]).ok();
    sandbox.run(["doctor"]).ok();
    let shown = sandbox.run(["log"]).ok();
    assert_eq!(shown.stdout, "", "{}", shown.stdout);
    assert!(shown.stderr.contains("are left out (`--probes`)"), "{}", shown.stderr);
    let probes = sandbox.run(["log", "--probes"]).ok().stdout;
    assert!(probes.lines().count() > 10, "{probes}");
}
