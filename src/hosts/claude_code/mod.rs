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

use super::event::EventName::{
    ConfigChange, PostToolUse, PostToolUseFailure, PreToolUse, SessionEnd, SessionStart,
    SubagentStart, UserPromptSubmit,
};
use super::event::HostId;
use super::profile::{Blocked, Carrier, Profile};

/// Claude Code 2.1.332 beside the other hosts; what differs by version is in [`caps`].
pub static PROFILE: Profile = Profile {
    id: HostId::ClaudeCode,
    events: &[
        (PreToolUse, "PreToolUse"),
        (PostToolUse, "PostToolUse"),
        (PostToolUseFailure, "PostToolUseFailure"),
        (SessionStart, "SessionStart"),
        (UserPromptSubmit, "UserPromptSubmit"),
        (SubagentStart, "SubagentStart"),
        (ConfigChange, "ConfigChange"),
        (SessionEnd, "SessionEnd"),
    ],
    tools: &[],
    carrier: Carrier::Nested,
    asks: true,
    context: &[
        PreToolUse,
        PostToolUse,
        PostToolUseFailure,
        SessionStart,
        UserPromptSubmit,
        SubagentStart,
    ],
    blocked: Blocked::Replaced,
};

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
