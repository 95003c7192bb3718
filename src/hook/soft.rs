//! Events that carry context or nothing: a prompt, a subagent's beginning, a session's
//! end.

use super::answer::Answer;
use super::context;
use super::scene::Scene;
use super::trouble::Trouble;
use crate::home::Home;
use crate::hosts::{Decision, EventName, Inbound, Outbound};
use crate::journal::record::Record;
use crate::journal::redact;

/// Answers with the context of the event.
///
/// # Errors
/// Only in test builds, on demand.
pub fn answer(home: &Home, inbound: &Inbound<'_>, event: EventName) -> Result<Answer, Trouble> {
    let scene = Scene::look(home, inbound);
    let context = if event == EventName::SessionEnd {
        String::new()
    } else {
        context::of(&scene.policy(home)?, event, None, &scene.workspace)
    };
    let record = Record::new("hook/invoked", scene.now_ms())
        .text("event", event.as_str())
        .text("session", redact::head(&inbound.session, 256));
    let outbound = Outbound { decision: Decision::Silence, context };
    let notes = scene.notes(event, inbound, None, "");
    Ok(Answer { outbound, record: Some(record), notes })
}
