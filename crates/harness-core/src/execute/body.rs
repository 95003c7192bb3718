//! [`BodyContext`]: what a tool's body can see and do.

use super::context::Context;
use super::execution::Execution;
use crate::call::{Identity, ToolCall};
use crate::json::Json;
use crate::pipeline::{Outcome, Pipeline};
use crate::signal::Signal;
use alloc::borrow::Cow;
use alloc::format;
use alloc::vec::Vec;
use core::cell::{Cell, RefCell};

/// What a body is given.
pub struct BodyContext<'b> {
    pub(crate) pipeline: &'b Pipeline<'b>,
    pub(crate) execution: &'b Execution<'b>,
    pub(crate) signal: &'b dyn Signal,
    pub(crate) deferred: RefCell<Vec<Context>>,
    pub(crate) children: &'b Cell<u32>,
}

impl BodyContext<'_> {
    /// The sealed call.
    #[must_use]
    pub const fn call(&self) -> &ToolCall<'_> {
        self.execution.call
    }

    /// This execution.
    #[must_use]
    pub const fn execution(&self) -> &Execution<'_> {
        self.execution
    }

    /// The cancellation to obey: the caller's and the wrappers' together.
    #[must_use]
    pub const fn signal(&self) -> &dyn Signal {
        self.signal
    }

    /// Adds text for the model beside the result.
    pub fn defer(&self, context: Context) {
        self.deferred.borrow_mut().push(context);
    }

    /// Makes a call from within this one. It passes every station as any call does, under
    /// this call's session, agent and folder; its id is this call's id and a running
    /// number. Its contexts are deferred to this call's result.
    #[must_use]
    pub fn call_tool(&self, tool: &str, input: Json<'_>) -> Outcome {
        let number = self.children.get().saturating_add(1);
        self.children.set(number);
        let mine = self.execution.call.identity();
        let id = format!("{}/{number}", mine.call);
        let identity = Identity {
            session: Cow::Borrowed(mine.session.as_ref()),
            call: Cow::Borrowed(&id),
            agent: mine.agent.as_deref().map(Cow::Borrowed),
            tool: Cow::Borrowed(tool),
            cwd: Cow::Borrowed(mine.cwd.as_ref()),
        };
        let call = ToolCall::seal(identity, input, false);
        let mut outcome = self.pipeline.run_nested(&call, self.execution, self.signal);
        self.deferred.borrow_mut().append(&mut outcome.result.contexts);
        outcome
    }
}
