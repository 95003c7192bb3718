//! What the client is left with: which files load, what they hold, what switches hooks
//! off, and which handlers it would start.

use super::handler::{Handler, OnFailure};
use crate::hosts::claude_code::caps::Version;
use crate::hosts::claude_code::decoder::matcher::{Fires, counts, fires};
use crate::hosts::claude_code::places::Scope;
use crate::settings::hooks::{self, Entry, Fate, Fault};
use crate::settings::syntax::{self, Node, Value};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// A settings file as the client sees it.
#[derive(Clone, Debug)]
pub struct File {
    /// Whose.
    pub scope: Scope,
    /// Where.
    pub path: PathBuf,
    /// What is in it.
    pub state: FileState,
    /// Its bytes; none if there is no file or it can't be read.
    pub bytes: Vec<u8>,
}

/// What is in a settings file.
#[derive(Clone, Debug)]
pub enum FileState {
    /// There is none.
    Absent,
    /// It can't be read: the system's words.
    Unreadable(String),
    /// It isn't JSON: the client ignores it whole.
    Unparseable {
        /// 1-based.
        line: usize,
        /// 1-based.
        column: usize,
        /// What stands there.
        why: String,
    },
    /// It is JSON that the client refuses whole.
    Refused(Vec<Fault>),
    /// It is read.
    Read(Settings),
}

/// What doctor needs of a settings file.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// What the client refuses without dropping the file.
    pub faults: Vec<Fault>,
    /// The hooks it loads.
    pub handlers: Vec<Handler>,
    /// `disableAllHooks`
    pub disable_all: Option<bool>,
    /// `allowManagedHooksOnly`
    pub managed_only: bool,
    /// `env`, strings and numbers.
    pub env: Vec<(String, String)>,
}

impl File {
    /// Reads a file's bytes as a client of that version would.
    #[must_use]
    pub fn read(scope: Scope, path: &Path, bytes: &[u8], version: Version) -> Self {
        let state = match state(scope, path, bytes, version) {
            Ok(settings) => FileState::Read(settings),
            Err(state) => state,
        };
        Self { scope, path: path.to_path_buf(), state, bytes: bytes.to_vec() }
    }

    /// All of it as JSON, if it is read.
    #[must_use]
    pub fn json(&self) -> Option<serde_json::Value> {
        self.settings()?;
        let bytes = self.bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&self.bytes);
        serde_json::from_slice(bytes).ok()
    }

    /// Its settings, if it is read.
    #[must_use]
    pub const fn settings(&self) -> Option<&Settings> {
        match &self.state {
            FileState::Read(settings) => Some(settings),
            _ => None,
        }
    }
}

fn state(scope: Scope, path: &Path, bytes: &[u8], version: Version) -> Result<Settings, FileState> {
    let broken = |line, column, why: String| FileState::Unparseable { line, column, why };
    let Ok(text) = std::str::from_utf8(bytes) else {
        let wide = bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF");
        let why = if wide { "the file is UTF-16" } else { "the file is not UTF-8" };
        return Err(broken(1, 1, format!("{why}; the client wants UTF-8")));
    };
    let root = syntax::parse(text).map_err(|e| broken(e.line, e.column, e.message))?;
    let listing = hooks::list(text, version).unwrap_or_default();
    if listing.file_dropped().is_some() {
        return Err(FileState::Refused(listing.faults));
    }
    let live = |e: &&Entry| e.fate == Fate::Kept && !e.shadowed;
    Ok(Settings {
        handlers: listing.entries.iter().filter(live).map(|e| handler(e, scope, path)).collect(),
        faults: listing.faults,
        disable_all: boolean(&root, "disableAllHooks"),
        managed_only: boolean(&root, "allowManagedHooksOnly") == Some(true),
        env: env(&root, text),
    })
}

fn boolean(of: &Node, key: &str) -> Option<bool> {
    match of.get(key)?.value.value {
        Value::Bool(b) => Some(b),
        _ => None,
    }
}

fn env(root: &Node, text: &str) -> Vec<(String, String)> {
    let Some(block) = root.get("env") else { return Vec::new() };
    let word = |value: &Node| match value.to_json(text) {
        serde_json::Value::String(s) => Some(s),
        serde_json::Value::Number(n) => Some(n.to_string()),
        _ => None,
    };
    let members = block.value.members().unwrap_or_default();
    members.iter().filter_map(|m| Some((m.key.clone(), word(&m.value)?))).collect()
}

fn handler(entry: &Entry, scope: Scope, file: &Path) -> Handler {
    let owned = |words: Vec<&str>| words.into_iter().map(str::to_owned).collect();
    Handler {
        scope,
        file: file.to_path_buf(),
        line: entry.line,
        path: format!("hooks.{}[{}].hooks[{}]", entry.event, entry.group, entry.hook),
        event: entry.event.clone(),
        matcher: entry.matcher.clone(),
        kind: entry.text("type").unwrap_or_default().to_owned(),
        command: entry.command().unwrap_or_default().to_owned(),
        args: entry.args().map(owned),
        timeout: entry.timeout(),
        on_failure: match entry.on_failure() {
            Some("block") => Some(OnFailure::Block),
            Some("continue") => Some(OnFailure::Continue),
            _ => None,
        },
        asynchronous: entry.fields.get("async") == Some(&serde_json::Value::Bool(true)),
        condition: entry.text("if").map(str::to_owned),
        plugin: None,
        entry: entry.clone(),
    }
}

/// Switches outside the files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Switches {
    /// `CLAUDE_CODE_SIMPLE=1`, `--bare`
    pub simple: bool,
    /// `CLAUDE_CODE_SAFE_MODE=1`, `--safe-mode`
    pub safe_mode: bool,
}

/// Something that switches hooks off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Switch {
    /// The key or variable.
    pub key: &'static str,
    /// The file; `None` for the environment.
    pub file: Option<PathBuf>,
    /// The file's scope.
    pub scope: Option<Scope>,
    /// Whether managed hooks are off as well.
    pub managed_too: bool,
}

/// What the client is left with.
#[derive(Clone, Debug, Default)]
pub struct Effective {
    /// What switches hooks off.
    pub off: Vec<Switch>,
    /// The hooks it would start, in the order it loads them.
    pub handlers: Vec<Handler>,
    /// Those that are switched off.
    pub silenced: Vec<Handler>,
}

/// Folds the files as the client does.
#[must_use]
pub fn effective(files: &[File], switches: Switches) -> Effective {
    let off = off(files, switches);
    let mut all: Vec<_> =
        files.iter().filter_map(File::settings).flat_map(|s| s.handlers.clone()).collect();
    all.sort_by_key(|h| h.scope);
    let stays = |h: &Handler| off.iter().all(|o| h.scope == Scope::Managed && !o.managed_too);
    let (handlers, silenced) = all.into_iter().partition(stays);
    Effective { off, handlers, silenced }
}

fn off(files: &[File], switches: Switches) -> Vec<Switch> {
    let mut off = Vec::new();
    let from = |file: &File, key, managed_too| Switch {
        key,
        file: Some(file.path.clone()),
        scope: Some(file.scope),
        managed_too,
    };
    let environment = |key| Switch { key, file: None, scope: None, managed_too: false };
    for file in files.iter().filter(|f| f.scope == Scope::Managed) {
        let Some(settings) = file.settings() else { continue };
        if settings.disable_all == Some(true) {
            off.push(from(file, "disableAllHooks", true));
        }
        if settings.managed_only {
            off.push(from(file, "allowManagedHooksOnly", false));
        }
    }
    // Local wins over project over user, in either direction.
    let said = files
        .iter()
        .filter(|f| f.scope != Scope::Managed)
        .filter_map(|f| f.settings().and_then(|s| s.disable_all).map(|d| (f, d)))
        .max_by_key(|(f, _)| f.scope);
    if let Some((file, true)) = said {
        off.push(from(file, "disableAllHooks", false));
    }
    if switches.simple {
        off.push(environment("CLAUDE_CODE_SIMPLE"));
    }
    if switches.safe_mode {
        off.push(environment("CLAUDE_CODE_SAFE_MODE"));
    }
    off
}

/// The handlers the client starts for one occasion.
#[derive(Clone, Debug, Default)]
pub struct Occasion<'a> {
    /// Those it starts: of equal commands the last.
    pub started: Vec<&'a Handler>,
    /// Those that a later equal one replaces, with that one.
    pub replaced: Vec<(&'a Handler, &'a Handler)>,
    /// Those whose matcher is beyond this model.
    pub unsure: Vec<&'a Handler>,
}

/// Which of these handlers the client starts for an event about a subject.
#[must_use]
pub fn started<'a>(
    handlers: &'a [Handler],
    event: &str,
    subject: &str,
    version: Version,
) -> Occasion<'a> {
    let mut occasion = Occasion::default();
    let mut started: Vec<Option<&Handler>> = Vec::new();
    let mut at = HashMap::new();
    for handler in handlers.iter().filter(|h| h.event == event) {
        let matcher = handler.matcher.as_deref().filter(|_| counts(event));
        match fires(matcher, subject, version) {
            Fires::No => continue,
            Fires::Unsure => occasion.unsure.push(handler),
            Fires::Yes => {}
        }
        if let Some(before) = at.insert(handler.sameness(version), started.len())
            && let Some(before) = started.get_mut(before).and_then(Option::take)
        {
            occasion.replaced.push((before, handler));
        }
        started.push(Some(handler));
    }
    occasion.started = started.into_iter().flatten().collect();
    occasion
}

#[cfg(test)]
mod tests;
