//! The schema of a hook's answer.

use super::answer::Shape;
use harness_core::Json;
use harness_core::json::{Limits, parse};

/// Why the client refuses an answer that begins like JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Broken {
    /// It is not JSON.
    Syntax,
    /// Two documents in a row.
    TwoDocuments,
    /// `hookSpecificOutput` without `hookEventName`.
    NoEventName,
    /// `hookEventName` of another event.
    WrongEventName(String),
    /// A word that isn't one of those allowed under this key.
    Word(&'static str, String),
    /// A value of the wrong type under this key.
    Type(&'static str),
}

/// A decision, in the client's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// `deny`, `block`
    Deny,
    /// `ask`
    Ask,
    /// `allow`, `approve`
    Allow,
    /// `defer`
    Defer,
}

/// What an answer says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fields {
    /// The decision.
    pub word: Option<Word>,
    /// Its reason.
    pub reason: Option<String>,
    /// Context for the model.
    pub context: Option<String>,
    /// Whether the input is to be replaced.
    pub rewrites: bool,
    /// `continue: false`.
    pub stops: bool,
}

/// Reads standard output as the client does.
#[must_use]
pub fn read(stdout: &[u8], event: &str) -> (Shape, Option<Fields>) {
    let text = trimmed(stdout);
    if text.is_empty() {
        return (Shape::Empty, None);
    }
    if !text.starts_with(b"{") {
        let hidden = object_within(text);
        return (if hidden { Shape::NoiseBefore } else { Shape::Text }, None);
    }
    let Ok(parsed) = parse(text, Limits::default()) else { return broken(Broken::Syntax) };
    let rest = trimmed(text.get(parsed.used..).unwrap_or_default());
    if !rest.is_empty() {
        let second =
            parse(rest, Limits::default()).is_ok_and(|p| matches!(p.value, Json::Object(_)));
        return if second { broken(Broken::TwoDocuments) } else { (Shape::NoiseAfter, None) };
    }
    match fields(&parsed.value, event) {
        Ok(fields) => (Shape::Answer, Some(fields)),
        Err(why) => broken(why),
    }
}

const fn broken(why: Broken) -> (Shape, Option<Fields>) {
    (Shape::Broken(why), None)
}

/// White space and byte-order marks go, as JavaScript's `trim` does.
fn trimmed(mut bytes: &[u8]) -> &[u8] {
    loop {
        bytes = bytes.trim_ascii();
        match bytes.strip_prefix(b"\xEF\xBB\xBF") {
            Some(rest) => bytes = rest,
            None => return bytes,
        }
    }
}

/// Whether a JSON object stands somewhere behind other text.
fn object_within(text: &[u8]) -> bool {
    let opens = text.iter().enumerate().filter(|(_, b)| **b == b'{').take(64);
    opens.map(|(at, _)| text.get(at..).unwrap_or_default()).any(|tail| {
        parse(tail, Limits::default())
            .is_ok_and(|p| matches!(&p.value, Json::Object(members) if !members.is_empty()))
    })
}

fn fields(answer: &Json<'_>, event: &str) -> Result<Fields, Broken> {
    let mut found =
        Fields { stops: boolean(answer, "continue")? == Some(false), ..Fields::default() };
    boolean(answer, "suppressOutput")?;
    string(answer, "stopReason")?;
    string(answer, "systemMessage")?;
    if let Some(word) = string(answer, "decision")? {
        found.word = Some(match word.as_str() {
            "block" => Word::Deny,
            "approve" => Word::Allow,
            _ => return Err(Broken::Word("decision", word)),
        });
    }
    found.reason = string(answer, "reason")?;
    match answer.get("hookSpecificOutput") {
        None => Ok(found),
        Some(specific @ Json::Object(_)) => own(specific, event, found),
        Some(_) => Err(Broken::Type("hookSpecificOutput")),
    }
}

fn own(specific: &Json<'_>, event: &str, mut found: Fields) -> Result<Fields, Broken> {
    match string(specific, "hookEventName")? {
        None => return Err(Broken::NoEventName),
        Some(name) if name != event => return Err(Broken::WrongEventName(name)),
        Some(_) => {}
    }
    found.context = string(specific, "additionalContext")?;
    if event != "PreToolUse" {
        return Ok(found);
    }
    if let Some(word) = string(specific, "permissionDecision")? {
        found.word = Some(match word.as_str() {
            "deny" => Word::Deny,
            "ask" => Word::Ask,
            "allow" => Word::Allow,
            "defer" => Word::Defer,
            _ => return Err(Broken::Word("permissionDecision", word)),
        });
        found.reason = None;
    }
    if let Some(reason) = string(specific, "permissionDecisionReason")? {
        found.reason = Some(reason);
    }
    found.rewrites = match specific.get("updatedInput") {
        None => false,
        Some(Json::Object(_)) => true,
        Some(_) => return Err(Broken::Type("updatedInput")),
    };
    Ok(found)
}

fn string(of: &Json<'_>, key: &'static str) -> Result<Option<String>, Broken> {
    match of.get(key) {
        None => Ok(None),
        Some(Json::String(text)) => Ok(Some(text.to_str().into_owned())),
        Some(_) => Err(Broken::Type(key)),
    }
}

fn boolean(of: &Json<'_>, key: &'static str) -> Result<Option<bool>, Broken> {
    match of.get(key) {
        None => Ok(None),
        Some(Json::Bool(b)) => Ok(Some(*b)),
        Some(_) => Err(Broken::Type(key)),
    }
}
