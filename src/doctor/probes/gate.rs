//! The gate: what must be denied is denied with a reason, its harmless twin is not.

use super::start::{Answer, Setting, Twist, limit, start};
use super::{Part, breadth, cause, payload, stress};
use crate::doctor::finding::Finding;
use crate::doctor::handler::Handler;
use crate::doctor::report::Status;
use crate::hosts::claude_code::decoder::{Decision, ReasonFrom};
use serde_json::{Value, json};
use std::time::Duration;

/// Denied, and by the hook itself: a client that closes because the hook failed is no
/// working gate.
pub(super) fn denied(answer: &Answer) -> bool {
    matches!(&answer.decoded.decision, Decision::Denied { from, .. } if *from != ReasonFrom::OnFailure)
}

pub(super) fn probe(setting: Setting<'_>, handler: &Handler) -> Part {
    let mut part = Part::default();
    let mut policy = payload::policy(setting, handler);
    // A broken policy may be edited, so that it can be mended: beside it nothing may.
    let broken = setting.scene.denies_all();
    if broken {
        policy.set_file_name("policy.toml.probe");
    }
    let harmless = setting.folder.join("harmless.txt");
    let calls: [(&str, Value); 5] = [
        ("Write", payload::write(&policy, "probe")),
        ("Bash", payload::redirection(&policy)),
        ("Write", payload::write(&harmless, "probe")),
        ("Bash", json!({ "command": "echo probe" })),
        ("Read", json!({ "file_path": harmless })),
    ];
    let answers = together(setting, handler, &calls);
    let [write, bash, twins @ ..] = answers.as_slice() else { return part };
    let mut open = false;
    for (tool, answer) in [("Write", write), ("Bash", bash)] {
        if !denied(answer) {
            open = true;
            let mut finding = cause::of_gate(answer, handler).kills("PreToolUse");
            finding.evidence.push(format!("{tool} to {}", policy.display()));
            finding.evidence.extend(cause::shown(answer, handler));
            part.found.add(finding);
        }
    }
    if open {
        return part;
    }
    reason(write, handler, &mut part);
    for finding in cause::beside(write, handler) {
        part.found.add(finding);
    }
    // What a guard of the person's denies for want of its program is no fault of the gate's.
    let stopped = broken || (!any_passes(twins) && setting.scene.lost_guards());
    if !stopped {
        twins_pass(twins, handler, &mut part);
    }
    pace(write.ran.took, handler, &mut part, || {
        together(setting, handler, calls.get(..1).unwrap_or_default()).first().map(|a| a.ran.took)
    });
    if !part.found.hit("PreToolUse") {
        part.found.gate_seen = true;
        let ms = write.ran.took.as_millis();
        part.found
            .right("fails-open", format!("a write to harness's own policy is denied ({ms} ms)"));
        if !stopped {
            part.found.right("denies-all", "a harmless call is let through");
            stress::probe(setting, handler, &mut part);
            breadth::probe(setting, handler, &mut part);
        }
    }
    part
}

fn together(setting: Setting<'_>, handler: &Handler, calls: &[(&str, Value)]) -> Vec<Answer> {
    std::thread::scope(|threads| {
        let running: Vec<_> = calls
            .iter()
            .map(|(tool, input)| {
                threads.spawn(move || {
                    start(setting, handler, &payload::call(setting, tool, input), Twist::default())
                })
            })
            .collect();
        running.into_iter().filter_map(|r| r.join().ok()).collect()
    })
}

/// A denial the model can read and act on.
fn reason(answer: &Answer, handler: &Handler, part: &mut Part) {
    let Decision::Denied { from: ReasonFrom::Client, .. } = answer.decoded.decision else { return };
    let mut finding =
        Finding::new("deny-no-reason", "the hook denies without a reason the model can read");
    finding.evidence = cause::shown(answer, handler);
    part.found.add(finding);
}

fn any_passes(twins: &[Answer]) -> bool {
    twins.iter().any(|t| matches!(t.decoded.decision, Decision::Nothing | Decision::Asked(_)))
}

/// One twin that passes is enough: a person's own rules may well forbid all writing.
fn twins_pass(twins: &[Answer], handler: &Handler, part: &mut Part) {
    if any_passes(twins) {
        return;
    }
    let mut finding =
        Finding::new("denies-all", "harmless calls are denied too").kills("PreToolUse");
    if let Some(first) = twins.first() {
        finding.evidence = cause::shown(first, handler);
    }
    part.found.add(finding);
}

/// More than half of the limit is too near to it: the best of three, since a machine may be
/// busy with something else for a moment.
pub(super) fn pace(
    took: Duration,
    handler: &Handler,
    part: &mut Part,
    again: impl Fn() -> Option<Duration>,
) {
    let slow = |took: Duration| took * 2 > limit(handler);
    if slow(took) && (0..2).all(|_| again().is_none_or(slow)) {
        part.found.add(
            Finding::new("slow", format!("the hook took {took:.1?} of {:.1?}", handler.limit()))
                .status(Status::Warn)
                .see(handler.place()),
        );
    }
}
