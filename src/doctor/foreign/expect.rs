//! What others' hooks are for, in a person's words: calls with the verdict expected of
//! them, as TOML (`[[call]]`), JSON, or the JSON Lines of `harness policy test`.

use serde::Deserialize;
use serde_json::Value;
use std::path::Path;

/// What should become of a call, the strictest last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// No hook objects.
    None,
    /// A hook asks.
    Ask,
    /// A hook denies.
    Deny,
}

/// One call.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Call {
    /// The tool's name.
    pub tool: String,
    /// Its input.
    pub input: Value,
    /// What should become of it.
    pub expect: Verdict,
    /// Words of the command that it is expected of; every hook that the call meets, if
    /// not given.
    #[serde(default)]
    pub hook: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Calls {
    #[serde(default)]
    call: Vec<Call>,
}

/// Reads a file of calls; what its name ends in says how.
///
/// # Errors
/// What is wrong with it, and where.
pub fn read(file: &Path, text: &str) -> Result<Vec<Call>, String> {
    let ending = file.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default();
    let calls = match ending.as_str() {
        "json" => json(text)?,
        "jsonl" | "ndjson" => lines(text)?,
        _ => toml::from_str::<Calls>(text).map_err(|e| e.to_string())?.call,
    };
    if calls.is_empty() {
        return Err("it holds no call, so nothing is expected of anybody".to_owned());
    }
    match calls.iter().find(|c| !c.input.is_object()) {
        Some(call) => Err(format!("the `input` of a call of `{}` is no object", call.tool)),
        None => Ok(calls),
    }
}

fn json(text: &str) -> Result<Vec<Call>, String> {
    let value: Value = serde_json::from_str(text).map_err(|e| e.to_string())?;
    let calls = if value.is_array() {
        serde_json::from_value::<Vec<Call>>(value)
    } else {
        serde_json::from_value::<Calls>(value).map(|calls| calls.call)
    };
    calls.map_err(|e| e.to_string())
}

fn lines(text: &str) -> Result<Vec<Call>, String> {
    let lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
    let read = |(line, number): (&str, usize)| {
        serde_json::from_str(line).map_err(|e| format!("line {number}: {e}"))
    };
    lines.map(read).collect()
}
