//! [`Ladder`]: the two knobs, from the session's own word down to what is built in.

use std::path::Path;

use harness_core::knobs::fold::PRESET_EVENT;
use harness_core::knobs::value::Knob;
use harness_core::knobs::{
    ApprovalPolicy, Deployment, Folded, KnobEvent, Presets, SandboxMode, pin,
};

use super::limits;
use crate::home::Home;
use crate::journal::authority::{self, Line, key_of};
use crate::journal::place;
use crate::journal::record::Record;
use crate::policy::knobs::Declared;

/// Who has the word on a knob.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rung {
    /// The session's log.
    Session,
    /// What a person chose for the project.
    Project,
    /// What a person chose for everywhere.
    Default,
    /// `[knobs]` of a policy file.
    Policy,
    /// Nobody: what is built in.
    BuiltIn,
    /// The managed policy, as a limit.
    Managed,
}

impl Rung {
    /// The word in every output.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Session => "session",
            Self::Project => "project",
            Self::Default => "default",
            Self::Policy => "policy",
            Self::BuiltIn => "built-in",
            Self::Managed => "managed",
        }
    }
}

/// Everybody's word on the knobs, highest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ladder {
    /// The session's own.
    pub session: Folded,
    /// The person's for the project.
    pub project: Folded,
    /// The person's for everywhere.
    pub default: Folded,
    /// The policy files'.
    pub declared: Declared,
}

impl Ladder {
    /// Of a session with this word of its own, in a workspace (empty: in none). What a
    /// person chose is read only where the session leaves something open.
    #[must_use]
    pub fn of(home: &Home, session: Folded, workspace: &str, declared: Declared) -> Self {
        let pinned = session.sandbox.is_some() && session.approval.is_some();
        let (project, default) =
            if pinned { (authority::fresh(), authority::fresh()) } else { person(home, workspace) };
        Self { session, project, default, declared }
    }

    /// What holds for everything above what a person chose.
    #[must_use]
    pub fn below_default(&self) -> Deployment {
        self.declared.deployment()
    }

    /// What holds in projects without a word of their own.
    #[must_use]
    pub fn below_project(&self) -> Deployment {
        self.declared.limit(self.default.effective(self.below_default()))
    }

    /// What a new session begins with.
    #[must_use]
    pub fn below_session(&self) -> Deployment {
        self.declared.limit(self.project.effective(self.below_project()))
    }

    /// What is in force.
    #[must_use]
    pub fn now(&self) -> Deployment {
        self.declared.limit(self.session.effective(self.below_session()))
    }

    /// Who has the word on the sandbox.
    #[must_use]
    pub fn sandbox_from(&self) -> Rung {
        let said = self.declared;
        let rungs = [self.session.sandbox, self.project.sandbox, self.default.sandbox];
        from(rungs, said.person.sandbox, said.managed.sandbox)
    }

    /// Who has the word on asking.
    #[must_use]
    pub fn approval_from(&self) -> Rung {
        let said = self.declared;
        let rungs = [self.session.approval, self.project.approval, self.default.approval];
        from(rungs, said.person.approval, said.managed.approval)
    }

    /// The name of what is in force; `custom` where no preset describes it.
    #[must_use]
    pub fn preset<'p>(&self, presets: &'p Presets) -> &'p str {
        presets.derive(&self.standing(), self.now())
    }

    /// What is in force as one log would say it, with the preset that was chosen last.
    #[must_use]
    pub fn standing(&self) -> Folded {
        let now = self.now();
        let chosen = [&self.session, &self.project, &self.default];
        let mut folded = self.session.clone();
        folded.sandbox = Some(now.sandbox);
        folded.approval = Some(now.approval);
        folded.preset = chosen.iter().find_map(|rung| rung.preset.clone());
        folded.diagnostics = chosen.iter().flat_map(|rung| rung.diagnostics.clone()).collect();
        folded
    }

    /// The events that pin a session that begins, or is taken up again.
    #[must_use]
    pub fn pins(&self, presets: &Presets) -> Vec<KnobEvent> {
        let deployment = self.below_session();
        let name = presets.derive(&authority::fresh(), deployment);
        pin(presets, name, &self.session, deployment).unwrap_or_else(|_| {
            // No preset describes the defaults: the knobs alone are pinned.
            vec![KnobEvent::Sandbox(deployment.sandbox), KnobEvent::Approval(deployment.approval)]
        })
    }
}

fn from<K: Knob + Ord>(rungs: [Option<K>; 3], person: Option<K>, managed: Option<K>) -> Rung {
    let names = [Rung::Session, Rung::Project, Rung::Default];
    let said = rungs.into_iter().zip(names).find_map(|(value, rung)| Some((value?, rung)));
    let said = said.or(person.map(|value| (value, Rung::Policy)));
    match (said, managed) {
        (Some((value, _)), Some(most)) if most < value => Rung::Managed,
        (None, Some(_)) => Rung::Managed,
        (Some((_, rung)), _) => rung,
        (None, None) => Rung::BuiltIn,
    }
}

/// What a person chose for new sessions: in this project, and everywhere.
#[must_use]
pub fn person(home: &Home, workspace: &str) -> (Folded, Folded) {
    match authority::read(&place::person(&home.state), limits::AUTHORITY) {
        Ok(None) => (authority::fresh(), authority::fresh()),
        Ok(Some(lines)) => (of_project(&lines, workspace), of_default(&lines)),
        Err(_) => (authority::lost(), authority::lost()),
    }
}

/// The word for everywhere. A line that can't be read may have been about that.
fn of_default(lines: &[Line]) -> Folded {
    authority::knobs(lines.iter().filter(|line| line.project.is_none()))
}

/// The word for the innermost project around a workspace that has one.
fn of_project(lines: &[Line], workspace: &str) -> Folded {
    let around = |line: &&Line| {
        let project = line.project.as_deref();
        project.is_some_and(|project| Path::new(workspace).starts_with(project))
    };
    let innermost = lines.iter().filter(around).filter_map(|line| line.project.as_deref());
    let innermost = innermost.max_by_key(|project| project.len());
    authority::knobs(
        lines.iter().filter(|line| line.project.as_deref() == innermost && innermost.is_some()),
    )
}

/// The knobs beside the host's own mode: in `plan` a session only looks. Whether a mode asks
/// at all is the channel's matter.
#[must_use]
pub fn beside(mode: Option<&str>, knobs: Deployment) -> Deployment {
    match mode {
        Some("plan") => Deployment { sandbox: knobs.sandbox.min(SandboxMode::ReadOnly), ..knobs },
        _ => knobs,
    }
}

/// An event as a record of a log.
#[must_use]
pub fn record(event: &KnobEvent, now_ms: u64) -> Record {
    let logged = event.logged();
    Record::new(logged.kind, now_ms).text(key_of(logged.kind), logged.value.unwrap_or_default())
}

/// What an event sets, as people call it, and to what.
#[must_use]
pub fn told(event: &KnobEvent) -> (&'static str, String) {
    match event {
        KnobEvent::Preset(name) => ("preset", name.clone()),
        KnobEvent::Sandbox(mode) => ("sandbox", mode.word().to_owned()),
        KnobEvent::Approval(policy) => ("approval", policy.word().to_owned()),
    }
}

/// The name of a knob for an event's type.
#[must_use]
pub fn name_of(kind: &str) -> &'static str {
    match kind {
        SandboxMode::EVENT => "sandbox",
        ApprovalPolicy::EVENT => "approval",
        PRESET_EVENT => "preset",
        _ => "",
    }
}
