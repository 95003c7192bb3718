//! [`Ballot`]: the votes of a decision, handed to the core to be settled.

use std::cell::RefCell;
use std::path::Path;

use harness_core::{
    Answer, Denial, Guard, Guards, Layers, Listener, ProjectAnswer, ProjectListener, Reason,
    RuleId, StationError, ToolCall, Verdict, Vote, World, settle,
};

use super::super::external::{self, Said};
use super::super::load::Loaded;
use super::super::model::{Rule, Run, Say, Station};
use super::super::protect::Objection;
use super::super::{Cast, Layer};

/// One vote.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    say: Say,
    reason: Reason,
    cast: Cast,
    listens: bool,
}

impl Entry {
    /// Of a rule, built in (no file) or of a file.
    pub(super) fn of_rule(rule: &Rule<'_>, layer: Layer, file: Option<&Path>) -> Self {
        let reason = Reason::new(RuleId::named(rule.id.to_owned()), rule.reason.to_owned())
            .instead(rule.instead.to_owned());
        let place = file.map(|f| (f, rule.line));
        let listens = rule.station == Station::Listener;
        Self { listens, ..Self::new(rule.say, layer, place, reason) }
    }

    /// Of self-protection.
    pub(super) fn built_in(o: &Objection) -> Self {
        let reason = Reason::new(o.rule.clone(), o.why.clone()).instead(o.instead);
        Self::new(o.say, Layer::Managed, None, reason)
    }

    /// Any vote.
    pub(super) fn new(say: Say, layer: Layer, place: Option<(&Path, u32)>, reason: Reason) -> Self {
        let cast = Cast {
            rule: reason.rule().clone(),
            layer,
            place: place.map(|(file, line)| (file.to_path_buf(), line)),
            vote: say.word(),
            guards: false,
        };
        Self { say, reason, cast, listens: false }
    }

    /// As it stands in the ruling.
    fn cast(self) -> Cast {
        Cast { guards: self.guards(), ..self.cast }
    }

    /// Whether it is a guard's word: a denial that no listener cast.
    fn guards(&self) -> bool {
        self.say == Say::Deny && !self.listens
    }
}

/// A guard that is a program: asked only while nothing else has denied.
pub(super) struct Program<'r> {
    pub(super) rule: Rule<'r>,
    pub(super) run: Run<'r>,
    pub(super) loaded: &'r Loaded,
    /// Where it runs.
    pub(super) folder: String,
}

impl Program<'_> {
    /// What it says, if it denies or fails.
    fn ask(&self, call: &ToolCall<'_>) -> Option<Entry> {
        let rule = &self.rule;
        let text = match external::ask(&self.run, &self.folder, call) {
            Said::Nothing => return None,
            Said::Deny(reason) if rule.reason.is_empty() => reason,
            Said::Deny(reason) => format!("{}: {reason}", rule.reason),
            Said::Failed(how) => format!("the guard `{}` failed: {how}", rule.id),
        };
        let reason =
            Reason::new(RuleId::named(rule.id.to_owned()), text).instead(rule.instead.to_owned());
        let place = Some((self.loaded.path.as_path(), rule.line));
        Some(Entry::new(Say::Deny, self.loaded.layer, place, reason))
    }
}

/// Votes in the order cast, and the programs that are still to be asked.
#[derive(Default)]
pub(super) struct Ballot<'r> {
    votes: Vec<Entry>,
    programs: Vec<Program<'r>>,
}

impl<'r> Ballot<'r> {
    pub(super) fn push(&mut self, entry: Entry) {
        self.votes.push(entry);
    }

    pub(super) fn push_program(&mut self, program: Program<'r>) {
        self.programs.push(program);
    }

    /// Whether a listener of the managed or the person's own file settled for allow.
    pub(super) fn a_person_allows(&self) -> bool {
        self.votes.iter().any(|e| {
            e.say == Say::Allow && e.cast.layer != Layer::Project && e.cast.place.is_some()
        })
    }

    /// The verdict of the core's [`settle`], and every vote with the deciding one first.
    pub(super) fn settle(self, call: &ToolCall<'_>, world: &dyn World) -> (Verdict, Vec<Cast>) {
        let Self { mut votes, programs } = self;
        let late = Programs { list: programs, spoke: RefCell::default() };
        let verdict = {
            let [managed, user, project] =
                [Layer::Managed, Layer::User, Layer::Project].map(|layer| Word::of(&votes, layer));
            let denials = Denials(&votes);
            let layers = Layers { managed: &[&managed], user: &[&user], project: &[&project] };
            let guards = Guards { global: &[&denials, &late], scopes: &[] };
            settle(call, &layers, &guards, world).verdict
        };
        votes.extend(late.spoke.into_inner());
        // Stable: of equally strict votes the first stays first, behind the one that decided.
        let decided = verdict.reason();
        votes.sort_by_key(|e| (Some(&e.reason) != decided, std::cmp::Reverse(e.say)));
        (verdict, votes.into_iter().map(Entry::cast).collect())
    }
}

/// A layer's word: the strictest that was cast in it, the first of equals. What asks
/// beside the layer's waterfall (a broken file, an unreadable command) counts there too,
/// as nobody else can ask.
struct Word<'b>(Option<&'b Entry>);

impl<'b> Word<'b> {
    fn of(votes: &'b [Entry], layer: Layer) -> Self {
        let own = votes.iter().filter(|e| e.cast.layer == layer && !e.guards());
        Self(own.reduce(|first, e| if e.say > first.say { e } else { first }))
    }
}

impl Listener for Word<'_> {
    fn hear(&self, _: &ToolCall<'_>, _: &dyn World) -> Result<Answer, StationError> {
        let Some(entry) = self.0 else { return Ok(Answer::Next) };
        Ok(match entry.say {
            Say::Allow => Answer::AllowedBy(entry.cast.rule.clone()),
            Say::Ask => Answer::Settled(Vote::Ask(entry.reason.clone())),
            Say::Deny => Answer::Settled(Vote::Deny(entry.reason.clone())),
        })
    }
}

impl ProjectListener for Word<'_> {
    fn hear(&self, _: &ToolCall<'_>, _: &dyn World) -> Result<ProjectAnswer, StationError> {
        let Some(entry) = self.0 else { return Ok(ProjectAnswer::Next) };
        Ok(match entry.say {
            Say::Allow => ProjectAnswer::Next,
            Say::Ask => ProjectAnswer::Ask(entry.reason.clone()),
            Say::Deny => ProjectAnswer::Deny(entry.reason.clone()),
        })
    }
}

/// The guards' denials that are known already; the first is told.
struct Denials<'b>(&'b [Entry]);

impl Guard for Denials<'_> {
    fn check(&self, _: &ToolCall<'_>, _: &dyn World) -> Result<Option<Denial>, StationError> {
        let first = self.0.iter().find(|entry| entry.guards());
        Ok(first.map(|entry| Denial::new(entry.reason.clone())))
    }
}

/// The programs, one after the other until one denies.
struct Programs<'r> {
    list: Vec<Program<'r>>,
    spoke: RefCell<Option<Entry>>,
}

impl Guard for Programs<'_> {
    fn check(&self, call: &ToolCall<'_>, _: &dyn World) -> Result<Option<Denial>, StationError> {
        let denial = self.list.iter().find_map(|program| program.ask(call));
        let reason = denial.as_ref().map(|entry| entry.reason.clone());
        *self.spoke.borrow_mut() = denial;
        Ok(reason.map(Denial::new))
    }
}
