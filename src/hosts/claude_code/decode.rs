//! A payload's bytes → [`Inbound`]. Strict where something can be stopped, lenient
//! elsewhere: unknown fields, new tools and odd results are values, not failures.

use std::borrow::Cow;

use harness_core::json::{JsonErrorKind, Limits, parse};
use harness_core::{Identity, Json, ToolCall};

use crate::hosts::translate::{Members, call_id, sender, translate};
use crate::hosts::{Event, EventName, HostId, Inbound};

/// A payload that can't be decided on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What is wrong, in a sentence for the model and the person.
    pub sentence: String,
    /// The event it must be answered as: argv's, or the payload's if that is the
    /// stricter. `None`: an event harness doesn't know, while argv's is a gate.
    pub answer_as: Option<EventName>,
}

/// A payload and what was odd about it.
#[derive(Debug)]
pub struct Decoded<'a> {
    /// The event.
    pub inbound: Inbound<'a>,
    /// Some string held bytes that are not UTF-8.
    pub invalid_utf8: bool,
}

/// Reads the payload of `event` that a hook registered for `host` was given.
///
/// # Errors
/// [`Refusal`] says what is wrong and as which event to answer.
pub fn decode(host: HostId, bytes: &[u8], event: EventName) -> Result<Decoded<'_>, Refusal> {
    let refuse = |sentence| Refusal { sentence, answer_as: Some(event) };
    let parsed = parse(bytes, Limits::default()).map_err(|error| {
        refuse(match error.kind {
            JsonErrorKind::Incomplete => {
                format!("the host's payload breaks off after {} bytes", bytes.len())
            }
            JsonErrorKind::TooDeep => {
                format!("the host's payload nests too deep at byte {}", error.at)
            }
            JsonErrorKind::Unexpected => {
                format!("the host's payload is not JSON at byte {}", error.at)
            }
        })
    })?;
    let Json::Object(mut members) = parsed.value else {
        return Err(refuse("the host's payload is no JSON object".into()));
    };
    let host = sender(host, &members);
    if host != HostId::ClaudeCode {
        translate(host, &mut members);
    }
    agree(&mut members, event)?;
    if let Some(at) = parsed.duplicate_key
        && event.gates()
    {
        return Err(refuse(format!(
            "the host's payload repeats a key at byte {at}, so two readers could see two calls"
        )));
    }
    if bytes.get(parsed.used..).unwrap_or_default().iter().any(|b| !b.is_ascii_whitespace())
        && event.gates()
    {
        return Err(refuse(format!(
            "the host's payload goes on after its end at byte {}",
            parsed.used
        )));
    }
    let inbound = inbound(host, members, event).map_err(refuse)?;
    Ok(Decoded { inbound, invalid_utf8: parsed.invalid_utf8 })
}

/// The payload's own event name must be argv's. Where they differ the stricter of the
/// two is answered: no gate is opened by a wrong registration.
fn agree(members: &mut Members<'_>, event: EventName) -> Result<(), Refusal> {
    let Some(named) = take(members, "hook_event_name") else {
        return Err(Refusal { sentence: missing("hook_event_name"), answer_as: Some(event) });
    };
    let Some(named) = named.as_str() else {
        return Err(Refusal { sentence: wrong("hook_event_name", "text"), answer_as: Some(event) });
    };
    if named == event.as_str() {
        return Ok(());
    }
    let actual = EventName::parse(&named);
    let sentence = format!(
        "this hook is registered for `{}` and was called for `{named}`; `harness install` repairs that",
        event.as_str()
    );
    Err(Refusal {
        sentence,
        answer_as: match actual {
            Some(actual) if actual.gates() => Some(actual),
            _ if event.gates() => None,
            _ => Some(event),
        },
    })
}

fn inbound(
    host: HostId,
    mut members: Members<'_>,
    event: EventName,
) -> Result<Inbound<'_>, String> {
    let session = text(&mut members, "session_id")?;
    let cwd = text(&mut members, "cwd")?;
    let agent = optional(&mut members, "agent_id")?;
    let mode = optional(&mut members, "permission_mode")?;
    let transcript = optional(&mut members, "transcript_path")?;
    let event = match event {
        EventName::PreToolUse => {
            Event::PreToolUse(call(host, &mut members, &session, &cwd, agent.as_ref())?)
        }
        EventName::PostToolUse => {
            let call = call(host, &mut members, &session, &cwd, agent.as_ref())?;
            Event::PostToolUse(call, take(&mut members, "tool_response").unwrap_or(Json::Null))
        }
        EventName::PostToolUseFailure => {
            let call = call(host, &mut members, &session, &cwd, agent.as_ref())?;
            let error = take(&mut members, "error").and_then(owned).unwrap_or_default();
            Event::PostToolUseFailure(call, error)
        }
        EventName::SessionStart => Event::SessionStart(lenient(&mut members, "source")),
        EventName::UserPromptSubmit => Event::UserPromptSubmit(lenient(&mut members, "prompt")),
        EventName::SubagentStart => Event::SubagentStart(lenient(&mut members, "agent_type")),
        EventName::ConfigChange => Event::ConfigChange {
            source: text(&mut members, "source")?,
            file: optional(&mut members, "file_path")?,
        },
        EventName::SessionEnd => Event::SessionEnd(lenient(&mut members, "reason")),
    };
    Ok(Inbound { host, session, cwd, agent, mode, transcript, event })
}

fn call<'a>(
    host: HostId,
    members: &mut Members<'a>,
    session: &str,
    cwd: &str,
    agent: Option<&Cow<'a, str>>,
) -> Result<ToolCall<'a>, String> {
    let tool = text(members, "tool_name")?;
    if tool.trim().is_empty() {
        return Err("`tool_name` in the host's payload is empty".into());
    }
    let mut call = optional(members, "tool_use_id")?.unwrap_or_default();
    let input = take(members, "tool_input").ok_or_else(|| missing("tool_input"))?;
    if !matches!(input, Json::Object(_)) {
        return Err(wrong("tool_input", "an object"));
    }
    if call.is_empty() && host != HostId::ClaudeCode {
        call = call_id(&tool, &input);
    }
    let cut = matches!(take(members, "toolInputTruncated"), Some(Json::Bool(true)));
    let identity = Identity {
        session: Cow::Owned(session.to_owned()),
        call,
        agent: agent.cloned(),
        tool,
        cwd: Cow::Owned(cwd.to_owned()),
    };
    Ok(ToolCall::seal(identity, input, cut))
}

/// Removes a key; of equal ones the last counts, as for the host.
fn take<'a>(members: &mut Members<'a>, key: &str) -> Option<Json<'a>> {
    let at = members.iter().rposition(|(name, _)| name.as_bytes() == key.as_bytes())?;
    Some(members.remove(at).1)
}

fn owned(value: Json<'_>) -> Option<Cow<'_, str>> {
    value.as_str().map(|text| Cow::Owned(text.into_owned()))
}

fn text<'a>(members: &mut Members<'a>, key: &str) -> Result<Cow<'a, str>, String> {
    let value = take(members, key).ok_or_else(|| missing(key))?;
    owned(value).ok_or_else(|| wrong(key, "text"))
}

fn optional<'a>(members: &mut Members<'a>, key: &str) -> Result<Option<Cow<'a, str>>, String> {
    match take(members, key) {
        None | Some(Json::Null) => Ok(None),
        Some(value) => owned(value).map(Some).ok_or_else(|| wrong(key, "text")),
    }
}

fn lenient<'a>(members: &mut Members<'a>, key: &str) -> Cow<'a, str> {
    take(members, key).and_then(owned).unwrap_or_default()
}

fn missing(key: &str) -> String {
    format!("`{key}` is missing in the host's payload")
}

fn wrong(key: &str, what: &str) -> String {
    format!("`{key}` in the host's payload is not {what}")
}

#[cfg(test)]
mod tests {
    use super::{Decoded, Refusal};
    use crate::hosts::{Event, EventName, HostId, Subject};

    const BASH: &str = r#"{"session_id":"s","cwd":"/w","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"},"tool_use_id":"t"}"#;

    fn decode(payload: &[u8], event: EventName) -> Result<Decoded<'_>, Refusal> {
        super::decode(HostId::ClaudeCode, payload, event)
    }

    fn refused(payload: &str, event: EventName) -> Refusal {
        match decode(payload.as_bytes(), event) {
            Err(refusal) => refusal,
            Ok(decoded) => panic!("{payload} was taken for {decoded:?}"),
        }
    }

    #[test]
    fn a_call_is_read_whole() {
        let got = decode(BASH.as_bytes(), EventName::PreToolUse).map(|d| d.inbound);
        let got = got.as_ref().ok();
        let call = got.and_then(|inbound| inbound.event.call());
        assert_eq!(call.map(|c| (c.tool(), c.cwd())), Some(("Bash", "/w")));
        assert_eq!(call.map(|c| c.identity().call.as_ref()), Some("t"));
    }

    #[test]
    fn what_a_gate_needs_must_be_there_and_of_its_type() {
        for (from, to) in [
            (r#""session_id":"s","#, ""),
            (r#""cwd":"/w","#, r#""cwd":7,"#),
            (r#""tool_name":"Bash","#, ""),
            (r#""tool_name":"Bash""#, r#""tool_name":["Bash"]"#),
            (r#""tool_name":"Bash""#, r#""tool_name":" ""#),
            (r#"{"command":"ls"}"#, r#""ls""#),
            (r#""tool_use_id":"t""#, r#""tool_use_id":{}"#),
            (r#""hook_event_name":"PreToolUse","#, ""),
            (r#""command":"ls""#, r#""command":"ls","command":"rm""#),
            (r#""t"}"#, r#""t"} {}"#),
            (r#""t"}"#, r#""t""#),
        ] {
            let payload = BASH.replace(from, to);
            assert_ne!(payload, BASH);
            assert_eq!(
                refused(&payload, EventName::PreToolUse).answer_as,
                Some(EventName::PreToolUse)
            );
        }
    }

    #[test]
    fn of_two_event_names_the_stricter_is_answered() {
        let post = BASH.replace("PreToolUse", "PostToolUse");
        assert_eq!(refused(&post, EventName::PreToolUse).answer_as, None);
        let got = refused(BASH, EventName::PostToolUse);
        assert_eq!(got.answer_as, Some(EventName::PreToolUse));
        let got = refused(&post, EventName::SessionStart);
        assert_eq!(got.answer_as, Some(EventName::SessionStart));
    }

    #[test]
    fn odd_results_and_unknown_fields_are_values() {
        let payload = BASH
            .replace("PreToolUse", "PostToolUse")
            .replace(r#""cwd""#, r#""new":[{}],"tool_response":"text","cwd""#);
        let got = decode(payload.as_bytes(), EventName::PostToolUse).map(|d| d.inbound.event);
        assert!(matches!(got, Ok(Event::PostToolUse(_, harness_core::Json::String(_)))));
    }
}
