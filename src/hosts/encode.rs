//! [`Outbound`] → the exact bytes and exit code that a host acts on: Claude Code's own are
//! in [`claude_code::encode`], here are the others.
//!
//! A host's answer is never looser than what was decided: an ask where nobody would be
//! asked is a denial, a reason is never empty, and no key is written that the host doesn't
//! know.

use harness_core::json::{Limits, parse, write_string};
use harness_core::{Json, Text};

use super::claude_code;
use super::claude_code::encode::CONTEXT;
use super::claude_code::places::Os;
use super::profile::{Blocked, Carrier, Profile};
use super::{Decision, EventName, HostId, Outbound, Reply, Version, words};

/// What is said where a result should have been replaced and can't be.
const NOT_REPLACED: &str = "a rule replaces this result, which this agent's hooks can't do: don't use or repeat it [rule harness/replace]";

/// Renders an answer to `event` for a host; `None` is an event harness doesn't know.
#[must_use]
pub fn encode(
    host: HostId,
    event: Option<EventName>,
    outbound: &Outbound,
    tool: Option<&str>,
    client: Version,
) -> Reply {
    if host == HostId::ClaudeCode {
        return claude_code::encode::encode(event, outbound, tool, client);
    }
    encode_on(Os::here(), host.profile(), event, outbound)
}

fn encode_on(os: Os, host: &Profile, event: Option<EventName>, outbound: &Outbound) -> Reply {
    let context = words::fit(&words::lines(&outbound.context), CONTEXT);
    match (&outbound.decision, event) {
        (Decision::Silence, _) => said(host, event, &context),
        (Decision::Ask(reason), Some(EventName::PreToolUse)) if host.asks => {
            let mut out = nested("PreToolUse", Some(("ask", &words::line(reason))), "");
            out.push(b'}');
            Reply { stdout: out, ..Reply::default() }
        }
        (Decision::Block(reason), Some(EventName::PostToolUse)) => {
            after(host, &words::line(reason), &context)
        }
        (Decision::Replace(json), Some(EventName::PostToolUse)) => {
            let reason = match shown(json).filter(|_| host.blocked == Blocked::Replaced) {
                Some(text) => words::fit(&words::lines(&text), CONTEXT),
                None => NOT_REPLACED.to_owned(),
            };
            after(host, &reason, &context)
        }
        (Decision::Deny(reason) | Decision::Ask(reason) | Decision::Block(reason), _) => {
            stopped(os, host, event, &words::line(reason))
        }
        // Nothing but a result can be replaced.
        (Decision::Replace(_), _) => stopped(os, host, event, NOT_REPLACED),
    }
}

/// An answer that stops nothing: context where the host hands it on.
fn said(host: &Profile, event: Option<EventName>, context: &str) -> Reply {
    let event = event.filter(|event| !context.is_empty() && host.context.contains(event));
    let Some(name) = event.and_then(|event| host.theirs(event)) else { return Reply::default() };
    let mut out = nested(name, None, context);
    if host.carrier == Carrier::Both {
        out.extend_from_slice(b",\"additionalContext\":");
        write_string(&Text::from(context), &mut out);
    }
    out.push(b'}');
    Reply { stdout: out, ..Reply::default() }
}

/// An answer that stops: every channel that the host reads says the same.
fn stopped(os: Os, host: &Profile, event: Option<EventName>, reason: &str) -> Reply {
    let mut out = Vec::with_capacity(192 + 2 * reason.len());
    match (host.carrier, event) {
        (Carrier::Decision, Some(EventName::PreToolUse)) => top("deny", reason, &mut out),
        (Carrier::Both, Some(EventName::PreToolUse)) => {
            out = nested("PreToolUse", Some(("deny", reason)), "");
            out.extend_from_slice(
                b",\"permissionDecision\":\"deny\",\"permissionDecisionReason\":",
            );
            write_string(&Text::from(reason), &mut out);
        }
        (_, Some(EventName::PreToolUse)) => {
            out = nested("PreToolUse", Some(("deny", reason)), "");
        }
        _ => top("block", reason, &mut out),
    }
    out.push(b'}');
    if host.carrier == Carrier::NestedStrict && os == Os::Windows {
        return Reply { stdout: out, ..Reply::default() };
    }
    Reply { stdout: out, stderr: format!("{reason}\n").into_bytes(), code: 2 }
}

/// An answer to a result that is not to be used.
fn after(host: &Profile, reason: &str, context: &str) -> Reply {
    let joined =
        if context.is_empty() { reason.to_owned() } else { format!("{reason}\n{context}") };
    if host.blocked == Blocked::Nothing {
        return said(host, Some(EventName::PostToolUse), &joined);
    }
    let mut out = Vec::with_capacity(64 + joined.len());
    let word = if host.id == HostId::Gemini { "deny" } else { "block" };
    top(word, &joined, &mut out);
    out.push(b'}');
    Reply { stdout: out, ..Reply::default() }
}

/// `{"decision":…,"reason":…`: the brace is left open.
fn top(word: &str, reason: &str, out: &mut Vec<u8>) {
    out.extend_from_slice(b"{\"decision\":\"");
    out.extend_from_slice(word.as_bytes());
    out.extend_from_slice(b"\",\"reason\":");
    write_string(&Text::from(reason), out);
}

/// `{"hookSpecificOutput":{…}`: the outer brace is left open.
fn nested(event: &str, decision: Option<(&str, &str)>, context: &str) -> Vec<u8> {
    let mut out = b"{\"hookSpecificOutput\":{\"hookEventName\":\"".to_vec();
    out.extend_from_slice(event.as_bytes());
    out.push(b'"');
    if let Some((word, reason)) = decision {
        out.extend_from_slice(b",\"permissionDecision\":\"");
        out.extend_from_slice(word.as_bytes());
        out.extend_from_slice(b"\",\"permissionDecisionReason\":");
        write_string(&Text::from(reason), &mut out);
    }
    if !context.is_empty() {
        out.extend_from_slice(b",\"additionalContext\":");
        write_string(&Text::from(context), &mut out);
    }
    out.push(b'}');
    out
}

/// What of a result the model reads, if that is a text.
fn shown(json: &[u8]) -> Option<String> {
    let parsed = parse(json, Limits::default()).ok()?;
    let text = match &parsed.value {
        Json::String(text) => text.to_str(),
        value => value.str_at("llmContent")?,
    };
    Some(text.into_owned()).filter(|text| !text.trim().is_empty())
}

#[cfg(test)]
#[path = "encode_tests.rs"]
mod tests;
