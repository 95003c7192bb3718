//! [`ToolResult`]: what comes of a call.

use super::context::{Block, Context};
use super::execution::Token;
use super::failure::Failure;
use crate::json::Json;
use alloc::format;
use alloc::vec::Vec;

/// A result. A success holds a value; a failure holds none, and its content is `Error: `
/// and the failure's message unless somebody replaced it.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolResult {
    pub(crate) state: State,
    pub(crate) content: Vec<Block>,
    pub(crate) contexts: Vec<Context>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum State {
    Success {
        value: Json<'static>,
        meta: Option<Json<'static>>,
        /// The execution that found the value in order. A wrapper's own value has none,
        /// and one of another execution does not count.
        checked: Option<Token>,
    },
    Failure(Failure),
}

impl ToolResult {
    /// A wrapper's own success. The pipeline checks and renders it as it would the body's.
    #[must_use]
    pub const fn success(value: Json<'static>) -> Self {
        let state = State::Success { value, meta: None, checked: None };
        Self { state, content: Vec::new(), contexts: Vec::new() }
    }

    /// A failure.
    #[must_use]
    pub fn failure(failure: Failure) -> Self {
        let content = Vec::from([Block::Text(format!("Error: {}", failure.message()))]);
        Self { state: State::Failure(failure), content, contexts: Vec::new() }
    }

    /// The same result with one more context behind those it has.
    #[must_use]
    pub fn with_context(mut self, context: Context) -> Self {
        self.contexts.push(context);
        self
    }

    /// Whether the call failed.
    #[must_use]
    pub const fn is_error(&self) -> bool {
        matches!(self.state, State::Failure(_))
    }

    /// Why it failed.
    #[must_use]
    pub const fn error(&self) -> Option<&Failure> {
        match &self.state {
            State::Failure(failure) => Some(failure),
            State::Success { .. } => None,
        }
    }

    /// The value of a success.
    #[must_use]
    pub const fn value(&self) -> Option<&Json<'static>> {
        match &self.state {
            State::Success { value, .. } => Some(value),
            State::Failure(_) => None,
        }
    }

    /// The tool's own presentation data.
    #[must_use]
    pub const fn meta(&self) -> Option<&Json<'static>> {
        match &self.state {
            State::Success { meta, .. } => meta.as_ref(),
            State::Failure(_) => None,
        }
    }

    /// What the model is shown.
    #[must_use]
    pub fn content(&self) -> &[Block] {
        &self.content
    }

    /// What the model is told beside it, in the order it is to read it.
    #[must_use]
    pub fn contexts(&self) -> &[Context] {
        &self.contexts
    }

    /// The same outcome as a failure; contexts stay.
    pub(crate) fn failed(self, failure: Failure) -> Self {
        Self { contexts: self.contexts, ..Self::failure(failure) }
    }

    /// A success after a cancellation is none; a failure stays what it was.
    pub(crate) fn aborted_if(self, aborted: bool, ran: bool) -> Self {
        if aborted && !self.is_error() { self.failed(Failure::aborted(ran)) } else { self }
    }
}
