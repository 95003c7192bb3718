//! [`settle`]: the verdict on a call before anyone is asked.
//!
//! This is the one function that the hook, `explain`, `policy test`, `replay` and the
//! full pipeline decide by. Guards run before a person is asked: the verdict is the
//! same as the other way round, and nobody is asked about what is denied anyway.

use crate::call::ToolCall;
use crate::guard::StationError;
use crate::guards::{Guards, Stop};
use crate::layers::{Layer, LayerVote, Layers};
use crate::reason::{Reason, RuleId};
use crate::verdict::Verdict;
use crate::world::World;
use alloc::format;
use alloc::vec::Vec;

/// Where a vote was cast.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Station {
    /// By a listener of this layer.
    Layer(Layer),
    /// By a guard.
    Guard,
}

/// One word on a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cast {
    /// Where.
    pub station: Station,
    /// By which rule; `None` for an allow that did not name itself.
    pub rule: Option<RuleId>,
    /// `allow`, `ask` or `deny`.
    pub vote: &'static str,
}

/// A verdict before anyone is asked, and how it came about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settled {
    /// The verdict.
    pub verdict: Verdict,
    /// Everyone who spoke, in the order heard. Empty, and nothing allocated, if all were
    /// silent.
    pub votes: Vec<Cast>,
    /// The failure behind a denial, if a station did not deny but broke.
    pub failure: Option<StationError>,
}

/// Hears the layers, then the guards unless a layer already denied.
#[must_use]
pub fn settle(
    call: &ToolCall<'_>,
    layers: &Layers<'_>,
    guards: &Guards<'_>,
    world: &dyn World,
) -> Settled {
    let mut settled =
        Settled { verdict: Verdict::no_objection(), votes: Vec::new(), failure: None };
    for (layer, vote) in layers.hear(call, world) {
        settled.hear(Station::Layer(layer), vote);
    }
    if !settled.verdict.is_deny() {
        match guards.check(call, world) {
            None => {}
            Some(Stop::Denied(reason)) => settled.hear(Station::Guard, LayerVote::Deny(reason)),
            Some(Stop::Failed(error)) => settled.hear(Station::Guard, LayerVote::Failed(error)),
        }
    }
    settled
}

impl Settled {
    fn hear(&mut self, station: Station, vote: LayerVote) {
        match vote {
            LayerVote::Silent => {}
            LayerVote::Allow(rule) => self.votes.push(Cast { station, rule, vote: "allow" }),
            LayerVote::Ask(reason) => self.tighten(station, Verdict::ask(reason)),
            LayerVote::Deny(reason) => self.tighten(station, Verdict::deny(reason)),
            LayerVote::Failed(error) => {
                let denial = Verdict::deny(failure_reason(&error));
                if !self.verdict.is_deny() {
                    self.failure = Some(error);
                }
                self.tighten(station, denial);
            }
        }
    }

    fn tighten(&mut self, station: Station, word: Verdict) {
        let rule = word.reason().map(|reason| reason.rule().clone());
        self.votes.push(Cast { station, rule, vote: word.word() });
        let before = core::mem::replace(&mut self.verdict, Verdict::no_objection());
        self.verdict = before.tighten(word);
    }
}

/// The reason of a denial by failure: the rule that broke, and that it broke.
fn failure_reason(error: &StationError) -> Reason {
    Reason::new(
        error.station.clone(),
        format!("a check could not be done, so this call is stopped: {}", error.message),
    )
}
