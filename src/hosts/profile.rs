//! [`Profile`]: what tells one host from another: its names for events and tools, what it
//! takes for a denial, what it does with the rest. Every row was measured on the version
//! that its file names.

use super::claude_code;
use super::event::{EventName, HostId};
use super::{codex, copilot, dsh, gemini, grok, qwen};

/// The shape of a denial that a host reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carrier {
    /// `hookSpecificOutput` with `permissionDecision`, exit 2, the reason on standard error.
    Nested,
    /// The same where nothing turns the exit code over; on Windows exit 0 and the JSON alone,
    /// for a shell there loses the code.
    NestedStrict,
    /// `decision` and `reason` at the top, exit 2, the reason on standard error.
    Decision,
    /// `permissionDecision` at the top and nested.
    Both,
}

/// What a host does with a block after the fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blocked {
    /// The reason stands in the place of the result.
    Replaced,
    /// The result stays; the reason comes beside it.
    Beside,
    /// Nothing: only context reaches the model.
    Nothing,
}

/// What tells one host from another.
#[derive(Debug)]
pub struct Profile {
    /// The host.
    pub id: HostId,
    /// The events it has, and its own names for them.
    pub events: &'static [(EventName, &'static str)],
    /// Its names of tools that Claude Code has too, and Claude Code's.
    pub tools: &'static [(&'static str, &'static str)],
    /// How it is told no.
    pub carrier: Carrier,
    /// Whether its hooks can make it ask a person.
    pub asks: bool,
    /// The events whose context reaches the model.
    pub context: &'static [EventName],
    /// What it does with a block after the fact.
    pub blocked: Blocked,
}

impl HostId {
    /// What tells it from the others.
    #[must_use]
    pub const fn profile(self) -> &'static Profile {
        match self {
            Self::ClaudeCode => &claude_code::PROFILE,
            Self::Dsh => &dsh::PROFILE,
            Self::Grok => &grok::PROFILE,
            Self::Codex => &codex::PROFILE,
            Self::Gemini => &gemini::PROFILE,
            Self::Copilot => &copilot::PROFILE,
            Self::Qwen => &qwen::PROFILE,
        }
    }
}

impl Profile {
    /// The host's own name of an event, if it has it.
    #[must_use]
    pub fn theirs(&self, event: EventName) -> Option<&'static str> {
        self.events.iter().find(|(ours, _)| *ours == event).map(|(_, theirs)| *theirs)
    }

    /// The event that the host calls so.
    #[must_use]
    pub fn ours(&self, theirs: &str) -> Option<EventName> {
        self.events.iter().find(|(_, name)| *name == theirs).map(|(ours, _)| *ours)
    }

    /// Claude Code's name of one of the host's tools; the same name where they agree.
    #[must_use]
    pub fn tool<'t>(&self, theirs: &'t str) -> &'t str {
        self.tools.iter().find(|(name, _)| *name == theirs).map_or(theirs, |(_, ours)| *ours)
    }
}

#[cfg(test)]
mod tests {
    use super::super::claude_code::tools::known;
    use super::{EventName, HostId};

    #[test]
    fn names_go_there_and_back() {
        for host in HostId::ALL {
            let profile = host.profile();
            assert_eq!(profile.id, *host);
            for (ours, theirs) in profile.events {
                assert_eq!(
                    (profile.ours(theirs), profile.theirs(*ours)),
                    (Some(*ours), Some(*theirs))
                );
            }
            assert!(profile.theirs(EventName::PreToolUse).is_some(), "{host:?} has a gate");
            for (theirs, ours) in profile.tools {
                assert!(known(ours), "{host:?}: {theirs} is no {ours}");
            }
        }
    }
}
