//! A guard's answer has no value that allows.
use harness_core::{Denial, Guard, StationError, ToolCall, Vote, World};

struct Consenting;

impl Guard for Consenting {
    fn check(&self, _: &ToolCall<'_>, _: &dyn World) -> Result<Option<Denial>, StationError> {
        Ok(Some(Vote::Allow))
    }
}

fn main() {}
