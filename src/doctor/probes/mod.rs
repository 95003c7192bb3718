//! The executed probes: our registered commands, started as the client starts them.

mod breadth;
mod cause;
mod context;
mod examples;
pub mod foreign;
mod gate;
mod lists;
pub mod live;
mod payload;
mod results;
mod soft;
mod start;

mod stress;

use super::effective::started;
use super::finding::{Finding, Findings};
use super::handler::Handler;
use super::scene::Scene;
use super::scratch::Scratch;
use crate::hosts::claude_code::decoder::{Decision, ReasonFrom};
use start::Setting;

/// Runs every probe. Hooks of others are never started.
pub fn run(scene: &Scene, found: &mut Findings) {
    let Ok(scratch) = Scratch::new("doctor") else {
        found.add(
            Finding::new("probe-failed", "no temporary folder could be made, so nothing was run")
                .hits(Some(super::report::State::Unknown), Some(super::report::State::Unknown)),
        );
        return;
    };
    let setting = Setting { scene, folder: scratch.path() };
    let active = scene.own_active();
    // Switched off, ours are tried all the same: what else is wrong with them is shown too.
    let all: Vec<Handler> =
        if active.is_empty() { scene.own().into_iter().cloned().collect() } else { active };
    let of = |event: &str, subject: &str| -> Option<Handler> {
        let occasion = started(&all, event, subject, scene.version);
        // A managed one is the strongest there is; it loads last.
        occasion.started.into_iter().rev().find(|h| scene.may_run(h)).cloned()
    };
    let gates = of("PreToolUse", "Write").or_else(|| of("PreToolUse", "Bash"));
    let soft = of("SessionStart", "startup");
    let (gate, soft) = std::thread::scope(|threads| {
        let soft = soft.as_ref().map(|h| threads.spawn(move || soft::probe(setting, h)));
        let gate = gates.as_ref().map(|h| gate::probe(setting, h));
        (gate, soft.and_then(|s| s.join().ok()))
    });
    let mut gate = gate;
    if let (Some(handler), Some(part)) = (&gates, &mut gate)
        && part.found.gate_seen
        && !scene.denies_all()
        && !scene.lost_guards()
    {
        examples::probe(setting, handler, part);
        lists::probe(setting, handler, part);
    }
    if let Some(handler) = of("PostToolUse", "Bash") {
        results::probe(setting, &handler).into_findings(found);
    }
    let used = context::EVENTS.into_iter().filter(|e| scene.policy.uses(*e) && !all.is_empty());
    for event in used {
        let handler = of(event.as_str(), "general-purpose");
        context::probe(setting, event, handler.as_ref()).into_findings(found);
    }
    for part in [gate, soft].into_iter().flatten() {
        part.into_findings(found);
    }
}

/// What the client would have done with a shell command: the reason of a denial.
///
/// `None`: there is no gate of ours to ask. The command itself is never run.
#[must_use]
pub fn ask(scene: &Scene, folder: &std::path::Path, command: &str) -> Option<Option<String>> {
    let own = scene.own_active();
    let occasion = started(&own, "PreToolUse", "Bash", scene.version);
    let handler = occasion.started.into_iter().rev().find(|h| scene.may_run(h))?;
    let setting = Setting { scene, folder };
    let input = serde_json::json!({ "command": command });
    let payload = payload::call(setting, "Bash", &input);
    let answer = start::start(setting, handler, &payload, start::Twist::default());
    Some(match answer.decoded.decision {
        Decision::Denied { reason, from } if from != ReasonFrom::OnFailure => Some(reason),
        _ => None,
    })
}

/// What the probes of one channel found.
#[derive(Debug, Default)]
pub(super) struct Part {
    found: Findings,
}

impl Part {
    fn into_findings(self, all: &mut Findings) {
        for mut finding in self.found.all {
            let step = "run `harness doctor --fix`; if that changes nothing, report it";
            finding.fix.get_or_insert_with(|| step.to_owned());
            // The files said why already.
            let known = |f: &Finding| {
                matches!(f.id, "target-missing" | "not-startable")
                    && (f.gate.is_some() && finding.gate.is_some()
                        || f.soft.is_some() && finding.soft.is_some())
            };
            if finding.id != "not-startable" || !all.all.iter().any(known) {
                all.add(finding);
            }
        }
        for (id, seen) in self.found.seen {
            all.seen.entry(id).or_default().extend(seen);
        }
        all.gate_seen |= self.found.gate_seen;
        all.soft_seen |= self.found.soft_seen;
    }
}
