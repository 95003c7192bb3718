//! [`Tool`] and [`Catalog`]: what can be called.

use super::body::BodyContext;
use super::context::Block;
use super::execution::Execution;
use super::failure::Failure;
use super::result::ToolResult;
use crate::json::Json;
use alloc::string::String;
use alloc::vec::Vec;

/// A tool. Only the body is required; the rest is what a tool may say about its
/// arguments, its value and how the value is shown.
pub trait Tool {
    /// The body.
    ///
    /// # Errors
    /// The tool's own failure; it becomes the call's result.
    fn run(&self, body: &BodyContext<'_>) -> Result<Json<'static>, Failure>;

    /// Whether the arguments fit; the message says why not.
    ///
    /// # Errors
    /// When they don't fit: the call ends with `INVALID_ARGS`, the body does not run.
    fn check_input(&self, input: &Json<'_>) -> Result<(), String> {
        let _ = input;
        Ok(())
    }

    /// Whether a value fits what the tool says it gives.
    ///
    /// # Errors
    /// When it doesn't fit: the call ends with `INVALID_TOOL_OUTPUT`.
    fn check_output(&self, value: &Json<'_>) -> Result<(), String> {
        let _ = value;
        Ok(())
    }

    /// What the model is shown of a value.
    ///
    /// # Errors
    /// When it can't be shown: the call ends with `INVALID_TOOL_OUTPUT`.
    fn render(&self, value: &Json<'_>) -> Result<Vec<Block>, String> {
        Ok(Vec::from([Block::Text(written(value))]))
    }

    /// Presentation data of a value, for the host's own display. Top-level calls only.
    fn meta(&self, value: &Json<'_>) -> Option<Json<'static>> {
        let _ = value;
        None
    }

    /// The last word on the content, such as a bound on its size. It can replace the
    /// content and nothing else.
    ///
    /// # Errors
    /// A failure becomes the call's result.
    fn final_content(
        &self,
        execution: &Execution<'_>,
        result: &ToolResult,
    ) -> Result<Option<Vec<Block>>, Failure> {
        let _ = (execution, result);
        Ok(None)
    }
}

/// A string as it is, anything else as JSON.
fn written(value: &Json<'_>) -> String {
    value.as_str().map_or_else(
        || {
            let mut bytes = Vec::new();
            value.write(&mut bytes);
            String::from_utf8_lossy(&bytes).into_owned()
        },
        alloc::borrow::Cow::into_owned,
    )
}

/// A tool that is only a body.
pub struct FnTool<F>(pub F);

impl<F: Fn(&BodyContext<'_>) -> Result<Json<'static>, Failure>> Tool for FnTool<F> {
    fn run(&self, body: &BodyContext<'_>) -> Result<Json<'static>, Failure> {
        (self.0)(body)
    }
}

/// What a name stands for.
#[derive(Clone, Copy)]
pub enum Found<'t> {
    /// A tool.
    Tool(&'t dyn Tool),
    /// A tool that may not be called directly; the text names the way that is open.
    Indirect(&'t str),
    /// Nothing.
    Unknown,
}

/// Names and their tools. Looked up once a call, when it begins, so that a tool
/// registered anew during the call is not half of it.
pub trait Catalog {
    /// What a name stands for.
    fn find(&self, name: &str) -> Found<'_>;
}

impl Catalog for [(&str, &dyn Tool)] {
    fn find(&self, name: &str) -> Found<'_> {
        self.iter()
            .find(|(known, _)| *known == name)
            .map_or(Found::Unknown, |(_, tool)| Found::Tool(*tool))
    }
}

impl<const N: usize> Catalog for [(&str, &dyn Tool); N] {
    fn find(&self, name: &str) -> Found<'_> {
        self.as_slice().find(name)
    }
}
