//! [`Handler`]: one entry of a settings file, as the client reads it.

use super::foreign::plugins::Plugin;
use crate::hosts::claude_code::caps::Version;
use crate::hosts::claude_code::decoder::Since;
use crate::hosts::claude_code::places::Scope;
use crate::settings::hooks::Entry;
use std::hash::Hash;
use std::path::PathBuf;
use std::time::Duration;

/// What the client does when the hook fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnFailure {
    /// It goes on.
    Continue,
    /// It stops the call.
    Block,
}

/// One command hook of a settings file.
#[derive(Clone, Debug, PartialEq)]
pub struct Handler {
    /// Whose file.
    pub scope: Scope,
    /// The file.
    pub file: PathBuf,
    /// 1-based line of the entry; 0 if not known.
    pub line: usize,
    /// Where in the file: `hooks.PreToolUse[0].hooks[0]`.
    pub path: String,
    /// The event.
    pub event: String,
    /// The group's matcher.
    pub matcher: Option<String>,
    /// `command`, `http`, `prompt` …
    pub kind: String,
    /// The command; empty for other kinds.
    pub command: String,
    /// Its arguments, if the entry has them.
    pub args: Option<Vec<String>>,
    /// Its time limit in seconds.
    pub timeout: Option<f64>,
    /// What a failure does.
    pub on_failure: Option<OnFailure>,
    /// Whether it isn't waited for.
    pub asynchronous: bool,
    /// The permission rule that limits it.
    pub condition: Option<String>,
    /// The plugin it is of, if it is one's.
    pub plugin: Option<Plugin>,
    /// The entry as it stands.
    pub entry: Entry,
}

impl Handler {
    /// The arguments, if this client spawns the command without a shell.
    #[must_use]
    pub fn exec_args(&self, version: Version) -> Option<&[String]> {
        self.args.as_deref().filter(|_| Since::ExecForm.held_by(version))
    }

    /// What the client tells handlers apart by: of equal ones it starts only one.
    #[must_use]
    pub fn sameness(&self, version: Version) -> impl Eq + Hash {
        (&self.event, &self.kind, &self.command, self.exec_args(version), &self.condition)
    }

    /// Its time limit: its own, else the client's default.
    #[must_use]
    pub fn limit(&self) -> Duration {
        let default = match self.event.as_str() {
            "UserPromptSubmit" | "PreModelSwitch" | "PostModelSwitch" => 30.0,
            "MessageDisplay" => 10.0,
            "SessionEnd" => 1.5,
            _ => 600.0,
        };
        // Beyond a day the number means nothing, and a float may not fit.
        Duration::from_secs_f64(self.timeout.unwrap_or(default).clamp(0.001, 86_400.0))
    }

    /// Where it stands, for people: file, line, path.
    #[must_use]
    pub fn place(&self) -> String {
        format!("{}:{} {}", self.file.display(), self.line, self.path)
    }

    /// The command line as the client shows it.
    #[must_use]
    pub fn shown(&self) -> String {
        let mut shown = self.command.clone();
        for arg in self.args.iter().flatten() {
            shown.push(' ');
            shown.push_str(arg);
        }
        shown
    }
}
