//! What the sandbox knob says of a call: a floor under the rules, never above them.

use harness_core::knobs::SandboxMode;
use harness_core::{Reason, RuleId};

use super::super::Layer;
use super::super::facts::{Facts, Unit};
use super::super::kinds::{EffectSet, Zones};
use super::super::model::Say;
use super::super::place::Place;
use super::super::tools;
use super::ballot::{Ballot, Entry};

/// Tools known to change no file by themselves; what they start comes by as calls of its
/// own.
const NO_FILES: &[&str] = &[
    "Agent",
    "KillBash",
    "KillShell",
    "SendMessage",
    "Skill",
    "SlashCommand",
    "Task",
    "TaskCreate",
    "TaskStop",
    "TaskUpdate",
    "WebFetch",
    "WebSearch",
];

/// Folders of the agent's own below its settings: plans, and what it remembers.
const OWN: &[&str] = &[".claude/plans", ".claude/todos", ".claude/tasks"];

/// Asks where the sandbox in force is narrower than the call. Whether the question
/// reaches anybody is the approval knob's matter.
pub(super) fn weigh(facts: &Facts<'_>, units: &[Unit<'_>], reads: bool, ballot: &mut Ballot) {
    match facts.situation.sandbox {
        SandboxMode::DangerFullAccess => {}
        SandboxMode::ReadOnly => read_only(facts, units, reads, ballot),
        SandboxMode::WorkspaceWrite => {
            if let Some(place) = units.iter().find_map(|unit| outside(facts, unit)) {
                ask(
                    ballot,
                    "harness/outside-workspace",
                    format!(
                        "this writes to `{}`, and the sandbox of this session is the workspace and temp",
                        shown(&place)
                    ),
                    "write below the workspace",
                );
            } else if let Some(place) = units.iter().find_map(|unit| of_git(facts, unit)) {
                ask(
                    ballot,
                    "harness/git-own",
                    format!(
                        "this changes `{}`, which says what git runs, and the sandbox of this session is the workspace and temp",
                        shown(&place)
                    ),
                    "use git's own command: `git config`, `git remote`, `pre-commit install`",
                );
            }
        }
    }
}

/// What isn't known only to read counts as a write. An alarm says the same by its own
/// rule.
fn read_only(facts: &Facts<'_>, units: &[Unit<'_>], reads: bool, ballot: &mut Ballot) {
    let tool = facts.call.tool();
    let silent = reads
        || facts.situation.tightened
        || NO_FILES.contains(&tool)
        || (facts.script.is_none() && units.iter().all(|unit| is_plan(facts, unit)));
    if !silent {
        let why = if tools::file_effect(tool).is_some() {
            "this writes a file, and the sandbox of this session is read-only"
        } else {
            "this isn't known only to read, and the sandbox of this session is read-only"
        };
        ask(ballot, "harness/read-only", why.to_owned(), "only look");
    }
}

fn ask(ballot: &mut Ballot, rule: &'static str, why: String, instead: &str) {
    let reason = Reason::new(RuleId::built_in(rule), why).instead(format!(
        "{instead}; a person may say yes to this one call, or widen the session with `harness knob sandbox`"
    ));
    ballot.push(Entry::new(Say::Ask, Layer::Managed, None, reason));
}

/// Whether a file tool touches nothing but the agent's own plans: writing them down is how
/// it looks before it acts.
fn is_plan(facts: &Facts<'_>, unit: &Unit<'_>) -> bool {
    let plans = |place: &Place| {
        let homes = facts.situation.homes.iter();
        homes.into_iter().any(|home| OWN.iter().any(|own| place.below(&format!("{home}/{own}"))))
    };
    !unit.touches.is_empty()
        && unit.touches.iter().all(|touch| {
            touch
                .places(facts)
                .iter()
                .all(|(place, zones)| !zones.meets(Zones::UNKNOWN) && plans(place))
        })
}

fn shown(place: &str) -> String {
    place.chars().filter(|c| !c.is_control()).take(200).collect()
}

/// What git itself goes by, in the workspace or not, that a unit is known to write to: a
/// hook or a setting there runs a program at git's next step, outside of any sandbox.
fn of_git(facts: &Facts<'_>, unit: &Unit<'_>) -> Option<String> {
    written(facts, unit)
        .find(|(place, zones)| !zones.meets(Zones::UNKNOWN) && place.forms().any(is_of_git))
        .map(|(place, _)| place.resolved)
}

/// Hooks and settings below a `.git`, those of its submodules and worktrees too, and the
/// `.git` that holds them. File systems that fold case are everywhere.
fn is_of_git(path: &str) -> bool {
    let mut parts = path.split('/').skip_while(|part| !part.eq_ignore_ascii_case(".git"));
    if parts.next().is_none() {
        return false;
    }
    let mut last = ".git";
    for part in parts {
        if part.eq_ignore_ascii_case("hooks") {
            return true;
        }
        last = part;
    }
    [".git", "config", "config.worktree"].iter().any(|own| last.eq_ignore_ascii_case(own))
}

/// A place outside that a unit is known to write to. A place that can't be known from the
/// text is none: the rules speak of it.
fn outside(facts: &Facts<'_>, unit: &Unit<'_>) -> Option<String> {
    written(facts, unit)
        .find(|(place, zones)| is_outside(facts, place, *zones))
        .map(|(place, _)| place.resolved)
}

fn written<'a>(
    facts: &'a Facts<'_>,
    unit: &'a Unit<'_>,
) -> impl Iterator<Item = (Place, Zones)> + 'a {
    unit.touches
        .iter()
        .filter(|touch| touch.kind.is_some_and(|k| EffectSet::of(k).meets(EffectSet::WRITES)))
        .flat_map(|touch| touch.places(facts).iter().cloned())
}

fn is_outside(facts: &Facts<'_>, place: &Place, zones: Zones) -> bool {
    let situation = facts.situation;
    // Where no workspace is known, nothing is in it.
    let out = zones.meets(Zones::OUTSIDE)
        || (situation.workspace.is_empty() && !zones.meets(Zones::TEMP));
    let own = |home: &String| {
        OWN.iter().any(|folder| place.below(&format!("{home}/{folder}")))
            || (place.below(&format!("{home}/.claude/projects"))
                && place.resolved.contains("/memory/"))
    };
    out && !zones.meets(Zones::UNKNOWN) && !situation.homes.iter().any(own)
}
