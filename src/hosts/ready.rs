//! The answers rendered when harness was built, by host: what the net says when nothing
//! else can.

use super::claude_code::places::Os;
use super::claude_code::ready::{self, rendered};
use super::profile::Carrier;
use super::{EventName, HostId};
use crate::sys::net::{Plan, Ready};

/// `decision` at the top, for hosts that don't read the nested form, or not alone.
static DECISION: Plan = rendered!(2, "{\"decision\":\"deny\",\"reason\":\"", "\"}");

/// For Codex where a shell loses exit codes: the JSON alone.
static JSON_ALONE: Plan = rendered!(
    0,
    "{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\",\"permissionDecision\":\"deny\",\"permissionDecisionReason\":\"",
    "\"}}"
);

/// The ready answers of a host and event; `None` is an event nobody could name.
#[must_use]
pub fn plan(host: HostId, event: Option<EventName>) -> &'static Plan {
    match (host.profile().carrier, event) {
        (Carrier::Decision, Some(EventName::PreToolUse)) => &DECISION,
        (Carrier::NestedStrict, Some(EventName::PreToolUse)) if Os::here() == Os::Windows => {
            &JSON_ALONE
        }
        _ => ready::plan(event),
    }
}
