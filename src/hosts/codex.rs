//! Codex: a denial with an empty reason or a key it doesn't know is no denial, exit 2
//! without a word on standard error neither, and an ask runs the call. A patch comes as the
//! one argument of `apply_patch`.

use super::event::EventName::{
    PostToolUse, PreToolUse, SessionEnd, SessionStart, UserPromptSubmit,
};
use super::event::HostId;
use super::profile::{Blocked, Carrier, Profile};

/// As measured on 0.171.0; see the first lines of this file.
pub static PROFILE: Profile = Profile {
    id: HostId::Codex,
    events: &[
        (PreToolUse, "PreToolUse"),
        (PostToolUse, "PostToolUse"),
        (SessionStart, "SessionStart"),
        (UserPromptSubmit, "UserPromptSubmit"),
        (SessionEnd, "SessionEnd"),
    ],
    tools: &[
        ("exec_command", "Bash"),
        ("local_shell", "Bash"),
        ("shell", "Bash"),
        ("unified_exec", "Bash"),
        ("update_plan", "TodoWrite"),
        ("view_image", "Read"),
        ("web_search", "WebSearch"),
    ],
    carrier: Carrier::NestedStrict,
    asks: false,
    context: &[PreToolUse, PostToolUse, SessionStart, UserPromptSubmit],
    blocked: Blocked::Replaced,
};
