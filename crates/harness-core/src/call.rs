//! [`ToolCall`]: one tool call with its identity sealed and its arguments frozen.

use crate::json::Json;
use alloc::borrow::Cow;
use alloc::vec::Vec;

/// Who calls: fixed when the call is made, visible to every station, changed by
/// none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity<'a> {
    /// The host's session id, as sent.
    pub session: Cow<'a, str>,
    /// The host's id of this call; empty where the host has none.
    pub call: Cow<'a, str>,
    /// The subagent that calls, if the host names one.
    pub agent: Option<Cow<'a, str>>,
    /// The tool's name as the host spells it.
    pub tool: Cow<'a, str>,
    /// The folder the call runs in, absolute, as sent. Never the workspace root.
    pub cwd: Cow<'a, str>,
}

impl Identity<'_> {
    /// Who owns the call: the subagent the host names, else the session's main agent.
    /// `None` if there is neither, and then there is nobody on whose behalf to ask.
    #[must_use]
    pub fn owner(&self) -> Option<&str> {
        let session = Some(self.session.as_ref()).filter(|session| !session.is_empty());
        self.agent.as_deref().or(session)
    }

    /// The call's id, if the host has one.
    #[must_use]
    pub fn call_id(&self) -> Option<&str> {
        Some(self.call.as_ref()).filter(|call| !call.is_empty())
    }
}

/// A sealed tool call. Every station sees the same identity and the same
/// arguments through a shared reference; there is nothing to write to.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolCall<'a> {
    identity: Identity<'a>,
    input: Json<'a>,
    truncated: bool,
}

impl<'a> ToolCall<'a> {
    /// Seals a call. `truncated` says that the host cut the arguments (Grok, over
    /// 128 KB), so a rule that reads them must not believe it saw them all.
    #[must_use]
    pub const fn seal(identity: Identity<'a>, input: Json<'a>, truncated: bool) -> Self {
        Self { identity, input, truncated }
    }

    /// Who calls.
    #[must_use]
    pub const fn identity(&self) -> &Identity<'a> {
        &self.identity
    }

    /// The tool's name as the host spells it.
    #[must_use]
    pub fn tool(&self) -> &str {
        &self.identity.tool
    }

    /// The folder the call runs in.
    #[must_use]
    pub fn cwd(&self) -> &str {
        &self.identity.cwd
    }

    /// The arguments.
    #[must_use]
    pub const fn input(&self) -> &Json<'a> {
        &self.input
    }

    /// Whether the host cut the arguments.
    #[must_use]
    pub const fn truncated(&self) -> bool {
        self.truncated
    }

    /// The bytes the seal is taken over: the tool's name, a NUL, and the arguments
    /// in canonical JSON (keys sorted, one spelling for each string), so that a host
    /// that reorders keys between two events does not look like a rewrite.
    #[must_use]
    pub fn canonical(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(256);
        out.extend_from_slice(self.tool().as_bytes());
        out.push(0);
        self.input.write_canonical(&mut out);
        out
    }
}
