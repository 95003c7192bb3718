//! Qwen Code: Claude Code's protocol, Gemini CLI's tools, milliseconds. A block after the
//! fact does nothing that could be seen; context does.

use super::event::EventName::{
    PostToolUse, PreToolUse, SessionEnd, SessionStart, UserPromptSubmit,
};
use super::event::HostId;
use super::profile::{Blocked, Carrier, Profile};

/// As measured on 0.15.10; see the first lines of this file.
pub static PROFILE: Profile = Profile {
    id: HostId::Qwen,
    events: &[
        (PreToolUse, "PreToolUse"),
        (PostToolUse, "PostToolUse"),
        (SessionStart, "SessionStart"),
        (UserPromptSubmit, "UserPromptSubmit"),
        (SessionEnd, "SessionEnd"),
    ],
    tools: &[
        ("run_shell_command", "Bash"),
        ("write_file", "Write"),
        ("edit", "Edit"),
        ("replace", "Edit"),
        ("read_file", "Read"),
        ("list_directory", "LS"),
        ("glob", "Glob"),
        ("grep_search", "Grep"),
        ("search_file_content", "Grep"),
        ("web_fetch", "WebFetch"),
        ("todo_write", "TodoWrite"),
    ],
    carrier: Carrier::Nested,
    asks: false,
    context: &[PostToolUse, UserPromptSubmit],
    blocked: Blocked::Nothing,
};
