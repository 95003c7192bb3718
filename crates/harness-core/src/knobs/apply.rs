//! [`apply`] and [`pin`]: the events that a choice appends to the authority log.

use super::fold::{Deployment, Folded, LoggedEvent, PRESET_EVENT};
use super::presets::{CUSTOM, PresetError, Presets};
use super::value::{ApprovalPolicy, Knob, SandboxMode};
use alloc::string::String;
use alloc::vec::Vec;

/// An event to append.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KnobEvent {
    /// `permission/preset`
    Preset(String),
    /// `sandbox/mode`
    Sandbox(SandboxMode),
    /// `approval/policy`
    Approval(ApprovalPolicy),
}

impl KnobEvent {
    /// The event as the log holds it.
    #[must_use]
    pub fn logged(&self) -> LoggedEvent<'_> {
        match self {
            Self::Preset(name) => LoggedEvent { kind: PRESET_EVENT, value: Some(name) },
            Self::Sandbox(mode) => {
                LoggedEvent { kind: SandboxMode::EVENT, value: Some(mode.word()) }
            }
            Self::Approval(policy) => {
                LoggedEvent { kind: ApprovalPolicy::EVENT, value: Some(policy.word()) }
            }
        }
    }
}

/// The events that choosing a preset appends: preset, sandbox, approval, each only if it
/// changes something. Choosing the preset in force appends nothing.
///
/// A knob whose logged value nobody knows is written anew even where the strictest value
/// it counts as is the one wanted, so that the log says what holds.
///
/// # Errors
/// [`PresetError::Unknown`] for a name not in the table, `custom` among them.
pub fn apply(
    presets: &Presets,
    name: &str,
    folded: &Folded,
    deployment: Deployment,
) -> Result<Vec<KnobEvent>, PresetError> {
    let row = presets.find(name)?;
    let now = folded.effective(deployment);
    let mut events = Vec::new();
    if presets.derive(folded, deployment) != name {
        events.push(KnobEvent::Preset(row.name.clone()));
    }
    if folded.doubts(SandboxMode::EVENT) || row.sandbox != now.sandbox {
        events.push(KnobEvent::Sandbox(row.sandbox));
    }
    if folded.doubts(ApprovalPolicy::EVENT) || row.approval != now.approval {
        events.push(KnobEvent::Approval(row.approval));
    }
    Ok(events)
}

/// The events that pin a session when it is created or taken up again. A fresh one gets
/// all three, even where they equal the defaults; one that has events keeps what it has
/// and gets what it lacks, never a newer default.
///
/// # Errors
/// [`PresetError::Unknown`] if the default preset of a fresh session is not in the table.
pub fn pin(
    presets: &Presets,
    default: &str,
    folded: &Folded,
    deployment: Deployment,
) -> Result<Vec<KnobEvent>, PresetError> {
    let fresh = folded.preset.is_none() && folded.sandbox.is_none() && folded.approval.is_none();
    let mut events = Vec::new();
    if fresh {
        let row = presets.find(default)?;
        events.push(KnobEvent::Preset(row.name.clone()));
        events.push(KnobEvent::Sandbox(row.sandbox));
        events.push(KnobEvent::Approval(row.approval));
        return Ok(events);
    }
    let derived = presets.derive(folded, deployment);
    if folded.preset.is_none() && derived != CUSTOM {
        events.push(KnobEvent::Preset(derived.into()));
    }
    if folded.sandbox.is_none() {
        events.push(KnobEvent::Sandbox(deployment.sandbox));
    }
    if folded.approval.is_none() {
        events.push(KnobEvent::Approval(deployment.approval));
    }
    Ok(events)
}
