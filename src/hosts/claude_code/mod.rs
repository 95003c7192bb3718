//! Claude Code: its payloads and answers, what which version knows, where it reads, and
//! what it makes of a hook's answer.

pub mod ask;
pub mod caps;
pub mod decode;
pub mod decoder;
pub mod encode;
pub mod places;
pub mod ready;
pub mod tools;

/// The events of Claude Code that nothing hangs on when a hook is silent. Any other
/// name in argv may be a gate and is denied.
pub const SOFT_EVENTS: &[&str] = &[
    "CwdChanged",
    "DirectoryAdded",
    "Elicitation",
    "ElicitationResult",
    "FileChanged",
    "InstructionsLoaded",
    "MessageDisplay",
    "Notification",
    "PermissionDenied",
    "PostCompact",
    "PostModelSwitch",
    "PostToolBatch",
    "PreCompact",
    "PreModelSwitch",
    "Setup",
    "Stop",
    "StopFailure",
    "SubagentStop",
    "TaskCompleted",
    "TaskCreated",
    "TeammateIdle",
    "WorktreeRemove",
];
