//! A host's payload → the same payload as Claude Code would spell it: names of events and
//! tools, names of arguments, results as text. What has no counterpart is left as it is.

use std::borrow::Cow;

use harness_core::{Json, Text};

use super::event::HostId;

/// The members of a payload.
pub(super) type Members<'a> = Vec<(Text<'a>, Json<'a>)>;

/// The host that sent a payload: the one of argv, unless the payload shows another. Several
/// hosts read Claude Code's settings and start the hooks they find there.
pub(super) fn sender(registered: HostId, members: &Members<'_>) -> HostId {
    let (mut timestamp, mut transcript, mut compressed) = (false, false, false);
    for (key, value) in members {
        match key.as_bytes() {
            b"hookEventName" => return HostId::Grok,
            b"timestamp" => timestamp = true,
            b"transcript_path" => {
                transcript = true;
                compressed = matches!(value, Json::String(path) if path.as_bytes().ends_with(b".jsonl.zstd"));
            }
            _ => {}
        }
    }
    match registered {
        HostId::ClaudeCode if compressed => HostId::Dsh,
        HostId::ClaudeCode if timestamp && !transcript => HostId::Copilot,
        host => host,
    }
}

/// Spells a payload of `host` as Claude Code would.
pub(super) fn translate(host: HostId, members: &mut Members<'_>) {
    let profile = host.profile();
    let mut tool = String::new();
    for (key, value) in members.iter_mut() {
        match (key.as_bytes(), &*value) {
            (b"hook_event_name", Json::String(name)) => {
                if let Some(event) = profile.ours(&name.to_str()) {
                    *value = text(event.as_str());
                }
            }
            (b"tool_name", Json::String(name)) => {
                profile.tool(&name.to_str()).clone_into(&mut tool);
                *value = Json::String(Text::from(tool.clone()));
            }
            (b"source", Json::String(source)) if source.as_bytes() == b"new" => {
                *value = text("startup");
            }
            _ => {}
        }
    }
    for (key, value) in members.iter_mut() {
        if key.as_bytes() == b"tool_result" {
            *key = Text::from("tool_response");
        }
        match (key.as_bytes(), value) {
            (b"tool_input", Json::Object(input)) => arguments(&tool, input),
            (b"tool_response", result) => readable(result),
            _ => {}
        }
    }
}

fn text<'a>(words: &'static str) -> Json<'a> {
    Json::String(Text::from(words))
}

/// Hosts' names for an argument that Claude Code's tool calls otherwise.
const ARGUMENTS: &[(&str, &str, &[&str])] = &[
    ("Bash", "command", &["cmd"]),
    ("Write", "file_path", &["path", "target_file", "absolute_path"]),
    ("Write", "content", &["file_text", "contents"]),
    ("Edit", "file_path", &["path", "target_file", "absolute_path"]),
    ("Read", "file_path", &["target_file", "absolute_path", "path"]),
];

/// Gives arguments Claude Code's names, where those aren't taken.
fn arguments(tool: &str, input: &mut Members<'_>) {
    for (_, ours, theirs) in ARGUMENTS.iter().filter(|(of, ..)| *of == tool) {
        if input.iter().any(|(key, _)| key.as_bytes() == ours.as_bytes()) {
            continue;
        }
        let found = theirs
            .iter()
            .find_map(|name| input.iter().position(|(key, _)| key.as_bytes() == name.as_bytes()));
        if let Some((key, _)) = found.and_then(|at| input.get_mut(at)) {
            *key = Text::from(*ours);
        }
    }
}

/// Output that comes as an array of bytes becomes the text it is.
fn readable(value: &mut Json<'_>) {
    match value {
        Json::Object(members) => members.iter_mut().for_each(|(_, value)| readable(value)),
        Json::Array(items) => match bytes(items) {
            Some(bytes) => *value = Json::String(Text::owned(bytes)),
            None => items.iter_mut().for_each(readable),
        },
        _ => {}
    }
}

fn bytes(items: &[Json<'_>]) -> Option<Vec<u8>> {
    let byte = |item: &Json<'_>| match item {
        Json::Number(number) => number.parse::<u8>().ok(),
        _ => None,
    };
    if items.is_empty() { None } else { items.iter().map(byte).collect() }
}

/// An id for a call of a host that gives none: the same call before and after it ran has
/// the same one.
pub(super) fn call_id(tool: &str, input: &Json<'_>) -> Cow<'static, str> {
    let mut bytes = tool.as_bytes().to_vec();
    bytes.push(0);
    input.write_canonical(&mut bytes);
    let hash = blake3::hash(&bytes).to_hex();
    Cow::Owned(format!("input-{}", hash.get(..24).unwrap_or_default()))
}
