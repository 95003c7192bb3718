//! A sealed call is read through shared references only.
use harness_core::{Json, ToolCall};

fn rewrite(call: &mut ToolCall<'_>) {
    *call.input() = Json::Null;
    call.input = Json::Null;
}

fn main() {}
