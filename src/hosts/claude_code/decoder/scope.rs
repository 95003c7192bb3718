//! Scopes: which files load, what they hold, what switches hooks off, and which
//! handlers are left to start.

use super::handler::{Handler, OnFailure};
use super::matcher::{Fires, counts, fires};
use super::schema::settings::{Drops, Problem, problems};
use super::version::{Since, Version};
use harness_core::Json;
use harness_core::json::{Limits, parse};
use std::path::{Path, PathBuf};

mod lines;

/// Whose settings, in the order the client loads them: of equal commands the last one's
/// attributes win.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// `settings.json` in the person's configuration folder.
    User,
    /// `.claude/settings.json` in the start folder.
    Project,
    /// `.claude/settings.local.json`.
    Local,
    /// The machine's.
    Managed,
}

impl Scope {
    /// The word in arguments and reports.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Project => "project",
            Self::Local => "local",
            Self::Managed => "managed",
        }
    }
}

/// A settings file as the client sees it.
#[derive(Clone, Debug)]
pub struct File {
    /// Whose.
    pub scope: Scope,
    /// Where.
    pub path: PathBuf,
    /// What is in it.
    pub state: FileState,
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
        /// 1-based, in bytes.
        column: usize,
        /// What stands there.
        why: String,
    },
    /// It is JSON that the client refuses whole.
    Refused(Vec<Problem>),
    /// It is read.
    Read(Settings),
}

/// What doctor needs of a settings file.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// What the client refuses without dropping the file.
    pub problems: Vec<Problem>,
    /// Its hooks.
    pub handlers: Vec<Handler>,
    /// `disableAllHooks`
    pub disable_all: Option<bool>,
    /// `allowManagedHooksOnly`
    pub managed_only: bool,
    /// `env`, strings only.
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
        Self { scope, path: path.to_path_buf(), state }
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
    let broken = |at: usize, why: &str| {
        let (line, column) = lines::place(bytes, at);
        FileState::Unparseable { line, column, why: why.to_owned() }
    };
    if bytes.starts_with(b"\xEF\xBB\xBF") && !version.has(Since::SettingsBom) {
        return Err(broken(0, "this client can't read a byte-order mark"));
    }
    if bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF") {
        return Err(broken(0, "the file is UTF-16; the client wants UTF-8"));
    }
    let parsed =
        parse(bytes, Limits::default()).map_err(|e| broken(e.at, lines::why(bytes, e.at)))?;
    let rest = bytes.get(parsed.used..).unwrap_or_default();
    if let Some(at) = rest.iter().position(|b| !b.is_ascii_whitespace()) {
        return Err(broken(parsed.used + at, "something follows the end of the object"));
    }
    let found = problems(&parsed.value, version);
    if found.iter().any(|p| p.drops == Drops::File) {
        return Err(FileState::Refused(found));
    }
    let lines = lines::Lines::of(bytes);
    Ok(Settings {
        handlers: handlers(&parsed.value, scope, path, &found, &lines),
        problems: found,
        disable_all: boolean(&parsed.value, "disableAllHooks"),
        managed_only: boolean(&parsed.value, "allowManagedHooksOnly") == Some(true),
        env: env(&parsed.value),
    })
}

fn boolean(of: &Json<'_>, key: &str) -> Option<bool> {
    match of.get(key) {
        Some(Json::Bool(b)) => Some(*b),
        _ => None,
    }
}

fn env(root: &Json<'_>) -> Vec<(String, String)> {
    let Some(Json::Object(members)) = root.get("env") else { return Vec::new() };
    let pair = |(k, v): &(harness_core::Text<'_>, Json<'_>)| match v {
        Json::String(v) => Some((k.to_str().into_owned(), v.to_str().into_owned())),
        Json::Number(v) => Some((k.to_str().into_owned(), v.to_string())),
        _ => None,
    };
    members.iter().filter_map(pair).collect()
}

fn handlers(
    root: &Json<'_>,
    scope: Scope,
    file: &Path,
    problems: &[Problem],
    lines: &lines::Lines,
) -> Vec<Handler> {
    let Some(Json::Object(events)) = root.get("hooks") else { return Vec::new() };
    let mut found = Vec::new();
    // Of equal event names only the last is the client's.
    for (name, _) in events {
        let event = name.to_str();
        if events.iter().filter(|(n, _)| n == name).count() > 1
            && found.iter().any(|h: &Handler| h.event == event)
        {
            continue;
        }
        let Some(Json::Array(groups)) = root.get("hooks").and_then(|h| h.get(&event)) else {
            continue;
        };
        for (i, group) in groups.iter().enumerate() {
            let Some(Json::Array(entries)) = group.get("hooks") else { continue };
            for (j, entry) in entries.iter().enumerate() {
                let path = format!("hooks.{event}[{i}].hooks[{j}]");
                let dropped =
                    |p: &Problem| p.drops == Drops::Entry && path.starts_with(&group_of(&p.path));
                if problems.iter().any(dropped) {
                    continue;
                }
                let line = lines.entry(&event, i, j);
                found.push(handler(entry, group, &event, (scope, file, path, line)));
            }
        }
    }
    found
}

/// A bad entry takes itself, a bad group everything in it.
fn group_of(path: &str) -> String {
    match path.find("].hooks[").and_then(|at| path.get(at + 8..).map(|tail| (at + 8, tail))) {
        Some((at, tail)) => {
            let end = tail.find(']').map_or(path.len(), |e| at + e + 1);
            path.get(..end).unwrap_or(path).to_owned()
        }
        None => path.find(']').and_then(|e| path.get(..=e)).unwrap_or(path).to_owned(),
    }
}

fn handler(
    entry: &Json<'_>,
    group: &Json<'_>,
    event: &str,
    (scope, file, path, line): (Scope, &Path, String, usize),
) -> Handler {
    let text = |of: &Json<'_>, key: &str| of.str_at(key).map(std::borrow::Cow::into_owned);
    let args = match entry.get("args") {
        Some(Json::Array(words)) => Some(
            words.iter().filter_map(|w| w.as_str().map(std::borrow::Cow::into_owned)).collect(),
        ),
        _ => None,
    };
    Handler {
        scope,
        file: file.to_path_buf(),
        line,
        path,
        event: event.to_owned(),
        matcher: text(group, "matcher"),
        kind: text(entry, "type").unwrap_or_default(),
        command: text(entry, "command").unwrap_or_default(),
        args,
        timeout: match entry.get("timeout") {
            Some(Json::Number(n)) => n.parse().ok(),
            _ => None,
        },
        on_failure: match entry.str_at("onFailure").as_deref() {
            Some("block") => Some(OnFailure::Block),
            Some("continue") => Some(OnFailure::Continue),
            _ => None,
        },
        asynchronous: boolean(entry, "async") == Some(true),
        condition: text(entry, "if"),
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
    for handler in handlers.iter().filter(|h| h.event == event) {
        let matcher = handler.matcher.as_deref().filter(|_| counts(event));
        match fires(matcher, subject, version) {
            Fires::No => continue,
            Fires::Unsure => occasion.unsure.push(handler),
            Fires::Yes => {}
        }
        if let Some(at) = occasion.started.iter().position(|h| h.same(handler, version)) {
            occasion.replaced.push((occasion.started.remove(at), handler));
        }
        occasion.started.push(handler);
    }
    occasion
}

#[cfg(test)]
mod tests;
