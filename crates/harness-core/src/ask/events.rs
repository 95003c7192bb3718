//! What the approval service writes down, and the session it belongs to.

use super::outcome::AskOutcome;
use crate::guard::StationError;
use crate::knobs::ApprovalPolicy;
use alloc::string::String;

/// One line of the asked/decided pair. Never the call's arguments: a console finds them
/// by the call's id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ApprovalEvent<'e> {
    /// `approval/asked`
    Asked {
        /// Fresh for each question.
        id: &'e str,
        /// The tool's name.
        tool: &'e str,
        /// The call's id, if the host gave one.
        call: Option<&'e str>,
        /// Why it is asked, if there is a reason.
        reason: Option<&'e str>,
    },
    /// `approval/decided`
    Decided {
        /// The question's id.
        id: &'e str,
        /// How it ended.
        outcome: AskOutcome,
    },
}

/// The session a question is asked in.
pub trait Session {
    /// Whether a turn is open. Outside of one nobody is asked and nothing is written.
    fn turn_open(&self) -> bool;

    /// The policy in force: the session's last, else the deployment's, else ask.
    fn approval_policy(&self) -> ApprovalPolicy;

    /// An id no other question has.
    fn fresh_id(&self) -> String;

    /// Writes a line.
    ///
    /// # Errors
    /// When it could not be written; the request then fails.
    fn append(&self, event: &ApprovalEvent<'_>) -> Result<(), StationError>;
}
