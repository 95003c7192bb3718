//! Claude Code: its payloads, its answers, what which version knows, and where it reads.

pub mod ask;
pub mod caps;
pub mod decode;
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
