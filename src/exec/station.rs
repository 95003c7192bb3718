//! The stations around a command: who decided is heard, a person is asked, the command runs
//! in what holds it, and the journal hears of it.

use std::cell::{Cell, RefCell};
use std::io;
use std::path::Path;
use std::time::Duration;

use harness_core::ask::events::{ApprovalEvent, Session};
use harness_core::ask::service::{ApprovalService, Children, Responder};
use harness_core::execute::{
    Budget, Code, Failure, FnTool, Retry, Timeout, Tool, ToolResult, Wrapper,
};
use harness_core::knobs::ApprovalPolicy;
use harness_core::pipeline::Stations;
use harness_core::verdict::VerdictView;
use harness_core::{
    Answer, Clock, Denial, Guard, Guards, Json, Layers, Listener, Pipeline, RuleId, Signal,
    StationError, ToolCall, Verdict, Vote, World,
};

use super::absent::{Absent, sweep};
use crate::journal::record::Record;
use crate::journal::{audit, place, redact};
use crate::sys::body::{Body, Ended, Holder, NotRun, Status, Watch, run};
use crate::sys::clock;

/// The rule under which the stations themselves speak.
const STATION: RuleId = RuleId::built_in("harness/exec");
/// The first pause before another attempt; each further one is twice as long.
const PAUSE: Duration = Duration::from_millis(200);
/// The longest pause.
const LONGEST: Duration = Duration::from_secs(10);

/// A command on its way.
pub struct Way<'w> {
    /// Its verdict, from the one function that decides.
    pub verdict: &'w Verdict,
    /// Whether asks reach a person.
    pub approval: ApprovalPolicy,
    /// Who asks a person.
    pub person: &'w dyn Responder,
    /// The window to the world.
    pub world: &'w dyn World,
    /// harness's state folder.
    pub state: &'w Path,
    /// The command.
    pub body: &'w Body,
    /// What holds it.
    pub holder: &'w Holder,
    /// What was missing and may not be made.
    pub absent: &'w [Absent],
    /// When it is stopped.
    pub timeout: Option<Duration>,
    /// How often more it is tried when it fails.
    pub retries: u32,
}

/// What became of it.
#[derive(Debug, Default)]
pub struct Came {
    /// How the last attempt ended, if one ran.
    pub ended: Option<Ended>,
    /// Why the last attempt never ran.
    pub not_run: Option<NotRun>,
    /// What the command made and may not have.
    pub removed: Vec<String>,
    /// How often it ran.
    pub attempts: u32,
    /// Why it failed otherwise: a denial, a timeout.
    pub failure: Option<Failure>,
}

impl Way<'_> {
    /// Sends a call through all stations.
    #[must_use]
    pub fn go(&self, call: &ToolCall<'_>) -> Came {
        let came = RefCell::new(Came::default());
        let tool = FnTool(|context: &harness_core::execute::BodyContext<'_>| {
            self.run(context.signal(), &came)
        });
        let catalog: [(&str, &dyn Tool); 1] = [("Bash", &tool)];
        let clock = Ticks;
        let budget =
            self.timeout.and_then(|t| Budget::from_ms(u64::try_from(t.as_millis()).ok()?).ok());
        let timeout = budget.map(|budget| Timeout::new(budget, &clock));
        let waited = Cell::new(PAUSE);
        let again = |result: &ToolResult| worth_another(result, &waited);
        let retry = Retry::new(self.retries.saturating_add(1), &again);
        // The timeout is outermost: it is for the command with all its attempts.
        let mut wrappers: Vec<&dyn Wrapper> = Vec::new();
        wrappers.extend(timeout.iter().map(|t| t as &dyn Wrapper));
        wrappers.push(&retry);
        let said = Said(self.verdict);
        let listeners: [&dyn Listener; 1] = [&said];
        let guards: [&dyn Guard; 1] = [&said];
        let session = Terminal { approval: self.approval, state: self.state };
        let responders = [self.person];
        let approval = ApprovalService {
            session: &session,
            responders: &responders,
            children: Children::Never,
        };
        let pipeline = Pipeline::new(Stations {
            layers: Layers { managed: &listeners, ..Layers::default() },
            guards: Guards { global: &guards, scopes: &[] },
            approval: Some(&approval),
            catalog: &catalog,
            wrappers: &wrappers,
            post: &[],
            observers: &[],
            world: self.world,
        });
        let outcome = pipeline.run(call, &harness_core::signal::NeverAborted);
        let mut came = came.into_inner();
        came.attempts = outcome.body_runs;
        came.failure = outcome.result.error().cloned();
        came
    }

    /// One attempt.
    fn run(&self, signal: &dyn Signal, came: &RefCell<Came>) -> Result<Json<'static>, Failure> {
        let wanted = || !signal.aborted();
        let wanted: Option<&dyn Fn() -> bool> =
            if self.timeout.is_some() { Some(&wanted) } else { None };
        let sweeper = Sweeper { absent: self.absent, state: self.state };
        let ran = run(self.body, self.holder, wanted, &sweeper);
        let mut came = came.borrow_mut();
        (came.ended, came.not_run) = (None, None);
        match ran {
            Err(why) => {
                let code = match why {
                    NotRun::Program(_) => "NOT_STARTED",
                    NotRun::Holder(..) => "RUNNER_FAILED",
                };
                came.not_run = Some(why);
                Err(Failure::new("it was not started").coded(Code::Own(code.into())))
            }
            Ok((ended, said)) => {
                came.ended = Some(ended);
                let said = String::from_utf8_lossy(&said).into_owned();
                came.removed.extend(said.lines().map(str::to_owned));
                match ended.status {
                    Status::Exit(0) => Ok(Json::Null),
                    Status::Exit(code) => {
                        Err(Failure::new(format!("exit code {code}"))
                            .coded(Code::Own("EXIT".into())))
                    }
                    Status::Signal(number) => {
                        Err(Failure::new(format!("signal {number}"))
                            .coded(Code::Own("SIGNAL".into())))
                    }
                }
            }
        }
    }
}

/// Only a command that ran and said no is tried again, after a pause: one that can't be
/// started, or was ended by a signal, comes to the same.
fn worth_another(result: &ToolResult, waited: &Cell<Duration>) -> bool {
    let again = matches!(
        result.error().and_then(Failure::code),
        Some(Code::Own(word)) if word == "EXIT"
    );
    if again {
        let pause = waited.get();
        waited.set((pause * 2).min(LONGEST));
        std::thread::sleep(pause);
    }
    again
}

/// The verdict, as a station of the pipeline hears it.
struct Said<'s>(&'s Verdict);

impl Listener for Said<'_> {
    fn hear(&self, _: &ToolCall<'_>, _: &dyn World) -> Result<Answer, StationError> {
        Ok(match self.0.view() {
            VerdictView::NoObjection | VerdictView::Deny(_) => Answer::Next,
            VerdictView::Ask(reason) => Answer::Settled(Vote::Ask(reason.clone())),
        })
    }
}

impl Guard for Said<'_> {
    fn check(&self, _: &ToolCall<'_>, _: &dyn World) -> Result<Option<Denial>, StationError> {
        Ok(match self.0.view() {
            VerdictView::Deny(reason) => Some(Denial::new(reason.clone())),
            _ => None,
        })
    }
}

struct Ticks;

impl Clock for Ticks {
    fn now_ms(&self) -> u64 {
        clock::steady_ms()
    }
}

/// The session of whoever sits at the terminal.
struct Terminal<'t> {
    approval: ApprovalPolicy,
    state: &'t Path,
}

impl Session for Terminal<'_> {
    fn turn_open(&self) -> bool {
        true
    }

    fn approval_policy(&self) -> ApprovalPolicy {
        self.approval
    }

    fn fresh_id(&self) -> String {
        format!("exec-{}-{}", std::process::id(), clock::now_ms())
    }

    fn append(&self, event: &ApprovalEvent<'_>) -> Result<(), StationError> {
        let now = clock::now_ms();
        let record = match event {
            ApprovalEvent::Asked { id, tool, reason, .. } => Record::new("approval/asked", now)
                .text("id", id)
                .text("session", "exec")
                .text("tool", tool)
                .maybe("reason", reason.map(|reason| redact::text(reason).into_owned()).as_deref()),
            ApprovalEvent::Decided { id, outcome } => Record::new("approval/decided", now)
                .text("id", id)
                .text("session", "exec")
                .text("outcome", outcome.word()),
        };
        write(self.state, record)
            .map_err(|error| StationError::new(STATION, format!("the journal: {error}")))
    }
}

/// Writes a record to the journal.
///
/// # Errors
/// What the system says.
pub fn write(state: &Path, record: Record) -> io::Result<()> {
    audit::append(&place::audit(state), [record])
}

/// Puts right what a command left when its whole tree is gone.
struct Sweeper<'s> {
    absent: &'s [Absent],
    state: &'s Path,
}

impl Watch for Sweeper<'_> {
    fn ended(&self, alone: bool) -> Vec<u8> {
        let gone = sweep(self.absent);
        let names: Vec<String> = gone.iter().map(|path| path.display().to_string()).collect();
        if alone && !names.is_empty() {
            // Nobody else tells of it.
            let _ = write(self.state, alarm(&names));
        }
        names.join("\n").into_bytes()
    }
}

/// The alarm over what a command made and may not have.
#[must_use]
pub fn alarm(removed: &[String]) -> Record {
    Record::new("alarm/protected", clock::now_ms())
        .text("session", "exec")
        .list("removed", removed.iter().take(32).map(String::as_str))
}
