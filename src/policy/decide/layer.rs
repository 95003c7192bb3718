//! One layer: its listeners in order until one settles it, and every guard.

use std::path::Path;

use harness_core::{Reason, RuleId};

use super::super::facts::{Facts, Unit};
use super::super::flat::{Candidates, Damaged, words};
use super::super::kinds::{EffectSet, Letters};
use super::super::load::Loaded;
use super::super::matching;
use super::super::model::{Matcher, Rule, Say, Station};
use super::super::{Layer, Policy};
use super::ballot::{Ballot, Entry, Program};

/// What deciding one layer needs.
pub(super) struct Run<'r, 'p> {
    pub(super) facts: &'r Facts<'r>,
    pub(super) units: &'r [Unit<'r>],
    pub(super) excepts: &'r [(&'r str, Matcher<'r>)],
    pub(super) policy: &'p Policy,
}

/// A layer's waterfall: once settled, no later listener of it is asked.
#[derive(Default)]
struct Waterfall {
    settled: bool,
}

impl<'p> Run<'_, 'p> {
    pub(super) fn layer(&self, layer: Layer, ballot: &mut Ballot<'p>) {
        let mut waterfall = Waterfall::default();
        if let Some(loaded) = self.policy.layers.iter().find(|l| l.layer == layer)
            && self.file(loaded, &mut waterfall, ballot).is_err()
        {
            ballot.push(Entry::new(
                Say::Deny,
                layer,
                Some((&loaded.path, 0)),
                Reason::new(
                    RuleId::built_in("harness/policy"),
                    format!("the compiled form of `{}` is damaged", loaded.path.display()),
                )
                .instead("delete harness's cache folder; it is made anew"),
            ));
        }
        if layer == Layer::Managed {
            let (names, kinds) = self.outline();
            for rule in self.policy.packs.iter().flat_map(|pack| pack.rules()) {
                let when = &rule.when;
                let about = when.letters.may_be(names)
                    && (when.effects.is_empty() || when.effects.meets(kinds))
                    && (when.paths.is_empty() || !kinds.is_empty());
                if !about {
                    continue;
                }
                self.rule(rule, layer, None, &mut waterfall, ballot);
            }
        }
    }

    /// The first letters of the programs, and all kinds of touch: what a rule can't be
    /// about without one of them. What can't be read may be anything.
    fn outline(&self) -> (Letters, EffectSet) {
        let unread = self.facts.script.as_ref().is_some_and(|script| !script.opaque.is_empty());
        if unread {
            return (Letters::ALL, EffectSet::ALL);
        }
        let mut names = Letters::NONE;
        let mut kinds = EffectSet::EMPTY;
        for unit in self.units {
            names = names.with(unit.command.map_or(Letters::ALL, |c| Letters::first(c.name())));
            for touch in &unit.touches {
                kinds = kinds.with(touch.kind.map_or(EffectSet::ALL, EffectSet::of));
            }
        }
        (names, kinds)
    }

    fn file(
        &self,
        loaded: &'p Loaded,
        waterfall: &mut Waterfall,
        ballot: &mut Ballot<'p>,
    ) -> Result<(), Damaged> {
        let Some(flat) = loaded.flat() else { return Ok(()) };
        for number in Candidates::of(flat, self.facts)?.iter() {
            let rule = flat.rule(number)?;
            if rule.run.is_some() {
                self.external(rule, loaded, ballot);
            } else {
                self.rule(&rule, loaded.layer, Some(&loaded.path), waterfall, ballot);
            }
        }
        Ok(())
    }

    /// Every rule of a file in order, without the index: what the index must agree with.
    #[cfg(test)]
    pub(super) fn naive(
        &self,
        file: &super::super::file::File<'_>,
        layer: Layer,
        ballot: &mut Ballot<'p>,
    ) {
        let mut waterfall = Waterfall::default();
        let path = Path::new("/p/policy.toml");
        for rule in &file.rules {
            self.rule(rule, layer, Some(path), &mut waterfall, ballot);
        }
    }

    fn rule(
        &self,
        rule: &Rule<'_>,
        layer: Layer,
        file: Option<&Path>,
        waterfall: &mut Waterfall,
        ballot: &mut Ballot<'p>,
    ) {
        let listens = rule.station == Station::Listener;
        if listens && waterfall.settled {
            return;
        }
        let admit = |unit: &Unit<'_>| file.is_some() || !self.excepted(rule.id, unit);
        if matching::find(&rule.when, self.facts, self.units, admit).is_some() {
            ballot.push(Entry::of_rule(rule, layer, file));
            waterfall.settled |= listens;
        } else if let Some(why) = self.unreadable(rule) {
            let id = RuleId::named(rule.id.to_owned());
            let text = format!(
                "part of this command can't be read ({why}), and this rule may be about it"
            );
            let reason = Reason::new(id, text).instead("write the command more plainly");
            ballot.push(Entry::new(Say::Ask, layer, file.map(|f| (f, rule.line)), reason));
            waterfall.settled |= listens;
        }
    }

    /// Only a pack's rule has a way out.
    fn excepted(&self, id: &str, unit: &Unit<'_>) -> bool {
        self.excepts.iter().filter(|(rule, _)| *rule == id).any(|(_, when)| {
            matching::find(when, self.facts, std::slice::from_ref(unit), |_| true).is_some()
        })
    }

    /// Why a part of the line could not be read, if the rule may be about it: the part has
    /// every word of the rule's command in it.
    fn unreadable(&self, rule: &Rule<'_>) -> Option<&'static str> {
        let script = self.facts.script.as_ref().filter(|s| !s.opaque.is_empty())?;
        if rule.say == Say::Allow
            || rule.when.command.is_empty()
            || !matching::tool(&rule.when, self.facts.call.tool())
        {
            return None;
        }
        let named = |text: &str| {
            rule.when
                .command
                .iter()
                .all(|word| words(text).any(|w| word.split('|').any(|alt| alt == w)))
        };
        script.opaque.iter().find(|o| named(&o.text)).map(|o| o.why)
    }

    fn external(&self, mut rule: Rule<'p>, loaded: &'p Loaded, ballot: &mut Ballot<'p>) {
        let Some(run) = rule.run.take() else { return };
        if matching::find(&rule.when, self.facts, self.units, |_| true).is_none() {
            return;
        }
        if let Some(spoke) = self.facts.situation.spoke {
            if spoke.iter().any(|id| id == rule.id) {
                ballot.push(Entry::of_rule(&rule, loaded.layer, Some(&loaded.path)));
            }
            return;
        }
        if loaded.trusted() {
            let folder = self.policy.folder(loaded);
            ballot.push_program(Program { rule, run, loaded, folder });
            return;
        }
        let text = "this project's policy wants to run a guard of its own on this call, and nobody has said that it may, as it is now";
        let reason = Reason::new(RuleId::named(rule.id.to_owned()), text)
            .instead("a person runs `harness trust` in the project, in a terminal of their own");
        let place = Some((loaded.path.as_path(), rule.line));
        ballot.push(Entry::new(Say::Ask, loaded.layer, place, reason));
    }
}
