//! [`Wish`] to [`Planned`]: what a mode comes to in this workspace, on this machine, now.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use harness_core::knobs::SandboxMode;

use super::absent::Absent;
use super::caches;
use super::git;
use super::walk::{End, walk};
use crate::policy::protect;
use crate::sys::confine::{Fence, TEMP, sockets};

/// Which temp a command has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Temp {
    /// One of its own, which ends with it.
    Private,
    /// The system's.
    Shared,
}

/// What is wanted.
#[derive(Clone, Debug)]
pub struct Wish<'w> {
    /// The mode; never full access.
    pub mode: SandboxMode,
    /// The workspace, absolute; empty where there is none.
    pub workspace: &'w str,
    /// The folder the command starts in.
    pub cwd: &'w Path,
    /// The person's home, by the system's word.
    pub home: Option<&'w Path>,
    /// What is protected, wherever it is: harness's own files and hosts' settings.
    pub protected: &'w [String],
    /// Further folders that may be written.
    pub extra: &'w [PathBuf],
    /// Whether the caches of ordinary tools may be written.
    pub caches: bool,
    /// Which temp.
    pub temp: Temp,
    /// Whether the network can be reached.
    pub network: bool,
}

/// What it comes to.
#[derive(Clone, Debug, Default)]
pub struct Planned {
    /// What is held.
    pub fence: Fence,
    /// What was missing, and is taken away if the command makes it.
    pub absent: Vec<Absent>,
    /// What no backend can hold here, and why.
    pub gaps: Vec<String>,
    /// Variables for the command.
    pub env: Vec<(OsString, OsString)>,
}

/// Plans.
#[must_use]
pub fn plan(wish: &Wish<'_>) -> Planned {
    let mut planned = Planned::default();
    let private = wish.temp == Temp::Private;
    let writes = wish.mode == SandboxMode::WorkspaceWrite;
    let mut roots: Vec<PathBuf> = Vec::new();
    let mut protected: BTreeSet<PathBuf> = BTreeSet::new();
    if writes {
        let workspace = folder(Path::new(wish.workspace));
        for root in workspace.iter() {
            let found = git::look(root);
            roots.extend(found.writable);
            protected.extend(found.frozen);
            if found.missing {
                planned.absent.push(Absent::Repository(root.clone()));
            }
        }
        roots.extend(workspace);
        roots.extend(wish.extra.iter().filter_map(|path| folder(path)));
        if !private {
            roots.extend(TEMP.iter().filter_map(|path| folder(Path::new(path))));
        }
        for root in &roots {
            protected.extend(protect::STARTS_HOOKS.iter().map(|name| root.join(name)));
        }
        if let Some(home) = wish.home.filter(|_| wish.caches) {
            for cache in caches::ALL {
                let Some(root) = folder(&home.join(cache.folder)) else { continue };
                protected.extend(cache.frozen.iter().map(|name| root.join(name)));
                roots.push(root);
            }
        }
        protected.extend(wish.protected.iter().map(|path| resolved(Path::new(path))));
    }
    planned.fence.writable = outermost(roots);
    for path in protected {
        protect_in(&path, &mut planned);
    }
    planned.fence.pinned.sort();
    planned.fence.pinned.dedup();
    planned.fence.frozen = outermost(std::mem::take(&mut planned.fence.frozen));
    let frozen = planned.fence.frozen.clone();
    planned.fence.pinned.retain(|pin| !frozen.iter().any(|path| pin.starts_with(path)));
    surroundings(wish, &mut planned);
    planned
}

/// A folder, by where it really is, unless everything lies in it.
fn folder(path: &Path) -> Option<PathBuf> {
    let path = path.is_absolute().then(|| path.canonicalize().ok()).flatten()?;
    (path.is_dir() && path.parent().is_some()).then_some(path)
}

/// A path with the links in the folders above it resolved, as far as they are there.
fn resolved(path: &Path) -> PathBuf {
    let Some((above, name)) = path.parent().zip(path.file_name()) else {
        return path.to_path_buf();
    };
    match above.canonicalize() {
        Ok(above) => above.join(name),
        Err(_) => resolved(above).join(name),
    }
}

/// Those that lie in no other.
fn outermost(mut paths: Vec<PathBuf>) -> Vec<PathBuf> {
    paths.sort();
    paths.dedup();
    let mut kept: Vec<PathBuf> = Vec::new();
    for path in paths {
        if !kept.iter().any(|above| path.starts_with(above)) {
            kept.push(path);
        }
    }
    kept
}

fn protect_in(path: &Path, planned: &mut Planned) {
    let Some(root) = planned.fence.writable.iter().find(|root| path.starts_with(root)) else {
        return;
    };
    let way = walk(root, path);
    let shown = path.display();
    match way.end {
        End::There { linked } => {
            planned.fence.pinned.extend(way.folders);
            planned.fence.frozen.push(path.to_path_buf());
            if linked {
                planned
                    .gaps
                    .push(format!("`{shown}` has another name, by which it can be written"));
            }
        }
        End::Missing(_) => {
            planned.fence.pinned.extend(way.folders);
            planned.absent.push(Absent::Path { root: root.clone(), path: path.to_path_buf() });
        }
        End::Link(link) => planned.gaps.push(format!(
            "`{}` is a symbolic link, which can be replaced, and `{shown}` with it",
            link.display()
        )),
        // The root itself.
        End::Unknown if path == root => planned.fence.frozen.push(path.to_path_buf()),
        End::Unknown => planned.gaps.push(format!("`{shown}` can't be looked at")),
    }
}

fn surroundings(wish: &Wish<'_>, planned: &mut Planned) {
    let private = wish.temp == Temp::Private;
    let fence = &mut planned.fence;
    fence.cwd = wish.cwd.to_path_buf();
    fence.network = wish.network;
    fence.temp = private;
    let in_temp =
        |path: &Path| TEMP.iter().any(|temp| path.starts_with(temp) && path != Path::new(temp));
    if private {
        let shown = [folder(Path::new(wish.workspace)), Some(wish.cwd.to_path_buf())];
        let shown = shown.into_iter().flatten().filter(|path| {
            in_temp(path) && !fence.writable.iter().any(|root| path.starts_with(root))
        });
        fence.shown = outermost(shown.collect());
        // What the environment says may lie elsewhere, where nothing can be written.
        planned.env.push(("TMPDIR".into(), "/tmp".into()));
    } else if wish.mode == SandboxMode::ReadOnly {
        planned.env.push(("TMPDIR".into(), "/dev/shm".into()));
    }
    let user = crate::sys::own::user();
    let runtime = PathBuf::from(format!("/run/user/{user}"));
    let own = |path: &Path| {
        // What a project or a cache itself listens at is its own.
        fence.writable.iter().any(|root| path.starts_with(root) && !in_temp(root))
    };
    fence.kept = keys().into_iter().collect();
    let kept = fence.kept.clone();
    let hidden = |path: &PathBuf| {
        let by_temp = private && in_temp(path);
        !by_temp && !own(path) && !kept.contains(path) && !path.starts_with(&runtime)
    };
    fence.masked = sockets::listening().into_iter().filter(hidden).collect();
    if runtime.is_dir() {
        fence.emptied.push(runtime);
    }
}

/// The socket of the person's keys, if it is one: it signs, and writes nothing for whoever
/// asks. The environment may name any socket, so only one that is called as keys are counts.
fn keys() -> Option<PathBuf> {
    const NAMES: &[&str] = &["ssh", "agent", "ssh-agent", "ssh-agent.socket", "S.gpg-agent.ssh"];
    let path = PathBuf::from(std::env::var_os("SSH_AUTH_SOCK")?);
    let name = path.file_name()?.to_str()?;
    let path = path.canonicalize().ok()?;
    (NAMES.contains(&name) || name.starts_with("agent.")).then_some(path)
}
