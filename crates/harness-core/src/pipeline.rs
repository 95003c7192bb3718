//! [`Pipeline`]: all stations of a call, from its arguments to its observers.

use crate::ask::resolve::{Resolved, resolve};
use crate::ask::service::ApprovalService;
use crate::call::{Identity, ToolCall};
use crate::execute::chain::Dispatch;
use crate::execute::execution::Mint;
use crate::execute::{Catalog, Code, Execution, Failure, Found, Tool, ToolResult, Wrapper};
use crate::guard::StationError;
use crate::guards::Guards;
use crate::json::{self, Json, Limits};
use crate::layers::Layers;
use crate::observer::{Observer, Seen};
use crate::post::apply::apply;
use crate::post::{PostAnswer, PostListener};
use crate::settle::{Settled, settle};
use crate::signal::Signal;
use crate::verdict::VerdictView;
use crate::waterfall::first_settled;
use crate::world::World;
use alloc::borrow::Cow;
use alloc::format;
use alloc::vec::Vec;
use core::cell::Cell;

/// The stations of a pipeline. Slices and references: the set holds still while a call
/// passes through it.
#[derive(Clone, Copy)]
pub struct Stations<'p> {
    /// Pre-execute listeners.
    pub layers: Layers<'p>,
    /// Guards.
    pub guards: Guards<'p>,
    /// Who asks a person; `None` where asking is not supported.
    pub approval: Option<&'p ApprovalService<'p>>,
    /// What can be called.
    pub catalog: &'p dyn Catalog,
    /// Stations around the body, outermost first.
    pub wrappers: &'p [&'p dyn Wrapper],
    /// Post-execute listeners.
    pub post: &'p [&'p dyn PostListener],
    /// Observers.
    pub observers: &'p [&'p dyn Observer],
    /// The window to the world.
    pub world: &'p dyn World,
}

/// A pipeline. It never fails: whatever breaks, the caller gets a result.
pub struct Pipeline<'p> {
    stations: Stations<'p>,
    mint: Mint,
}

/// What came of a call.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The result.
    pub result: ToolResult,
    /// The verdict before anyone was asked; `None` if the call did not come so far.
    pub settled: Option<Settled>,
    /// How often the body ran.
    pub body_runs: u32,
    /// What observers could not do.
    pub observer_failures: Vec<StationError>,
}

/// How deep calls made by bodies may nest.
pub const NESTING_LIMIT: usize = 16;

/// Where a call stands after a station: on its way, or with a result that post-execute
/// listeners see (a denial), or do not (a broken station).
enum Way {
    On,
    Review(ToolResult),
    Final(ToolResult),
}

impl Way {
    fn denied(failure: impl Into<Failure>) -> Self {
        Self::Review(ToolResult::failure(failure.into()))
    }

    fn broken(failure: impl Into<Failure>) -> Self {
        Self::Final(ToolResult::failure(failure.into()))
    }
}

impl<'p> Pipeline<'p> {
    /// A pipeline of these stations.
    #[must_use]
    pub fn new(stations: Stations<'p>) -> Self {
        Self { stations, mint: Mint::default() }
    }

    /// Runs a call whose arguments are still bytes. They are read once, before any
    /// listener; what is not JSON without loss ends here, also for a call already
    /// cancelled. Nothing at all stands for `{}`.
    #[must_use]
    pub fn run_bytes(
        &self,
        identity: Identity<'_>,
        arguments: &[u8],
        caller: &dyn Signal,
    ) -> Outcome {
        match lossless(arguments) {
            Ok(input) => self.run(&ToolCall::seal(identity, input, false), caller),
            Err(failure) => self.refuse(&identity, failure),
        }
    }

    /// Runs a sealed call.
    #[must_use]
    pub fn run(&self, call: &ToolCall<'_>, caller: &dyn Signal) -> Outcome {
        let root = call.identity().call.as_ref();
        let token = self.mint.token();
        self.run_execution(&Execution { call, token, parent: None, root, depth: 0 }, caller)
    }

    /// Runs a call that a body made.
    pub(crate) fn run_nested(
        &self,
        call: &ToolCall<'_>,
        parent: &Execution<'_>,
        caller: &dyn Signal,
    ) -> Outcome {
        if parent.depth >= NESTING_LIMIT {
            let failure = Failure::new(format!("calls nest deeper than {NESTING_LIMIT}"));
            return self.refuse(call.identity(), failure);
        }
        let execution = Execution {
            call,
            token: self.mint.token(),
            parent: Some(parent.token),
            root: parent.root,
            depth: parent.depth.saturating_add(1),
        };
        self.run_execution(&execution, caller)
    }

    /// A call that came to nothing before its first station.
    pub(crate) fn refuse(&self, identity: &Identity<'_>, failure: Failure) -> Outcome {
        let result = ToolResult::failure(failure);
        let seen = Seen { identity, execution: None, settled: None, result: &result };
        let observer_failures = self.notify(&seen);
        Outcome { result, settled: None, body_runs: 0, observer_failures }
    }

    fn run_execution(&self, execution: &Execution<'_>, caller: &dyn Signal) -> Outcome {
        let found = self.stations.catalog.find(execution.call.tool());
        let (way, settled) = self.prepare(execution, found, caller);
        let tool = match found {
            Found::Tool(tool) => Some(tool),
            Found::Indirect(_) | Found::Unknown => None,
        };
        let (way, body_runs) = match way {
            Way::On => self.dispatch(execution, tool, caller),
            stopped => (stopped, 0),
        };
        let result = match way {
            Way::Final(result) => result,
            Way::On => ToolResult::failure(unknown(execution.call.tool())),
            Way::Review(result) => {
                self.review(execution, result, tool).aborted_if(caller.aborted(), body_runs > 0)
            }
        };
        let result = finish(execution, result, tool);
        let seen = Seen {
            identity: execution.call.identity(),
            execution: Some(execution),
            settled: settled.as_ref(),
            result: &result,
        };
        let observer_failures = self.notify(&seen);
        Outcome { result, settled, body_runs, observer_failures }
    }

    /// Listeners, guards, and the question, each with its check for cancellation.
    fn prepare(
        &self,
        execution: &Execution<'_>,
        found: Found<'_>,
        caller: &dyn Signal,
    ) -> (Way, Option<Settled>) {
        if caller.aborted() {
            return (Way::broken(Failure::aborted(false)), None);
        }
        if let Found::Indirect(route) = found {
            // Before policy, so that nobody is asked to approve what can only fail.
            let failure = Failure::new(format!(
                "`{}` cannot be called directly; use {route}",
                execution.call.tool()
            ));
            return (Way::denied(failure.coded(Code::UnknownTool)), None);
        }
        let Stations { layers, guards, world, .. } = &self.stations;
        let settled = settle(execution.call, layers, guards, *world);
        let way = self.clear(execution.call, &settled, caller);
        (way, Some(settled))
    }

    fn clear(&self, call: &ToolCall<'_>, settled: &Settled, caller: &dyn Signal) -> Way {
        if let Some(error) = &settled.failure {
            return Way::broken(error.clone());
        }
        match settled.verdict.view() {
            VerdictView::Deny(reason) => return Way::denied(reason),
            VerdictView::NoObjection => {}
            VerdictView::Ask(reason) => {
                match resolve(self.stations.approval, call, reason, caller) {
                    Resolved::Granted(grant) => grant.spend(),
                    Resolved::Denied(reason) => return Way::denied(&reason),
                    Resolved::Aborted => return Way::denied(Failure::aborted(false)),
                    Resolved::Failed(error) => return Way::broken(error),
                }
            }
        }
        if caller.aborted() { Way::denied(Failure::aborted(false)) } else { Way::On }
    }

    fn dispatch(
        &self,
        execution: &Execution<'_>,
        tool: Option<&dyn Tool>,
        caller: &dyn Signal,
    ) -> (Way, u32) {
        let Some(tool) = tool else { return (Way::denied(unknown(execution.call.tool())), 0) };
        let dispatch = Dispatch {
            pipeline: self,
            execution,
            tool,
            caller,
            body_runs: Cell::new(0),
            children: Cell::new(0),
        };
        let way = match dispatch.run(self.stations.wrappers) {
            Ok(result) => Way::Review(result),
            Err(error) => Way::broken(error),
        };
        (way, dispatch.body_runs.get())
    }

    fn review(
        &self,
        execution: &Execution<'_>,
        result: ToolResult,
        tool: Option<&dyn Tool>,
    ) -> ToolResult {
        let answer = first_settled(self.stations.post, |listener| {
            Ok(match listener.review(execution, &result, self.stations.world)? {
                PostAnswer::Next => None,
                PostAnswer::Settled(decision) => Some(decision),
            })
        });
        match answer {
            Ok(None) => result,
            Ok(Some(decision)) => apply(decision, result, execution, tool),
            Err(error) => result.failed(error.into()),
        }
    }

    /// Tells every observer, whatever the others do.
    fn notify(&self, seen: &Seen<'_>) -> Vec<StationError> {
        self.stations.observers.iter().filter_map(|o| o.observe(seen).err()).collect()
    }
}

/// The tool's own last word on the content.
fn finish(execution: &Execution<'_>, result: ToolResult, tool: Option<&dyn Tool>) -> ToolResult {
    let Some(tool) = tool else { return result };
    match tool.final_content(execution, &result) {
        Ok(None) => result,
        Ok(Some(content)) => ToolResult { content, ..result },
        Err(failure) => result.failed(failure),
    }
}

fn unknown(tool: &str) -> Failure {
    Failure::new(format!("there is no tool `{tool}`")).coded(Code::UnknownTool)
}

/// Reads arguments without loss, or says why that cannot be.
fn lossless(arguments: &[u8]) -> Result<Json<'_>, Failure> {
    if arguments.trim_ascii().is_empty() {
        return Ok(Json::Object(Vec::new()));
    }
    let parsed = json::parse(arguments, Limits::default())
        .map_err(|error| Failure::new(format!("the arguments are not JSON: {error}")))?;
    if let Some(at) = parsed.duplicate_key {
        let message = format!("the arguments hold a key twice, at byte {at}");
        return Err(Failure::new(message));
    }
    let rest = arguments.get(parsed.used..).unwrap_or_default();
    if !rest.trim_ascii().is_empty() {
        return Err(Failure::new(Cow::Borrowed("bytes follow the arguments")));
    }
    Ok(parsed.value)
}
