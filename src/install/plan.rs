//! What an install would do, before it does anything.

use super::binary::{self, Program};
use super::clients::{self, Clients};
use super::entries::{Wish, wanted};
use super::failure::Failure;
use super::manifest::{self, FileRecord, Loaded, Manifest, Registered};
use super::surroundings::Surroundings;
use super::{own, owner, target};
use crate::hosts::claude_code::caps;
use crate::hosts::claude_code::places::Scope;
use crate::policy::{Layer, Policy, Sources};
use crate::settings::edit::{self, Group};
use crate::settings::hooks::{self, Entry};
use crate::sys::{fs, paths};
use std::path::{Path, PathBuf};

/// What stands in a preview for an id that isn't made yet.
const UNMADE: &str = "(made by the install)";

/// What was found on the machine; slow to find and not changed by waiting for a person.
#[derive(Debug)]
pub struct Prepared {
    /// Where.
    pub around: Surroundings,
    /// The scope.
    pub scope: Scope,
    /// The settings file.
    pub file: PathBuf,
    /// The clients that will read it.
    pub clients: Clients,
    /// The program that will be registered.
    pub program: Program,
    /// Project scope: those who lack harness are stopped, not just told.
    require: bool,
    policy: Policy,
}

/// What would change, as of now.
#[derive(Debug)]
pub struct Draft {
    /// The entries wanted.
    pub entries: Vec<Registered>,
    /// The settings as they are; `None` if there is no file.
    pub old: Option<String>,
    /// The settings as they will be.
    pub new: String,
    /// How the file stood before anything of ours was in it.
    pub record: FileRecord,
    /// What a person should know.
    pub notes: Vec<String>,
    /// Why the client that the entries are written for ignores the whole file, as it did
    /// before, if it does.
    pub ignored: Option<String>,
    /// The installation's id.
    pub(super) owner: String,
    /// The id is new.
    pub(super) owner_is_new: bool,
    /// The manifest as it is.
    pub(super) before: Option<Manifest>,
}

impl Draft {
    /// Whether the settings change.
    #[must_use]
    pub fn changes(&self) -> bool {
        self.old.as_deref() != Some(self.new.as_str())
    }

    /// The settings as they will be, for a person to look at: an id that an install has yet
    /// to make can't be shown.
    #[must_use]
    pub fn preview(&self) -> String {
        if self.owner_is_new { self.new.replace(&self.owner, UNMADE) } else { self.new.clone() }
    }
}

/// Looks around: clients, program, policy.
///
/// # Errors
/// The scope can't be written from here, or the program can't be registered.
pub fn prepare(around: Surroundings, scope: Scope, require: bool) -> Result<Prepared, Failure> {
    refuse(&around, scope)?;
    let clients = clients::find(&around);
    with_clients(around, scope, require, clients)
}

fn with_clients(
    around: Surroundings,
    scope: Scope,
    require: bool,
    clients: Clients,
) -> Result<Prepared, Failure> {
    refuse(&around, scope)?;
    let program = binary::choose(&around, scope)?;
    if scope == Scope::Managed {
        binary::must_be_the_machines(&program, &around.file(scope))?;
    }
    let file = around.file(scope);
    let inside = matches!(scope, Scope::Local | Scope::Project);
    let project = inside.then_some(around.cwd.as_path());
    let sources = Sources { home: &around.harness, managed: paths::managed_policy(), project };
    let policy = Policy::load(&sources);
    must_be_whole(&policy)?;
    Ok(Prepared { scope, file, clients, program, require, policy, around })
}

fn refuse(around: &Surroundings, scope: Scope) -> Result<(), Failure> {
    let root = match scope {
        Scope::Local => around.git_root.as_deref().unwrap_or(&around.cwd),
        _ => &around.cwd,
    };
    let inside = matches!(scope, Scope::Local | Scope::Project);
    // There `.claude` is the person's own folder, not a project's.
    let config =
        crate::hosts::claude_code::places::config_dir(&around.home, around.config_dir.as_deref());
    let nowhere = root == around.home || root.parent().is_none() || config == root.join(".claude");
    if inside && nowhere {
        return Err(Failure::usage(
            format!("`{}` is no project", root.display()),
            "go to the project's folder, or use `--scope user`",
        ));
    }
    if scope != Scope::Managed && fs::is_sudo_in_home_of_another(&around.home) {
        return Err(Failure::usage(
            "this is `sudo` in another user's home: the files would become root's",
            "run it without `sudo`",
        ));
    }
    Ok(())
}

/// A broken file of the person's or the machine's denies every call that isn't reading:
/// hooks installed over it would lock a person out.
pub(super) fn must_be_whole(policy: &Policy) -> Result<(), Failure> {
    for layer in policy.layers().iter().filter(|l| l.layer != Layer::Project) {
        let Some(first) = layer.broken().and_then(<[_]>::first) else { continue };
        let (file, line, column) = (layer.path.display(), first.line, first.column);
        let place = if line == 0 { file.to_string() } else { format!("{file}:{line}:{column}") };
        return Err(Failure::could_not(
            format!("{place}: the policy is broken: {}", first.what),
            Some("nothing was changed; `harness policy check` shows all that is wrong".into()),
        ));
    }
    Ok(())
}

impl Prepared {
    /// What would change, as things are now.
    ///
    /// # Errors
    /// The settings can't be read, don't parse, or aren't in the shape of settings.
    pub fn draft(&self) -> Result<Draft, Failure> {
        let home = &self.around.harness;
        let loaded = manifest::load(home);
        let current = owner::current(home)?;
        let owner_is_new = current.is_none();
        let owner = current.unwrap_or_else(owner::fresh);
        let binary = self.program.path.to_string_lossy();
        let wish = Wish {
            scope: self.scope,
            require: self.require,
            binary: &binary,
            owner: &owner,
            clients: &self.clients,
            policy: &self.policy,
        };
        let entries = wanted(&wish, &self.around);
        let old = target::read(&self.file)?;
        let (new, record) = self.edit(old.as_deref(), &entries, loaded.get())?;
        let mut notes = self.clients.notes();
        let read = target::check(&self.file, old.as_deref(), &new, &self.clients)?;
        notes.extend(read.notes);
        notes.extend(self.said(&loaded));
        notes.extend(self.elsewhere());
        notes.extend(self.mixed(&new, loaded.get()));
        let before = loaded.get().cloned();
        let ignored = read.ignored;
        Ok(Draft { entries, old, new, record, notes, ignored, owner, owner_is_new, before })
    }

    fn said(&self, loaded: &Loaded) -> Vec<String> {
        let mut notes = Vec::new();
        if let Loaded::Broken(why) = loaded {
            notes.push(format!("the manifest was unreadable ({why}) and is written anew"));
        }
        if self.program.copy_from.is_some() {
            notes.push(format!(
                "the running program is in a place that won't last: it is copied to {}",
                self.around.shown(&self.program.path)
            ));
        }
        if let Ok(end) = fs::follow(&self.file)
            && self.file.is_symlink()
        {
            let (link, end) = (self.around.shown(&self.file), self.around.shown(&end));
            notes.push(format!("{link} is a link: {end} is what changes"));
        }
        notes
    }

    /// Other scopes that hold entries too: each runs, and a later one's attributes win.
    fn elsewhere(&self) -> Vec<String> {
        let found = super::status::status(&self.around);
        let scopes = found.hosts.iter().flat_map(|h| &h.scopes);
        scopes
            .filter(|s| s.file != self.file)
            .map(|s| format!("{} has hooks of harness too", self.around.shown(&s.file)))
            .collect()
    }

    /// Hooks of others that start ours too.
    fn mixed(&self, text: &str, manifest: Option<&Manifest>) -> Vec<String> {
        let lines = own::mixed_lines(text, manifest).into_iter();
        lines.map(|line| {
            format!(
                "{}:{line}: this hook starts harness among other programs and is left as it is: harness runs twice for it until a person takes it out of that line",
                self.around.shown(&self.file)
            )
        })
        .collect()
    }

    /// The person's other settings that hold entries of ours in an older form: what is
    /// installed anew here would run beside an old program there.
    #[must_use]
    pub fn outdated_elsewhere(&self) -> Vec<Self> {
        let scopes = match self.scope {
            Scope::Managed => &[][..],
            _ => &[Scope::User, Scope::Local],
        };
        let others = scopes.iter().filter(|s| **s != self.scope).filter_map(|scope| {
            let other = with_clients(self.around.clone(), *scope, false, self.clients.clone());
            let other = other.ok().filter(|o| o.file != self.file)?;
            let holds = |draft: &Draft| {
                let manifest = draft.before.as_ref();
                let found = hooks::list(draft.old.as_deref()?, caps::NEWEST_MEASURED).ok()?;
                Some(found.entries.iter().any(|e| own::is_ours(e, manifest)))
            };
            let draft = other.draft().ok()?;
            (holds(&draft) == Some(true) && draft.changes()).then_some(other)
        });
        others.collect()
    }

    /// The settings with exactly the wanted entries of ours.
    fn edit(
        &self,
        old: Option<&str>,
        entries: &[Registered],
        manifest: Option<&Manifest>,
    ) -> Result<(String, FileRecord), Failure> {
        let text = old.unwrap_or_default();
        let known = manifest.and_then(|m| m.record(&self.file));
        let done = old.is_some() && is_done(text, entries, manifest);
        if let (Some(record), true) = (known, done) {
            return Ok((text.to_owned(), record.clone()));
        }
        let ours = |entry: &Entry| own::is_ours(entry, manifest);
        let base = edit::strip(text, known.map(|k| &k.trace), &ours).map_err(|e| {
            target::broken(&self.file, (e.line, e.column), &e.message, "mend that line")
        })?;
        let groups: Vec<Group> = entries.iter().map(Registered::group).collect();
        let (new, trace) = edit::install(&base, &groups)
            .map_err(|e| target::broken(&self.file, e.place(), e.message(), "mend that line"))?;
        // Without a memory, entries that are right stay where they are.
        let new = if done { text.to_owned() } else { new };
        let record = FileRecord {
            file: self.file.clone(),
            created: known.is_some_and(|k| k.created) || old.is_none(),
            folders: known.map(|k| k.folders.clone()).unwrap_or_default(),
            link: std::fs::read_link(&self.file).ok(),
            trace,
        };
        Ok((new, record))
    }
}

/// Whether the entries wanted are there, each once, and no other of ours.
pub(super) fn is_done(text: &str, entries: &[Registered], manifest: Option<&Manifest>) -> bool {
    let Ok(found) = hooks::list(text, caps::NEWEST_MEASURED) else { return false };
    let ours: Vec<&Entry> = found.entries.iter().filter(|e| own::is_ours(e, manifest)).collect();
    ours.len() == entries.len()
        && entries.iter().all(|wanted| ours.iter().any(|found| wanted.is(found) && !found.shadowed))
}

/// The folders that have to be made for a file, outermost first.
pub(super) fn missing_folders(file: &Path) -> Vec<PathBuf> {
    let mut missing: Vec<PathBuf> =
        file.ancestors().skip(1).take_while(|f| !f.exists()).map(Path::to_path_buf).collect();
    missing.reverse();
    missing
}

#[cfg(test)]
#[path = "plan_tests.rs"]
mod tests;
