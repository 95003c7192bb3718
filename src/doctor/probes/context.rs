//! The soft events that only rules use: their text, looked for where the client reads it.

use super::start::{Setting, Twist, start};
use super::{Part, cause, payload};
use crate::doctor::finding::Finding;
use crate::doctor::handler::Handler;
use crate::doctor::report::State;
use crate::hosts::EventName;

/// Events that are registered only if a rule adds context to them.
pub(super) const EVENTS: [EventName; 2] = [EventName::UserPromptSubmit, EventName::SubagentStart];

/// Sends one of them; `None`: it is used, and nothing of ours is registered for it.
pub(super) fn probe(setting: Setting<'_>, event: EventName, handler: Option<&Handler>) -> Part {
    let mut part = Part::default();
    let pieces = setting.scene.policy.context(event, None);
    let Some(piece) = pieces.first() else { return part };
    let name = event.as_str();
    let Some(handler) = handler else {
        let what =
            format!("a rule adds context to {name}, which no hook of ours is registered for");
        let finding = Finding::new("entries-outdated", what).kind("event");
        part.found.add(finding.fix("run `harness install`: it registers what the rules use"));
        return part;
    };
    let session = payload::session();
    let answer = start(setting, handler, &payload::soft(setting, name, &session), Twist::default());
    let head: String = piece.text.trim().chars().take(60).collect();
    let heard = answer.decoded.context.as_deref().is_some_and(|c| c.contains(&head));
    if heard {
        part.found.right("context-shape", format!("a rule's context reaches {name}"));
        return part;
    }
    let mut finding = cause::of_soft(&answer, handler, &head).hits(None, Some(State::Dead));
    finding.evidence.push(format!("{name}: the rule's text was not where the client reads it"));
    finding.evidence.extend(cause::shown(&answer, handler));
    part.found.add(finding);
    part
}
