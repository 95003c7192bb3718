//! A listener that could allow does not fit into the project layer.
use harness_core::{Answer, Layers, Listener, StationError, ToolCall, Vote, World};

struct Allowing;

impl Listener for Allowing {
    fn hear(&self, _: &ToolCall<'_>, _: &dyn World) -> Result<Answer, StationError> {
        Ok(Answer::Settled(Vote::Allow))
    }
}

fn main() {
    let _ = Layers { managed: &[], user: &[], project: &[&Allowing] };
}
