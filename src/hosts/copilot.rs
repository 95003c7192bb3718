//! Copilot CLI, with events spelled as Claude Code spells them: a hook that fails denies,
//! but for one that takes too long or says nothing readable.

use super::event::EventName::{
    PostToolUse, PreToolUse, SessionEnd, SessionStart, UserPromptSubmit,
};
use super::event::HostId;
use super::profile::{Blocked, Carrier, Failing, Outcome, Profile, Unit};

/// See the first lines of this file.
pub static PROFILE: Profile = Profile {
    id: HostId::Copilot,
    name: "Copilot CLI",
    measured: "1.0.102",
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
    unit: Unit::Seconds,
    failing: Failing { crash: Outcome::Stopped, timeout: Outcome::Runs, gone: Outcome::Stopped },
};
