//! One call with the verdict that its source expects.

use serde_json::{Value, json};
use std::io::{Error, ErrorKind, Result};
use std::path::Path;

/// What a source wants to happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Expected {
    /// It must not run unasked.
    Block,
    /// A person is to be asked.
    Ask,
    /// It runs.
    Allow,
}

impl Expected {
    /// Whether the call is to be stopped, by a denial or a question.
    #[must_use]
    pub fn stops(self) -> bool {
        self != Self::Allow
    }

    /// Its word in a file.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Block => "block",
            Self::Ask => "ask",
            Self::Allow => "allow",
        }
    }
}

/// One call.
#[derive(Clone, Debug)]
pub struct Case {
    /// Where it is from.
    pub source: String,
    /// The tool called.
    pub tool: String,
    /// What it is called with.
    pub input: Value,
    /// What is expected.
    pub expected: Expected,
}

impl Case {
    /// The calls of a file, one a line.
    ///
    /// # Errors
    ///
    /// If the file can't be read, or a line is no case: the error says which.
    pub fn of_file(file: &Path) -> Result<Vec<Self>> {
        let text = std::fs::read_to_string(file)
            .map_err(|e| Error::new(e.kind(), format!("`{}`: {e}", file.display())))?;
        let lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
        lines
            .map(|(line, number)| {
                Self::of_line(line).map_err(|what| {
                    let place = format!("{}:{number}: {what}", file.display());
                    Error::new(ErrorKind::InvalidData, place)
                })
            })
            .collect()
    }

    fn of_line(line: &str) -> std::result::Result<Self, String> {
        let value: Value = serde_json::from_str(line).map_err(|e| e.to_string())?;
        let text = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
        let expected = match text("expect").as_deref() {
            Some("block" | "deny") => Expected::Block,
            Some("ask") => Expected::Ask,
            Some("allow" | "none") => Expected::Allow,
            _ => return Err("`expect` is not block, ask or allow".to_owned()),
        };
        let (tool, input) = match (text("command"), value.get("input")) {
            (Some(command), None) => ("Bash".to_owned(), json!({ "command": command })),
            (None, Some(input)) => (text("tool").ok_or("`tool` is missing")?, input.clone()),
            _ => return Err("one of `command` and `input` is needed".to_owned()),
        };
        Ok(Self { source: text("source").unwrap_or_default(), tool, input, expected })
    }

    /// The command line, or the whole input of another tool.
    #[must_use]
    pub fn text(&self) -> String {
        let command = self.input.get("command").and_then(Value::as_str);
        command.map_or_else(|| format!("{} {}", self.tool, self.input), str::to_owned)
    }
}
