//! What is installed, from the files alone: fast, nothing is started.

use super::in_force;
use super::manifest::{self, Loaded, Manifest};
use super::proven::{self, Proven};
use super::surroundings::Surroundings;
use super::{binary, own, words};
use crate::hook::argv;
use crate::hook::owner::{Standing, standing};
use crate::hosts::HostId;
use crate::hosts::claude_code::caps::{self, Version};
use crate::hosts::claude_code::places::{self, Place, Scope};
use crate::policy::{Layer, Policy, Sources, remarks};
use crate::settings::hooks::{self, Entry, Fate};
use crate::settings::syntax::{self, Node, Value};
use crate::sys::{fs, paths};
use serde::Serialize;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What is installed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Status {
    /// The schema's number; fields are only added within one.
    pub schema: u32,
    /// Installed somewhere, and nothing seen that switches it off.
    pub ok: bool,
    /// The running harness.
    pub version: String,
    /// A host a row.
    pub hosts: Vec<HostStatus>,
}

/// One host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HostStatus {
    /// Its id.
    pub id: String,
    /// Entries are there that the client reads.
    pub installed: bool,
    /// The lowest client the entries were written for.
    pub client: Option<String>,
    /// A scope with entries a row.
    pub scopes: Vec<ScopeStatus>,
    /// What switches hooks off, most decisive first.
    pub off_switches: Vec<OffSwitch>,
    /// Files that hold entries of ours and that the client ignores as a whole, for a mistake
    /// in them.
    pub ignored: Vec<PathBuf>,
    /// What needs a look.
    pub problems: Vec<String>,
    /// The registered program.
    pub binary: Option<BinaryStatus>,
    /// What the client itself showed last (`harness doctor --live`).
    pub live: Option<LiveStatus>,
}

/// One scope's file with entries of ours.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ScopeStatus {
    /// The scope.
    pub scope: Scope,
    /// The file.
    pub file: PathBuf,
    /// The events, in the file's order.
    pub events: Vec<String>,
    /// What this scope can't hold.
    pub weaknesses: Vec<String>,
}

/// Something that switches hooks off.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OffSwitch {
    /// `disableAllHooks`, `allowManagedHooksOnly`, or a variable.
    pub name: String,
    /// The scope it is set in; `None` for the environment.
    pub scope: Option<Scope>,
    /// Where, as `file:line`, or the variable's name.
    pub place: String,
    /// The scopes whose hooks don't run because of it.
    pub hits: Vec<Scope>,
}

/// What the client itself showed last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LiveStatus {
    /// When, which client, and how it came out.
    #[serde(flatten)]
    pub proven: Proven,
    /// Why it says nothing of the client that is here now.
    pub expired: Option<String>,
}

/// The registered program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BinaryStatus {
    /// Where.
    pub path: PathBuf,
    /// It is there and can be started.
    pub present: bool,
    /// It is a static program; `None` where that can't be told.
    #[serde(rename = "static")]
    pub is_static: Option<bool>,
}

/// One settings file as the client would read it.
struct Read {
    place: Place,
    text: String,
    root: Node,
    entries: Vec<Entry>,
}

/// Looks at every file the client reads from here.
#[must_use]
pub fn status(around: &Surroundings) -> Status {
    let loaded = manifest::load(&around.harness);
    let host = host(around, &loaded);
    let ok = host.installed
        && host.scopes.iter().any(|s| runs(s.scope, &host.off_switches))
        && host.problems.is_empty();
    Status { schema: 1, ok, version: env!("CARGO_PKG_VERSION").to_owned(), hosts: vec![host] }
}

fn runs(scope: Scope, switches: &[OffSwitch]) -> bool {
    !switches.iter().any(|s| s.hits.contains(&scope))
}

fn host(around: &Surroundings, loaded: &Loaded) -> HostStatus {
    let manifest = loaded.get();
    let client = manifest.and_then(|m| m.entries.first()).and_then(|e| e.client.clone());
    let version = client.as_deref().and_then(Version::parse).unwrap_or(caps::NEWEST_MEASURED);
    let mut problems = Vec::new();
    if let Loaded::Broken(why) = loaded {
        problems
            .push(format!("the manifest can't be read: {why}; `harness install` writes it anew"));
    }
    problems.extend(policy_problems(around));
    let mut files: Vec<Read> = Vec::new();
    let mut ignored: Vec<PathBuf> = Vec::new();
    for place in all_places(around) {
        let file = place.file.clone();
        match read(place, version, manifest) {
            Ok(found) => files.extend(found),
            Err(problem) => {
                problems.push(problem);
                ignored.push(file);
            }
        }
    }
    let ours = |file: &PathBuf| manifest.is_some_and(|m| m.entries.iter().any(|e| e.file == *file));
    ignored.retain(ours);
    let scopes: Vec<ScopeStatus> = files.iter().filter_map(scope_status).collect();
    problems.extend(missing(manifest, &files, &ignored));
    problems.extend(not_ours_any_more(around, &files));
    let binary = program(around, manifest, &files);
    if let Some(binary) = &binary
        && !binary.present
    {
        let path = around.shown(&binary.path);
        problems
            .push(format!("the registered program {path} is gone; `harness install` mends that"));
    }
    HostStatus {
        id: HostId::ClaudeCode.as_str().to_owned(),
        installed: !scopes.is_empty(),
        off_switches: off_switches(&files),
        scopes,
        ignored,
        problems,
        binary,
        live: proven::last(&around.harness).map(|proven| LiveStatus {
            expired: proven.expired(around, client.as_deref()),
            proven,
        }),
        client,
    }
}

/// Policy files that can't be used, with the place of the first mistake in each, and guards
/// whose programs can't be started.
fn policy_problems(around: &Surroundings) -> Vec<String> {
    let home = in_force::home(around);
    let managed = paths::managed_policy();
    let project = Some(around.git_root.as_deref().unwrap_or(&around.cwd));
    let policy = Policy::load(&Sources { home: &home, managed, project });
    let mut all = Vec::new();
    for loaded in policy.layers() {
        let Some(first) = loaded.broken().and_then(|problems| problems.first()) else { continue };
        let effect = match loaded.layer {
            Layer::Project => "what is not plainly reading asks",
            _ => "every call is denied",
        };
        let place = first.located(&loaded.path.display().to_string());
        all.push(format!("policy {place}; {effect} until it is mended (`harness policy check`)"));
    }
    let (remarks, _) = remarks::of(&policy);
    let lost = remarks.iter().filter(|remark| remark.kind == "guard-lost");
    all.extend(lost.map(|remark| format!("policy {}: {}", remark.place(), remark.what)));
    all
}

/// The fixed files and the machine's drop-ins, each once.
fn all_places(around: &Surroundings) -> Vec<Place> {
    let mut all = places::settings_files(&around.roots());
    let folder = std::fs::read_dir(places::managed_drop_ins(around.os));
    let mut drop_ins: Vec<PathBuf> =
        folder.into_iter().flatten().flatten().map(|e| e.path()).collect();
    drop_ins.retain(|p| p.extension().is_some_and(|e| e == "json"));
    drop_ins.sort();
    all.extend(drop_ins.into_iter().map(|file| Place { scope: Scope::Managed, file }));
    let mut seen = std::collections::HashSet::new();
    all.retain(|p| seen.insert(p.file.clone()));
    all
}

fn read(
    place: Place,
    client: Version,
    manifest: Option<&Manifest>,
) -> Result<Option<Read>, String> {
    let name = place.file.display().to_string();
    let Some(bytes) = fs::read(&place.file).map_err(|e| e.to_string())? else { return Ok(None) };
    let text = String::from_utf8(bytes).map_err(|_| format!("{name}: not UTF-8"))?;
    if syntax::is_blank(&text) {
        return Ok(None);
    }
    let broken = |at: &dyn std::fmt::Display| format!("{name}:{at}; Claude Code ignores the file");
    let root = syntax::parse(&text).map_err(|e| broken(&e))?;
    let found = hooks::list(&text, client).map_err(|e| broken(&e))?;
    if let Some(fault) = found.file_dropped() {
        let at = format!("{}:{}: {}", fault.line, fault.column, fault.what);
        return Err(broken(&at));
    }
    let mut entries = found.entries;
    entries.retain(|e| own::is_ours(e, manifest) && e.fate == Fate::Kept && !e.shadowed);
    Ok(Some(Read { place, text, root, entries }))
}

fn scope_status(read: &Read) -> Option<ScopeStatus> {
    if read.entries.is_empty() {
        return None;
    }
    Some(ScopeStatus {
        scope: read.place.scope,
        file: read.place.file.clone(),
        events: read.entries.iter().map(|e| e.event.clone()).collect(),
        weaknesses: words::weaknesses(read.place.scope).iter().map(|w| (*w).to_owned()).collect(),
    })
}

/// Entries that were installed and are no longer there, or are there twice.
/// In a file that can't be read at all nothing is said to be gone.
fn missing(manifest: Option<&Manifest>, files: &[Read], ignored: &[PathBuf]) -> Vec<String> {
    let mut problems = Vec::new();
    let entries = manifest.map(|m| m.entries.as_slice()).unwrap_or_default();
    for entry in entries.iter().filter(|entry| !ignored.contains(&entry.file)) {
        let there = files.iter().filter(|f| f.place.file == entry.file);
        if !there.clone().any(|f| f.entries.iter().any(|e| entry.is(e))) && entry.file.exists() {
            problems.push(format!(
                "{}: the entry for {} is gone or changed; `harness install` puts it back",
                entry.file.display(),
                entry.event
            ));
        }
    }
    for file in files {
        let mut events: Vec<&str> = file.entries.iter().map(|e| e.event.as_str()).collect();
        events.sort_unstable();
        for pair in events.chunk_by(|a, b| a == b).filter(|c| c.len() > 1) {
            let (file, event) =
                (file.place.file.display(), pair.first().copied().unwrap_or_default());
            problems.push(format!(
                "{file}: {} entries for {event}; `harness install` leaves one",
                pair.len()
            ));
        }
    }
    problems
}

/// Entries of an installation that the state folder doesn't know: what they start denies
/// every call, or, if it was uninstalled, says nothing.
fn not_ours_any_more(around: &Surroundings, files: &[Read]) -> Option<String> {
    let bad = |entry: &Entry| {
        let words: Vec<OsString> = own::argv(entry)?.into_iter().map(OsString::from).collect();
        let start = words.iter().position(|word| word == "hook")?;
        let said = argv::parse(words.get(start + 1..)?).ok()?;
        let state = said.home.map_or_else(|| around.harness.state.clone(), |home| home.state);
        let effect = match standing(&state, said.owner.as_deref()) {
            Standing::Ours => return None,
            Standing::Retired => "was uninstalled, so nothing is stopped",
            Standing::Unknown | Standing::Unreadable(_) => "isn't known, so every call is denied",
        };
        let folder = around.shown(&state);
        Some(format!(
            "{folder}: the installation that the entry for {} names {effect}; `harness install` mends that",
            entry.event
        ))
    };
    files.iter().flat_map(|file| &file.entries).find_map(bad)
}

fn program(
    around: &Surroundings,
    manifest: Option<&Manifest>,
    files: &[Read],
) -> Option<BinaryStatus> {
    let found =
        files.iter().flat_map(|f| &f.entries).find_map(|e| own::argv(e)?.into_iter().next());
    let at_home = |word: String| match word.strip_prefix("~/") {
        Some(rest) => around.home.join(rest),
        None => PathBuf::from(word),
    };
    // A shared project's entries name no place.
    let found = found.map(at_home).filter(|path| path.is_absolute());
    let path = found.or_else(|| manifest.map(|m| m.binary.clone()))?;
    let present = fs::is_executable(&path);
    Some(BinaryStatus { is_static: binary::is_static(&path), present, path })
}

/// What keeps the client from starting, here, the hooks of a scope.
#[must_use]
pub fn switched_off(around: &Surroundings, scope: Scope) -> Vec<OffSwitch> {
    let loaded = manifest::load(&around.harness);
    let mut switches = host(around, &loaded).off_switches;
    switches.retain(|switch| switch.hits.contains(&scope));
    switches
}

impl OffSwitch {
    /// What it does, and what to do about it.
    #[must_use]
    pub fn told(&self) -> String {
        let (name, place) = (&self.name, &self.place);
        let (at, out) = match self.scope {
            Some(_) => (format!(" at {place}"), "take it out there"),
            None => (String::new(), "unset it where the client is started"),
        };
        format!("`{name}`{at} keeps the client from starting these hooks; {out}")
    }
}

fn off_switches(files: &[Read]) -> Vec<OffSwitch> {
    let mut switches = Vec::new();
    let managed = files.iter().filter(|f| f.place.scope == Scope::Managed);
    for file in managed {
        if is_true(file, "disableAllHooks") {
            switches.push(switch(file, "disableAllHooks", Scope::ALL));
        }
        if is_true(file, "allowManagedHooksOnly") {
            switches.push(switch(file, "allowManagedHooksOnly", BELOW_MANAGED));
        }
    }
    // The nearest scope that says anything decides: local, project, user.
    let nearest = [Scope::Local, Scope::Project, Scope::User].into_iter().find_map(|scope| {
        files
            .iter()
            .find(|f| f.place.scope == scope && f.root.get("disableAllHooks").is_some_and(is_bool))
    });
    if let Some(file) = nearest.filter(|f| is_true(f, "disableAllHooks")) {
        switches.push(switch(file, "disableAllHooks", BELOW_MANAGED));
    }
    for name in ["CLAUDE_CODE_SIMPLE", "CLAUDE_CODE_SAFE_MODE"] {
        if std::env::var_os(name).is_some_and(|v| !v.is_empty() && v != "0" && v != "false") {
            let (name, hits) = (name.to_owned(), BELOW_MANAGED.to_vec());
            switches.push(OffSwitch { place: name.clone(), name, scope: None, hits });
        }
    }
    switches
}

const BELOW_MANAGED: &[Scope] = &[Scope::User, Scope::Project, Scope::Local];

fn is_bool(member: &syntax::Member) -> bool {
    matches!(member.value.value, Value::Bool(_))
}

fn is_true(file: &Read, key: &str) -> bool {
    file.root.get(key).is_some_and(|m| m.value.value == Value::Bool(true))
}

fn switch(file: &Read, key: &str, hits: &[Scope]) -> OffSwitch {
    let at = file.root.get(key).map_or(0, |m| m.key_span.start);
    let (line, _) = syntax::line_column(&file.text, at);
    OffSwitch {
        name: key.to_owned(),
        scope: Some(file.place.scope),
        place: place(&file.place.file, line),
        hits: hits.to_vec(),
    }
}

fn place(file: &Path, line: usize) -> String {
    format!("{}:{line}", file.display())
}
