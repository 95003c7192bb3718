//! What a host makes of a hook's answer to a call that is about to run: a model of measured
//! behaviour, by which the encoders are tested and doctor judges what it ran.

use harness_core::Json;
use harness_core::json::{Limits, parse};

use super::claude_code::caps::NEWEST_MEASURED;
use super::claude_code::decoder::{self, End, Ended, Handling};
use super::{HostId, Reply};

/// What the host does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Understood {
    /// The call runs, as far as this hook goes.
    Runs,
    /// A person is asked.
    Asks,
    /// The call is stopped; the model reads this.
    Stopped(String),
}

use Understood::{Asks, Runs, Stopped};

/// What `host` makes of an answer.
#[must_use]
pub fn call(host: HostId, reply: &Reply) -> Understood {
    let stderr = String::from_utf8_lossy(&reply.stderr).trim().to_owned();
    let parsed = parse(reply.stdout.trim_ascii(), Limits::default());
    let json = parsed.ok().map(|p| p.value).filter(|json| matches!(json, Json::Object(_)));
    let json = json.as_ref();
    match host {
        HostId::ClaudeCode => claude_code(reply),
        HostId::Codex => match reply.code {
            0 => json.map_or(Runs, codex),
            2 if !stderr.is_empty() => Stopped(stderr),
            _ => Runs,
        },
        HostId::Gemini => match (json.and_then(|j| j.str_at("decision")).as_deref(), reply.code) {
            (Some("deny" | "block"), _) => Stopped(reason(json).unwrap_or(stderr)),
            (_, 2..) if !stderr.is_empty() => Stopped(stderr),
            (Some("ask"), _) => Asks,
            _ => Runs,
        },
        HostId::Grok => match (json.and_then(|j| j.str_at("decision")).as_deref(), reply.code) {
            (Some("deny" | "block"), _) => Stopped(reason(json).unwrap_or(stderr)),
            // A word it doesn't know voids the exit code too.
            (Some(word), _) if word != "allow" => Runs,
            _ if specific(json, "PreToolUse", false).as_deref() == Some("deny") => Stopped(stderr),
            (_, 2) => Stopped(stderr.lines().next().unwrap_or("blocked").to_owned()),
            _ => Runs,
        },
        HostId::Dsh => match reply.code {
            2 => Stopped(stderr),
            0 => claude_shaped(json),
            _ => Runs,
        },
        HostId::Qwen => match reply.code {
            2 if !stderr.is_empty() => Stopped(stderr),
            0 => match json.and_then(|j| j.str_at("decision")).as_deref() {
                Some("deny") => Stopped(reason(json).unwrap_or_default()),
                _ => claude_shaped(json),
            },
            _ => Runs,
        },
        HostId::Copilot => {
            let top = json.and_then(|j| j.str_at("permissionDecision"));
            let said = json.and_then(|j| j.str_at("permissionDecisionReason")).map(String::from);
            match (top.as_deref(), reply.code) {
                (Some("deny"), _) => Stopped(said.unwrap_or_default()),
                (_, 0) => claude_shaped(json),
                (_, code) => Stopped(format!("hook exited with code {code}")),
            }
        }
    }
}

fn claude_code(reply: &Reply) -> Understood {
    let ended =
        Ended { end: End::Exit(reply.code.into()), stdout: &reply.stdout, stderr: &reply.stderr };
    let handling = Handling {
        event: "PreToolUse",
        version: NEWEST_MEASURED,
        blocks_on_failure: false,
        asynchronous: false,
    };
    match decoder::decode(ended, handling).decision {
        decoder::Decision::Denied { reason, .. } => Stopped(reason),
        decoder::Decision::Asked(_) => Asks,
        decoder::Decision::Stopped => Stopped(String::new()),
        _ => Runs,
    }
}

/// Every key must be known, every word valid, every reason there, or nothing was said.
fn codex(json: &Json<'_>) -> Understood {
    const TOP: &[&str] =
        &["continue", "decision", "hookSpecificOutput", "reason", "stopReason", "systemMessage"];
    const INNER: &[&str] = &[
        "additionalContext",
        "hookEventName",
        "permissionDecision",
        "permissionDecisionReason",
        "updatedInput",
    ];
    let known = |json: &Json<'_>, names: &[&str]| match json {
        Json::Object(members) => members
            .iter()
            .all(|(key, _)| names.iter().any(|name| name.as_bytes() == key.as_bytes())),
        _ => false,
    };
    let inner = json.get("hookSpecificOutput");
    if !known(json, TOP) || inner.is_some_and(|inner| !known(inner, INNER)) {
        return Runs;
    }
    let there = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
    if let Some(inner) = inner {
        if inner.str_at("hookEventName").as_deref() != Some("PreToolUse") {
            return Runs;
        }
        let said = there(inner.str_at("permissionDecisionReason").map(String::from));
        if let (Some("deny"), Some(said)) = (inner.str_at("permissionDecision").as_deref(), said) {
            return Stopped(said);
        }
    }
    match (json.str_at("decision").as_deref(), there(reason(Some(json)))) {
        (Some("block"), Some(said)) => Stopped(said),
        _ => Runs,
    }
}

/// Claude Code's protocol as others read it on exit 0: the nested word first, if it names
/// the event, else `block` at the top.
fn claude_shaped(json: Option<&Json<'_>>) -> Understood {
    let said = json
        .and_then(|j| j.get("hookSpecificOutput"))
        .and_then(|j| j.str_at("permissionDecisionReason"))
        .map(String::from);
    match specific(json, "PreToolUse", true).as_deref() {
        Some("deny") => Stopped(said.unwrap_or_default()),
        Some("ask") => Asks,
        Some(_) => Runs,
        None => match json.and_then(|j| j.str_at("decision")).as_deref() {
            Some("block") => Stopped(reason(json).unwrap_or_default()),
            _ => Runs,
        },
    }
}

fn specific(json: Option<&Json<'_>>, event: &str, named: bool) -> Option<String> {
    let inner = json?.get("hookSpecificOutput")?;
    let names = inner.str_at("hookEventName");
    if named && names.as_deref() != Some(event) {
        return None;
    }
    inner.str_at("permissionDecision").map(String::from)
}

fn reason(json: Option<&Json<'_>>) -> Option<String> {
    json?.str_at("reason").map(String::from)
}

#[cfg(test)]
mod tests {
    use super::{HostId, Reply, Runs, Understood, call};

    fn on(host: HostId, stdout: &str, stderr: &str, code: u8) -> Understood {
        let reply = Reply { stdout: stdout.into(), stderr: stderr.into(), code };
        call(host, &reply)
    }

    fn stopped(host: HostId, stdout: &str, stderr: &str, code: u8) -> bool {
        matches!(on(host, stdout, stderr, code), Understood::Stopped(_))
    }

    const NESTED: &str = r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"r"}}"#;
    const TOP: &str = r#"{"decision":"deny","reason":"r"}"#;
    const BLOCK: &str = r#"{"decision":"block","reason":"r"}"#;

    /// The rows of the table of measured answers.
    #[test]
    fn the_model_says_what_was_measured() {
        use HostId::{Codex, Copilot, Dsh, Gemini, Grok, Qwen};
        for host in [Dsh, Grok, Codex, Gemini, Qwen] {
            assert_eq!(on(host, "", "r", 1), Runs, "{host:?}");
            assert!(stopped(host, "", "r", 2), "{host:?}");
            assert!(stopped(host, BLOCK, "", 0), "{host:?}");
        }
        for (host, runs) in
            [(Dsh, false), (Grok, false), (Codex, true), (Gemini, true), (Qwen, true)]
        {
            assert_eq!(on(host, "", "", 2) == Runs, runs, "{host:?}");
        }
        for (host, denies) in
            [(Dsh, false), (Grok, true), (Codex, false), (Gemini, true), (Qwen, true)]
        {
            assert_eq!(stopped(host, TOP, "", 0), denies, "{host:?}");
        }
        for (host, denies) in
            [(Dsh, true), (Grok, true), (Codex, true), (Gemini, false), (Qwen, true)]
        {
            assert_eq!(stopped(host, NESTED, "", 0), denies, "{host:?}");
        }
        assert!(stopped(Gemini, "", "not found", 127) && !stopped(Codex, "", "not found", 127));
        assert!(stopped(Copilot, "", "", 1) && stopped(Copilot, NESTED, "", 0));
        assert_eq!(on(Copilot, "{}", "", 0), Runs);
        for void in [
            NESTED.replace(r#""r""#, r#""""#),
            NESTED.replace(r#""r""#, r#""r","futureField":1"#),
            NESTED.replace(r#""r"}"#, r#""r"},"suppressOutput":true"#),
            NESTED.replace(r#""hookEventName":"PreToolUse","#, ""),
        ] {
            assert_ne!(void, NESTED);
            assert_eq!(on(Codex, &void, "", 0), Runs, "{void}");
        }
        assert_eq!(on(Codex, NESTED, "", 2), Runs);
        assert_eq!(on(Grok, r#"{"decision":"what"}"#, "r", 2), Runs);
    }
}
