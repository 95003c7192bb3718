//! What the model of a live run says: a fixed list of turns.

use serde_json::{Value, json};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// A tool the model asks for.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The tool's name.
    pub tool: String,
    /// Its input.
    pub input: Value,
}

impl Call {
    /// Any tool.
    #[must_use]
    pub fn new(tool: &str, input: Value) -> Self {
        Self { tool: tool.into(), input }
    }

    /// A shell command.
    #[must_use]
    pub fn bash(command: &str) -> Self {
        Self::new("Bash", json!({ "command": command, "description": "A step of a live check" }))
    }
}

/// What one turn says.
#[derive(Clone, Debug, PartialEq)]
pub enum Say {
    /// Plain text: the client's turn ends.
    Text(String),
    /// Tools, all in one answer.
    Calls(Vec<Call>),
}

/// One answer of the model.
#[derive(Clone)]
pub struct Turn {
    /// What it says.
    pub say: Say,
    /// How long it thinks first: settings edited in a session take a moment to be read.
    pub delay: Duration,
    /// What happens on our side before it answers, after the request was recorded.
    pub before: Option<Arc<dyn Fn() + Send + Sync>>,
}

impl fmt::Debug for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Turn").field("say", &self.say).field("delay", &self.delay).finish()
    }
}

impl Turn {
    const fn of(say: Say) -> Self {
        Self { say, delay: Duration::ZERO, before: None }
    }

    /// Text.
    #[must_use]
    pub fn text(text: &str) -> Self {
        Self::of(Say::Text(text.into()))
    }

    /// One tool.
    #[must_use]
    pub fn call(call: Call) -> Self {
        Self::of(Say::Calls(vec![call]))
    }

    /// Several tools in one answer.
    #[must_use]
    pub const fn calls(calls: Vec<Call>) -> Self {
        Self::of(Say::Calls(calls))
    }

    /// The same turn, after a pause.
    #[must_use]
    pub const fn after(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    /// The same turn, with something done before it answers.
    #[must_use]
    pub fn doing(mut self, what: impl Fn() + Send + Sync + 'static) -> Self {
        self.before = Some(Arc::new(what));
        self
    }
}

/// The id of the `n`th call of the `turn`th turn, both counted from nought.
#[must_use]
pub fn call_id(turn: usize, n: usize) -> String {
    format!("toolu_live_{turn:03}_{n:03}")
}
