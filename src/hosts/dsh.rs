//! DSH, by its `hooks-claude-code` plugin: Claude Code's protocol with its own tool names.
//! The hook runs in DSH's sandbox: home and everything outside the workspace can't be
//! written, so that a record may be lost and no answer may hang on it.

use super::event::EventName::{
    PostToolUse, PreToolUse, SessionEnd, SessionStart, UserPromptSubmit,
};
use super::event::HostId;
use super::profile::{Blocked, Carrier, Profile};

/// As measured on 0.1.1-rc.2; see the first lines of this file.
pub static PROFILE: Profile = Profile {
    id: HostId::Dsh,
    events: &[
        (PreToolUse, "PreToolUse"),
        (PostToolUse, "PostToolUse"),
        (SessionStart, "SessionStart"),
        (UserPromptSubmit, "UserPromptSubmit"),
        (SessionEnd, "SessionEnd"),
    ],
    tools: &[
        ("bash", "Bash"),
        ("write", "Write"),
        ("edit", "Edit"),
        ("str_replace_editor", "Edit"),
        ("read", "Read"),
        ("glob", "Glob"),
        ("grep", "Grep"),
        ("ls", "LS"),
    ],
    carrier: Carrier::Nested,
    asks: true,
    context: &[PostToolUse, SessionStart, UserPromptSubmit],
    blocked: Blocked::Replaced,
};
