//! Two rules of `core` that no table can hold: a function that multiplies itself, and a
//! program that can't be known given what must not be touched.

use harness_core::{Reason, RuleId};
use harness_shell::{Command, EffectKind};

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
    if units.iter().any(|unit| unit.command.is_some_and(multiplies)) {
        cast(
            Say::Deny,
            "core/fork-bomb",
            "This starts itself over and over until the machine stands still",
            "",
        );
    }
    if units.iter().any(|unit| unknown_on_vital(facts, unit)) {
        cast(
            Say::Ask,
            "core/unknown-program",
            "This gives a folder that must not be lost to a program that can't be known from the command",
            "write the program's name out",
        );
    }
}

/// A plain word that stops the machine and is none of the programs that do so by design.
fn multiplies(command: &Command) -> bool {
    const BY_DESIGN: &[&str] = &[
        "shutdown",
        "reboot",
        "halt",
        "poweroff",
        "init",
        "telinit",
        "kill",
        "pkill",
        "killall",
        "killall5",
        "skill",
        "systemctl",
        "taskkill",
        "exit",
        "logout",
        "launchctl",
        "xkill",
        "fuser",
        "Stop-Process",
        "Stop-Computer",
        "Restart-Computer",
        "spps",
    ];
    let stops = |e: &harness_shell::Effect| e.kind == EffectKind::Stop && e.target.is_none();
    command.args.is_empty()
        && command.effects.iter().any(stops)
        && !BY_DESIGN.contains(&command.name())
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
