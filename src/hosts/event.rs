//! What a host tells a hook, host-neutral.

use harness_core::{Json, ToolCall};
use std::borrow::Cow;

/// A host: the ids scripts rely on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HostId {
    /// Claude Code.
    ClaudeCode,
    /// DSH, by its `hooks-claude-code` plugin.
    Dsh,
    /// Grok Build.
    Grok,
    /// Codex.
    Codex,
    /// Gemini CLI.
    Gemini,
    /// Copilot CLI.
    Copilot,
    /// Qwen Code.
    Qwen,
}

impl HostId {
    /// Every host.
    pub const ALL: &'static [Self] = &[
        Self::ClaudeCode,
        Self::Dsh,
        Self::Grok,
        Self::Codex,
        Self::Gemini,
        Self::Copilot,
        Self::Qwen,
    ];

    /// The hosts that `harness install` knows how to write to.
    pub const INSTALLED: &'static [Self] =
        &[Self::ClaudeCode, Self::Grok, Self::Codex, Self::Gemini, Self::Copilot, Self::Qwen];

    /// The id in argv, settings and reports.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Dsh => "dsh",
            Self::Grok => "grok",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
            Self::Copilot => "copilot",
            Self::Qwen => "qwen",
        }
    }

    /// The host of an id.
    #[must_use]
    pub fn parse(id: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|h| h.as_str() == id)
    }
}

/// An event, named as Claude Code names it, whatever the host calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EventName {
    /// Before a tool runs; the gate.
    PreToolUse,
    /// After a tool ran.
    PostToolUse,
    /// After a tool failed.
    PostToolUseFailure,
    /// A session begins, resumes, or its context was compacted or cleared.
    SessionStart,
    /// A person's prompt.
    UserPromptSubmit,
    /// A subagent begins.
    SubagentStart,
    /// A settings file changed while a session runs; a gate.
    ConfigChange,
    /// A session ends.
    SessionEnd,
}

impl EventName {
    /// Every event harness takes part in.
    pub const ALL: &'static [Self] = &[
        Self::PreToolUse,
        Self::PostToolUse,
        Self::PostToolUseFailure,
        Self::SessionStart,
        Self::UserPromptSubmit,
        Self::SubagentStart,
        Self::ConfigChange,
        Self::SessionEnd,
    ];

    /// The name in argv and settings.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::PreToolUse => "PreToolUse",
            Self::PostToolUse => "PostToolUse",
            Self::PostToolUseFailure => "PostToolUseFailure",
            Self::SessionStart => "SessionStart",
            Self::UserPromptSubmit => "UserPromptSubmit",
            Self::SubagentStart => "SubagentStart",
            Self::ConfigChange => "ConfigChange",
            Self::SessionEnd => "SessionEnd",
        }
    }

    /// The event of a name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|e| e.as_str() == name)
    }

    /// Whether an answer can stop something: a failure on such an event is a denial.
    #[must_use]
    pub const fn gates(self) -> bool {
        matches!(self, Self::PreToolUse | Self::ConfigChange)
    }
}

/// One event with what every event carries.
#[derive(Clone, Debug, PartialEq)]
pub struct Inbound<'a> {
    /// The host that sent it, by its own signs.
    pub host: HostId,
    /// The host's session id.
    pub session: Cow<'a, str>,
    /// The session's current folder; follows `cd`.
    pub cwd: Cow<'a, str>,
    /// The subagent concerned, if any.
    pub agent: Option<Cow<'a, str>>,
    /// The host's permission mode, if it says.
    pub mode: Option<Cow<'a, str>>,
    /// The host's transcript of the session, if it says.
    pub transcript: Option<Cow<'a, str>>,
    /// The event itself.
    pub event: Event<'a>,
}

/// What happened.
#[derive(Clone, Debug, PartialEq)]
pub enum Event<'a> {
    /// A tool is about to run.
    PreToolUse(ToolCall<'a>),
    /// A tool ran; its result as the host gave it.
    PostToolUse(ToolCall<'a>, Json<'a>),
    /// A tool failed; the host's words.
    PostToolUseFailure(ToolCall<'a>, Cow<'a, str>),
    /// A session begins: `startup`, `resume`, `clear`, `compact` …
    SessionStart(Cow<'a, str>),
    /// A person's prompt.
    UserPromptSubmit(Cow<'a, str>),
    /// A subagent begins: its type.
    SubagentStart(Cow<'a, str>),
    /// A settings file changed: which kind, which file.
    ConfigChange {
        /// `user_settings`, `project_settings`, `local_settings`, `policy_settings` …
        source: Cow<'a, str>,
        /// The file, if the host names one.
        file: Option<Cow<'a, str>>,
    },
    /// A session ends: why.
    SessionEnd(Cow<'a, str>),
}

/// The tool call of an event that has one.
pub trait Subject {
    /// The call, if the event is about one.
    fn call(&self) -> Option<&ToolCall<'_>>;
}

impl Subject for Event<'_> {
    fn call(&self) -> Option<&ToolCall<'_>> {
        match self {
            Self::PreToolUse(c) | Self::PostToolUse(c, _) | Self::PostToolUseFailure(c, _) => {
                Some(c)
            }
            _ => None,
        }
    }
}
