//! [`fold`]: from a session's log to what is in force.
//!
//! The last event of a knob wins. A value nobody knows counts as the strictest, with a
//! diagnostic; so does a log that is gone although its session began.

use super::value::{ApprovalPolicy, Knob, SandboxMode};
use alloc::string::String;
use alloc::vec::Vec;

/// One event of the authority log, as the reader of the log gives it. `value` is the
/// event's payload, or `None` where it is missing or not a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoggedEvent<'e> {
    /// The event type, such as `sandbox/mode`.
    pub kind: &'e str,
    /// Mode, policy or preset name.
    pub value: Option<&'e str>,
}

/// The event type that records a chosen preset.
pub const PRESET_EVENT: &str = "permission/preset";
/// The event type of an alarm; it sets the sandbox to read-only until it is set anew.
pub const ALARM_EVENT: &str = "alarm/tightened";

/// A session's authority log.
#[derive(Clone, Copy, Debug)]
pub enum SessionLog<'e> {
    /// The session has not begun to log; the deployment's defaults hold.
    Fresh,
    /// The session began and its log is gone or cannot be read.
    Lost,
    /// The events, in order.
    Events(&'e [LoggedEvent<'e>]),
}

/// What holds where a session says nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deployment {
    /// File effects.
    pub sandbox: SandboxMode,
    /// Asking.
    pub approval: ApprovalPolicy,
}

impl Default for Deployment {
    /// Read-only, and a person may be asked.
    fn default() -> Self {
        Self { sandbox: SandboxMode::ReadOnly, approval: ApprovalPolicy::Ask }
    }
}

/// Something odd about a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Diagnostic {
    /// A knob's last value is not one of its words; the strictest holds.
    UnknownValue {
        /// The knob's event type.
        event: &'static str,
        /// What was logged, if it was text at all.
        value: Option<String>,
    },
    /// The log is gone; the strictest of everything holds.
    LogLost,
}

/// A folded log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folded {
    /// The session's word on file effects, if it has one.
    pub sandbox: Option<SandboxMode>,
    /// The session's word on asking, if it has one.
    pub approval: Option<ApprovalPolicy>,
    /// The preset last chosen by name, whether or not it still holds.
    pub preset: Option<String>,
    /// What was odd.
    pub diagnostics: Vec<Diagnostic>,
}

impl Folded {
    /// The knobs in force.
    #[must_use]
    pub fn effective(&self, deployment: Deployment) -> Deployment {
        Deployment {
            sandbox: self.sandbox.unwrap_or(deployment.sandbox),
            approval: self.approval.unwrap_or(deployment.approval),
        }
    }

    /// Whether some logged value could not be believed.
    #[must_use]
    pub fn doubtful(&self) -> bool {
        !self.diagnostics.is_empty()
    }

    /// Whether this knob's logged value could not be believed.
    #[must_use]
    pub fn doubts(&self, knob: &str) -> bool {
        self.diagnostics.iter().any(|odd| match odd {
            Diagnostic::UnknownValue { event, .. } => *event == knob,
            Diagnostic::LogLost => true,
        })
    }
}

/// Folds a log.
#[must_use]
pub fn fold(log: SessionLog<'_>) -> Folded {
    let mut folded =
        Folded { sandbox: None, approval: None, preset: None, diagnostics: Vec::new() };
    match log {
        SessionLog::Fresh => {}
        SessionLog::Lost => {
            folded.sandbox = Some(SandboxMode::STRICTEST);
            folded.approval = Some(ApprovalPolicy::STRICTEST);
            folded.diagnostics.push(Diagnostic::LogLost);
        }
        SessionLog::Events(events) => {
            folded.sandbox = last_mode(events, &mut folded.diagnostics);
            folded.approval = last(events, &mut folded.diagnostics);
            folded.preset =
                find_last(events, PRESET_EVENT).and_then(|event| event.value.map(String::from));
        }
    }
    folded
}

fn find_last<'e>(events: &[LoggedEvent<'e>], kind: &str) -> Option<LoggedEvent<'e>> {
    events.iter().rev().copied().find(|event| event.kind == kind)
}

fn last<K: Knob>(events: &[LoggedEvent<'_>], odd: &mut Vec<Diagnostic>) -> Option<K> {
    find_last(events, K::EVENT).map(|event| read(event, odd))
}

/// The last mode, or read-only if an alarm came after it.
fn last_mode(events: &[LoggedEvent<'_>], odd: &mut Vec<Diagnostic>) -> Option<SandboxMode> {
    let event = events
        .iter()
        .rev()
        .find(|event| event.kind == SandboxMode::EVENT || event.kind == ALARM_EVENT)?;
    if event.kind == ALARM_EVENT {
        return Some(SandboxMode::ReadOnly);
    }
    Some(read(*event, odd))
}

fn read<K: Knob>(event: LoggedEvent<'_>, odd: &mut Vec<Diagnostic>) -> K {
    event.value.and_then(K::from_word).unwrap_or_else(|| {
        let value = event.value.map(String::from);
        odd.push(Diagnostic::UnknownValue { event: K::EVENT, value });
        K::STRICTEST
    })
}
