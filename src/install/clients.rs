//! Which clients are on this machine, and of which version.

mod written;

use super::run::bounded;
use super::surroundings::Surroundings;
use crate::hosts::claude_code::caps::{self, Version};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// A client that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Client {
    /// Where.
    pub path: PathBuf,
    /// Its version, or why that can't be told.
    pub version: Result<Version, String>,
}

/// The versions that will read a settings file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clients(pub Vec<Client>);

impl Clients {
    fn versions(&self) -> impl Iterator<Item = Version> {
        self.0.iter().filter_map(|c| c.version.as_ref().ok().copied())
    }

    /// The lowest version found: what is written must suit it.
    #[must_use]
    pub fn lowest(&self) -> Option<Version> {
        self.versions().min()
    }

    /// The highest version found.
    #[must_use]
    pub fn highest(&self) -> Option<Version> {
        self.versions().max()
    }

    /// Every version a text has to be good for.
    #[must_use]
    pub fn readers(&self) -> Vec<Version> {
        let mut all: Vec<Version> = self.versions().collect();
        if all.is_empty() {
            all = vec![caps::OLDEST, caps::NEWEST_MEASURED];
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    /// What a person should know about what was found; nothing if one good client was.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        let mut notes: Vec<String> = self
            .0
            .iter()
            .filter_map(|c| {
                let why = c.version.as_ref().err()?;
                Some(format!("{}: its version can't be told: {why}", c.path.display()))
            })
            .collect();
        match (self.lowest(), self.highest()) {
            (None, _) => notes.push(format!(
                "no Claude Code was found: written for {} and later; run `harness install` again once there is one",
                caps::OLDEST
            )),
            (Some(low), Some(high)) if low != high => {
                notes.push(format!("Claude Code {low} and {high} are here: written for {low}"));
            }
            _ => {}
        }
        notes
    }
}

/// Finds every Claude Code on the search path and in its usual places, and asks each for
/// its version.
#[must_use]
pub fn find(around: &Surroundings) -> Clients {
    let mut seen = HashSet::new();
    let mut found = candidates(around);
    found.retain(|path| seen.insert(path.canonicalize().unwrap_or_else(|_| path.clone())));
    // Each takes a second or so to say it, and most of that is waiting.
    let versions: Vec<_> = std::thread::scope(|threads| {
        let asked: Vec<_> =
            found.iter().map(|path| threads.spawn(move || version(path, around))).collect();
        asked
            .into_iter()
            .map(|a| a.join().unwrap_or_else(|_| Err("asking failed".into())))
            .collect()
    });
    let client = |(path, version)| Client { path, version };
    Clients(found.into_iter().zip(versions).map(client).collect())
}

fn version(path: &Path, around: &Surroundings) -> Result<Version, String> {
    written::version(path, around).map_or_else(|| ask(path, around), Ok)
}

fn candidates(around: &Surroundings) -> Vec<PathBuf> {
    let on_path = which::which_in_all("claude", Some(&around.path), &around.cwd);
    let mut found: Vec<PathBuf> = on_path.into_iter().flatten().collect();
    let home = &around.home;
    let usual = [
        home.join(".local/bin/claude"),
        home.join(".claude/local/claude"),
        home.join(".claude/local/node_modules/.bin/claude"),
        home.join(".npm-global/bin/claude"),
        home.join(".npm/bin/claude"),
        home.join(".bun/bin/claude"),
        home.join(".volta/bin/claude"),
        home.join(".asdf/shims/claude"),
        home.join("AppData/Roaming/npm/claude.cmd"),
        home.join(".local/bin/claude.exe"),
        "/usr/local/bin/claude".into(),
        "/usr/bin/claude".into(),
        "/opt/homebrew/bin/claude".into(),
        "/home/linuxbrew/.linuxbrew/bin/claude".into(),
    ];
    found.extend(usual);
    found.extend(below(&home.join(".nvm/versions/node"), "", "bin/claude"));
    found.extend(below(
        &home.join(".local/share/fnm/node-versions"),
        "",
        "installation/bin/claude",
    ));
    for editor in [".vscode", ".vscode-server", ".cursor", ".windsurf"] {
        let extensions = home.join(editor).join("extensions");
        let binary = "resources/native-binary/claude";
        found.extend(below(&extensions, "anthropic.claude-code-", binary));
    }
    found.retain(|path| crate::sys::fs::is_executable(path));
    found
}

/// `folder/PREFIX*/rest`, in name order.
fn below(folder: &Path, prefix: &str, rest: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries
        .filter(|e| e.file_name().to_string_lossy().starts_with(prefix))
        .map(|e| e.path().join(rest))
        .collect();
    found.sort();
    found
}

/// Runs `--version` in an environment and home of its own: asking must not change
/// anything, nor be answered by a variable.
fn ask(path: &Path, around: &Surroundings) -> Result<Version, String> {
    let scratch = tempfile::tempdir().map_err(|e| e.to_string())?;
    let mut command = Command::new(path);
    command.arg("--version").env_clear().current_dir(scratch.path());
    command.env("PATH", &around.path).env("HOME", scratch.path());
    command.env("DISABLE_AUTOUPDATER", "1");
    let ran = bounded(command, b"", Duration::from_secs(10)).map_err(|e| e.to_string())?;
    match ran.status {
        None => return Err("`--version` didn't end within 10 s".to_owned()),
        Some(status) if !status.success() => return Err(format!("`--version` failed: {status}")),
        Some(_) => {}
    }
    let text = String::from_utf8_lossy(&ran.stdout);
    Version::parse(&text).ok_or_else(|| {
        let line: String = text.lines().next().unwrap_or_default().chars().take(60).collect();
        format!("`--version` said `{line}`")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(version: Result<Version, String>) -> Client {
        Client { path: "/c".into(), version }
    }

    #[test]
    fn the_lowest_counts_and_several_are_said() {
        let (low, high) = (Version::new(2, 1, 100), Version::new(2, 1, 332));
        let two = Clients(vec![client(Ok(high)), client(Ok(low)), client(Err("?".into()))]);
        assert_eq!((two.lowest(), two.highest()), (Some(low), Some(high)));
        assert_eq!(two.readers(), [low, high]);
        assert_eq!(two.notes().len(), 2);
        assert!(Clients(vec![client(Ok(high))]).notes().is_empty());
        let none = Clients::default();
        assert!(none.lowest().is_none() && none.notes()[0].contains("no Claude Code"));
    }
}
