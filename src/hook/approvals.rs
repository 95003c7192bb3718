//! The pair of a question and its end, across the processes of a session: the gate puts
//! the question, and a later event shows how it ended. Nobody tells a hook of a person's
//! no, so that end is inferred, and says so.

use std::path::Path;

use harness_core::ToolCall;
use harness_core::ask::AskOutcome;

use super::limits;
use crate::home::Home;
use crate::hosts::claude_code::ask::NoPrompt;
use crate::hosts::{EventName, Inbound};
use crate::journal::asks::Ask;
use crate::journal::authority::{self, ASKED, Authority, CORRECTED, DECIDED};
use crate::journal::hash::Short;
use crate::journal::record::Record;
use crate::journal::{audit, place, redact};

/// Digits of a question's id.
const ID: usize = 12;

/// A question of the gate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The tool.
    pub tool: String,
    /// The call's id; empty where the host has none.
    pub call: String,
    /// The rule that asks.
    pub rule: String,
    /// Why, without secrets.
    pub reason: String,
    /// How it ended at once, where nobody could be asked.
    pub ended: Option<NoPrompt>,
}

/// How an event ends the open questions of its session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    /// Those about this call, which ran.
    Ran,
    /// All but those about this call, which goes on elsewhere.
    WentOn,
    /// All: the session is over, or began anew.
    Over,
}

/// What an event means for the questions of its session: written once the answer is out.
#[derive(Debug)]
pub struct Notes {
    event: EventName,
    session: String,
    call: String,
    now_ms: u64,
    question: Option<Question>,
    ending: Option<Ending>,
    revokes: bool,
}

impl Notes {
    /// What there is to write, if anything is: an event of a session without an open
    /// question writes nothing.
    #[must_use]
    pub fn of(
        event: EventName,
        inbound: &Inbound<'_>,
        call: Option<&ToolCall<'_>>,
        source: &str,
        authority: &Authority,
        now_ms: u64,
    ) -> Option<Self> {
        let revokes = event == EventName::SessionEnd && !authority.grants.is_empty();
        if authority.asks.is_empty() && !revokes {
            return None;
        }
        let call = call.map(|call| call.identity().call.clone().into_owned()).unwrap_or_default();
        let ending = ending(event, inbound.agent.is_some(), source);
        let concerned = |ask: &Ask| match ending {
            Some(Ending::Ran) => ask.call == call && ask.outcome.as_deref() != Some(YES),
            Some(Ending::WentOn) => ask.call != call && ask.outcome.is_none(),
            Some(Ending::Over) => ask.outcome.is_none(),
            None => false,
        };
        let ending = ending.filter(|_| authority.asks.iter().any(concerned));
        (ending.is_some() || revokes).then(|| Self {
            event,
            session: inbound.session.clone().into_owned(),
            call,
            now_ms,
            question: None,
            ending,
            revokes,
        })
    }

    /// The same with a question that the event put.
    #[must_use]
    pub fn asking(
        notes: Option<Self>,
        inbound: &Inbound<'_>,
        question: Question,
        now_ms: u64,
    ) -> Self {
        let call = question.call.clone();
        let fresh = Self {
            event: EventName::PreToolUse,
            session: inbound.session.clone().into_owned(),
            call,
            now_ms,
            question: None,
            ending: None,
            revokes: false,
        };
        Self { question: Some(question), ..notes.unwrap_or(fresh) }
    }

    /// Writes it, to the session's log, which the ends are found in, and to the journal.
    /// A failure changes nothing that was said.
    pub fn write(self, home: &Home, log: &Path) {
        let made = if self.only_tells() {
            Ok(self.records(&Authority::default()).1)
        } else {
            // Two events of one session may find the same question open: only one ends it.
            authority::append_to(log, limits::AUTHORITY, |standing| self.records(standing))
        };
        if let Ok(told) = made
            && !told.is_empty()
        {
            let _ = audit::append(&place::audit(&home.state), told);
        }
    }

    /// What it would tell the journal of a session that stands so.
    #[must_use]
    pub fn told(&self, standing: &Authority) -> Vec<Record> {
        self.records(standing).1
    }

    /// Whether there is nothing to remember: a question that ended as it was put.
    fn only_tells(&self) -> bool {
        self.ending.is_none()
            && !self.revokes
            && self.question.as_ref().is_none_or(|question| question.ended.is_some())
    }

    /// The records for the session's log and for the journal.
    fn records(&self, standing: &Authority) -> (Vec<Record>, Vec<Record>) {
        let (mut own, mut told) = (Vec::new(), Vec::new());
        let mut both = |record: Record| {
            told.push(record.clone().text("session", redact::head(&self.session, 256)));
            own.push(record);
        };
        for ask in &standing.asks {
            if let Some(record) = self.end(ask) {
                both(record);
            }
        }
        if self.revokes {
            for grant in &standing.grants {
                let revoked = Record::new(authority::GRANT_REVOKED, self.now_ms);
                both(revoked.text("id", &grant.id).text("by", "session end"));
            }
        }
        let Some(question) = &self.question else { return (own, told) };
        let twice = standing.open().any(|ask| ask.call == self.call && !self.call.is_empty());
        if twice && question.ended.is_none() {
            return (own, told);
        }
        let id = self.fresh_id();
        let asked = Record::new(ASKED, self.now_ms)
            .text("id", &id)
            .text("call", redact::head(&question.call, 256))
            .text("tool", redact::head(&question.tool, 256));
        told.push(
            asked
                .clone()
                .text("session", redact::head(&self.session, 256))
                .text("rule", &question.rule)
                .text("reason", redact::head(&question.reason, 1_024)),
        );
        match question.ended {
            None => own.push(asked),
            Some(why) => told.push(
                Record::new(DECIDED, self.now_ms)
                    .text("id", &id)
                    .text("call", redact::head(&question.call, 256))
                    .text("outcome", outcome_of(why).word())
                    .text("by", why.word())
                    .text("session", redact::head(&self.session, 256)),
            ),
        }
        (own, told)
    }

    /// The end of a question by this event, if it is one.
    fn end(&self, ask: &Ask) -> Option<Record> {
        let open = ask.outcome.is_none();
        let same = ask.call == self.call && !self.call.is_empty();
        let (kind, outcome, inferred) = match self.ending? {
            Ending::Ran if same && open => (DECIDED, AskOutcome::AllowedOnce, false),
            // A call beside it was taken for the sign of a no.
            Ending::Ran if same && ask.outcome.as_deref() != Some(YES) => {
                (CORRECTED, AskOutcome::AllowedOnce, false)
            }
            Ending::WentOn if !same && open => (DECIDED, AskOutcome::Rejected, true),
            Ending::Over if open => (DECIDED, AskOutcome::Cancelled, true),
            _ => return None,
        };
        let record = Record::new(kind, self.now_ms)
            .text("id", &ask.id)
            .text("call", redact::head(&ask.call, 256))
            .text("outcome", outcome.word())
            .text("by", self.event.as_str());
        Some(record.flag("inferred", inferred))
    }

    fn fresh_id(&self) -> String {
        let of = format!("{}\0{}\0{}", self.session, self.call, self.now_ms);
        redact::head(Short::of(of.as_bytes()).as_str(), ID).to_owned()
    }
}

const YES: &str = AskOutcome::AllowedOnce.word();

/// How an event ends open questions. Of subagents only what they ran counts: they go on
/// while the main agent's question stands.
fn ending(event: EventName, subagent: bool, source: &str) -> Option<Ending> {
    match event {
        EventName::PostToolUse | EventName::PostToolUseFailure => Some(Ending::Ran),
        EventName::PreToolUse | EventName::UserPromptSubmit if !subagent => Some(Ending::WentOn),
        EventName::SessionStart if source == "compact" => Some(Ending::WentOn),
        EventName::SessionStart | EventName::SessionEnd => Some(Ending::Over),
        _ => None,
    }
}

/// How a question ended that nobody could be asked.
#[must_use]
pub const fn outcome_of(why: NoPrompt) -> AskOutcome {
    match why {
        NoPrompt::Never | NoPrompt::Subagent => AskOutcome::Rejected,
        NoPrompt::Unattended | NoPrompt::NoChannel | NoPrompt::Host => AskOutcome::Unavailable,
    }
}
