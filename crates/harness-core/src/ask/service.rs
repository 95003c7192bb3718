//! [`ApprovalService`]: puts one question, writes down that it did and how it ended.

use super::events::{ApprovalEvent, Session};
use super::outcome::{AskOutcome, DecidedBy, Ruling};
use crate::guard::StationError;
use crate::knobs::ApprovalPolicy;
use crate::reason::RuleId;
use crate::signal::Signal;
use crate::waterfall::first_settled;
use alloc::borrow::Cow;

/// A question. Without the arguments of the call, which may hold secrets.
#[derive(Clone, Copy)]
pub struct AskRequest<'r> {
    /// Who wants to act.
    pub owner: &'r str,
    /// Whether that is a subagent.
    pub child: bool,
    /// The tool's name.
    pub tool: &'r str,
    /// The call's id, if the host gave one.
    pub call: Option<&'r str>,
    /// Why it is asked, if there is a reason.
    pub reason: Option<&'r str>,
    /// The call's cancellation.
    pub signal: &'r dyn Signal,
}

/// What a responder says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// Not mine to answer.
    Next,
    /// An outcome.
    Outcome(AskOutcome),
    /// A word from outside; unavailable unless it is in the closed set.
    Word(Cow<'static, str>),
}

/// Somebody who can put the question to a person. Responders belong to the host's
/// composition; no policy file can bring one.
pub trait Responder {
    /// The answer, or [`Reply::Next`]. One that waits must watch the request's signal; an
    /// answer that comes after an abort is discarded.
    ///
    /// # Errors
    /// When it could not ask; that counts as unavailable.
    fn respond(&self, request: &AskRequest<'_>) -> Result<Reply, StationError>;
}

/// Whether subagents may ask.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Children {
    /// A subagent has no channel of its own: its policy is `never`, whatever was logged.
    #[default]
    Never,
    /// The host prompts for subagents: the session's policy holds for them. Grants are
    /// never inherited, for there are none to inherit.
    Inherit,
}

/// The approval service of a session.
#[derive(Clone, Copy)]
pub struct ApprovalService<'s> {
    /// Where the question belongs and is written down.
    pub session: &'s dyn Session,
    /// Who can answer; the first answer counts.
    pub responders: &'s [&'s dyn Responder],
    /// Whether subagents may ask.
    pub children: Children,
}

/// The station that fails when a question cannot be put or written down.
pub const ASK_STATION: RuleId = RuleId::built_in("harness/ask");

impl ApprovalService<'_> {
    /// Puts a question: asked is written, somebody decides, decided is written.
    ///
    /// # Errors
    /// Outside an open turn (before anything is written), and when a line could not be
    /// written.
    pub fn request(&self, request: &AskRequest<'_>) -> Result<Ruling, StationError> {
        if !self.session.turn_open() {
            return Err(StationError::new(ASK_STATION, "a question was put outside an open turn"));
        }
        let id = self.session.fresh_id();
        self.session.append(&ApprovalEvent::Asked {
            id: &id,
            tool: request.tool,
            call: request.call,
            reason: request.reason,
        })?;
        let ruling = self.decide(request);
        self.session.append(&ApprovalEvent::Decided { id: &id, outcome: ruling.outcome() })?;
        Ok(ruling)
    }

    /// Cancelled before never before responders. `never` is decided here and not by a
    /// responder, so that no responder, however placed, can answer in its stead.
    fn decide(&self, request: &AskRequest<'_>) -> Ruling {
        const CANCELLED: Ruling = Ruling::new(AskOutcome::Cancelled, DecidedBy::Signal);
        if request.signal.aborted() {
            return CANCELLED;
        }
        if self.policy_for(request) == ApprovalPolicy::Never {
            return Ruling::new(AskOutcome::Rejected, DecidedBy::Policy);
        }
        let answer = self.hear(request);
        if request.signal.aborted() {
            return CANCELLED;
        }
        answer.map_or_else(
            || Ruling::new(AskOutcome::Unavailable, DecidedBy::Nobody),
            |outcome| Ruling::new(outcome, DecidedBy::Responder),
        )
    }

    fn policy_for(&self, request: &AskRequest<'_>) -> ApprovalPolicy {
        match self.children {
            Children::Never if request.child => ApprovalPolicy::Never,
            _ => self.session.approval_policy(),
        }
    }

    /// The first answer in words we know; an error, silence or garbage is none.
    fn hear(&self, request: &AskRequest<'_>) -> Option<AskOutcome> {
        let reply = first_settled(self.responders, |responder| {
            Ok(match responder.respond(request)? {
                Reply::Next => None,
                reply => Some(reply),
            })
        });
        match reply.ok().flatten()? {
            Reply::Next => None,
            Reply::Outcome(outcome) => Some(outcome),
            Reply::Word(word) => AskOutcome::from_word(&word),
        }
    }
}
