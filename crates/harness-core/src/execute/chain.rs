//! The chain of wrappers with the body innermost.

use super::body::BodyContext;
use super::execution::Execution;
use super::failure::{Code, Failure};
use super::result::{State, ToolResult};
use super::tool::Tool;
use super::wrapper::{Next, Wrapper};
use crate::guard::StationError;
use crate::json::{Json, Limits};
use crate::pipeline::Pipeline;
use crate::signal::{Fused, Signal};
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::{Cell, RefCell};

/// A dispatch of one call to one tool.
pub(crate) struct Dispatch<'d> {
    pub(crate) pipeline: &'d Pipeline<'d>,
    pub(crate) execution: &'d Execution<'d>,
    pub(crate) tool: &'d dyn Tool,
    pub(crate) caller: &'d dyn Signal,
    pub(crate) body_runs: Cell<u32>,
    pub(crate) children: Cell<u32>,
}

impl Dispatch<'_> {
    /// Runs the chain. What a wrapper made itself, or brings from another execution, is
    /// checked as the body's own value would be.
    pub(crate) fn run(&self, wrappers: &[&dyn Wrapper]) -> Result<ToolResult, StationError> {
        let result = Rest { dispatch: self, wrappers }.run(self.caller)?;
        let result = match result.state {
            State::Success { checked: Some(token), .. } if token == self.execution.token => result,
            State::Success { value, .. } => {
                canonical(self.tool, self.execution, value, result.contexts)
            }
            State::Failure(_) => result,
        };
        Ok(result.aborted_if(self.caller.aborted(), self.ran()))
    }

    pub(crate) const fn ran(&self) -> bool {
        self.body_runs.get() > 0
    }

    fn body(&self, signal: &dyn Signal) -> ToolResult {
        let signal = Fused(self.caller, signal);
        if signal.aborted() {
            return ToolResult::failure(Failure::aborted(self.ran()));
        }
        if let Err(why) = self.tool.check_input(self.execution.call.input()) {
            return ToolResult::failure(Failure::new(why).coded(Code::InvalidArgs));
        }
        self.body_runs.set(self.body_runs.get().saturating_add(1));
        let context = BodyContext {
            pipeline: self.pipeline,
            execution: self.execution,
            signal: &signal,
            deferred: RefCell::new(Vec::new()),
            children: &self.children,
        };
        let value = self.tool.run(&context);
        let contexts = context.deferred.into_inner();
        let result = match value {
            Ok(value) => canonical(self.tool, self.execution, value, contexts),
            Err(failure) => ToolResult { contexts, ..ToolResult::failure(failure) },
        };
        result.aborted_if(signal.aborted(), true)
    }
}

/// What is left of the chain at one wrapper.
struct Rest<'r> {
    dispatch: &'r Dispatch<'r>,
    wrappers: &'r [&'r dyn Wrapper],
}

impl Next for Rest<'_> {
    fn run(&mut self, signal: &dyn Signal) -> Result<ToolResult, StationError> {
        match self.wrappers.split_first() {
            None => Ok(self.dispatch.body(signal)),
            Some((wrapper, wrappers)) => {
                let mut inner = Rest { dispatch: self.dispatch, wrappers };
                wrapper.wrap(self.dispatch.execution, signal, &mut inner)
            }
        }
    }
}

/// A value found in order and rendered, or the failure `INVALID_TOOL_OUTPUT`.
pub(crate) fn canonical(
    tool: &dyn Tool,
    execution: &Execution<'_>,
    value: Json<'static>,
    contexts: Vec<crate::execute::Context>,
) -> ToolResult {
    match checked(tool, &value) {
        Ok(content) => {
            let meta = if execution.nested() { None } else { tool.meta(&value) };
            let state = State::Success { value, meta, checked: Some(execution.token) };
            ToolResult { state, content, contexts }
        }
        Err(why) => {
            let failure = Failure::new(why).coded(Code::InvalidToolOutput);
            ToolResult { contexts, ..ToolResult::failure(failure) }
        }
    }
}

fn checked(tool: &dyn Tool, value: &Json<'_>) -> Result<Vec<crate::execute::Block>, String> {
    if !value.is_lossless(Limits::default()) {
        return Err("the tool gave a value that is not JSON".into());
    }
    tool.check_output(value)?;
    tool.render(value)
}
