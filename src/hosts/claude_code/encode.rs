//! [`Outbound`] → the exact bytes and exit code that Claude Code acts on.
//!
//! A denial is given three ways at once: JSON, the same reason on standard error, and
//! exit code 2: denied by every version measured, also when something else pollutes
//! standard output. Silence is exit 0 and not a byte.

use harness_core::Text;
use harness_core::json::write_string;

use crate::hosts::reply::Decision;
use crate::hosts::{EventName, Outbound, Reply, Version, words};

/// The longest context that reaches the model whole, in UTF-16 units: 9,999 passes,
/// 10,001 is replaced by a pointer to a file.
pub const CONTEXT: usize = 9_999;
/// From this version a result can be replaced.
const REPLACES_FROM: Version = Version::new(2, 1, 150);

/// Renders an answer to `event`; `None` is an event harness doesn't know. `tool` is the
/// call's tool, for answers to a result.
#[must_use]
pub fn encode(
    event: Option<EventName>,
    outbound: &Outbound,
    tool: Option<&str>,
    client: Version,
) -> Reply {
    let context = words::fit(&words::lines(&outbound.context), CONTEXT);
    match (&outbound.decision, event) {
        (Decision::Silence, _) => soft(event, &context, None),
        (Decision::Ask(reason), Some(EventName::PreToolUse)) => {
            soft(event, &context, Some(("ask", &words::line(reason))))
        }
        // Where nobody can be asked, an ask is a denial.
        (Decision::Deny(reason) | Decision::Ask(reason) | Decision::Block(reason), _) => {
            hard(event, &words::line(reason), &context)
        }
        (Decision::Replace(json), Some(EventName::PostToolUse)) if client >= REPLACES_FROM => {
            replace(json, tool, &context)
        }
        (Decision::Replace(_), _) => hard(
            event,
            "a rule replaces this result, which this version of the client can't do: don't use or repeat it [rule harness/replace]",
            &context,
        ),
    }
}

/// An answer that stops nothing: context, and on PreToolUse a decision short of deny.
fn soft(event: Option<EventName>, context: &str, decision: Option<(&str, &str)>) -> Reply {
    let Some(event) = event.filter(|event| carries_context(*event)) else {
        return Reply::default();
    };
    if context.is_empty() && decision.is_none() {
        return Reply::default();
    }
    let mut out = Vec::with_capacity(128 + context.len());
    specific(event, decision, context, &mut out);
    out.push(b'}');
    Reply { stdout: out, stderr: Vec::new(), code: 0 }
}

/// An answer that stops: JSON, standard error and exit code say the same.
fn hard(event: Option<EventName>, reason: &str, context: &str) -> Reply {
    let mut out = Vec::with_capacity(128 + reason.len() + context.len());
    match event {
        Some(EventName::PreToolUse) => {
            specific(EventName::PreToolUse, Some(("deny", reason)), context, &mut out);
        }
        _ => {
            out.extend_from_slice(b"{\"decision\":\"block\",\"reason\":");
            write_string(&Text::from(reason), &mut out);
            if let Some(event) = event.filter(|e| carries_context(*e) && !context.is_empty()) {
                let mut inner = Vec::new();
                specific(event, None, context, &mut inner);
                out.push(b',');
                out.extend_from_slice(inner.get(1..).unwrap_or_default());
            }
        }
    }
    out.push(b'}');
    let mut stderr = reason.as_bytes().to_vec();
    stderr.push(b'\n');
    Reply { stdout: out, stderr, code: 2 }
}

fn replace(json: &[u8], tool: Option<&str>, context: &str) -> Reply {
    let mut out = Vec::with_capacity(160 + json.len() * 2 + context.len());
    specific(EventName::PostToolUse, None, context, &mut out);
    out.pop();
    let mcp = tool.is_some_and(|tool| tool.starts_with("mcp__"));
    let keys: &[&str] =
        if mcp { &["updatedToolOutput", "updatedMCPToolOutput"] } else { &["updatedToolOutput"] };
    for key in keys {
        out.extend_from_slice(b",\"");
        out.extend_from_slice(key.as_bytes());
        out.extend_from_slice(b"\":");
        out.extend_from_slice(json);
    }
    out.extend_from_slice(b"}}");
    Reply { stdout: out, stderr: Vec::new(), code: 0 }
}

/// `{"hookSpecificOutput":{…}`: the outer brace is left open.
fn specific(event: EventName, decision: Option<(&str, &str)>, context: &str, out: &mut Vec<u8>) {
    out.extend_from_slice(b"{\"hookSpecificOutput\":{\"hookEventName\":\"");
    out.extend_from_slice(event.as_str().as_bytes());
    out.push(b'"');
    if let Some((word, reason)) = decision {
        out.extend_from_slice(b",\"permissionDecision\":\"");
        out.extend_from_slice(word.as_bytes());
        out.extend_from_slice(b"\",\"permissionDecisionReason\":");
        write_string(&Text::from(reason), out);
    }
    if !context.is_empty() {
        out.extend_from_slice(b",\"additionalContext\":");
        write_string(&Text::from(context), out);
    }
    out.push(b'}');
}

const fn carries_context(event: EventName) -> bool {
    !matches!(event, EventName::ConfigChange | EventName::SessionEnd)
}

#[cfg(test)]
mod tests {
    use super::encode;
    use crate::hosts::reply::Decision;
    use crate::hosts::{EventName, Outbound, Version};

    const NEW: Version = Version::new(2, 1, 332);

    fn render(event: Option<EventName>, decision: Decision, context: &str) -> (String, String, u8) {
        let outbound = Outbound { decision, context: context.into() };
        let reply = encode(event, &outbound, Some("Bash"), NEW);
        let text = |bytes| String::from_utf8(bytes).unwrap_or_default();
        (text(reply.stdout), text(reply.stderr), reply.code)
    }

    #[test]
    fn silence_is_not_a_byte() {
        for event in EventName::ALL {
            let got = render(Some(*event), Decision::Silence, "");
            assert_eq!(got, (String::new(), String::new(), 0));
        }
    }

    #[test]
    fn a_denial_is_given_three_ways_with_its_context() {
        let got = render(Some(EventName::PreToolUse), Decision::Deny("no\n\"x\"".into()), "c");
        let json = r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no \"x\"","additionalContext":"c"}}"#;
        assert_eq!(got, (json.into(), "no \"x\"\n".into(), 2));
    }

    #[test]
    fn a_result_is_blocked_with_its_context() {
        let got = render(Some(EventName::PostToolUse), Decision::Block("no".into()), "c");
        let json = r#"{"decision":"block","reason":"no","hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"c"}}"#;
        assert_eq!(got, (json.into(), "no\n".into(), 2));
    }

    #[test]
    fn an_ask_outside_the_gate_is_a_denial() {
        let got = render(Some(EventName::ConfigChange), Decision::Ask("q".into()), "lost");
        assert_eq!(got, (r#"{"decision":"block","reason":"q"}"#.into(), "q\n".into(), 2));
        let got = render(Some(EventName::PreToolUse), Decision::Ask("q".into()), "");
        assert!(got.0.contains(r#""permissionDecision":"ask""#));
        assert_eq!((got.1.as_str(), got.2), ("", 0));
    }

    #[test]
    fn a_result_is_replaced_where_the_client_can() {
        let outbound =
            Outbound { decision: Decision::Replace(b"{\"a\":1}".to_vec()), context: "c".into() };
        let at = |tool, version| {
            let reply = encode(Some(EventName::PostToolUse), &outbound, Some(tool), version);
            (String::from_utf8(reply.stdout).unwrap_or_default(), reply.code)
        };
        let new = r#"{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"c","updatedToolOutput":{"a":1}}}"#;
        assert_eq!(at("Bash", NEW), (new.into(), 0));
        assert!(at("mcp__a__b", NEW).0.contains(r#""updatedMCPToolOutput":{"a":1}}}"#));
        let old = at("Bash", Version::new(2, 1, 149));
        assert!(old.0.contains(r#""decision":"block""#) && old.1 == 2);
    }
}
