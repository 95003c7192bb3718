//! The client's sessions that are open: each goes on with the hooks it has read until its
//! watcher shows it the change, and asks them whether it may take the change.

use super::surroundings::Surroundings;
use crate::hosts::claude_code::places::{self, Scope};
use crate::sys::running::{self, Running};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Within this time a session has read a change of its settings, by measurement twice over.
pub const READ_WITHIN: Duration = Duration::from_secs(6);

/// The numbers of the sessions that read one of these files; `None` where the system
/// doesn't show what is running.
#[must_use]
pub fn open(files: &[(Scope, PathBuf)]) -> Option<Vec<u32>> {
    let all = running::all()?.into_iter();
    Some(all.filter(|r| is_client(r) && files.iter().any(|f| reads(r, f))).map(|r| r.pid).collect())
}

/// Waits until the sessions have ended, or have read a change that was made just now.
pub fn wait(sessions: &[u32], files: &[(Scope, PathBuf)]) {
    let start = Instant::now();
    while start.elapsed() < READ_WITHIN {
        let left = open(files).unwrap_or_default();
        if !left.iter().any(|pid| sessions.contains(pid)) {
            return;
        }
        std::thread::sleep(Duration::from_millis(250));
    }
}

/// What starts a client that is a script.
const INTERPRETERS: &[&str] = &["bash", "bun", "dash", "deno", "node", "sh"];

/// By the name that the client gives itself, or the script that an interpreter was given.
fn is_client(program: &Running) -> bool {
    let name = |word: &OsStr| Path::new(word).file_name().map(OsStr::to_os_string);
    let named = |word: &OsStr| name(word).is_some_and(|n| n == "claude" || n == "claude.exe");
    let script = |word: &OsStr| named(word) || Path::new(word).ends_with("claude-code/cli.js");
    let Some((first, rest)) = program.words.split_first() else { return false };
    let interpreter = name(first).is_some_and(|n| INTERPRETERS.iter().any(|i| n == *i));
    named(first) || (interpreter && rest.first().is_some_and(|word| script(word)))
}

fn reads(program: &Running, (scope, file): &(Scope, PathBuf)) -> bool {
    let variable = |name: &str| program.variable(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    match scope {
        Scope::Managed => true,
        Scope::User => {
            let home = variable("HOME").unwrap_or_default();
            let folder = places::config_dir(&home, variable("CLAUDE_CONFIG_DIR").as_deref());
            is_same(&folder.join("settings.json"), file)
        }
        Scope::Project | Scope::Local => {
            let root = file.parent().and_then(Path::parent);
            let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
            let cwd = program.cwd.as_deref().map(real);
            matches!((root, cwd), (Some(root), Some(cwd)) if cwd.starts_with(real(root)))
        }
    }
}

/// Whether two paths are one; the file itself may be gone by now.
fn is_same(one: &Path, other: &Path) -> bool {
    let end = |path: &Path| crate::sys::fs::follow(path).unwrap_or_else(|_| path.to_path_buf());
    one == other || end(one) == end(other)
}

/// What to tell a person whose sessions are open when the hooks come.
#[must_use]
pub fn greeted(sessions: &[u32]) -> Option<String> {
    let which = which(sessions)?;
    Some(format!(
        "{which}: it reads the hooks within seconds; a long session may write old settings back, `harness status` shows whether they are still there"
    ))
}

fn which(sessions: &[u32]) -> Option<String> {
    let numbers: Vec<String> = sessions.iter().map(u32::to_string).collect();
    (!numbers.is_empty()).then(|| format!("Claude Code is open (process {})", numbers.join(", ")))
}

/// What to tell a person about them: which they are, and of the program they still start.
#[must_use]
pub fn said(around: &Surroundings, sessions: Option<&[u32]>, program: &Path) -> Option<String> {
    let shown = around.shown(program);
    let seconds = READ_WITHIN.as_secs();
    let sessions = match sessions {
        None => {
            return Some(format!(
                "sessions that are open may still start {shown}: leave it there for {seconds} seconds"
            ));
        }
        Some(sessions) => sessions,
    };
    let which = which(sessions)?;
    Some(if program.exists() {
        format!(
            "{which}: waiting up to {seconds} seconds until it has read the change; leave {shown} there so long"
        )
    } else {
        format!(
            "{which} and {shown}, which its hooks start, is gone: it may deny every call until it is started again"
        )
    })
}
