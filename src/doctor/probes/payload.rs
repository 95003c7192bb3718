//! What probes send: the client's own payloads about invented sessions.

use super::start::Setting;
use crate::doctor::handler::Handler;
use crate::install::in_force;
use crate::sys::paths;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// A session id nobody else has; its first eight characters are the nonce.
pub(super) fn session() -> String {
    crate::doctor::live::nonce::uuid()
}

/// The policy file that this entry's hook protects: the one its arguments name.
pub(super) fn policy(setting: Setting<'_>, handler: &Handler) -> PathBuf {
    if let Some(home) = in_force::named(&handler.entry) {
        return home.policy();
    }
    let home = paths::home_for_hook().unwrap_or_else(|| setting.scene.around.harness.clone());
    home.policy()
}

/// A payload for a tool call.
pub(super) fn call(setting: Setting<'_>, tool: &str, input: &Value) -> Vec<u8> {
    let mut payload = common(setting, "PreToolUse", &session());
    payload["permission_mode"] = "default".into();
    payload["tool_name"] = tool.into();
    payload["tool_input"] = input.clone();
    payload["tool_use_id"] = format!("toolu_{}", session().replace('-', "")).into();
    line(&payload)
}

/// A payload for the start of a session.
pub(super) fn opening(setting: Setting<'_>, session: &str) -> Vec<u8> {
    let mut payload = common(setting, "SessionStart", session);
    payload["source"] = "startup".into();
    line(&payload)
}

/// A payload for the result of a call.
pub(super) fn result(setting: Setting<'_>, command: &str, result: &Value) -> Vec<u8> {
    let mut payload = common(setting, "PostToolUse", &session());
    payload["permission_mode"] = "default".into();
    payload["tool_name"] = "Bash".into();
    payload["tool_input"] = json!({ "command": command });
    payload["tool_response"] = result.clone();
    payload["tool_use_id"] = format!("toolu_{}", session().replace('-', "")).into();
    line(&payload)
}

/// A payload for an event that only rules' context hangs on.
pub(super) fn soft(setting: Setting<'_>, event: &str, session: &str) -> Vec<u8> {
    let mut payload = common(setting, event, session);
    if event == "SubagentStart" {
        payload["agent_type"] = "general-purpose".into();
        payload["agent_id"] = session.into();
    } else {
        payload["permission_mode"] = "default".into();
        payload["prompt"] = "a probe of harness doctor".into();
    }
    line(&payload)
}

/// A payload for the end of a turn; `again` if a hook has kept the model at work already.
pub(super) fn stop(setting: Setting<'_>, event: &str, session: &str, again: bool) -> Vec<u8> {
    let mut payload = common(setting, event, session);
    payload["permission_mode"] = "default".into();
    payload["stop_hook_active"] = again.into();
    payload["last_assistant_message"] = "a probe of harness doctor".into();
    payload["background_tasks"] = json!([]);
    payload["session_crons"] = json!([]);
    if event == "SubagentStop" {
        payload["agent_type"] = "general-purpose".into();
        payload["agent_id"] = session.into();
        payload["agent_transcript_path"] =
            setting.folder.join("agent.jsonl").to_string_lossy().into();
    }
    line(&payload)
}

fn common(setting: Setting<'_>, event: &str, session: &str) -> Value {
    json!({
        "session_id": session,
        "transcript_path": setting.folder.join("transcript.jsonl"),
        "cwd": setting.scene.around.cwd,
        "hook_event_name": event,
    })
}

fn line(payload: &Value) -> Vec<u8> {
    let mut bytes = payload.to_string().into_bytes();
    bytes.push(b'\n');
    bytes
}

/// A write of this text to this file.
pub(super) fn write(path: &Path, text: &str) -> Value {
    json!({ "file_path": path, "content": text })
}

/// A redirection onto this file.
pub(super) fn redirection(path: &Path) -> Value {
    let quoted = path.to_string_lossy().replace('\'', r"'\''");
    json!({ "command": format!("echo probe > '{quoted}'") })
}
