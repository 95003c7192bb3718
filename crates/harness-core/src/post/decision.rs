//! [`PostDecision`]: what a post-execute listener may say of a result.

use crate::execute::{Block, Context, Execution, ToolResult};
use crate::guard::StationError;
use crate::json::Json;
use crate::world::World;
use alloc::vec::Vec;

/// A word on a result. One replacement at most: content and value together cannot be
/// written.
#[derive(Clone, Debug, PartialEq)]
pub enum PostRuling {
    /// Keep it.
    Accept,
    /// Show the model this instead. The value stays as it is: this is presentation, it
    /// hides nothing from whoever reads the value.
    ReplaceContent(Vec<Block>),
    /// Put this value in the place of a success's value; it is checked and rendered anew.
    ReplaceValue(Json<'static>),
    /// Make it a failure, with this for the model. Value and presentation data go.
    Block(Vec<Block>),
}

/// A ruling and what the model is told beside it.
#[derive(Clone, Debug, PartialEq)]
pub struct PostDecision {
    /// The ruling.
    pub ruling: PostRuling,
    /// Context, behind what the result already carries. Of a blocked result only these
    /// remain.
    pub contexts: Vec<Context>,
}

impl From<PostRuling> for PostDecision {
    fn from(ruling: PostRuling) -> Self {
        Self { ruling, contexts: Vec::new() }
    }
}

/// A listener's answer.
#[derive(Clone, Debug, PartialEq)]
pub enum PostAnswer {
    /// This listener has no opinion.
    Next,
    /// This settles the result; later listeners are not asked.
    Settled(PostDecision),
}

/// A post-execute listener. It sees denials as the failures they are, and nothing it can
/// answer makes a success of one.
pub trait PostListener {
    /// A decision, or [`PostAnswer::Next`].
    ///
    /// # Errors
    /// When the listener itself could not do its work; the call then ends as a failure.
    fn review(
        &self,
        execution: &Execution<'_>,
        result: &ToolResult,
        world: &dyn World,
    ) -> Result<PostAnswer, StationError>;
}
