//! The arguments of a sealed call are private to it.
use harness_core::{Json, ToolCall};

fn rewrite(call: &mut ToolCall<'_>) {
    call.input = Json::Null;
}

fn main() {}
