//! The hosts beside Claude Code: the file that each reads its hooks from, our hooks in it
//! and out of it again. One table says where the hosts differ.

use super::apply::{lock, remove_folders};
use super::binary::{self, Program};
use super::entries::{sh_word, takes_part, words};
use super::failure::Failure;
use super::manifest::{self, Beside, FileRecord, Manifest};
use super::plan::{missing_folders, must_be_whole};
use super::run::{Output, bounded};
use super::surroundings::Surroundings;
use super::{backup, own, owner, remove, target};
use crate::hook::limits::registered_timeout_s;
use crate::hosts::claude_code::caps::NEWEST_MEASURED;
use crate::hosts::claude_code::places::Scope;
use crate::hosts::places::Place;
use crate::hosts::understood::{self, Understood};
use crate::hosts::{EventName, HostId, Reply};
use crate::journal::{place, probe};
use crate::policy::{Policy, Sources};
use crate::settings::edit::{self, Group};
use crate::settings::hooks::{self, Entry};
use crate::sys::fs::{self, Readers};
use crate::sys::paths;
use serde_json::{Map, Value, json};
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The hook answers within its own deadline; beyond that it's dead.
const PATIENCE: Duration = Duration::from_secs(12);

/// Where a host reads hooks, and in which units.
struct Site {
    host: HostId,
    /// The file in its folder; all of it is ours where the host reads every file of a folder.
    file: &'static str,
    /// How many of its units of a timeout are a second.
    second: u32,
    /// Whether a hook has a name, by which a person can switch it off.
    named: bool,
    /// What a person has to do before it starts the hooks.
    todo: Option<&'static str>,
}

const SITES: &[Site] = &[
    Site { host: HostId::Grok, file: "hooks/harness.json", second: 1, named: false, todo: None },
    Site {
        host: HostId::Codex,
        file: "hooks.json",
        second: 1,
        named: false,
        todo: Some(
            "Codex starts no hook that you haven't trusted: start `codex` and choose to trust it",
        ),
    },
    Site { host: HostId::Gemini, file: "settings.json", second: 1_000, named: true, todo: None },
    Site { host: HostId::Copilot, file: "hooks/harness.json", second: 1, named: false, todo: None },
    Site { host: HostId::Qwen, file: "settings.json", second: 1_000, named: false, todo: None },
];

/// What an install or uninstall does to a host's file.
#[derive(Debug)]
pub struct Change {
    /// The host.
    pub host: HostId,
    /// Its file.
    pub file: PathBuf,
    /// The text as it is; `None` if there is no file.
    pub old: Option<String>,
    /// The text as it will be; `None` if the file goes.
    pub new: Option<String>,
    /// What a person has to do before the host starts the hooks.
    pub todo: Option<&'static str>,
    /// The events of our hooks, as the host names them.
    pub events: Vec<&'static str>,
    record: FileRecord,
}

impl Change {
    /// Whether anything changes.
    #[must_use]
    pub fn changes(&self) -> bool {
        self.old != self.new
    }
}

fn site(host: HostId) -> Option<&'static Site> {
    SITES.iter().find(|site| site.host == host)
}

impl Site {
    fn root(&self, around: &Surroundings) -> Option<PathBuf> {
        Place::of(self.host).map(|place| place.root(&around.home, &|v| env::var_os(v)))
    }

    fn path(&self, around: &Surroundings) -> Option<PathBuf> {
        self.root(around).map(|root| root.join(self.file))
    }

    fn group(&self, event: EventName, theirs: &str, command: &str) -> Group {
        let mut fields = Map::new();
        fields.insert("type".into(), "command".into());
        if self.named {
            fields.insert("name".into(), "harness".into());
        }
        fields.insert("command".into(), command.into());
        fields.insert("timeout".into(), (registered_timeout_s(event) * self.second).into());
        Group { event: theirs.to_owned(), value: json!({ "hooks": [fields] }) }
    }
}

/// The hosts of whom this person has a folder.
#[must_use]
pub fn found(around: &Surroundings) -> Vec<HostId> {
    let is_there = |s: &&Site| s.root(around).is_some_and(|root| root.is_dir());
    SITES.iter().filter(is_there).map(|s| s.host).collect()
}

/// The files that hooks go into, whether they are there or not.
pub(super) fn files(around: &Surroundings) -> impl Iterator<Item = PathBuf> {
    SITES.iter().filter_map(|site| site.path(around))
}

/// An install into one host.
pub struct Prepared {
    around: Surroundings,
    site: &'static Site,
    file: PathBuf,
    program: Program,
    events: Vec<(EventName, &'static str)>,
}

/// Looks around.
///
/// # Errors
/// The host isn't one of these, or the program can't be registered.
pub fn prepare(around: Surroundings, host: HostId) -> Result<Prepared, Failure> {
    let Some((site, file)) = site(host).and_then(|site| Some((site, site.path(&around)?))) else {
        let what = format!("harness can't install itself into `{}` yet", host.as_str());
        return Err(Failure::usage(what, "its hooks can be written by hand"));
    };
    if fs::is_sudo_in_home_of_another(&around.home) {
        return Err(Failure::usage(
            "this is `sudo` in another user's home: the files would become root's",
            "run it without `sudo`",
        ));
    }
    let program = binary::choose(&around, Scope::User)?;
    let managed = paths::managed_policy();
    let policy = Policy::load(&Sources { home: &around.harness, managed, project: None });
    must_be_whole(&policy)?;
    let events = host.profile().events.iter().copied();
    let events = events.filter(|(ours, _)| takes_part(*ours, &policy)).collect();
    Ok(Prepared { around, site, file, program, events })
}

impl Prepared {
    /// The registered program.
    #[must_use]
    pub fn program(&self) -> &Path {
        &self.program.path
    }

    fn command(&self, event: EventName, owner: &str) -> String {
        let words = words(self.site.host, event, Some(owner), &self.around);
        let all = std::iter::once(self.program.path.to_string_lossy().into_owned()).chain(words);
        all.map(|word| sh_word(&word)).collect::<Vec<_>>().join(" ")
    }

    /// What would change for an installation of that id.
    ///
    /// # Errors
    /// The file can't be read, or isn't in the shape of hooks.
    pub fn draft(&self) -> Result<Change, Failure> {
        let owner = owner::current(&self.around.harness)?;
        self.draft_for(&owner.unwrap_or_else(|| "(made by the install)".to_owned()))
    }

    fn draft_for(&self, owner: &str) -> Result<Change, Failure> {
        let file = self.file.clone();
        let loaded = manifest::load(&self.around.harness);
        let known = loaded.get().and_then(|m| record(m, &file));
        let old = target::read(&file)?;
        let groups: Vec<Group> = self
            .events
            .iter()
            .map(|(event, theirs)| self.site.group(*event, theirs, &self.command(*event, owner)))
            .collect();
        let text = old.clone().unwrap_or_default();
        let mut record = known.cloned().unwrap_or_else(|| FileRecord {
            file: file.clone(),
            created: old.is_none(),
            folders: missing_folders(&file),
            link: std::fs::read_link(&file).ok(),
            trace: edit::Trace::default(),
        });
        // What is right stays where it is: Codex trusts a hook by its place in the file.
        let new = if is_done(&text, &groups, loaded.get()) {
            text
        } else {
            let base = strip(&file, &text, known, loaded.get())?;
            let (new, trace) = edit::install(&base, &groups)
                .map_err(|e| target::broken(&file, e.place(), e.message(), "mend that line"))?;
            record.trace = trace;
            new
        };
        let events = self.events.iter().map(|(_, theirs)| *theirs).collect();
        let (host, todo) = (self.site.host, self.site.todo);
        Ok(Change { host, file, old, new: Some(new), todo, events, record })
    }

    /// Installs.
    ///
    /// # Errors
    /// Something is in the way, or the hook didn't prove itself; then nothing is changed.
    pub fn apply(&self) -> Result<Change, Failure> {
        let home = &self.around.harness;
        let _lock = lock(&home.state)?;
        binary::put(&self.program)?;
        let current = owner::current(home)?;
        let is_new = current.is_none();
        let owner = current.unwrap_or_else(owner::fresh);
        if is_new {
            owner::keep(home, &owner)?;
        }
        let memory = manifest::path(home);
        let before = fs::read(&memory)?;
        let done = self.write(&owner);
        if done.is_err() {
            // What can't be put back is said by the failure that led here, and by doctor.
            if is_new {
                let _ = owner::retire(home);
            }
            let _ = match before {
                Some(bytes) => fs::write_private(&memory, &bytes).is_ok(),
                None => std::fs::remove_file(&memory).is_ok(),
            };
        }
        done
    }

    /// The proof comes first: a host runs what it finds at once.
    fn write(&self, owner: &str) -> Result<Change, Failure> {
        let home = &self.around.harness;
        let draft = self.draft_for(owner)?;
        let before = manifest::load(home).get().cloned();
        let mut manifest = before.unwrap_or_else(Manifest::empty);
        if manifest.entries.is_empty() {
            manifest.stamp(&self.program);
        }
        manifest.beside.retain(|b| b.record.file != draft.file);
        let host = draft.host.as_str().to_owned();
        manifest.beside.push(Beside { host, record: draft.record.clone() });
        manifest.save(home)?;
        self.prove(owner).map_err(|why| {
            let what = format!("the hooks did not prove themselves: {why}");
            Failure::unproven(what, "the host's settings are as they were".to_owned())
        })?;
        if let (true, Some(new)) = (draft.changes(), &draft.new) {
            let old = draft.old.as_deref().map(str::as_bytes);
            if let Some(bytes) = old {
                backup::keep(home, &draft.file, bytes)?;
            }
            if let Some(folder) = draft.file.parent() {
                fs::folder(folder, Readers::Owner)?;
            }
            fs::replace(&draft.file, old, new.as_bytes(), Readers::Owner)?;
        }
        Ok(draft)
    }

    /// Starts the gate as the host does: a write to harness's own policy must be stopped, as
    /// that host understands the answer, and a harmless call must not.
    fn prove(&self, owner: &str) -> Result<(), String> {
        let scratch = tempfile::tempdir().map_err(|e| format!("no scratch folder: {e}"))?;
        let policy = sh_word(&self.around.harness.policy().to_string_lossy());
        let denied = self.call(owner, scratch.path(), &format!("echo probe > {policy}"))?;
        if !matches!(denied.0, Understood::Stopped(_)) {
            return Err(format!("a write to harness's own policy was not denied ({})", denied.1));
        }
        let passed = self.call(owner, scratch.path(), "echo harmless")?;
        if passed.0 != Understood::Runs {
            return Err(format!("a harmless call was denied too ({})", passed.1));
        }
        Ok(())
    }

    fn call(&self, owner: &str, cwd: &Path, line: &str) -> Result<(Understood, String), String> {
        let host = self.site.host;
        let profile = host.profile();
        let tool = profile.tools.iter().find(|(_, ours)| *ours == "Bash").map_or("Bash", |t| t.0);
        let session = probe::session(&owner::fresh());
        let payload = json!({
            "session_id": session,
            "transcript_path": cwd.join("transcript.jsonl"),
            "cwd": cwd,
            "hook_event_name": profile.theirs(EventName::PreToolUse),
            "tool_name": tool,
            "tool_input": { "command": line },
        });
        let mut command = Command::new("/bin/sh");
        command.args(["-c", &self.command(EventName::PreToolUse, owner)]).current_dir(cwd);
        let ran = bounded(command, format!("{payload}\n").as_bytes(), PATIENCE);
        let _ = std::fs::remove_file(place::session(&self.around.harness.state, &session));
        let ran = ran.map_err(|e| format!("the hook did not start: {e}"))?;
        let reply = reply(&ran).ok_or("the hook ended without an exit code")?;
        let said = String::from_utf8_lossy(&reply.stderr).trim().to_owned();
        Ok((understood::call(host, &reply), format!("exit {}: {said}", reply.code)))
    }
}

fn reply(ran: &Output) -> Option<Reply> {
    let code = u8::try_from(ran.status?.code()?).ok()?;
    Some(Reply { stdout: ran.stdout.clone(), stderr: ran.stderr.clone(), code })
}

fn record<'m>(manifest: &'m Manifest, file: &Path) -> Option<&'m FileRecord> {
    manifest.beside.iter().map(|b| &b.record).find(|r| r.file == file)
}

/// Whether the groups wanted are there, each once, and no other of ours.
fn is_done(text: &str, groups: &[Group], manifest: Option<&Manifest>) -> bool {
    let Ok(listed) = hooks::list(text, NEWEST_MEASURED) else { return false };
    let ours: Vec<&Entry> = listed.entries.iter().filter(|e| own::is_ours(e, manifest)).collect();
    let is = |entry: &Entry, group: &Group| {
        let fields = group.value.pointer("/hooks/0").and_then(Value::as_object);
        entry.event == group.event && entry.matcher.is_none() && fields == Some(&entry.fields)
    };
    ours.len() == groups.len() && groups.iter().all(|g| ours.iter().any(|e| is(e, g)))
}

fn strip(
    file: &Path,
    text: &str,
    known: Option<&FileRecord>,
    manifest: Option<&Manifest>,
) -> Result<String, Failure> {
    let ours = |entry: &Entry| own::is_ours(entry, manifest);
    edit::strip(text, known.map(|k| &k.trace), &ours)
        .map_err(|e| target::broken(file, (e.line, e.column), &e.message, "mend that line"))
}

/// What taking our hooks out of a host means; `None` if none are in it.
///
/// # Errors
/// The file can't be read.
pub fn removal(around: &Surroundings, host: HostId) -> Result<Option<Change>, Failure> {
    let Some((site, usual)) = site(host).and_then(|site| Some((site, site.path(around)?))) else {
        return Ok(None);
    };
    let loaded = manifest::load(&around.harness);
    let manifest = loaded.get();
    let remembered = manifest.and_then(|m| m.beside.iter().find(|b| b.host == host.as_str()));
    let known = remembered.map(|b| &b.record);
    let file = known.map_or(usual, |k| k.file.clone());
    let old = target::read(&file)?;
    let new = old.as_deref().map(|text| strip(&file, text, known, manifest)).transpose()?;
    if known.is_none() && old == new {
        return Ok(None);
    }
    let mut record = known.cloned().unwrap_or_else(|| FileRecord {
        file: file.clone(),
        // A file of that name in a folder of the host's is nobody's but ours.
        created: site.file.ends_with("/harness.json"),
        folders: Vec::new(),
        link: None,
        trace: edit::Trace::default(),
    });
    record.created &= new.as_deref().is_some_and(is_empty);
    let new = new.filter(|_| !record.created);
    Ok(Some(Change { host, file, old, new, todo: None, events: Vec::new(), record }))
}

fn is_empty(text: &str) -> bool {
    crate::settings::syntax::is_blank(text)
        || serde_json::from_str(text).is_ok_and(|value: Value| value == json!({}))
}

/// Takes our hooks out of a host.
///
/// # Errors
/// The file can't be read or replaced; then it and the memory of it stay as they are.
pub fn remove(around: &Surroundings, host: HostId) -> Result<Option<Change>, Failure> {
    let home = &around.harness;
    let _lock = lock(&home.state)?;
    let Some(change) = removal(around, host)? else { return Ok(None) };
    if let (true, Some(old)) = (change.changes(), &change.old) {
        backup::keep(home, &change.file, old.as_bytes())?;
        match &change.new {
            Some(new) => {
                fs::replace(&change.file, Some(old.as_bytes()), new.as_bytes(), Readers::Owner)?;
            }
            None => {
                fs::remove(&change.file, old.as_bytes())?;
                remove_folders(&change.record.folders);
            }
        }
    }
    let mut manifest = manifest::load(home).get().cloned();
    if let Some(manifest) = &mut manifest {
        manifest.beside.retain(|b| b.record.file != change.file);
    }
    remove::forget(around, manifest, true)?;
    Ok(Some(change))
}
