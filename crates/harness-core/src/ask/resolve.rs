//! From an ask to a grant or a denial.

use super::outcome::{AskOutcome, DecidedBy, Grant};
use super::service::{ApprovalService, AskRequest};
use super::texts::Refusal;
use crate::call::ToolCall;
use crate::guard::StationError;
use crate::reason::Reason;
use crate::signal::Signal;

/// What became of an ask.
#[derive(Debug, PartialEq, Eq)]
pub enum Resolved {
    /// A person allowed the call.
    Granted(Grant),
    /// Nobody did.
    Denied(Reason),
    /// The call was cancelled while its question was open.
    Aborted,
    /// The question could not be put or written down.
    Failed(StationError),
}

/// Resolves an ask. A call that nobody owns is denied without a question, and so is one
/// where no service is mounted.
#[must_use]
pub fn resolve(
    service: Option<&ApprovalService<'_>>,
    call: &ToolCall<'_>,
    asked: &Reason,
    signal: &dyn Signal,
) -> Resolved {
    let denied = |refusal: Refusal| Resolved::Denied(refusal.reason(call.tool(), asked));
    let Some(service) = service else { return denied(Refusal::NoService) };
    let Some(owner) = call.identity().owner() else { return denied(Refusal::NoAgent) };
    let request = AskRequest {
        owner,
        child: call.identity().agent.is_some(),
        tool: call.tool(),
        call: call.identity().call_id(),
        reason: Some(asked.sentence()),
        signal,
    };
    let ruling = match service.request(&request) {
        Ok(ruling) => ruling,
        Err(error) => return Resolved::Failed(error),
    };
    match ruling.grant() {
        Ok(grant) => Resolved::Granted(grant),
        Err(ruling) => match (ruling.outcome(), ruling.by()) {
            (AskOutcome::Cancelled, _) if signal.aborted() => Resolved::Aborted,
            (AskOutcome::Cancelled, _) => denied(Refusal::Withdrawn),
            (AskOutcome::Rejected, DecidedBy::Policy) => denied(Refusal::Never),
            (AskOutcome::Rejected, _) => denied(Refusal::Person),
            (AskOutcome::Unavailable | AskOutcome::AllowedOnce, _) => denied(Refusal::NoChannel),
        },
    }
}
