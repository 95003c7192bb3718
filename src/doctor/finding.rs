//! [`Finding`]: one thing that is wrong, and which channel it hits.

use super::report::{State, Status};
use std::collections::{BTreeMap, HashMap, HashSet};

/// One thing that is wrong, or worth knowing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The check's id.
    pub id: &'static str,
    /// Which kind of it.
    pub kind: Option<String>,
    /// What was found, in a line.
    pub message: String,
    /// Files, lines, commands, bytes.
    pub evidence: Vec<String>,
    /// One next step.
    pub fix: Option<String>,
    /// The status, where it isn't the one in the table.
    pub status: Option<Status>,
    /// What it means for the gate.
    pub gate: Option<State>,
    /// What it means for the soft channel.
    pub soft: Option<State>,
}

impl Finding {
    /// A finding that hits no channel.
    #[must_use]
    pub fn new(id: &'static str, message: impl Into<String>) -> Self {
        Self {
            id,
            kind: None,
            message: message.into(),
            evidence: Vec::new(),
            fix: None,
            status: None,
            gate: None,
            soft: None,
        }
    }

    /// Its kind.
    #[must_use]
    pub fn kind(mut self, kind: impl Into<String>) -> Self {
        self.kind = Some(kind.into());
        self
    }

    /// One more line of evidence.
    #[must_use]
    pub fn see(mut self, evidence: impl Into<String>) -> Self {
        self.evidence.push(evidence.into());
        self
    }

    /// The next step.
    #[must_use]
    pub fn fix(mut self, fix: impl Into<String>) -> Self {
        self.fix = Some(fix.into());
        self
    }

    /// Another status than the table's.
    #[must_use]
    pub const fn status(mut self, status: Status) -> Self {
        self.status = Some(status);
        self
    }

    /// What it means for the two channels.
    #[must_use]
    pub const fn hits(mut self, gate: Option<State>, soft: Option<State>) -> Self {
        self.gate = gate;
        self.soft = soft;
        self
    }

    /// Kills both channels.
    #[must_use]
    pub const fn kills_both(self) -> Self {
        self.hits(Some(State::Dead), Some(State::Dead))
    }

    /// Kills the channel of an event, if it has one.
    #[must_use]
    pub fn kills(mut self, event: &str) -> Self {
        match event {
            "PreToolUse" => self.gate = Some(State::Dead),
            "SessionStart" => self.soft = Some(State::Dead),
            _ => {}
        }
        self
    }
}

/// Everything found in a run.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// What is wrong.
    pub all: Vec<Finding>,
    /// What was seen to be right, by the check that saw it.
    pub seen: BTreeMap<&'static str, Vec<String>>,
    /// A must-deny probe was denied and its twin passed.
    pub gate_seen: bool,
    /// The nonce was found where the client reads it.
    pub soft_seen: bool,
    /// The lines of evidence of findings that were joined, by id and kind: a file may hold
    /// any number of what one check finds.
    lines: HashMap<(&'static str, Option<String>), HashSet<String>>,
}

impl Findings {
    /// Adds a finding; one of the same kind is joined to the one there.
    pub fn add(&mut self, finding: Finding) {
        let same = |f: &&mut Finding| (f.id, &f.kind) == (finding.id, &finding.kind);
        match self.all.iter_mut().find(same) {
            None => self.all.push(finding),
            Some(there) => {
                let known = self.lines.entry((finding.id, finding.kind)).or_default();
                if known.is_empty() {
                    known.extend(there.evidence.iter().cloned());
                }
                let new = finding.evidence.into_iter().filter(|line| known.insert(line.clone()));
                there.evidence.extend(new);
                there.gate = worse(there.gate, finding.gate);
                there.soft = worse(there.soft, finding.soft);
                there.status = there.status.max(finding.status);
            }
        }
    }

    /// Notes that something is right.
    pub fn right(&mut self, id: &'static str, what: impl Into<String>) {
        self.seen.entry(id).or_default().push(what.into());
    }

    /// Whether a channel is hit.
    #[must_use]
    pub fn hit(&self, event: &str) -> bool {
        self.all.iter().any(|f| match event {
            "PreToolUse" => f.gate == Some(State::Dead),
            _ => f.soft == Some(State::Dead),
        })
    }
}

fn worse(a: Option<State>, b: Option<State>) -> Option<State> {
    if a == Some(State::Dead) || b == Some(State::Dead) { Some(State::Dead) } else { a.or(b) }
}

#[cfg(test)]
mod tests {
    use super::{Finding, Findings};
    use crate::doctor::report::State;

    #[test]
    fn an_event_kills_its_own_channel_only() {
        let (dead, none) = (Some(State::Dead), None);
        for (event, gate, soft) in
            [("PreToolUse", dead, none), ("SessionStart", none, dead), ("PostToolUse", none, none)]
        {
            let finding = Finding::new("inert", "x").kills(event);
            assert_eq!((finding.gate, finding.soft), (gate, soft), "{event}");
            let mut found = Findings::default();
            assert!(!found.hit("PreToolUse") && !found.hit("SessionStart"));
            found.add(finding);
            assert_eq!(found.hit("PreToolUse"), gate == dead, "{event}");
            assert_eq!(found.hit("SessionStart"), soft == dead, "{event}");
        }
        // Of two of one kind the worse counts, in either order.
        let (unknown, dead) = (Some(State::Unknown), Some(State::Dead));
        for (first, second, both) in [
            (None, unknown, unknown),
            (unknown, None, unknown),
            (unknown, dead, dead),
            (dead, unknown, dead),
            (dead, None, dead),
            (None, dead, dead),
            (None, None, None),
        ] {
            let mut found = Findings::default();
            found.add(Finding::new("inert", "x").hits(first, second));
            found.add(Finding::new("inert", "x").hits(second, first));
            let [one] = found.all.as_slice() else { panic!("they are joined") };
            assert_eq!((one.gate, one.soft), (both, both));
        }
        // What isn't known is not dead.
        let mut found = Findings::default();
        found.add(Finding::new("inert", "x").hits(unknown, unknown));
        assert!(!found.hit("PreToolUse") && !found.hit("SessionStart"));
    }
}
