//! A person's settings, copied for a run: every hook, switch and rule as it is, but
//! nothing that would act for somebody else, call out, or hand over a key.

use crate::install::manifest::Manifest;
use crate::install::own;
use crate::settings::hooks::{Entry, Fate};
use crate::settings::syntax;
use serde_json::{Map, Value, json};
use std::io;

/// Tells our handlers from others'.
pub type Ours<'a> = &'a dyn Fn(&Map<String, Value>) -> bool;

/// Tells our handlers as install does.
#[must_use]
pub fn installed(fields: &Map<String, Value>, manifest: Option<&Manifest>) -> bool {
    let entry = Entry {
        event: String::new(),
        group: 0,
        hook: 0,
        matcher: None,
        fields: fields.clone(),
        span: 0..0,
        line: 0,
        fate: Fate::Kept,
        shadowed: false,
    };
    own::is_ours(&entry, manifest)
}

/// What a copy keeps running.
#[derive(Clone, Copy)]
pub struct Keep<'a> {
    /// Tells our handlers.
    pub ours: Ours<'a>,
    /// Our handlers run; without it they are taken out.
    pub with_ours: bool,
    /// Others' handlers run; without it they are silent stand-ins.
    pub with_others: bool,
}

/// Keys whose value is a program or an address, or makes the client fetch something.
const CALLS_OUT: &[&str] = &[
    "apiKeyHelper",
    "awsAuthRefresh",
    "awsCredentialExport",
    "gcpAuthRefresh",
    "otelHeadersHelper",
    "statusLine",
    "fileSuggestion",
    "enabledPlugins",
    "extraKnownMarketplaces",
    "forceLoginMethod",
    "forceLoginOrgUUID",
    "enabledMcpjsonServers",
];

/// Parts of a variable's name that say it is an endpoint, a key or a proxy.
const SECRET: &[&str] = &[
    "ANTHROPIC",
    "AWS_",
    "GOOGLE_",
    "AZURE",
    "VERTEX",
    "BEDROCK",
    "FOUNDRY",
    "OTEL_",
    "PROXY",
    "KEY",
    "TOKEN",
    "SECRET",
    "PASSWORD",
    "CREDENTIAL",
    "BASE_URL",
    "TELEMETRY",
];

/// The copy of a settings file. A file the client can't read is copied as it is: what the
/// client makes of it is part of the answer.
///
/// # Errors
/// The file is one the client may read and we can't: it can't be made quiet.
pub fn copy(text: &str, keep: Keep<'_>) -> io::Result<String> {
    let bare = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut value: Value = match serde_json::from_str(bare) {
        Ok(value) => value,
        Err(_) if syntax::parse(text).is_err() => return Ok(text.to_owned()),
        Err(e) => return Err(io::Error::new(io::ErrorKind::InvalidData, e)),
    };
    if let Some(top) = value.as_object_mut() {
        quieten(top);
        if let Some(events) = top.get_mut("hooks").and_then(Value::as_object_mut) {
            let mut stub = 0;
            events.values_mut().for_each(|groups| handlers(groups, keep, &mut stub));
        }
    }
    let bom = if bare.len() == text.len() { "" } else { "\u{feff}" };
    Ok(format!("{bom}{value}"))
}

fn quieten(top: &mut Map<String, Value>) {
    // A value of a wrong type stays: it may cost the person the whole file.
    let calls = |value: &Value| value.is_string() || value.is_object() || value.is_array();
    top.retain(|key, value| !(CALLS_OUT.contains(&key.as_str()) && calls(value)));
    if let Some(env) = top.get_mut("env").and_then(Value::as_object_mut) {
        env.retain(|name, _| {
            let name = name.to_ascii_uppercase();
            !SECRET.iter().any(|part| name.contains(part))
        });
    }
}

fn handlers(groups: &mut Value, keep: Keep<'_>, stub: &mut usize) {
    let groups = groups.as_array_mut().into_iter().flatten();
    for list in groups.filter_map(|g| g.get_mut("hooks")).filter_map(Value::as_array_mut) {
        list.retain_mut(|handler| {
            let Some(fields) = handler.as_object_mut() else { return true };
            if (keep.ours)(fields) {
                return keep.with_ours;
            }
            if !keep.with_others {
                *stub += 1;
                silence(fields, *stub);
            }
            true
        });
    }
}

/// Puts a stand-in in a handler's place: it runs, says nothing, and keeps what decides
/// when and how it is run. The number keeps two stand-ins from being taken for one.
fn silence(fields: &mut Map<String, Value>, number: usize) {
    let does = match fields.get("type").and_then(Value::as_str) {
        Some("command") => "command",
        Some("http") => "url",
        Some("prompt" | "agent") => "prompt",
        Some("mcp_tool") => "tool",
        // The client doesn't run it, whatever it costs.
        _ => return,
    };
    if !fields.get(does).is_some_and(Value::is_string) {
        return;
    }
    fields
        .retain(|name, _| !matches!(name.as_str(), "args" | "url" | "prompt" | "tool" | "server"));
    fields.insert("type".into(), json!("command"));
    fields.insert("command".into(), json!(format!("exit 0 # {number}")));
}

#[cfg(test)]
mod tests {
    use super::{Keep, copy};
    use serde_json::{Map, Value, json};

    fn ours(fields: &Map<String, Value>) -> bool {
        fields.get("command").is_some_and(|c| c == "/h")
    }

    fn copied(value: &Value, with_ours: bool) -> Value {
        let keep = Keep { ours: &ours, with_ours, with_others: false };
        serde_json::from_str(&copy(&value.to_string(), keep).unwrap()).unwrap()
    }

    fn settings() -> Value {
        json!({
            "apiKeyHelper": "cat key",
            "disableAllHooks": false,
            "env": { "HTTPS_PROXY": "p", "ANTHROPIC_BASE_URL": "u", "CLAUDE_CODE_SIMPLE": "1" },
            "hooks": { "PreToolUse": [{ "matcher": "Bash", "hooks": [
                { "type": "command", "command": "/h", "args": ["hook"], "async": true },
                { "type": "command", "command": "theirs", "args": ["x"], "timeout": 1 },
                { "type": "http", "url": "https://example.org/" },
                { "type": "odd", "command": "theirs" },
            ] }] },
        })
    }

    #[test]
    fn ours_stay_as_they_are_and_others_fall_silent() {
        let got = copied(&settings(), true);
        let hooks = &got["hooks"]["PreToolUse"][0]["hooks"];
        assert_eq!(hooks[0], settings()["hooks"]["PreToolUse"][0]["hooks"][0]);
        assert_eq!(hooks[1], json!({ "type": "command", "command": "exit 0 # 1", "timeout": 1 }));
        assert_eq!(hooks[2], json!({ "type": "command", "command": "exit 0 # 2" }));
        assert_eq!(hooks[3]["type"], "odd", "what the client chokes on stays");
        let without = copied(&settings(), false);
        assert_eq!(without["hooks"]["PreToolUse"][0]["hooks"].as_array().unwrap().len(), 3);
    }

    #[test]
    fn switches_stay_and_keys_and_endpoints_go() {
        let got = copied(&settings(), true);
        assert_eq!(got["env"], json!({ "CLAUDE_CODE_SIMPLE": "1" }));
        assert_eq!(got["disableAllHooks"], false);
        assert!(got.get("apiKeyHelper").is_none());
    }

    #[test]
    fn a_broken_file_stays_broken() {
        let keep = Keep { ours: &ours, with_ours: true, with_others: false };
        assert_eq!(copy("{ // no\n}", keep).unwrap(), "{ // no\n}");
        assert_eq!(copy("\u{feff}{}", keep).unwrap(), "\u{feff}{}");
    }
}
