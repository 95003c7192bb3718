//! The soft channel: what SessionStart says, looked for where the client reads it.

use super::start::{Answer, Setting, Twist, start};
use super::{Part, cause, payload};
use crate::doctor::finding::Finding;
use crate::doctor::handler::Handler;
use crate::doctor::report::Status;
use crate::hosts::claude_code::decoder::{CONTEXT_LIMIT, Shape};
use crate::journal::place;

pub(super) fn probe(setting: Setting<'_>, handler: &Handler) -> Part {
    let mut part = Part::default();
    let session = payload::session();
    let nonce = session.get(..8).unwrap_or_default();
    let answer = start(setting, handler, &payload::opening(setting, &session), Twist::default());
    forget(setting, &session);
    let heard = answer.decoded.context.as_deref().is_some_and(|c| c.contains(nonce));
    if !heard || answer.decoded.cut {
        let mut finding = cause::of_soft(&answer, handler, nonce).kills("SessionStart");
        finding.evidence.extend(cause::shown(&answer, handler));
        part.found.add(finding);
        return part;
    }
    if matches!(answer.decoded.shape, Shape::NoiseBefore | Shape::NoiseAfter) {
        // The client takes all of it as text: the model reads it, braces and all.
        let mut finding = cause::noise(&answer).status(Status::Warn);
        finding.evidence = cause::shown(&answer, handler);
        part.found.add(finding);
    }
    if !matches!(answer.decoded.shape, Shape::NoiseBefore | Shape::NoiseAfter) {
        for finding in cause::beside(&answer, handler) {
            part.found.add(finding);
        }
    }
    near(&answer, handler, &mut part);
    part.found.soft_seen = true;
    let ms = answer.ran.took.as_millis();
    part.found.right(
        "context-shape",
        format!("a session's status line stands where the client reads it ({ms} ms)"),
    );
    part
}

/// Near to what the client takes: one more rule's text, and all of it is cut.
fn near(answer: &Answer, handler: &Handler, part: &mut Part) {
    let context = answer.decoded.context.as_deref().unwrap_or_default();
    let units = context.encode_utf16().count();
    if units * 5 < CONTEXT_LIMIT * 4 {
        return;
    }
    let what = format!("context has {units} UTF-16 units, and the client takes {CONTEXT_LIMIT}");
    part.found.add(
        Finding::new("context-too-big", what)
            .kind("near")
            .status(Status::Warn)
            .see(handler.place())
            .fix("say less at the start of a session"),
    );
}

/// The invented session leaves no record of its knobs, nor do those of runs that were killed.
fn forget(setting: Setting<'_>, session: &str) {
    let state = &setting.scene.home.state;
    let _ = std::fs::remove_file(place::session(state, session));
    for left in place::abandoned(state) {
        let _ = std::fs::remove_file(left);
    }
}
