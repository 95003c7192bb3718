//! Answers rendered when harness was built: what the net says when nothing else can.
//!
//! On a gate each is the same reason three ways, JSON, standard error and exit code 2,
//! which every Claude Code measured (1.0.60 to 2.1.332) takes for a denial.

use crate::hosts::EventName;
use crate::sys::net::{Plan, Ready};

/// Renders the ready answers around a reason.
macro_rules! rendered {
    ($code:literal, $open:literal, $close:literal) => {
        Plan {
            code: $code,
            panic: rendered!(@ $open, $close, "harness failed inside and stopped this to be safe; `harness doctor` shows whether it works [rule harness/panic]"),
            crash: rendered!(@ $open, $close, "harness crashed and stopped this to be safe; `harness doctor` shows whether it works [rule harness/crash]"),
            memory: rendered!(@ $open, $close, "harness ran out of memory and stopped this to be safe; a smaller call may pass [rule harness/memory]"),
            deadline: rendered!(@ $open, $close, "harness ran out of time and stopped this to be safe; a file system that hangs or a slow rule does this, `harness doctor` says which [rule harness/deadline]"),
            stopped: rendered!(@ $open, $close, "harness was told to stop before it had decided, so this is stopped too; try again [rule harness/stopped]"),
            unwritable: rendered!(@ $open, $close, "harness could not write its answer, so this is stopped [rule harness/output]"),
        }
    };
    (@ $open:literal, $close:literal, $reason:literal) => {
        Ready {
            stdout: concat!($open, $reason, $close).as_bytes(),
            stderr: concat!($reason, "\n").as_bytes(),
        }
    };
}
pub(in crate::hosts) use rendered;

static PRE_TOOL_USE: Plan = rendered!(
    2,
    "{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\",\"permissionDecision\":\"deny\",\"permissionDecisionReason\":\"",
    "\"}}"
);

/// For [`EventName::ConfigChange`], and for an event nobody could name: this form
/// carries no event's name, so no client refuses it for naming the wrong one.
static BLOCK: Plan = rendered!(2, "{\"decision\":\"block\",\"reason\":\"", "\"}");

const NOTHING: Ready = Ready { stdout: b"", stderr: b"" };

/// Silence: what a failure says where there is nothing to stop.
static SILENCE: Plan = Plan {
    code: 0,
    panic: NOTHING,
    crash: NOTHING,
    memory: NOTHING,
    deadline: NOTHING,
    stopped: NOTHING,
    unwritable: NOTHING,
};

/// The ready answers of an event; `None` is an event nobody could name.
#[must_use]
pub const fn plan(event: Option<EventName>) -> &'static Plan {
    match event {
        Some(EventName::PreToolUse) => &PRE_TOOL_USE,
        Some(EventName::ConfigChange) | None => &BLOCK,
        Some(_) => &SILENCE,
    }
}

/// The ready answers of an event that is known and nothing hangs on.
#[must_use]
pub const fn silence() -> &'static Plan {
    &SILENCE
}

#[cfg(test)]
mod tests {
    use super::plan;
    use crate::hosts::EventName;
    use harness_core::json::{Limits, parse};

    #[test]
    fn every_ready_denial_is_json_with_the_reason_of_stderr() {
        for event in [Some(EventName::PreToolUse), Some(EventName::ConfigChange), None] {
            let plan = plan(event);
            assert_eq!(plan.code, 2);
            let all = [plan.panic, plan.crash, plan.memory, plan.deadline, plan.stopped];
            for ready in all.into_iter().chain([plan.unwritable]) {
                let json = parse(ready.stdout, Limits::default()).map(|p| p.value).ok();
                let json = json.as_ref();
                let reason = match event {
                    Some(EventName::PreToolUse) => json
                        .and_then(|j| j.get("hookSpecificOutput"))
                        .and_then(|j| j.str_at("permissionDecisionReason")),
                    _ => json.and_then(|j| j.str_at("reason")),
                };
                let stderr = String::from_utf8_lossy(ready.stderr);
                assert_eq!(reason.as_deref(), Some(stderr.trim_end()));
            }
        }
    }

    #[test]
    fn soft_events_fail_silently() {
        for event in EventName::ALL.iter().filter(|e| !e.gates()) {
            let plan = plan(Some(*event));
            assert_eq!((plan.code, plan.crash.stdout, plan.crash.stderr), (0, &b""[..], &b""[..]));
        }
    }
}
