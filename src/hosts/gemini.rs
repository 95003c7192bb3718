//! Gemini CLI: its own names for events, milliseconds, no id of a call, and an ask that
//! hangs a headless run. Any exit code from 2 with a word on standard error blocks, that
//! of a missing program included.

use super::event::EventName::{
    PostToolUse, PreToolUse, SessionEnd, SessionStart, UserPromptSubmit,
};
use super::event::HostId;
use super::profile::{Blocked, Carrier, Profile};

/// As measured on 0.61.0; see the first lines of this file.
pub static PROFILE: Profile = Profile {
    id: HostId::Gemini,
    events: &[
        (PreToolUse, "BeforeTool"),
        (PostToolUse, "AfterTool"),
        (SessionStart, "SessionStart"),
        (UserPromptSubmit, "BeforeAgent"),
        (SessionEnd, "SessionEnd"),
    ],
    tools: &[
        ("run_shell_command", "Bash"),
        ("write_file", "Write"),
        ("replace", "Edit"),
        ("read_file", "Read"),
        ("list_directory", "LS"),
        ("glob", "Glob"),
        ("search_file_content", "Grep"),
        ("grep_search", "Grep"),
        ("web_fetch", "WebFetch"),
        ("google_web_search", "WebSearch"),
        ("write_todos", "TodoWrite"),
    ],
    carrier: Carrier::Decision,
    asks: false,
    context: &[PostToolUse, SessionStart, UserPromptSubmit],
    blocked: Blocked::Replaced,
};
