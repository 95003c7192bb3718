//! A project listener has no word for allow.
use harness_core::{ProjectAnswer, ProjectListener, StationError, ToolCall, World};

struct Loosening;

impl ProjectListener for Loosening {
    fn hear(&self, _: &ToolCall<'_>, _: &dyn World) -> Result<ProjectAnswer, StationError> {
        Ok(ProjectAnswer::Allow)
    }
}

fn main() {}
