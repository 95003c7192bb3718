//! Stations made of closures, and a world of constants.

use harness_core::ask::{ApprovalEvent, AskRequest, Reply, Responder, Session};
use harness_core::execute::{Execution, Next, ToolResult, Wrapper};
use harness_core::knobs::ApprovalPolicy;
use harness_core::observer::{Observer, Seen};
use harness_core::post::{PostAnswer, PostListener};
use harness_core::{
    Answer, Clock, Denial, Guard, Identity, Json, Listener, ProjectAnswer, ProjectListener, Reason,
    RuleId, Signal, StationError, ToolCall, World,
};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};

/// The rule that every stub speaks under.
pub(crate) const RULE: RuleId = RuleId::built_in("test/rule");

pub(crate) fn reason(text: &str) -> Reason {
    Reason::new(RULE, text.to_owned())
}

pub(crate) fn broken(text: &str) -> StationError {
    StationError::new(RULE, text.to_owned())
}

pub(crate) fn json(text: &str) -> Json<'static> {
    let parsed = harness_core::json::parse(text.as_bytes(), Default::default());
    parsed.expect("test JSON").value.into_owned()
}

pub(crate) fn call_of(tool: &str, agent: Option<&str>) -> ToolCall<'static> {
    ToolCall::seal(identity_of(tool, agent), json(r#"{"command":"ls","n":1}"#), false)
}

pub(crate) fn identity_of(tool: &str, agent: Option<&str>) -> Identity<'static> {
    Identity {
        session: Cow::Borrowed("s1"),
        call: Cow::Borrowed("c1"),
        agent: agent.map(|agent| Cow::Owned(agent.to_owned())),
        tool: Cow::Owned(tool.to_owned()),
        cwd: Cow::Borrowed("/w"),
    }
}

pub(crate) struct Nowhere;

impl World for Nowhere {
    fn resolve(&self, base: &str, path: &str) -> String {
        format!("{base}/{path}")
    }
    fn now_ms(&self) -> u64 {
        0
    }
    fn home(&self) -> &str {
        "/home"
    }
}

pub(crate) struct Hear<F>(F);

impl<F: Fn(&ToolCall<'_>) -> Result<Answer, StationError>> Listener for Hear<F> {
    fn hear(&self, call: &ToolCall<'_>, _: &dyn World) -> Result<Answer, StationError> {
        (self.0)(call)
    }
}

pub(crate) struct HearProject<F>(F);

impl<F: Fn() -> Result<ProjectAnswer, StationError>> ProjectListener for HearProject<F> {
    fn hear(&self, _: &ToolCall<'_>, _: &dyn World) -> Result<ProjectAnswer, StationError> {
        (self.0)()
    }
}

pub(crate) struct Check<F>(F);

impl<F: Fn(&ToolCall<'_>) -> Result<Option<Denial>, StationError>> Guard for Check<F> {
    fn check(&self, call: &ToolCall<'_>, _: &dyn World) -> Result<Option<Denial>, StationError> {
        (self.0)(call)
    }
}

pub(crate) struct Wrap<F>(F);

impl<F> Wrapper for Wrap<F>
where
    F: Fn(&Execution<'_>, &dyn Signal, &mut dyn Next) -> Result<ToolResult, StationError>,
{
    fn wrap(
        &self,
        execution: &Execution<'_>,
        signal: &dyn Signal,
        next: &mut dyn Next,
    ) -> Result<ToolResult, StationError> {
        (self.0)(execution, signal, next)
    }
}

pub(crate) struct Review<F>(F);

impl<F> PostListener for Review<F>
where
    F: Fn(&Execution<'_>, &ToolResult) -> Result<PostAnswer, StationError>,
{
    fn review(
        &self,
        execution: &Execution<'_>,
        result: &ToolResult,
        _: &dyn World,
    ) -> Result<PostAnswer, StationError> {
        (self.0)(execution, result)
    }
}

pub(crate) struct Watch<F>(F);

impl<F: Fn(&Seen<'_>) -> Result<(), StationError>> Observer for Watch<F> {
    fn observe(&self, seen: &Seen<'_>) -> Result<(), StationError> {
        (self.0)(seen)
    }
}

pub(crate) struct Respond<F>(F);

impl<F: Fn(&AskRequest<'_>) -> Result<Reply, StationError>> Responder for Respond<F> {
    fn respond(&self, request: &AskRequest<'_>) -> Result<Reply, StationError> {
        (self.0)(request)
    }
}

/// A signal that a test pulls.
#[derive(Default)]
pub(crate) struct Lever(pub(crate) Cell<bool>);

impl Lever {
    pub(crate) fn pulled() -> Self {
        Self(Cell::new(true))
    }
    pub(crate) fn pull(&self) {
        self.0.set(true);
    }
}

impl Signal for Lever {
    fn aborted(&self) -> bool {
        self.0.get()
    }
}

/// A clock that a test turns.
#[derive(Default)]
pub(crate) struct Hands(pub(crate) Cell<u64>);

impl Clock for Hands {
    fn now_ms(&self) -> u64 {
        self.0.get()
    }
}

/// A session in memory.
pub(crate) struct Notes {
    pub(crate) open: bool,
    pub(crate) policy: ApprovalPolicy,
    pub(crate) fail_at: Option<usize>,
    pub(crate) lines: RefCell<Vec<String>>,
}

impl Default for Notes {
    fn default() -> Self {
        let policy = ApprovalPolicy::Ask;
        Self { open: true, policy, fail_at: None, lines: RefCell::default() }
    }
}

impl Session for Notes {
    fn turn_open(&self) -> bool {
        self.open
    }
    fn approval_policy(&self) -> ApprovalPolicy {
        self.policy
    }
    fn fresh_id(&self) -> String {
        format!("q{}", self.lines.borrow().len())
    }
    fn append(&self, event: &ApprovalEvent<'_>) -> Result<(), StationError> {
        let mut lines = self.lines.borrow_mut();
        if self.fail_at == Some(lines.len()) {
            return Err(broken("disk full"));
        }
        lines.push(match event {
            ApprovalEvent::Asked { id, .. } => format!("asked {id}"),
            ApprovalEvent::Decided { id, outcome } => format!("decided {id} {}", outcome.word()),
        });
        Ok(())
    }
}

// Constructors, because only a bound makes a closure take any lifetime.

pub(crate) fn hearing<F>(f: F) -> Hear<F>
where
    F: Fn(&ToolCall<'_>) -> Result<Answer, StationError>,
{
    Hear(f)
}

pub(crate) fn hearing_project<F>(f: F) -> HearProject<F>
where
    F: Fn() -> Result<ProjectAnswer, StationError>,
{
    HearProject(f)
}

pub(crate) fn checking<F>(f: F) -> Check<F>
where
    F: Fn(&ToolCall<'_>) -> Result<Option<Denial>, StationError>,
{
    Check(f)
}

pub(crate) fn wrapping<F>(f: F) -> Wrap<F>
where
    F: Fn(&Execution<'_>, &dyn Signal, &mut dyn Next) -> Result<ToolResult, StationError>,
{
    Wrap(f)
}

pub(crate) fn reviewing<F>(f: F) -> Review<F>
where
    F: Fn(&Execution<'_>, &ToolResult) -> Result<PostAnswer, StationError>,
{
    Review(f)
}

pub(crate) fn watching<F>(f: F) -> Watch<F>
where
    F: Fn(&Seen<'_>) -> Result<(), StationError>,
{
    Watch(f)
}

pub(crate) fn responding<F>(f: F) -> Respond<F>
where
    F: Fn(&AskRequest<'_>) -> Result<Reply, StationError>,
{
    Respond(f)
}
