//! [`Backend`]: what can hold a command on this machine, found out by trying, once a boot.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use super::fence::Planned;
use crate::home::Home;
use crate::sys::body::{Body, Holder, NotRun, Status, Watch, run};
use crate::sys::confine::{Fence, LANDLOCK_SCOPES, LANDLOCK_WHOLE, TEMP, landlock_version};

/// The system this was built for.
const SYSTEM: &str = std::env::consts::OS;

/// What holds a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Backend {
    /// Namespaces of our own.
    Namespaces,
    /// bubblewrap.
    Bubblewrap,
    /// Landlock alone.
    Landlock,
    /// Seatbelt, on macOS.
    Seatbelt,
}

impl Backend {
    /// In the order of preference.
    pub const ALL: [Self; 4] = [Self::Namespaces, Self::Bubblewrap, Self::Landlock, Self::Seatbelt];

    /// The word in receipts.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Namespaces => "namespaces",
            Self::Bubblewrap => "bubblewrap",
            Self::Landlock => "landlock",
            Self::Seatbelt => "seatbelt",
        }
    }

    /// What a command says that was refused something by it.
    #[must_use]
    pub const fn signatures(self) -> &'static [&'static str] {
        match self {
            Self::Namespaces => &["read-only file system", "permission denied"],
            Self::Bubblewrap => &["read-only file system"],
            Self::Landlock => &["permission denied"],
            Self::Seatbelt => &["operation not permitted"],
        }
    }
}

/// How much of what was wanted is held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Level {
    /// All of it.
    Full,
    /// What these say is missing.
    Partial(Vec<String>),
}

impl Level {
    /// The word in receipts.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Partial(_) => "partial",
        }
    }
}

/// Nothing can hold a command here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unavailable {
    /// What was tried, and why it can't be used.
    pub tried: Vec<(Backend, String)>,
    /// What a person can do about it.
    pub advice: String,
}

/// A backend that was chosen, with what it holds.
#[derive(Debug)]
pub struct Chosen {
    /// Which.
    pub backend: Backend,
    /// How much.
    pub level: Level,
    /// What the command is started in.
    pub holder: Holder,
    /// A temp of its own, where that is a folder as any other; gone when this is dropped.
    pub scratch: Option<tempfile::TempDir>,
}

/// Chooses: the first that works here. `only` leaves one choice.
///
/// # Errors
/// None works.
pub fn choose(
    home: &Home,
    planned: &Planned,
    only: Option<Backend>,
) -> Result<Chosen, Unavailable> {
    let mut tried = Vec::new();
    for (backend, works) in verdicts(home, planned.fence.network) {
        if only.is_some_and(|only| only != backend) {
            continue;
        }
        match works {
            Ok(()) => match chosen(backend, planned) {
                Ok(chosen) => return Ok(chosen),
                Err(error) => tried.push((backend, format!("no temp of its own: {error}"))),
            },
            Err(why) => tried.push((backend, why)),
        }
    }
    let advice = advice();
    Err(Unavailable { tried, advice })
}

fn holder(backend: Backend, fence: &Fence, version: u32) -> Holder {
    match backend {
        Backend::Namespaces => Holder::Namespaces(fence.clone(), version),
        Backend::Landlock => Holder::Landlock(fence.clone(), version),
        Backend::Bubblewrap => {
            let program = bubblewrap().unwrap_or_else(|| "bwrap".into());
            Holder::Program(super::bubblewrap::words(&program, fence), version)
        }
        Backend::Seatbelt => Holder::Program(super::seatbelt::words(fence), version),
    }
}

fn chosen(backend: Backend, planned: &Planned) -> std::io::Result<Chosen> {
    let version = landlock_version();
    let mut fence = planned.fence.clone();
    let mounts = matches!(backend, Backend::Namespaces | Backend::Bubblewrap);
    let scratch = (fence.temp && !mounts).then(tempfile::tempdir).transpose()?;
    if let Some(scratch) = &scratch {
        fence.writable.push(scratch.path().canonicalize()?);
    }
    let mut gaps = planned.gaps.clone();
    gaps.extend(missing(backend, planned, version));
    let level = if gaps.is_empty() { Level::Full } else { Level::Partial(gaps) };
    Ok(Chosen { backend, level, holder: holder(backend, &fence, version), scratch })
}

/// What a backend leaves open, in words.
fn missing(backend: Backend, planned: &Planned, version: u32) -> Vec<String> {
    let fence = &planned.fence;
    let mut open: Vec<String> = Vec::new();
    let mut add = |text: &str| open.push(text.to_owned());
    let (whole, scopes) = (LANDLOCK_WHOLE, LANDLOCK_SCOPES);
    if backend != Backend::Seatbelt
        && version < scopes
        && (fence.network || backend == Backend::Landlock)
    {
        add(
            "abstract unix sockets can be reached, and whoever listens there (the kernel has no Landlock 6)",
        );
    }
    match backend {
        Backend::Namespaces if version < whole => {
            if crate::sys::body::opened_files() {
                add(
                    "a file that is open when it starts can be opened again for writing (the kernel has no Landlock 3)",
                );
            }
        }
        Backend::Bubblewrap if crate::sys::body::opened_files() => {
            add("a file that is open when it starts can be opened again for writing");
        }
        Backend::Namespaces | Backend::Bubblewrap => {}
        Backend::Landlock => {
            if version < whole {
                add("files everywhere can be emptied (the kernel has no Landlock 3)");
            }
            if !fence.frozen.is_empty() {
                let names: Vec<String> = fence
                    .frozen
                    .iter()
                    .take(4)
                    .map(|path| format!("`{}`", path.display()))
                    .collect();
                let more = if fence.frozen.len() > 4 { " and others" } else { "" };
                add(&format!(
                    "{}{more} can be written, for Landlock can't leave anything out of a folder",
                    names.join(", ")
                ));
            }
            add("whoever listens at a unix socket can be reached, and asked to write");
            add("modes, owners and times of files everywhere can be changed by their owner");
            if fence.temp {
                add("the system's temp can be read");
            }
        }
        Backend::Seatbelt => {
            add("this backend was written and never run by its authors");
        }
    }
    open
}

struct Nobody;

impl Watch for Nobody {
    fn ended(&self, _alone: bool) -> Vec<u8> {
        Vec::new()
    }
}

/// Each backend of this system, and whether it works: as it was found since the machine was
/// started, or found out now.
fn verdicts(home: &Home, network: bool) -> Vec<(Backend, Result<(), String>)> {
    let all: &[Backend] = if SYSTEM == "linux" {
        &[Backend::Namespaces, Backend::Bubblewrap, Backend::Landlock]
    } else if SYSTEM == "macos" {
        &[Backend::Seatbelt]
    } else {
        &[]
    };
    let file = home.cache.join("sandbox");
    let mark = mark(network);
    if let Some(known) = mark.as_ref().and_then(|mark| remembered(&file, mark)) {
        return known;
    }
    let found: Vec<_> = all.iter().map(|backend| (*backend, probe(*backend, network))).collect();
    // Where nothing can be kept it is found out each time.
    if let Some(mark) = mark {
        let _ = remember(&file, &mark, &found);
    }
    found
}

/// What the findings hold for: this boot, this user, this program, with or without network.
fn mark(network: bool) -> Option<String> {
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    let links = ["user", "mnt"].map(|kind| fs::read_link(format!("/proc/self/ns/{kind}")).ok());
    let wrap = bubblewrap().and_then(|path| fs::metadata(path).ok()?.modified().ok());
    Some(format!(
        "{} {} {} {network} {links:?} {wrap:?}",
        boot.trim(),
        crate::sys::own::user(),
        env!("CARGO_PKG_VERSION")
    ))
}

fn remembered(file: &Path, mark: &str) -> Option<Vec<(Backend, Result<(), String>)>> {
    let bytes = crate::sys::bounded::read(file, 64 << 10).ok()?;
    let text = String::from_utf8(bytes).ok()?;
    let mut lines = text.lines();
    if lines.next()? != mark {
        return None;
    }
    let line = |line: &str| {
        let (word, said) = line.split_once('\t')?;
        let backend = Backend::ALL.into_iter().find(|backend| backend.word() == word)?;
        Some((backend, if said.is_empty() { Ok(()) } else { Err(said.to_owned()) }))
    };
    lines.map(line).collect()
}

fn remember(
    file: &Path,
    mark: &str,
    found: &[(Backend, Result<(), String>)],
) -> std::io::Result<()> {
    let mut text = format!("{mark}\n");
    for (backend, works) in found {
        let said = works.as_ref().err().map_or("", String::as_str).replace(['\n', '\t'], " ");
        text.push_str(&format!("{}\t{said}\n", backend.word()));
    }
    let folder = file.parent().unwrap_or(Path::new("/"));
    fs::create_dir_all(folder)?;
    let mut new = tempfile::NamedTempFile::new_in(folder)?;
    std::io::Write::write_all(&mut new, text.as_bytes())?;
    new.persist(file).map(drop).map_err(|error| error.error)
}

/// Whether a backend holds: what may be written is, what may not isn't.
fn probe(backend: Backend, network: bool) -> Result<(), String> {
    if backend == Backend::Landlock && landlock_version() == 0 {
        return Err("the kernel has no Landlock".to_owned());
    }
    if backend == Backend::Bubblewrap && bubblewrap().is_none() {
        return Err("it is not installed".to_owned());
    }
    let folder = tempfile::tempdir().map_err(|error| format!("no folder to try it in: {error}"))?;
    let root = folder.path().canonicalize().map_err(|error| error.to_string())?;
    let inside = root.join("in");
    fs::create_dir(&inside).map_err(|error| error.to_string())?;
    let fence = Fence {
        writable: vec![inside.clone()],
        shown: vec![root.clone()],
        temp: TEMP.iter().any(|temp| root.starts_with(temp)),
        network,
        cwd: root.clone(),
        ..Fence::default()
    };
    let script = "cd \"$1\" || exit 5; (echo x > in/a) 2>/dev/null || exit 3; (echo x > b) 2>/dev/null && exit 4; exit 0";
    let mut words = ["/bin/sh", "-c", script, "sh"].map(OsString::from).to_vec();
    words.push(root.into_os_string());
    let holder = holder(backend, &fence, landlock_version());
    let ran = run(&Body { words, env: Vec::new() }, &holder, None, &Nobody);
    let written = (inside.join("a").exists(), folder.path().join("b").exists());
    match ran {
        Err(NotRun::Holder(step, errno)) => {
            Err(format!("{step}: {}", std::io::Error::from_raw_os_error(errno)))
        }
        Err(NotRun::Program(errno)) => {
            Err(format!("it can't be started: {}", std::io::Error::from_raw_os_error(errno)))
        }
        Ok((ended, _)) => match (ended.status, written) {
            (Status::Exit(0), (true, false)) => Ok(()),
            (Status::Exit(4), _) | (_, (_, true)) => Err("it holds nothing".to_owned()),
            (Status::Exit(3), _) => Err("what may be written can't be".to_owned()),
            (status, _) => Err(format!("the trial ended with {status:?}")),
        },
    }
}

/// bubblewrap, where a system or its owner puts it: the search path is an agent's to set.
#[must_use]
pub fn bubblewrap() -> Option<PathBuf> {
    ["/usr/bin/bwrap", "/usr/local/bin/bwrap", "/bin/bwrap", "/run/current-system/sw/bin/bwrap"]
        .iter()
        .map(PathBuf::from)
        .find(|path| path.is_file())
}

/// What a person can do where nothing works.
fn advice() -> String {
    let read = |path: &str| fs::read_to_string(path).unwrap_or_default().trim().to_owned();
    if SYSTEM != "linux" {
        return "no sandbox is known for this system; run it with `--sandbox danger-full-access`, which holds nothing".to_owned();
    }
    if read("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == "1" {
        return "AppArmor keeps programs here from making user namespaces. An administrator allows it for harness with a profile (`/etc/apparmor.d/harness`: `abi <abi/4.0>, include <tunables/global> profile harness /PATH/TO/harness flags=(unconfined) { userns, }`, then `apparmor_parser -r` on it), or for all with `sysctl kernel.apparmor_restrict_unprivileged_userns=0`; or installs bubblewrap with its own profile".to_owned();
    }
    if read("/proc/sys/kernel/unprivileged_userns_clone") == "0" {
        return "this system keeps users from making namespaces: an administrator allows it with `sysctl kernel.unprivileged_userns_clone=1`, or installs bubblewrap".to_owned();
    }
    if read("/proc/sys/user/max_user_namespaces") == "0" {
        return "this system allows no user namespaces: an administrator allows some with `sysctl user.max_user_namespaces=15000`".to_owned();
    }
    if Path::new("/.dockerenv").exists() || Path::new("/run/.containerenv").exists() {
        return "this is a container that keeps programs from making namespaces, and its kernel has no Landlock: start it with `--security-opt seccomp=unconfined --security-opt systempaths=unconfined`, or let the container itself be the sandbox and use `--sandbox danger-full-access` in it".to_owned();
    }
    "install bubblewrap, or use a kernel with user namespaces or Landlock (5.13 and newer)"
        .to_owned()
}
