//! [`Ballot`]: the votes of a decision, and their fold.

use std::path::Path;

use harness_core::{Reason, RuleId, Verdict};

use super::super::model::{Rule, Say};
use super::super::protect::Objection;
use super::super::{Cast, Layer};

/// One vote.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    say: Say,
    reason: Reason,
    cast: Cast,
}

impl Entry {
    /// Of a rule, built in (no file) or of a file.
    pub(super) fn of_rule(rule: &Rule<'_>, layer: Layer, file: Option<&Path>) -> Self {
        Self::new(
            rule.say,
            layer,
            file.map(|f| (f, rule.line)),
            Reason::new(RuleId::named(rule.id.to_owned()), rule.reason.to_owned())
                .instead(rule.instead.to_owned()),
        )
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
        };
        Self { say, reason, cast }
    }
}

/// Votes in the order cast.
#[derive(Debug, Default)]
pub(super) struct Ballot(Vec<Entry>);

impl Ballot {
    pub(super) fn push(&mut self, entry: Entry) {
        self.0.push(entry);
    }

    /// Whether a listener of the managed or the person's own file settled for allow.
    pub(super) fn a_person_allows(&self) -> bool {
        self.0.iter().any(|e| {
            e.say == Say::Allow && e.cast.layer != Layer::Project && e.cast.place.is_some()
        })
    }

    /// The strictest word, and every vote with the deciding one first.
    pub(super) fn settle(mut self) -> (Verdict, Vec<Cast>) {
        // Stable: of equally strict votes the first decides.
        self.0.sort_by_key(|entry| std::cmp::Reverse(entry.say));
        let verdict = self.0.iter().fold(Verdict::no_objection(), |verdict, entry| {
            verdict.tighten(match entry.say {
                Say::Allow => Verdict::no_objection(),
                Say::Ask => Verdict::ask(entry.reason.clone()),
                Say::Deny => Verdict::deny(entry.reason.clone()),
            })
        });
        (verdict, self.0.into_iter().map(|entry| entry.cast).collect())
    }
}
