//! The decision: every layer's own waterfall and guards, self-protection and the state of
//! the policy itself speak; the core settles deny > ask > none.

mod ballot;
mod knobs;
mod layer;
mod special;
mod state;

use harness_core::{ToolCall, World};

use super::facts::Facts;
use super::model::Matcher;
use super::{Layer, Policy, Ruling, Situation, protect};
use ballot::{Ballot, Entry};

/// Decides a call.
pub(super) fn decide(
    policy: &Policy,
    call: &ToolCall<'_>,
    situation: &Situation<'_>,
    world: &dyn World,
) -> Ruling {
    let facts = Facts::of(call, situation, world);
    let mut ballot = Ballot::default();
    {
        let units = facts.units();
        let reads = state::only_reads(&facts, &units);
        state::weigh(policy, &facts, reads, &mut ballot);
        let excepts = excepts(policy);
        for which in [Layer::Managed, Layer::User, Layer::Project] {
            let run = layer::Run { facts: &facts, units: &units, excepts: &excepts, policy };
            run.layer(which, &mut ballot);
        }
        if policy.packs.iter().any(|pack| pack.name == "core") {
            special::weigh(&facts, &units, &mut ballot);
        }
        state::unknown_tool(&facts, &mut ballot);
        for objection in protect::check(&facts, &units, &policy.own) {
            ballot.push(Entry::built_in(&objection));
        }
        // Last: of equally strict words a rule's own says more.
        knobs::weigh(&facts, &units, reads, &mut ballot);
    }
    let (verdict, votes) = ballot.settle(call, world);
    Ruling { verdict, votes, script: facts.script }
}

/// A person's ways out, from the managed and the user's file.
fn excepts(policy: &Policy) -> Vec<(&str, Matcher<'_>)> {
    let mut out = Vec::new();
    for loaded in policy.layers.iter().filter(|l| l.layer != Layer::Project) {
        let Some(flat) = loaded.flat() else { continue };
        if !flat.touches_packs().unwrap_or(false) {
            continue;
        }
        if let Ok(rest) = flat.rest() {
            out.extend(rest.excepts.into_iter().map(|e| (e.rule, e.when)));
        }
    }
    out
}

#[cfg(test)]
mod tests;
