//! Hooks that aren't harness's: whose they are, and what the client does with them.

pub mod expect;
pub mod met;
pub mod plugins;

use super::handler::{Handler, OnFailure};
use crate::hosts::claude_code::caps::Version;
use crate::hosts::claude_code::decoder::Since;
use crate::hosts::claude_code::decoder::matcher::counts;
use crate::install::Surroundings;

/// The longest command that is shown.
const LONGEST: usize = 200;

/// Whose a hook is: a plugin's, or that of a settings file.
#[must_use]
pub fn owner(handler: &Handler) -> String {
    match &handler.plugin {
        Some(plugin) => format!("plugin {}", plugin.name),
        None => format!("{} settings", handler.scope),
    }
}

/// What the client does when the hook fails: crashes, is late, can't be started.
#[must_use]
pub fn failure(handler: &Handler, version: Version) -> &'static str {
    let gates = matches!(handler.event.as_str(), "PreToolUse" | "PermissionRequest");
    let blocks = handler.on_failure == Some(OnFailure::Block) && Since::OnFailure.held_by(version);
    match (handler.asynchronous, gates && blocks) {
        (true, _) => "isn't waited for",
        (false, true) => "stops the call if it fails",
        (false, false) => "goes on if it fails",
    }
}

/// What is run, as it stands; for other kinds than commands, which kind.
#[must_use]
pub fn command(handler: &Handler) -> String {
    let what = if handler.command.is_empty() { handler.kind.clone() } else { handler.shown() };
    what.chars().take(LONGEST).collect()
}

/// A hook in a line: place, owner, event, what it fires on, limit, failure, command.
#[must_use]
pub fn described(handler: &Handler, version: Version) -> String {
    let on = match handler.matcher.as_deref().filter(|_| counts(&handler.event)) {
        None | Some("" | "*") => "all".to_owned(),
        Some(matcher) => format!("`{matcher}`"),
    };
    let condition = handler.condition.as_ref().map(|c| format!(", if {c}")).unwrap_or_default();
    format!(
        "{} ({}): {} on {on}{condition}, {} s, {}: {}",
        handler.place(),
        owner(handler),
        handler.event,
        handler.limit().as_secs_f64(),
        failure(handler, version),
        command(handler),
    )
}

/// The exact command line of a hook that may be run, for a person to agree to.
#[must_use]
pub fn consent(handler: &Handler, around: &Surroundings) -> String {
    let file = around.shown(&handler.file);
    let how = if handler.args.is_some() { "no shell" } else { "sh -c" };
    format!(
        "{} ({}, {file}:{}, {how})\n    {}",
        handler.event,
        owner(handler),
        handler.line,
        handler.shown()
    )
}

#[cfg(test)]
mod tests;
