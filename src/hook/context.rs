//! Text for the model from the policy's context rules.

use std::path::Path;

use harness_core::ToolCall;

use crate::hosts::EventName;
use crate::policy::Policy;

/// The context of an event, most important first. What comes from a project's file says
/// so: it is the repository speaking, not the person.
#[must_use]
pub fn of(
    policy: &Policy,
    event: EventName,
    call: Option<&ToolCall<'_>>,
    workspace: &str,
) -> String {
    let mut out = String::new();
    for piece in policy.context(event, call) {
        if !out.is_empty() {
            out.push('\n');
        }
        if let Some(file) = &piece.project_file {
            out.push_str("[from the project's ");
            out.push_str(&shown(file, workspace));
            out.push_str("] ");
        }
        out.push_str(&piece.text);
    }
    out
}

fn shown(file: &Path, workspace: &str) -> String {
    let short = if workspace.is_empty() { None } else { file.strip_prefix(workspace).ok() };
    short.unwrap_or(file).to_string_lossy().into_owned()
}
