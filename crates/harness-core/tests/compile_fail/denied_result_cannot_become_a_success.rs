//! A listener that reviews a result cannot write to it.
use harness_core::execute::ToolResult;

fn review(result: &mut ToolResult) {
    result.state = ToolResult::success(harness_core::Json::Null).state;
}

fn main() {}
