//! Applying a [`PostDecision`] to a result.

use super::decision::{PostDecision, PostRuling};
use crate::execute::chain::canonical;
use crate::execute::result::State;
use crate::execute::{Block, Execution, Failure, Tool, ToolResult};

/// The message of a block without text.
pub const BLOCKED: &str = "the result was blocked and no reason was given";
/// The message where a value was given to a failed call.
pub const VALUE_FOR_FAILURE: &str = "a post-execute listener gave a value to a call that failed";

/// Applies a decision. No decision makes a success of a failure.
pub(crate) fn apply(
    decision: PostDecision,
    result: ToolResult,
    execution: &Execution<'_>,
    tool: Option<&dyn Tool>,
) -> ToolResult {
    let PostDecision { ruling, contexts } = decision;
    let mut result = match ruling {
        PostRuling::Accept => result,
        PostRuling::ReplaceContent(content) => ToolResult { content, ..result },
        PostRuling::ReplaceValue(value) => match (&result.state, tool) {
            (State::Success { .. }, Some(tool)) => {
                canonical(tool, execution, value, result.contexts)
            }
            _ => result.failed(Failure::new(VALUE_FOR_FAILURE)),
        },
        PostRuling::Block(feedback) => return ToolResult { contexts, ..block(feedback) },
    };
    result.contexts.extend(contexts);
    result
}

fn block(feedback: alloc::vec::Vec<Block>) -> ToolResult {
    let text = Block::join(&feedback);
    let blank = text.trim().is_empty();
    let failure = if blank { Failure::new(BLOCKED) } else { Failure::new(text) };
    if blank {
        return ToolResult::failure(failure);
    }
    ToolResult { content: feedback, ..ToolResult::failure(failure) }
}
