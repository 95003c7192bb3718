//! What the client makes of a hook's answer.

use super::shape::{Broken, Fields, Word, read};
use super::since::Since;
use crate::hosts::claude_code::caps::Version;

/// How a hook's process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// With this code.
    Exit(i32),
    /// By this signal.
    Signal(i32),
    /// Killed at its time limit.
    Timeout,
    /// It never ran.
    NotStarted,
}

/// A hook that ended.
#[derive(Clone, Copy, Debug)]
pub struct Ended<'a> {
    /// How.
    pub end: End,
    /// What it said.
    pub stdout: &'a [u8],
    /// What it complained.
    pub stderr: &'a [u8],
}

/// How the client was told to treat it.
#[derive(Clone, Copy, Debug)]
pub struct Handling<'a> {
    /// The event it was started for.
    pub event: &'a str,
    /// The client.
    pub version: Version,
    /// `onFailure: "block"`.
    pub blocks_on_failure: bool,
    /// `async: true`.
    pub asynchronous: bool,
}

/// Where the words of a denial come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReasonFrom {
    /// The JSON answer.
    Json,
    /// Standard error, with exit 2.
    Stderr,
    /// The client: nobody gave a reason.
    Client,
    /// The client: the hook failed and `onFailure` is `block`.
    OnFailure,
}

/// What the client does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Its own flow goes on.
    Nothing,
    /// Stopped; these words reach the model.
    Denied {
        /// The words.
        reason: String,
        /// Whose they are.
        from: ReasonFrom,
    },
    /// A person is asked.
    Asked(String),
    /// No prompt; rules of the settings still win.
    Allowed,
    /// Left to a program outside.
    Deferred,
    /// The turn ends.
    Stopped,
}

/// What stood on standard output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Nothing.
    Empty,
    /// Text.
    Text,
    /// Text with one JSON object after it, which the client doesn't see.
    NoiseBefore,
    /// A JSON object with text after it, which makes all of it text.
    NoiseAfter,
    /// A well-formed answer.
    Answer,
    /// JSON that the client refuses.
    Broken(Broken),
}

/// An answer as the client understands it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// What it does.
    pub decision: Decision,
    /// What reaches the model as context.
    pub context: Option<String>,
    /// Whether the context was too long and only its head is in [`Self::context`].
    pub cut: bool,
    /// Whether the input is replaced.
    pub rewrites: bool,
    /// What stood on standard output.
    pub shape: Shape,
}

/// Characters of context the client passes whole, in UTF-16 units.
pub const CONTEXT_LIMIT: usize = 10_000;
/// Characters it shows of longer ones.
const PREVIEW: usize = 2_000;

/// Decodes an answer as the client of that version does.
#[must_use]
pub fn decode(ended: Ended<'_>, handling: Handling<'_>) -> Decoded {
    let (shape, fields) = read(ended.stdout, handling.event);
    let fields = fields.unwrap_or_default();
    let decision = if handling.asynchronous && Since::Async.held_by(handling.version) {
        Decision::Nothing
    } else {
        decide(ended, &shape, &fields, handling)
    };
    let (context, cut) = bounded(context(ended, &shape, &fields, handling));
    let rewrites = fields.rewrites && handling.event == "PreToolUse" && shape == Shape::Answer;
    Decoded { decision, context, cut, rewrites, shape }
}

fn decide(ended: Ended<'_>, shape: &Shape, fields: &Fields, how: Handling<'_>) -> Decision {
    let answered = *shape == Shape::Answer;
    match ended.end {
        End::Exit(2) if can_block(how.event) => exit_two(ended, shape, fields, how),
        End::Exit(_) if answered => by_json(fields, how),
        End::Exit(0) if !matches!(shape, Shape::Broken(_)) => Decision::Nothing,
        End::Exit(_) | End::Signal(_) | End::Timeout | End::NotStarted => failed(ended, how),
    }
}

/// Exit 2 stops, unless an older client believes the JSON beside it.
fn exit_two(ended: Ended<'_>, shape: &Shape, fields: &Fields, how: Handling<'_>) -> Decision {
    match shape {
        Shape::Answer if fields.word == Some(Word::Deny) => return by_json(fields, how),
        Shape::Answer if !Since::ExitBeatsAllow.held_by(how.version) => {
            return by_json(fields, how);
        }
        Shape::Broken(_) if !Since::ExitBeatsInvalid.held_by(how.version) => {
            return Decision::Nothing;
        }
        _ => {}
    }
    let reason = String::from_utf8_lossy(ended.stderr).trim().to_owned();
    if reason.is_empty() {
        denied("No stderr output", ReasonFrom::Client)
    } else {
        denied(&reason, ReasonFrom::Stderr)
    }
}

fn by_json(fields: &Fields, how: Handling<'_>) -> Decision {
    if fields.stops {
        return Decision::Stopped;
    }
    let reason = fields.reason.as_deref().map(str::trim).filter(|r| !r.is_empty());
    match fields.word {
        Some(Word::Deny) if can_block(how.event) => match reason {
            Some(reason) => denied(reason, ReasonFrom::Json),
            None => denied("Blocked by hook", ReasonFrom::Client),
        },
        // An older client lets an allow rule win over the question.
        Some(Word::Ask) if Since::AskBeatsAllow.held_by(how.version) => {
            Decision::Asked(reason.unwrap_or_default().to_owned())
        }
        Some(Word::Defer) if Since::Defer.held_by(how.version) => Decision::Deferred,
        Some(Word::Allow) if how.event == "PreToolUse" => Decision::Allowed,
        _ => Decision::Nothing,
    }
}

fn failed(ended: Ended<'_>, how: Handling<'_>) -> Decision {
    let held = how.blocks_on_failure
        && Since::OnFailure.held_by(how.version)
        && can_block(how.event)
        && !matches!(how.event, "Stop" | "SubagentStop");
    if !held {
        return Decision::Nothing;
    }
    let what = if ended.end == End::Timeout { "timed out" } else { "failed" };
    denied(&format!("{what}; blocking because onFailure is \"block\""), ReasonFrom::OnFailure)
}

fn denied(reason: &str, from: ReasonFrom) -> Decision {
    Decision::Denied { reason: reason.to_owned(), from }
}

/// Events on which an answer can stop something.
fn can_block(event: &str) -> bool {
    matches!(
        event,
        "PreToolUse"
            | "PostToolUse"
            | "PostToolUseFailure"
            | "PostToolBatch"
            | "UserPromptSubmit"
            | "Stop"
            | "SubagentStop"
            | "PreCompact"
            | "ConfigChange"
    )
}

fn context(ended: Ended<'_>, shape: &Shape, fields: &Fields, how: Handling<'_>) -> Option<String> {
    let End::Exit(code) = ended.end else { return None };
    let opening = matches!(how.event, "SessionStart" | "UserPromptSubmit");
    let known = match how.event {
        "PreToolUse" => Since::CallContext.held_by(how.version),
        "SessionStart" => Since::SessionContext.held_by(how.version),
        "PostToolUse" | "PostToolUseFailure" | "PostToolBatch" | "UserPromptSubmit"
        | "SubagentStart" | "Stop" | "SubagentStop" => true,
        _ => false,
    };
    if !known || (opening && code != 0) {
        return None;
    }
    match shape {
        Shape::Answer => fields.context.clone(),
        // On these two events plain text is context too.
        Shape::Text | Shape::NoiseBefore | Shape::NoiseAfter if opening => {
            Some(String::from_utf8_lossy(ended.stdout).trim().to_owned())
        }
        _ => None,
    }
    .filter(|c| !c.is_empty())
}

fn bounded(context: Option<String>) -> (Option<String>, bool) {
    match context {
        Some(text) if text.encode_utf16().count() > CONTEXT_LIMIT => {
            (Some(text.chars().take(PREVIEW).collect()), true)
        }
        other => (other, false),
    }
}

#[cfg(test)]
mod tests;
