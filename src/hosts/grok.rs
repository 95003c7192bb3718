//! Grok Build: every key twice, in its own case and in Claude Code's; context reaches the
//! model with a tool call and nowhere else; arguments are cut at 128 KB and it says so. It
//! reads Claude Code's settings too, so one call may come twice.

use super::event::EventName::{
    PostToolUse, PreToolUse, SessionEnd, SessionStart, UserPromptSubmit,
};
use super::event::HostId;
use super::profile::{Blocked, Carrier, Profile};

/// As measured on 1.0.41; see the first lines of this file.
pub static PROFILE: Profile = Profile {
    id: HostId::Grok,
    events: &[
        (PreToolUse, "PreToolUse"),
        (PostToolUse, "PostToolUse"),
        (SessionStart, "SessionStart"),
        (UserPromptSubmit, "UserPromptSubmit"),
        (SessionEnd, "SessionEnd"),
    ],
    tools: &[
        ("run_terminal_command", "Bash"),
        ("run_terminal_cmd", "Bash"),
        ("write", "Write"),
        ("search_replace", "Edit"),
        ("read_file", "Read"),
        ("list_dir", "LS"),
        ("grep", "Grep"),
        ("glob", "Glob"),
        ("todo_write", "TodoWrite"),
        ("web_search", "WebSearch"),
        ("web_fetch", "WebFetch"),
    ],
    carrier: Carrier::Decision,
    asks: false,
    context: &[PreToolUse, PostToolUse],
    blocked: Blocked::Beside,
};
