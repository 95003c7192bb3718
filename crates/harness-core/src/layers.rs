//! [`Layers`]: managed, user and project, each its own waterfall.
//!
//! The layers' answers fold deny > ask > allow > none. An allow ends only its own
//! layer, and the project layer has none to give; so adding a layer, or a listener
//! to the project's, never loosens a verdict.

use crate::call::ToolCall;
use crate::guard::StationError;
use crate::reason::{Reason, RuleId};
use crate::vote::{Answer, ProjectAnswer, Vote};
use crate::waterfall::{Listener, ProjectListener, first_settled};
use crate::world::World;

/// Which layer a station belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layer {
    /// Built-in packs and what an administrator installed.
    Managed,
    /// The person's own file.
    User,
    /// The repository's file.
    Project,
}

impl Layer {
    /// The word used in every output.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Managed => "managed",
            Self::User => "user",
            Self::Project => "project",
        }
    }
}

/// The listeners of the three layers. Slices, so that a list holds still while a call
/// is decided by it; nothing is allocated while nobody speaks.
#[derive(Clone, Copy, Default)]
pub struct Layers<'s> {
    /// Built-in packs and what an administrator installed.
    pub managed: &'s [&'s dyn Listener],
    /// The person's own listeners.
    pub user: &'s [&'s dyn Listener],
    /// The repository's listeners, which cannot allow.
    pub project: &'s [&'s dyn ProjectListener],
}

/// What one layer said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LayerVote {
    Silent,
    Allow(Option<RuleId>),
    Ask(Reason),
    Deny(Reason),
    Failed(StationError),
}

impl Layers<'_> {
    /// Each layer's answer, managed first. All three are heard even after a denial, so
    /// that an explanation names everyone who objected.
    pub(crate) fn hear<'c>(
        &'c self,
        call: &'c ToolCall<'_>,
        world: &'c dyn World,
    ) -> impl Iterator<Item = (Layer, LayerVote)> + 'c {
        let persons = [(Layer::Managed, self.managed), (Layer::User, self.user)];
        persons
            .into_iter()
            .map(move |(layer, list)| (layer, hear_persons(list, call, world)))
            .chain(core::iter::once_with(move || {
                (Layer::Project, hear_project(self.project, call, world))
            }))
    }
}

fn hear_persons(list: &[&dyn Listener], call: &ToolCall<'_>, world: &dyn World) -> LayerVote {
    let answer = first_settled(list, |listener| {
        Ok(match listener.hear(call, world)? {
            Answer::Next => None,
            Answer::AllowedBy(rule) => Some(LayerVote::Allow(Some(rule))),
            Answer::Settled(Vote::Allow) => Some(LayerVote::Allow(None)),
            Answer::Settled(Vote::Ask(reason)) => Some(LayerVote::Ask(reason)),
            Answer::Settled(Vote::Deny(reason)) => Some(LayerVote::Deny(reason)),
        })
    });
    settled(answer)
}

fn hear_project(
    list: &[&dyn ProjectListener],
    call: &ToolCall<'_>,
    world: &dyn World,
) -> LayerVote {
    let answer = first_settled(list, |listener| {
        Ok(match listener.hear(call, world)? {
            ProjectAnswer::Next => None,
            ProjectAnswer::Ask(reason) => Some(LayerVote::Ask(reason)),
            ProjectAnswer::Deny(reason) => Some(LayerVote::Deny(reason)),
        })
    });
    settled(answer)
}

fn settled(answer: Result<Option<LayerVote>, StationError>) -> LayerVote {
    match answer {
        Ok(vote) => vote.unwrap_or(LayerVote::Silent),
        Err(error) => LayerVote::Failed(error),
    }
}
