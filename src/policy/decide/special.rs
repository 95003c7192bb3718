//! A rule of `core` that no table can hold: a program that can't be known is given what must
//! not be touched.

use harness_core::{Reason, RuleId};

use super::super::Layer;
use super::super::facts::{Facts, Unit};
use super::super::kinds::Zones;
use super::super::model::Say;
use super::super::zones;
use super::ballot::{Ballot, Entry};

pub(super) fn weigh(facts: &Facts<'_>, units: &[Unit<'_>], ballot: &mut Ballot<'_>) {
    let mut cast = |say, rule, why, instead| {
        let reason = Reason::new(RuleId::built_in(rule), why).instead(instead);
        ballot.push(Entry::new(say, Layer::Managed, None, reason));
    };
    if units.iter().any(|unit| unknown_on_vital(facts, unit)) {
        cast(
            Say::Ask,
            "core/unknown-program",
            "This gives a folder that must not be lost to a program that can't be known from the command",
            "write the program's name out",
        );
    }
}

fn unknown_on_vital(facts: &Facts<'_>, unit: &Unit<'_>) -> bool {
    let Some(command) = unit.command else { return false };
    if command.program.literal || command.program.text.is_empty() {
        return false;
    }
    let vital = Zones::ROOT.with(Zones::SYSTEM).with(Zones::HOME).with(Zones::DEVICE);
    command.args.iter().filter(|word| !word.text.starts_with('-')).any(|word| {
        let path = word.text.starts_with(['/', '~', '$', '.']);
        path && facts
            .places(word, unit.base)
            .iter()
            .any(|place| zones::of(place, facts.situation).meets(vital))
    })
}
