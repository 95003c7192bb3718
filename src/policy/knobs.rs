//! What the policy files say of the knobs: defaults for new sessions, the managed file's
//! limit, and the table of presets.

use harness_core::knobs::value::Knob as _;
use harness_core::knobs::{ApprovalPolicy, Deployment, Preset, Presets, SandboxMode};

use super::file::Knob;
use super::{Layer, Policy, load};

/// What holds where nobody has said anything: rules alone decide.
pub const BUILT_IN: Deployment =
    Deployment { sandbox: SandboxMode::DangerFullAccess, approval: ApprovalPolicy::Ask };

/// What one file says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// File effects.
    pub sandbox: Option<SandboxMode>,
    /// Asking.
    pub approval: Option<ApprovalPolicy>,
}

/// What the files say together. A project's file has no knobs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Declared {
    /// A limit for everybody.
    pub managed: Said,
    /// The person's default.
    pub person: Said,
}

impl Declared {
    /// The defaults of a new session.
    #[must_use]
    pub fn deployment(&self) -> Deployment {
        self.limit(Deployment {
            sandbox: self.person.sandbox.or(self.managed.sandbox).unwrap_or(BUILT_IN.sandbox),
            approval: self.person.approval.or(self.managed.approval).unwrap_or(BUILT_IN.approval),
        })
    }

    /// These knobs, no wider than the managed file has them.
    #[must_use]
    pub fn limit(&self, knobs: Deployment) -> Deployment {
        Deployment {
            sandbox: self.managed.sandbox.map_or(knobs.sandbox, |most| most.min(knobs.sandbox)),
            approval: self.managed.approval.map_or(knobs.approval, |most| most.min(knobs.approval)),
        }
    }
}

impl Policy {
    /// What the files say of the knobs.
    #[must_use]
    pub fn knobs(&self) -> Declared {
        let of = |layer| self.layers.iter().find(|l| l.layer == layer).map(said);
        Declared {
            managed: of(Layer::Managed).unwrap_or_default(),
            person: of(Layer::User).unwrap_or_default(),
        }
    }

    /// Whether a call may only run once its record is written.
    #[must_use]
    pub fn requires_journal(&self) -> bool {
        let asks = |loaded: &load::Loaded| {
            loaded.flat().is_some_and(|flat| match flat.has_knobs() {
                Ok(false) => false,
                // Bytes that don't hold together may have said so.
                _ => {
                    flat.rest().map_or(true, |rest| rest.knobs.iter().any(|k| k.name == "journal"))
                }
            })
        };
        self.layers.iter().filter(|l| l.layer != Layer::Project).any(asks)
    }

    /// The presets: those of the managed file, then the person's, in the order of the
    /// files; the built-in ones where none is declared.
    #[must_use]
    pub fn presets(&self) -> Presets {
        let mut rows: Vec<Preset> = Vec::new();
        for loaded in self.layers.iter().filter(|l| l.layer != Layer::Project) {
            let Some(Ok(rest)) = loaded.flat().map(|flat| flat.rest()) else { continue };
            for declared in rest.presets {
                // A managed preset keeps its meaning, whatever the person calls theirs.
                if rows.iter().all(|row| row.name != declared.name) {
                    rows.push(Preset {
                        name: declared.name.to_owned(),
                        sandbox: word(declared.sandbox),
                        approval: word(declared.approval),
                        description: Some(declared.description.to_owned())
                            .filter(|text| !text.is_empty()),
                    });
                }
            }
        }
        if rows.is_empty() {
            return built_in();
        }
        Presets::new(rows).unwrap_or_else(|_| built_in())
    }
}

fn said(loaded: &load::Loaded) -> Said {
    let Some(flat) = loaded.flat() else { return Said::default() };
    if flat.has_knobs() == Ok(false) {
        return Said::default();
    }
    let Ok(rest) = flat.rest() else {
        // Bytes that don't hold together may have said anything.
        return Said {
            sandbox: Some(SandboxMode::STRICTEST),
            approval: Some(ApprovalPolicy::STRICTEST),
        };
    };
    let named = |name: &str| rest.knobs.iter().find(|knob: &&Knob<'_>| knob.name == name);
    Said {
        sandbox: named("sandbox").map(|knob| word(knob.value)),
        approval: named("approval").map(|knob| word(knob.value)),
    }
}

/// A word the parser has checked; another one counts as the strictest.
fn word<K: harness_core::knobs::value::Knob>(text: &str) -> K {
    K::from_word(text).unwrap_or(K::STRICTEST)
}

fn built_in() -> Presets {
    let row = |name: &str, sandbox, approval, description: &str| Preset {
        name: name.to_owned(),
        sandbox,
        approval,
        description: Some(description.to_owned()),
    };
    Presets::new(vec![
        row("read-only", SandboxMode::ReadOnly, ApprovalPolicy::Ask, "look; each write asks"),
        row(
            "workspace-write",
            SandboxMode::WorkspaceWrite,
            ApprovalPolicy::Ask,
            "work in the workspace; a write outside asks",
        ),
        row(
            "rules-only",
            SandboxMode::DangerFullAccess,
            ApprovalPolicy::Ask,
            "the rules alone decide; what they want asked asks",
        ),
        row(
            "danger-full-access",
            SandboxMode::DangerFullAccess,
            ApprovalPolicy::Never,
            "the rules alone decide; what they want asked is denied",
        ),
    ])
    .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{BUILT_IN, Declared, Said, built_in};
    use harness_core::knobs::{ApprovalPolicy, Deployment, SandboxMode};

    #[test]
    fn the_managed_file_is_a_limit_and_the_persons_a_default() {
        let said = |sandbox| Said { sandbox: Some(sandbox), approval: None };
        let of = |managed, person| Declared { managed, person }.deployment().sandbox;
        assert_eq!(Declared::default().deployment(), BUILT_IN);
        let (read, write) = (SandboxMode::ReadOnly, SandboxMode::WorkspaceWrite);
        assert_eq!(of(Said::default(), said(write)), write);
        assert_eq!(of(said(write), Said::default()), write);
        assert_eq!(of(said(write), said(SandboxMode::DangerFullAccess)), write);
        assert_eq!(of(said(write), said(read)), read);
        let never = Said { sandbox: None, approval: Some(ApprovalPolicy::Never) };
        let limited = Declared { managed: never, person: Said::default() };
        let wide = Deployment { sandbox: read, approval: ApprovalPolicy::Ask };
        let want = Deployment { sandbox: read, approval: ApprovalPolicy::Never };
        assert_eq!(limited.limit(wide), want);
    }

    #[test]
    fn what_holds_where_nobody_spoke_is_one_of_the_built_in_presets() {
        let table = built_in();
        let describes = |row: &&harness_core::knobs::Preset| {
            (row.sandbox, row.approval) == (BUILT_IN.sandbox, BUILT_IN.approval)
        };
        assert!(table.rows().len() == 4 && table.rows().iter().any(|row| describes(&row)));
    }
}
