//! [`Guards`]: who guards a call, by scope.
//!
//! Global guards come first, then those of the calling agent's ancestors from the
//! farthest down, the agent's own last. The order decides only whose reason is told;
//! the first denial ends the round, and an error denies.

use crate::call::ToolCall;
use crate::guard::{Guard, StationError};
use crate::reason::Reason;
use crate::world::World;

/// The guards of one agent.
#[derive(Clone, Copy)]
pub struct Scope<'s> {
    /// The agent.
    pub agent: &'s str,
    /// The agent that started it; `None` for one that hangs below the session itself.
    pub parent: Option<&'s str>,
    /// Its guards, in the order registered.
    pub guards: &'s [&'s dyn Guard],
}

/// All guards. Slices, so that a list holds still while a call is decided by it.
#[derive(Clone, Copy, Default)]
pub struct Guards<'s> {
    /// Guards of every call.
    pub global: &'s [&'s dyn Guard],
    /// Guards of the calls of one agent and of the agents below it.
    pub scopes: &'s [Scope<'s>],
}

/// How a guard stopped a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    Denied(Reason),
    Failed(StationError),
}

impl<'s> Guards<'s> {
    /// The first objection, if any. Allocates nothing of its own.
    pub(crate) fn check(&self, call: &ToolCall<'_>, world: &dyn World) -> Option<Stop> {
        if let Some(stop) = check_list(self.global, call, world) {
            return Some(stop);
        }
        let agent = call.identity().agent.as_deref()?;
        // The chain is walked from the agent upwards once for each generation, which
        // costs its square and saves a list; chains are a handful long.
        (0..self.generations(agent)).rev().find_map(|generation| {
            let name = self.ancestor(agent, generation)?;
            self.scopes
                .iter()
                .filter(|scope| scope.agent == name)
                .find_map(|scope| check_list(scope.guards, call, world))
        })
    }

    /// How many names the chain from `agent` to its farthest ancestor has. A ring ends
    /// at the number of scopes, which visits every member of the ring.
    fn generations(&self, agent: &str) -> usize {
        (0..=self.scopes.len()).take_while(|&up| self.ancestor(agent, up).is_some()).count()
    }

    fn ancestor<'n>(&'n self, agent: &'n str, up: usize) -> Option<&'n str> {
        let mut name = agent;
        for _ in 0..up {
            name = self.parent(name)?;
        }
        Some(name)
    }

    fn parent(&self, agent: &str) -> Option<&'s str> {
        self.scopes.iter().find_map(|scope| scope.parent.filter(|_| scope.agent == agent))
    }
}

fn check_list(list: &[&dyn Guard], call: &ToolCall<'_>, world: &dyn World) -> Option<Stop> {
    list.iter().find_map(|guard| match guard.check(call, world) {
        Ok(None) => None,
        Ok(Some(denial)) => Some(Stop::Denied(denial.into_reason())),
        Err(error) => Some(Stop::Failed(error)),
    })
}
