//! [`start`]: one hook, one payload, as the client does it.

use crate::doctor::effective::File;
use crate::doctor::foreign::plugins::ROOT;
use crate::doctor::handler::{Handler, OnFailure};
use crate::doctor::line;
use crate::doctor::scene::Scene;
use crate::hosts::claude_code::decoder::{Decoded, End, Ended, Handling, decode};
use crate::hosts::claude_code::places::{Os, Scope};
use crate::sys::spawn::{Ending, Form, Launch, Ran, run};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// No probe takes longer, whatever was registered.
const LONGEST: Duration = Duration::from_secs(5);
/// Bytes kept of each stream.
const KEEP: usize = 1 << 20;

/// Where probes take place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setting<'a> {
    /// What was found.
    pub(super) scene: &'a Scene,
    /// A throw-away folder for what payloads name.
    pub(super) folder: &'a Path,
}

/// How one probe is made other than usual.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Twist {
    /// Standard input stays open.
    pub(super) open_stdin: bool,
    /// As from a desktop: a search path of the system's folders, the C locale.
    pub(super) bare: bool,
}

/// A hook's answer, as it came and as the client takes it.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    /// What the process did.
    pub(super) ran: Ran,
    /// What the client makes of it.
    pub(super) decoded: Decoded,
    /// The system it ran on.
    pub(super) os: Os,
}

const fn end(ending: &Ending) -> End {
    match ending {
        Ending::Exit(code) => End::Exit(*code),
        Ending::Signal(signal) => End::Signal(*signal),
        Ending::Timeout => End::Timeout,
        Ending::NotStarted(_) => End::NotStarted,
    }
}

/// The time a probe of this handler gets.
#[must_use]
pub(super) fn limit(handler: &Handler) -> Duration {
    handler.limit().min(LONGEST)
}

/// Starts a handler with a payload.
#[must_use]
pub(super) fn start(
    setting: Setting<'_>,
    handler: &Handler,
    payload: &[u8],
    twist: Twist,
) -> Answer {
    let scene = setting.scene;
    let launch = Launch {
        form: form(handler, scene),
        cwd: scene.around.cwd.clone(),
        env: environment(scene, handler, twist.bare.then(|| by_name(scene, handler))),
        stdin: payload.to_vec(),
        stdin_stays_open: twist.open_stdin,
        limit: limit(handler),
        keep: KEEP,
    };
    let ran = run(&launch);
    let ended = Ended { end: end(&ran.ending), stdout: &ran.stdout, stderr: &ran.stderr };
    let handling = Handling {
        event: &handler.event,
        version: scene.version,
        blocks_on_failure: handler.on_failure == Some(OnFailure::Block),
        asynchronous: handler.asynchronous,
    };
    let decoded = decode(ended, handling);
    Answer { ran, decoded, os: scene.around.os }
}

fn form(handler: &Handler, scene: &Scene) -> Form {
    match handler.exec_args(scene.version) {
        Some(args) => {
            // The only expansion the client makes in this form.
            let dir = scene.around.cwd.to_string_lossy();
            let word = |w: &str| OsString::from(w.replace("${CLAUDE_PROJECT_DIR}", &dir));
            Form::Exec {
                program: word(&handler.command),
                args: args.iter().map(|a| word(a)).collect(),
            }
        }
        None => Form::Shell(OsString::from(&handler.command)),
    }
}

/// What the client passes on of its own environment.
const PASSED: &[&str] =
    &["USER", "LOGNAME", "SHELL", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "TZ", "TERM"];

/// What a settings file can't set for hooks (measured).
fn is_held(name: &str) -> bool {
    name == "HOME" || name == "TMPDIR" || name.starts_with("XDG_") || name.starts_with("CLAUDE_")
}

/// The folder of a program that is registered by its name: that a client which can't find
/// it goes on without is what project scope can't hold, and said there.
fn by_name(scene: &Scene, handler: &Handler) -> Option<PathBuf> {
    let named = line::program(handler, &scene.around)?;
    let shared = handler.scope == Scope::Project && !named.contains('/');
    scene.program(handler).filter(|_| shared)?.parent().map(Path::to_path_buf)
}

fn environment(
    scene: &Scene,
    handler: &Handler,
    bare: Option<Option<PathBuf>>,
) -> Vec<(OsString, OsString)> {
    let mut env: BTreeMap<OsString, OsString> = BTreeMap::new();
    for name in PASSED {
        if let Some(value) = std::env::var_os(name) {
            env.insert(name.into(), value);
        }
    }
    env.insert("HOME".into(), scene.around.home.clone().into_os_string());
    env.insert("PATH".into(), scene.around.path.clone());
    let mut files: Vec<&File> = scene.files.iter().collect();
    files.sort_by_key(|f| f.scope);
    for file in files {
        for (name, value) in file.settings().map(|s| s.env.as_slice()).unwrap_or_default() {
            let held = matches!(file.scope, Scope::Project | Scope::Local) && is_held(name);
            let sound = !name.contains(['=', '\0']) && !value.contains('\0');
            if sound && !held {
                env.insert(name.into(), value.into());
            }
        }
    }
    if let Some(beside) = bare {
        let mut path = OsString::from("/usr/bin:/bin");
        if let Some(folder) = beside {
            path.push(":");
            path.push(folder);
        }
        env.insert("PATH".into(), path);
        env.insert("LC_ALL".into(), "C".into());
        env.remove(&OsString::from("LANG"));
    }
    let cwd = scene.around.cwd.clone().into_os_string();
    env.insert("PWD".into(), cwd.clone());
    env.insert("CLAUDE_PROJECT_DIR".into(), cwd);
    if let Some(plugin) = &handler.plugin {
        env.insert(ROOT.into(), plugin.root.clone().into_os_string());
    }
    env.insert("CLAUDECODE".into(), "1".into());
    env.insert("CLAUDE_CODE_ENTRYPOINT".into(), "cli".into());
    env.insert("CLAUDE_CODE_CHILD_SESSION".into(), "1".into());
    env.into_iter().collect()
}
