//! Does what a draft says: write, read again, prove; or take it all back.

use super::failure::Failure;
use super::manifest::{self, Manifest};
use super::plan::{Draft, Prepared, is_done, missing_folders};
use super::verify::{self, Proof};
use super::{backup, binary, leftovers, own, owner, sessions, target};
use crate::hosts::claude_code::caps;
use crate::hosts::claude_code::places::Scope;
use crate::settings::{hooks, syntax};
use crate::sys::fault;
use crate::sys::fs::{self, FsError, Lock, Readers};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How often a settings file that others keep writing is tried.
const TRIES: usize = 8;

/// What was done.
#[derive(Debug)]
pub struct Done {
    /// What the settings were and are, and the entries.
    pub draft: Draft,
    /// The copy of the old settings, if there were any and they changed.
    pub backup: Option<PathBuf>,
    /// What the proof showed.
    pub proof: Proof,
}

/// A place where the crash tests end the process.
pub(super) fn point(station: &str) -> Result<(), Failure> {
    fault::point(station)
        .map_err(|fault::Injected| Failure::could_not(format!("a fault at {station}"), None))
}

/// Takes the lock under which settings are changed.
pub(super) fn lock(state: &std::path::Path) -> Result<Lock, Failure> {
    Ok(Lock::take(&state.join("install.lock"), Duration::from_secs(20))?)
}

/// Who may read a settings file that is made new in a scope.
pub(super) const fn readers(scope: Scope) -> Readers {
    match scope {
        // A repository's settings are everybody's who works in it.
        Scope::Managed | Scope::Project => Readers::Everyone,
        _ => Readers::Owner,
    }
}

impl Prepared {
    /// Installs.
    ///
    /// # Errors
    /// Something is in the way, or what was written didn't prove itself; then the old
    /// bytes are back.
    pub fn apply(&self) -> Result<Done, Failure> {
        let _lock = lock(&self.around.harness.state)?;
        let cleared = leftovers::clear(&self.around, std::slice::from_ref(&self.file));
        if self.scope == Scope::Managed
            && let Some(folder) = self.program.path.parent()
        {
            fs::folder(folder, Readers::Everyone)?;
        }
        binary::put(&self.program)?;
        point("install-program")?;
        let first = self.draft()?;
        let memory = Memory { owner_is_new: first.owner_is_new, before: first.before };
        for _ in 1..TRIES {
            match self.attempt(self.draft()?, &memory) {
                Err(Attempt::Overtaken) => {}
                Err(Attempt::Failed(failure)) => return Err(failure),
                Ok(mut done) => {
                    done.draft.notes.extend(cleared);
                    if done.draft.changes() {
                        let place = (self.scope, self.file.clone());
                        let open = sessions::open(&[place]).unwrap_or_default();
                        done.draft.notes.extend(sessions::greeted(&open));
                    }
                    return Ok(done);
                }
            }
        }
        self.restore(&memory);
        Err(FsError::Changed { path: self.file.clone() }.into())
    }

    fn attempt(&self, mut draft: Draft, memory: &Memory) -> Result<Done, Attempt> {
        let home = &self.around.harness;
        if draft.owner_is_new {
            owner::keep(home, &draft.owner)?;
        }
        point("install-owner")?;
        draft.record.folders.extend(missing_folders(&self.file));
        let changes = draft.changes();
        if changes || draft.before.as_ref().is_none_or(|m| self.outdated(m, &draft)) {
            self.manifest(&draft).save(home)?;
        }
        point("install-manifest")?;
        let mut copy = None;
        if changes {
            copy = self.write(&draft, memory)?;
        }
        point("install-settings")?;
        let proof = match self.settle(&draft) {
            Ok(proof) => proof,
            Err(why) => return Err(self.take_back(&draft, memory, copy.as_deref(), &why)),
        };
        Ok(Done { draft, backup: copy, proof })
    }

    fn write(&self, draft: &Draft, memory: &Memory) -> Result<Option<PathBuf>, Attempt> {
        let home = &self.around.harness;
        let old = draft.old.as_deref().map(str::as_bytes);
        let copy = old.map(|bytes| backup::keep(home, &self.file, bytes)).transpose()?;
        manifest::consent(home, &self.file, Some(draft.new.as_bytes()))?;
        point("install-backup")?;
        if let Some(folder) = self.file.parent() {
            fs::folder(folder, readers(self.scope)).map_err(Failure::from)?;
        }
        match fs::replace(&self.file, old, draft.new.as_bytes(), readers(self.scope)) {
            Ok(()) => Ok(copy),
            Err(FsError::Changed { .. }) => Err(Attempt::Overtaken),
            Err(e) => {
                self.restore(memory);
                Err(Attempt::Failed(e.into()))
            }
        }
    }

    /// Reads again what is there, and proves it.
    fn settle(&self, draft: &Draft) -> Result<Proof, String> {
        let text = target::read(&self.file).map_err(|e| e.to_string())?.unwrap_or_default();
        // The program may have another name, which only the new memory knows.
        let loaded = manifest::load(&self.around.harness);
        if !is_done(&text, &draft.entries, loaded.get()) {
            return Err("the entries are not in the file after writing it".to_owned());
        }
        verify::prove(&draft.entries, self.scope, &self.around)
    }

    /// Puts the old bytes back after a failed proof.
    fn take_back(&self, draft: &Draft, memory: &Memory, copy: Option<&Path>, why: &str) -> Attempt {
        let old = draft.old.as_deref().map(str::as_bytes);
        let _ = manifest::consent(&self.around.harness, &self.file, old);
        let new = draft.new.as_bytes();
        let back =
            point("install-take-back").and_then(|()| match &draft.old {
                _ if !draft.changes() => Ok(()),
                Some(old) => {
                    Ok(fs::replace(&self.file, Some(new), old.as_bytes(), readers(self.scope))?)
                }
                None => Ok(fs::remove(&self.file, new)
                    .inspect(|()| remove_folders(&draft.record.folders))?),
            });
        self.restore(memory);
        let unproven = format!("the hooks did not prove themselves: {why}");
        let is_as_it_was = |what: &str| {
            let hint = format!("{what}; `harness doctor` says more");
            Failure::unproven(unproven.clone(), hint)
        };
        Attempt::Failed(match back {
            Ok(()) if draft.changes() => is_as_it_was("the settings are as they were"),
            Ok(()) => is_as_it_was("the settings were right already and are as they were"),
            Err(_) if target::read(&self.file).is_ok_and(|now| now == draft.old) => {
                is_as_it_was("the settings are as they were")
            }
            Err(e) => {
                let file = self.around.shown(&self.file);
                let copy = copy.map(|copy| format!("; the old text is in {}", copy.display()));
                Failure::could_not(
                    format!(
                        "{unproven}; {file} could not be put back and may hold the hooks: {}",
                        e.message
                    ),
                    Some(format!(
                        "run `harness uninstall`; `harness doctor` says more{}",
                        copy.unwrap_or_default()
                    )),
                )
            }
        })
    }

    /// Remembers what was remembered before. Not while the first entries may be in the
    /// file after all: a retired id would silence them, and nobody would know of them.
    fn restore(&self, memory: &Memory) {
        let home = &self.around.harness;
        if memory.before.is_none() && self.may_hold_entries() {
            return;
        }
        if memory.owner_is_new {
            let _ = owner::retire(home);
        }
        let _ = match &memory.before {
            Some(manifest) => manifest.save(home).is_ok(),
            None => std::fs::remove_file(manifest::path(home)).is_ok(),
        };
    }

    fn may_hold_entries(&self) -> bool {
        let Ok(text) = target::read(&self.file) else { return true };
        let text = text.unwrap_or_default();
        if syntax::is_blank(&text) {
            return false;
        }
        let loaded = manifest::load(&self.around.harness);
        hooks::list(&text, caps::NEWEST_MEASURED)
            .map_or(true, |found| found.entries.iter().any(|e| own::is_ours(e, loaded.get())))
    }

    fn manifest(&self, draft: &Draft) -> Manifest {
        let mut manifest = draft.before.clone().unwrap_or_else(Manifest::empty);
        manifest.forget(&self.file);
        manifest.stamp(&self.program);
        manifest.entries.extend(draft.entries.iter().cloned());
        manifest.files.push(draft.record.clone());
        manifest
    }

    fn outdated(&self, manifest: &Manifest, draft: &Draft) -> bool {
        let ours = manifest.entries.iter().filter(|e| e.file == self.file);
        manifest.binary != self.program.path
            || manifest.binary_blake3 != self.program.blake3
            || manifest.version != env!("CARGO_PKG_VERSION")
            || !ours.eq(draft.entries.iter())
            || manifest.record(&self.file) != Some(&draft.record)
    }
}

/// Removes folders that were made and stand empty, innermost first.
pub(super) fn remove_folders(folders: &[PathBuf]) {
    for folder in folders.iter().rev() {
        if std::fs::remove_dir(folder).is_err() {
            return;
        }
    }
}

/// What was remembered before the first attempt.
struct Memory {
    owner_is_new: bool,
    before: Option<Manifest>,
}

enum Attempt {
    /// Another program wrote the file meanwhile.
    Overtaken,
    /// It can't be done.
    Failed(Failure),
}

impl From<Failure> for Attempt {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}
