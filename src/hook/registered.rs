//! What install registered, read from its manifest.

use std::path::{Path, PathBuf};

use harness_core::Json;
use harness_core::json::{Limits, parse};

use super::limits;
use crate::hosts::claude_code::caps;
use crate::hosts::{HostId, Version};
use crate::sys::bounded::{self, Unreadable};

/// One entry of ours in a settings file.
#[derive(Clone, Debug, PartialEq)]
pub struct Registered {
    /// `user`, `project`, `local` or `managed`.
    pub scope: String,
    /// The settings file.
    pub file: PathBuf,
    /// The lowest client known to read it.
    pub client: Version,
    /// The event's name.
    pub event: String,
    /// The group's matcher.
    pub matcher: Option<String>,
    /// The command.
    pub command: String,
    /// Its arguments, in exec form.
    pub args: Option<Vec<String>>,
    /// Seconds; `None` where none was written.
    pub timeout: Option<f64>,
    /// `onFailure`, where it was written.
    pub on_failure: Option<String>,
}

/// Reads the entries of Claude Code from `state/manifest.json`. `Ok(None)`: nothing was
/// ever installed from here.
///
/// # Errors
/// The file is there and can't be read: what install registered is unknown.
pub fn read(state: &Path) -> Result<Option<Vec<Registered>>, String> {
    let path = state.join("manifest.json");
    let bytes = match bounded::read(&path, limits::SETTINGS) {
        Ok(bytes) => bytes,
        Err(Unreadable::Missing) => return Ok(None),
        Err(error) => return Err(error.to_string()),
    };
    let parsed = parse(&bytes, Limits::default()).map_err(|e| format!("byte {}", e.at))?;
    let Some(Json::Array(entries)) = parsed.value.get("entries") else {
        return Err("it has no `entries`".into());
    };
    let ours = |entry: &&Json<'_>| {
        entry.str_at("host").is_none_or(|host| host == HostId::ClaudeCode.as_str())
    };
    let read: Option<Vec<_>> = entries.iter().filter(ours).map(entry).collect();
    read.map(Some).ok_or_else(|| "an entry of it is not whole".into())
}

fn entry(json: &Json<'_>) -> Option<Registered> {
    let text = |key: &str| json.str_at(key).map(std::borrow::Cow::into_owned);
    let args = match json.get("args") {
        None | Some(Json::Null) => None,
        Some(Json::Array(words)) => Some(
            words
                .iter()
                .map(|word| word.as_str().map(std::borrow::Cow::into_owned))
                .collect::<Option<Vec<_>>>()?,
        ),
        Some(_) => return None,
    };
    let timeout = match json.get("timeout") {
        Some(Json::Number(number)) => number.parse().ok(),
        _ => None,
    };
    Some(Registered {
        scope: text("scope")?,
        file: PathBuf::from(text("file")?),
        // Where no client was found, the file is judged as by the newest one measured:
        // an older one would be said to know nothing of what is in it.
        client: text("client").and_then(|v| Version::parse(&v)).unwrap_or(caps::NEWEST_MEASURED),
        event: text("event")?,
        matcher: text("matcher"),
        command: text("command")?,
        args,
        timeout,
        on_failure: text("on_failure"),
    })
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn a_manifest_is_read_or_named_unreadable() {
        let folder = tempfile::tempdir().expect("a folder");
        let state = folder.path();
        assert_eq!(read(state), Ok(None));
        let file = state.join("manifest.json");
        std::fs::write(
            &file,
            r#"{"schema":1,"entries":[{"host":"claude-code","scope":"user","file":"/s.json","client":"2.1.332","event":"PreToolUse","matcher":"*","command":"/h","args":["hook"],"timeout":30,"on_failure":"block"},{"host":"other"}]}"#,
        )
        .expect("written");
        let entries = read(state).expect("read").expect("there");
        assert_eq!(entries.len(), 1);
        assert_eq!(entries.first().and_then(|e| e.timeout), Some(30.0));
        for broken in ["", "{", "{}", r#"{"entries":[{"scope":"user"}]}"#] {
            std::fs::write(&file, broken).expect("written");
            assert!(read(state).is_err(), "{broken}");
        }
    }
}
