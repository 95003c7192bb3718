//! Copilot CLI, with events spelled as Claude Code spells them: a hook that fails denies,
//! but for one that takes too long or says nothing readable.

use super::event::EventName::{
    PostToolUse, PreToolUse, SessionEnd, SessionStart, UserPromptSubmit,
};
use super::event::HostId;
use super::profile::{Blocked, Carrier, Profile};

/// As measured on 1.0.102; see the first lines of this file.
pub static PROFILE: Profile = Profile {
    id: HostId::Copilot,
    events: &[
        (PreToolUse, "PreToolUse"),
        (PostToolUse, "PostToolUse"),
        (SessionStart, "SessionStart"),
        (UserPromptSubmit, "UserPromptSubmit"),
        (SessionEnd, "SessionEnd"),
    ],
    tools: &[
        ("bash", "Bash"),
        ("create", "Write"),
        ("edit", "Edit"),
        ("view", "Read"),
        ("grep", "Grep"),
        ("glob", "Glob"),
    ],
    carrier: Carrier::Both,
    asks: false,
    context: &[PreToolUse, PostToolUse, SessionStart, UserPromptSubmit],
    blocked: Blocked::Nothing,
};
