//! Every way in which one channel breaks, beside every way in which the other does: exactly
//! the right pair of verdicts and no root cause but theirs.

use super::{GATE, SOFT, World, found};
use harness::doctor::effective::Switches;
use serde_json::Value;
use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;
use std::sync::Mutex;

/// How a channel is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    Ok,
    Crash,
    Exit1,
    Timeout,
    NoiseBefore,
    NoiseAfter,
    Shape,
    Missing,
    Mode,
}

const ALL: [How; 9] = [
    How::Ok,
    How::Crash,
    How::Exit1,
    How::Timeout,
    How::NoiseBefore,
    How::NoiseAfter,
    How::Shape,
    How::Missing,
    How::Mode,
];

const DENY: &str = r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}"#;

/// The gate's script, its root cause and its verdict.
fn gate(how: How) -> (String, &'static str, &'static str) {
    let (script, root) = match how {
        How::Ok => return (GATE.to_owned(), "", "alive"),
        How::Crash => ("kill -SEGV $$".to_owned(), "fails-open/signal-11"),
        How::Exit1 => ("exit 1".to_owned(), "fails-open/exit-1"),
        How::Timeout => ("sleep 20".to_owned(), "slow/timeout"),
        How::NoiseBefore => (format!("echo hi; echo '{DENY}'"), "stdout-noise/before"),
        How::NoiseAfter => (format!("echo '{DENY}'; echo hi"), "stdout-noise/after"),
        How::Shape => (r#"echo '{"permissionDecision":"deny"}'"#.to_owned(), "deny-shape/flat"),
        How::Missing => (GATE.to_owned(), "target-missing"),
        How::Mode => (GATE.to_owned(), "not-startable/not-executable"),
    };
    (script, root, "dead")
}

/// The soft channel's. Noise there makes text of the answer, which still reaches the model.
fn soft(how: How) -> (String, &'static str, &'static str) {
    let (script, root) = match how {
        How::Ok => return (SOFT.to_owned(), "", "alive"),
        How::NoiseBefore => return (format!("echo hi; {SOFT}"), "stdout-noise/before", "alive"),
        How::NoiseAfter => {
            return (format!("{SOFT}\necho; echo hi"), "stdout-noise/after", "alive");
        }
        How::Crash => ("kill -SEGV $$".to_owned(), "fails-open/signal-11"),
        How::Exit1 => ("exit 1".to_owned(), "context-shape/exit-1"),
        How::Timeout => ("sleep 20".to_owned(), "slow/timeout"),
        How::Shape => {
            let place = r#"{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"harness %s"}}"#;
            (SOFT.replace(place, r#"{"additionalContext":"%s"}"#), "context-shape/place")
        }
        How::Missing => (SOFT.to_owned(), "target-missing"),
        How::Mode => (SOFT.to_owned(), "not-startable/not-executable"),
    };
    (script, root, "dead")
}

fn break_file(world: &World, name: &str, how: How) {
    let file = world.sandbox.root().join("hooks").join(name);
    match how {
        How::Missing => std::fs::remove_file(file).expect("it is there"),
        How::Mode => {
            let mode = std::fs::Permissions::from_mode(0o644);
            std::fs::set_permissions(file, mode).expect("it is ours");
        }
        _ => {}
    }
}

/// A world in which the two are broken so; the roots and the pair to be found.
fn world(of_gate: How, of_soft: How) -> (World, BTreeSet<String>, [&'static str; 2]) {
    let (gate, gate_root, gate_is) = gate(of_gate);
    let (soft, soft_root, soft_is) = soft(of_soft);
    let world = World::new(&gate, &soft);
    break_file(&world, "gate", of_gate);
    break_file(&world, "soft", of_soft);
    let roots = [gate_root, soft_root].into_iter().filter(|r| !r.is_empty());
    (world, roots.map(str::to_owned).collect(), [gate_is, soft_is])
}

fn pair(report: &Value) -> [&str; 2] {
    let host = &report["hosts"][0];
    ["gate", "soft"].map(|channel| host[channel]["state"].as_str().expect("a word"))
}

/// What differs from what is right, if anything does.
fn wrong(of_gate: How, of_soft: How) -> Option<String> {
    let (world, roots, right) = world(of_gate, of_soft);
    let ran = world.doctor(&[]);
    let report = ran.json();
    let got: BTreeSet<String> = found(&report).into_iter().collect();
    let code = if right.contains(&"dead") { 1 } else { 0 };
    if got == roots && pair(&report) == right && ran.status.code() == Some(code) {
        return None;
    }
    Some(format!(
        "gate {of_gate:?}, soft {of_soft:?}: {got:?} {:?} {:?}, right is {roots:?} {right:?} {code}",
        pair(&report),
        ran.status.code()
    ))
}

#[test]
fn each_channel_is_judged_as_if_the_other_were_not_there() {
    let mut cells: Vec<(How, How)> =
        ALL.iter().flat_map(|gate| ALL.iter().map(|soft| (*gate, *soft))).collect();
    cells.reverse();
    let (cells, failures) = (Mutex::new(cells), Mutex::new(Vec::new()));
    std::thread::scope(|threads| {
        for _ in 0..3 {
            threads.spawn(|| {
                loop {
                    let Some((gate, soft)) = cells.lock().expect("sound").pop() else { break };
                    if let Some(failure) = wrong(gate, soft) {
                        failures.lock().expect("sound").push(failure);
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().expect("sound");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn a_switch_kills_both_in_each_scope_whatever_else_is_broken() {
    const OFF: &str = r#"{"disableAllHooks":true}"#;
    for (of_gate, of_soft) in [
        (How::Ok, How::Ok),
        (How::Exit1, How::Ok),
        (How::Ok, How::Shape),
        (How::Missing, How::Crash),
    ] {
        for scope in ["user", "project", "local"] {
            let (world, mut roots, _) = world(of_gate, of_soft);
            let mut settings = world.settings();
            match scope {
                "user" => {
                    settings["disableAllHooks"] = true.into();
                    world.write_settings(&settings);
                }
                "project" => drop(world.sandbox.write("project/.claude/settings.json", OFF)),
                _ => drop(world.sandbox.write("project/.claude/settings.local.json", OFF)),
            }
            roots.insert(format!("switched-off/{scope}"));
            let report = world.doctor(&[]).json();
            let got: BTreeSet<String> = found(&report).into_iter().collect();
            assert_eq!(got, roots, "{scope} {of_gate:?} {of_soft:?}: {report:#}");
            assert_eq!(pair(&report), ["dead", "dead"], "{scope}: {report:#}");
            assert_eq!(report["checks"][0]["id"], "switched-off");
        }
    }
}

#[test]
fn a_switch_of_the_machine_or_the_environment_kills_both() {
    let world = World::healthy();
    let switched = |file: &str, switches: Switches| {
        let mut request = super::seams::request(&world, super::seams::LINUX);
        if !file.is_empty() {
            world.sandbox.write("managed/managed-settings.json", file);
        }
        request.switches = switches;
        let report = harness::doctor::examine(&request, &|_| {});
        let _ = std::fs::remove_dir_all(world.sandbox.root().join("managed"));
        serde_json::to_value(report).expect("JSON")
    };
    let none = Switches::default();
    for (report, kind) in [
        (switched(r#"{"disableAllHooks":true}"#, none), "managed"),
        (switched(r#"{"allowManagedHooksOnly":true}"#, none), "managed"),
        (switched("", Switches { simple: true, ..none }), "environment"),
        (switched("", Switches { safe_mode: true, ..none }), "environment"),
    ] {
        assert_eq!(found(&report), [format!("switched-off/{kind}")], "{report:#}");
        assert_eq!(pair(&report), ["dead", "dead"], "{report:#}");
    }
    assert_eq!(pair(&switched("", none)), ["alive", "alive"]);
}
