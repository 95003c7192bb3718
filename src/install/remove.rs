//! The way out: entries first, then the id is retired, then the manifest forgets.

use super::apply::{lock, point, readers, remove_folders};
use super::failure::Failure;
use super::manifest::{self, FileRecord, Manifest};
use super::surroundings::Surroundings;
use super::{backup, in_force, leftovers, own, owner, target};
use crate::hosts::claude_code::places::{self, Scope};
use crate::settings::edit;
use crate::settings::hooks::Entry;
use crate::settings::syntax;
use crate::sys::fs::{self, FsError};
use std::path::{Path, PathBuf};

/// How often a settings file that others keep writing is tried.
const TRIES: usize = 8;

/// What taking the entries out of one file means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Removal {
    /// The scope.
    pub scope: Scope,
    /// The settings file.
    pub file: PathBuf,
    /// How many entries of ours are in it.
    pub entries: usize,
    /// Its text; `None` if there is no file.
    pub old: Option<String>,
    /// Its text without them; `None` if the file goes.
    pub new: Option<String>,
    /// Lines of the text left that start harness among other programs.
    pub mixed: Vec<usize>,
    /// Folders that were made for it.
    folders: Vec<PathBuf>,
}

impl Removal {
    /// Whether anything changes.
    #[must_use]
    pub fn changes(&self) -> bool {
        self.old != self.new
    }
}

/// What an uninstall does, file by file.
#[derive(Debug, Default)]
pub struct Removals {
    /// Files with entries of ours.
    pub files: Vec<Removal>,
    /// Files that could not be read or changed: they may still hold entries.
    pub failures: Vec<Failure>,
    /// What a person should know.
    pub notes: Vec<String>,
    /// The program that the entries started.
    pub program: Option<PathBuf>,
}

impl Removals {
    /// The files that change.
    #[must_use]
    pub fn changed(&self) -> Vec<(Scope, PathBuf)> {
        let changed = self.files.iter().filter(|f| f.changes());
        changed.map(|f| (f.scope, f.file.clone())).collect()
    }
}

/// Says what would be taken out: of every file the manifest names and the person's own
/// settings, or of one scope.
#[must_use]
pub fn draft(around: &Surroundings, scopes: &[Scope]) -> Removals {
    let loaded = manifest::load(&around.harness);
    let mut removals = Removals::default();
    for (scope, file) in files(around, scopes, loaded.get()) {
        match removal(scope, &file, loaded.get()) {
            Ok(Some(found)) => removals.files.push(found),
            Ok(None) => {}
            Err(failure) => removals.failures.push(failure),
        }
    }
    removals
}

fn files(
    around: &Surroundings,
    scopes: &[Scope],
    manifest: Option<&Manifest>,
) -> Vec<(Scope, PathBuf)> {
    let wanted = |scope: Scope| scopes.is_empty() || scopes.contains(&scope);
    let remembered = manifest.map(|m| m.entries.as_slice()).unwrap_or_default();
    let mut files: Vec<(Scope, PathBuf)> =
        remembered.iter().filter(|e| wanted(e.scope)).map(|e| (e.scope, e.file.clone())).collect();
    let asked = if scopes.is_empty() { &[Scope::User][..] } else { scopes };
    files.extend(asked.iter().map(|scope| (*scope, around.file(*scope))));
    if wanted(Scope::User) {
        // The folder may have been moved since, and the manifest lost.
        let usual = places::config_dir(&around.home, None).join("settings.json");
        files.push((Scope::User, usual));
    }
    let mut seen = std::collections::HashSet::new();
    files.retain(|(_, file)| seen.insert(file.clone()));
    files
}

fn removal(
    scope: Scope,
    file: &Path,
    manifest: Option<&Manifest>,
) -> Result<Option<Removal>, Failure> {
    let record = manifest.and_then(|m| m.record(file));
    let Some(old) = target::read(file)? else {
        return Ok(record.map(|r| gone(scope, r)));
    };
    if syntax::is_blank(&old) {
        return Ok(record.map(|r| Removal {
            old: Some(old.clone()),
            new: Some(old),
            ..gone(scope, r)
        }));
    }
    let ours = |entry: &Entry| own::is_ours(entry, manifest);
    let broken = |e: syntax::SyntaxError| {
        target::broken(file, (e.line, e.column), &e.message, "mend that line")
    };
    let client = crate::hosts::claude_code::caps::NEWEST_MEASURED;
    let found = crate::settings::hooks::list(&old, client).map_err(broken)?;
    let entries = found.entries.iter().filter(|e| ours(e)).count();
    let mixed = own::mixed_lines(&old, manifest);
    if entries == 0 && record.is_none() && mixed.is_empty() {
        return Ok(None);
    }
    let new = edit::strip(&old, record.map(|r| &r.trace), &ours).map_err(broken)?;
    let goes = entries > 0 && record.is_some_and(|r| r.created) && syntax::is_blank(&new);
    // The machine's drop-in is all ours: an empty one has no use.
    let goes = goes || (entries > 0 && scope == Scope::Managed && is_empty(&new));
    let folders = record.map(|r| r.folders.clone()).unwrap_or_default();
    let new = (!goes).then_some(new);
    let mixed = new.as_deref().map_or_else(Vec::new, |new| own::mixed_lines(new, manifest));
    let file = file.to_path_buf();
    Ok(Some(Removal { scope, file, entries, old: Some(old), new, mixed, folders }))
}

fn is_empty(text: &str) -> bool {
    syntax::is_blank(text)
        || syntax::parse(text).is_ok_and(|root| root.members().is_some_and(<[_]>::is_empty))
}

fn gone(scope: Scope, record: &FileRecord) -> Removal {
    let (file, folders) = (record.file.clone(), record.folders.clone());
    Removal { scope, file, entries: 0, old: None, new: None, mixed: Vec::new(), folders }
}

/// Takes the entries out. A file that could not be changed is among the failures and no
/// longer among the files: the others are done, and the manifest still names that one.
///
/// # Errors
/// Another harness is at work; nothing was changed.
pub fn apply(around: &Surroundings, scopes: &[Scope]) -> Result<Removals, Failure> {
    let home = &around.harness;
    let _lock = lock(&home.state)?;
    let mut removals = draft(around, scopes);
    let loaded = manifest::load(home);
    let places: Vec<PathBuf> =
        files(around, scopes, loaded.get()).into_iter().map(|(_, file)| file).collect();
    removals.program = loaded.get().map(|m| m.binary.clone());
    removals.notes = leftovers::clear(around, &places);
    let mut manifest = loaded.get().cloned();
    let failures = &mut removals.failures;
    removals.files.retain_mut(|found| match take_out(around, found, loaded.get()) {
        Ok(()) => {
            if let Some(manifest) = &mut manifest {
                manifest.forget(&found.file);
            }
            true
        }
        Err(failure) => {
            failures.push(failure);
            false
        }
    });
    point("install-entries-out")?;
    if let Err(failure) = forget(around, manifest, removals.failures.is_empty()) {
        removals.failures.push(failure);
    }
    Ok(removals)
}

fn take_out(
    around: &Surroundings,
    found: &mut Removal,
    manifest: Option<&Manifest>,
) -> Result<(), Failure> {
    for _ in 1..TRIES {
        if !found.changes() {
            if found.new.is_none() {
                // Folders that were made for a file which was never written.
                remove_folders(&found.folders);
            }
            return Ok(());
        }
        match write(around, found) {
            Ok(()) => return Ok(()),
            Err(FsError::Changed { .. }) => match removal(found.scope, &found.file, manifest)? {
                Some(again) => *found = again,
                None => return Ok(()),
            },
            Err(e) => return Err(e.into()),
        }
    }
    Err(FsError::Changed { path: found.file.clone() }.into())
}

fn write(around: &Surroundings, found: &Removal) -> Result<(), FsError> {
    let home = &around.harness;
    let Some(old) = &found.old else { return Ok(()) };
    let memory =
        |failure: Failure| FsError::Refused { path: found.file.clone(), why: failure.message };
    backup::keep(home, &found.file, old.as_bytes()).map_err(memory)?;
    let becomes = found.new.as_deref().map(str::as_bytes);
    manifest::consent(home, &found.file, becomes).map_err(memory)?;
    point("install-consent").map_err(memory)?;
    match &found.new {
        Some(new) => {
            let readers = readers(found.scope);
            fs::replace(&found.file, Some(old.as_bytes()), new.as_bytes(), readers)
        }
        None => {
            fs::remove(&found.file, old.as_bytes())?;
            remove_folders(&found.folders);
            Ok(())
        }
    }
}

/// Retires the id once no entry is left, so that sessions still open fall silent. The
/// manifest may be lost or know of some only: a gate whose file still names the id goes on.
pub(super) fn forget(
    around: &Surroundings,
    manifest: Option<Manifest>,
    clean: bool,
) -> Result<(), Failure> {
    let home = &around.harness;
    let known = manifest.as_ref().is_some_and(|m| !m.entries.is_empty() || !m.beside.is_empty());
    let named =
        || owner::current(home).is_ok_and(|id| id.is_some_and(|id| in_force::names(around, &id)));
    if known || !clean || named() {
        return manifest.map_or(Ok(()), |m| m.save(home));
    }
    owner::retire(home)?;
    point("install-retired")?;
    match std::fs::remove_file(manifest::path(home)) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(Failure::could_not(
            format!("{}: {e}", manifest::path(home).display()),
            Some("no hook is left that needs it: delete what is there by hand".into()),
        )),
        _ => Ok(()),
    }
}
