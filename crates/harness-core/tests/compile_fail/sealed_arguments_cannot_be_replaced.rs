//! What a sealed call lends is shared: nothing can be put in its place.
use harness_core::{Json, ToolCall};

fn rewrite(call: &mut ToolCall<'_>) {
    *call.input() = Json::Null;
}

fn main() {}
