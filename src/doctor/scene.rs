//! [`Scene`]: everything a run looks at, read once.

use super::Request;
use super::effective::{Effective, File, FileState, effective};
use super::foreign::plugins;
use super::handler::Handler;
use super::line;
use crate::home::Home;
use crate::hosts::claude_code::caps::{self, Version};
use crate::hosts::claude_code::places::{Scope, settings_files};
use crate::install::clients::{self, Clients};
use crate::install::manifest::{self, Loaded, Manifest};
use crate::install::{Surroundings, in_force, own};
use crate::policy::{Layer, Policy, Sources, remarks};
use crate::sys::paths;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A file that is being written is whole again after this long.
const TORN: Duration = Duration::from_millis(500);

/// How the version that everything is judged by is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// A client said it.
    Found,
    /// The last install wrote it down.
    Recorded,
    /// It is the oldest one supported.
    Assumed,
}

/// Everything a run looks at.
#[derive(Debug)]
pub struct Scene {
    /// The person, folders and environment.
    pub around: Surroundings,
    /// The clients found.
    pub clients: Clients,
    /// The version everything is judged by: the lowest found, else the one installed for,
    /// else the oldest supported.
    pub version: Version,
    /// How that version is known.
    pub known: Known,
    /// The settings files, in the client's order.
    pub files: Vec<File>,
    /// What the client makes of them.
    pub effective: Effective,
    /// The hooks of plugins, which off switches silence like the others.
    pub plugins: Vec<Handler>,
    /// What install says is ours.
    pub manifest: Loaded,
    /// Where the hooks that run here look for harness's files.
    pub home: Home,
    /// Whether the person wants others' hooks run too.
    pub others_run: bool,
    /// The policy in force here.
    pub policy: Policy,
    /// The system's table of mounts.
    pub mounts: String,
    /// Where the homes of Windows users are seen.
    pub windows_users: PathBuf,
}

impl Scene {
    /// Looks.
    #[must_use]
    pub fn look(request: &Request) -> Self {
        let around = request.around.clone();
        let clients = clients::find(&around);
        let manifest = manifest::load(&around.harness);
        let (version, known) = judged_as(&clients, manifest.get());
        let places = places(&around, &request.managed);
        let files: Vec<File> = places.iter().map(|(s, p)| read(*s, p, version)).collect();
        let effective = effective(&files, request.switches);
        let plugins = plugins::handlers(&around, &files, version);
        let home = in_force::home(&around);
        let policy = Policy::load(&Sources {
            home: &home,
            managed: paths::managed_policy(),
            project: Some(&around.cwd),
        });
        Self {
            around,
            clients,
            version,
            known,
            files,
            effective,
            plugins,
            manifest,
            home,
            others_run: request.all_hooks,
            policy,
            mounts: request.mounts.clone(),
            windows_users: request.windows_users.clone(),
        }
    }

    /// Whether a policy file above the project's can't be used, so that every call is
    /// denied.
    #[must_use]
    pub fn denies_all(&self) -> bool {
        let above = |l: &&crate::policy::load::Loaded| l.layer != Layer::Project;
        self.policy.layers().iter().filter(above).any(|l| l.broken().is_some())
    }

    /// Whether a guard's program can't be started, so that all it is asked about is denied.
    #[must_use]
    pub fn lost_guards(&self) -> bool {
        remarks::of(&self.policy).0.iter().any(|remark| remark.kind == "guard-lost")
    }

    /// The manifest, if there is a good one.
    #[must_use]
    pub fn manifest(&self) -> Option<&Manifest> {
        self.manifest.get()
    }

    /// Whether an entry is one of ours by shape and name or by the manifest.
    #[must_use]
    pub fn is_ours(&self, handler: &Handler) -> bool {
        let named = self.manifest().is_some_and(|m| m.entries.iter().any(|e| e.is(&handler.entry)));
        named || own::is_ours(&handler.entry, self.manifest())
    }

    /// Our entries the client would start, were nothing switched off.
    #[must_use]
    pub fn own(&self) -> Vec<&Handler> {
        let all = self.effective.handlers.iter().chain(&self.effective.silenced);
        let mut own: Vec<&Handler> = all.filter(|h| self.is_ours(h)).collect();
        own.sort_by_key(|h| h.scope);
        own
    }

    /// Our entries the client does start.
    #[must_use]
    pub fn own_active(&self) -> Vec<Handler> {
        self.effective.handlers.iter().filter(|h| self.is_ours(h)).cloned().collect()
    }

    /// Others' entries.
    #[must_use]
    pub fn foreign(&self) -> Vec<&Handler> {
        let all = self.effective.handlers.iter().chain(&self.effective.silenced);
        all.chain(&self.plugins).filter(|h| !self.is_ours(h)).collect()
    }

    /// Others' entries that the client does start.
    #[must_use]
    pub fn foreign_active(&self) -> Vec<&Handler> {
        let plugins = self.plugins.iter().filter(|_| self.effective.off.is_empty());
        self.effective.handlers.iter().chain(plugins).filter(|h| !self.is_ours(h)).collect()
    }

    /// Whether a command may be run: install wrote that very command, or the program is
    /// this one to the byte. An entry that only looks like ours is somebody's code.
    #[must_use]
    pub fn may_run(&self, handler: &Handler) -> bool {
        let written = self.manifest().is_some_and(|m| {
            m.entries.iter().any(|e| e.command == handler.command && e.args == handler.args)
        });
        written || self.program(handler).is_some_and(|p| is_this_program(&p))
    }

    /// The program a handler starts, where it is; `None` if a name is not on the search
    /// path.
    #[must_use]
    pub fn program(&self, handler: &Handler) -> Option<PathBuf> {
        let program = line::program(handler, &self.around)?;
        if program.contains('/') {
            return Some(self.around.cwd.join(program));
        }
        which::which_in(&program, Some(&self.around.path), &self.around.cwd).ok()
    }

    /// The state of a file.
    #[must_use]
    pub fn file(&self, path: &Path) -> Option<&File> {
        self.files.iter().find(|f| f.path == path)
    }
}

fn judged_as(clients: &Clients, manifest: Option<&Manifest>) -> (Version, Known) {
    if let Some(found) = clients.lowest() {
        return (found, Known::Found);
    }
    let entries = manifest.map(|m| m.entries.as_slice()).unwrap_or_default();
    let recorded = entries.iter().filter_map(|e| Version::parse(e.client.as_deref()?)).min();
    recorded.map_or((caps::OLDEST, Known::Assumed), |version| (version, Known::Recorded))
}

fn is_this_program(path: &Path) -> bool {
    let Ok(running) = std::env::current_exe() else { return false };
    let size = |p: &Path| std::fs::metadata(p).map(|m| m.len()).ok();
    size(path).is_some()
        && size(path) == size(&running)
        && std::fs::read(path).ok() == std::fs::read(&running).ok()
}

fn places(around: &Surroundings, managed: &Path) -> Vec<(Scope, PathBuf)> {
    let fixed = settings_files(&around.roots()).into_iter();
    let mut places: Vec<_> =
        fixed.filter(|p| p.scope != Scope::Managed).map(|p| (p.scope, p.file)).collect();
    places.push((Scope::Managed, managed.join("managed-settings.json")));
    let drop_ins = std::fs::read_dir(managed.join("managed-settings.d"));
    let mut drop_ins: Vec<PathBuf> =
        drop_ins.into_iter().flatten().flatten().map(|e| e.path()).collect();
    drop_ins.retain(|p| p.extension().is_some_and(|e| e == "json"));
    drop_ins.sort();
    places.extend(drop_ins.into_iter().map(|p| (Scope::Managed, p)));
    // A home that is the project folder too is read once, as the person's.
    let mut seen = Vec::new();
    places.retain(|(_, p)| {
        !seen.contains(p) && {
            seen.push(p.clone());
            true
        }
    });
    places
}

fn read(scope: Scope, path: &Path, version: Version) -> File {
    let once = || read_once(scope, path, version);
    let file = once();
    if matches!(file.state, FileState::Unparseable { .. }) {
        std::thread::sleep(TORN);
        return once();
    }
    file
}

fn read_once(scope: Scope, path: &Path, version: Version) -> File {
    let state = match std::fs::read(path) {
        Ok(bytes) => return File::read(scope, path, &bytes, version),
        Err(e) if e.kind() == ErrorKind::NotFound => FileState::Absent,
        Err(e) if e.kind() == ErrorKind::NotADirectory => FileState::Absent,
        Err(e) => FileState::Unreadable(e.to_string()),
    };
    File { scope, path: path.to_path_buf(), state, bytes: Vec::new() }
}
