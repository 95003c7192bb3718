//! [`Stage`]: a throw-away home and project for one run, gone when dropped.

use crate::doctor::scratch::Scratch;
use serde_json::{Value, json};
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What of the person's environment a client needs to run at all, and what of it decides
/// how hooks are started. Everything else, keys, proxies and endpoints first, stays out.
const KEPT: &[&str] = &[
    "PATH",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "TZ",
    "USER",
    "LOGNAME",
    "SHELL",
    "PATHEXT",
    "COMSPEC",
    "SYSTEMROOT",
    "SYSTEMDRIVE",
    "WINDIR",
    "PROGRAMFILES",
    "PROGRAMDATA",
    "USERNAME",
    "CLAUDE_CODE_GIT_BASH_PATH",
    "CLAUDE_CODE_SIMPLE",
    "CLAUDE_CODE_SAFE_MODE",
];

/// What keeps a client to itself.
const QUIET: &[(&str, &str)] = &[
    ("DISABLE_TELEMETRY", "1"),
    ("DISABLE_ERROR_REPORTING", "1"),
    ("DISABLE_AUTOUPDATER", "1"),
    ("DISABLE_BUG_COMMAND", "1"),
    ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
    ("NO_PROXY", "127.0.0.1,localhost"),
    ("TERM", "dumb"),
];

/// Where a run plays.
#[derive(Debug)]
pub struct Stage {
    // Held for its drop.
    _dir: Scratch,
    /// The client's home.
    pub home: PathBuf,
    /// The folder it starts in.
    pub project: PathBuf,
    /// Its folder for scratch files.
    pub scratch: PathBuf,
}

impl Stage {
    /// A fresh home, in which the client's first-run questions are answered, and an empty
    /// project.
    ///
    /// # Errors
    /// The system's temp folder can't be written.
    pub fn new() -> io::Result<Self> {
        Self::below(&std::env::temp_dir())
    }

    /// The same below another folder than the system's temp.
    ///
    /// # Errors
    /// The folder can't be written.
    pub fn below(base: &Path) -> io::Result<Self> {
        let dir = Scratch::below(base, "live")?;
        let root = dir.path().canonicalize()?;
        let stage = Self {
            home: root.join("home"),
            project: root.join("project"),
            scratch: root.join("scratch"),
            _dir: dir,
        };
        for folder in [&stage.home, &stage.project, &stage.scratch] {
            fs::create_dir(folder)?;
        }
        let known = json!({ "hasCompletedOnboarding": true, "theme": "dark", "projects": {} });
        fs::write(stage.home.join(".claude.json"), known.to_string())?;
        Ok(stage)
    }

    /// The client's settings for the user.
    #[must_use]
    pub fn user_settings(&self) -> PathBuf {
        self.home.join(".claude/settings.json")
    }

    /// The client's settings for the project.
    #[must_use]
    pub fn project_settings(&self) -> PathBuf {
        self.project.join(".claude/settings.json")
    }

    /// The client's settings for the project on this machine.
    #[must_use]
    pub fn local_settings(&self) -> PathBuf {
        self.project.join(".claude/settings.local.json")
    }

    /// The environment a client gets: what it needs of ours, this stage, the model's
    /// address and key.
    #[must_use]
    pub fn environment(&self, url: &str, key: &str) -> Vec<(OsString, OsString)> {
        let ours = std::env::vars_os();
        let kept = |name: &OsString| {
            name.to_str().is_some_and(|n| KEPT.iter().any(|k| k.eq_ignore_ascii_case(n)))
        };
        let mut environment = ours.filter(|(name, _)| kept(name)).collect::<Vec<_>>();
        let mut set = |name: &str, value: OsString| environment.push((name.into(), value));
        for (name, value) in QUIET {
            set(name, value.into());
        }
        for name in ["HOME", "USERPROFILE"] {
            set(name, self.home.clone().into());
        }
        for name in ["TMPDIR", "TEMP", "TMP", "CLAUDE_CODE_TMPDIR"] {
            set(name, self.scratch.clone().into());
        }
        set("ANTHROPIC_BASE_URL", url.into());
        set("ANTHROPIC_API_KEY", key.into());
        environment
    }
}

/// Writes a file and the folders above it.
///
/// # Errors
/// What the system says.
pub fn put(path: &Path, text: impl AsRef<[u8]>) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, text)
}

/// Writes a value as JSON; see [`put`].
///
/// # Errors
/// What the system says.
pub fn put_json(path: &Path, value: &Value) -> io::Result<()> {
    put(path, value.to_string())
}

#[cfg(test)]
mod tests {
    use super::Stage;

    #[test]
    fn nothing_is_left_and_nothing_of_the_person_goes_in() {
        let stage = Stage::new().unwrap();
        let root = stage.home.parent().unwrap().to_path_buf();
        let environment = stage.environment("http://127.0.0.1:1", "k");
        let names = environment.iter().filter_map(|(n, _)| n.to_str()).collect::<Vec<_>>();
        assert!(names.contains(&"PATH") && names.contains(&"ANTHROPIC_BASE_URL"), "{names:?}");
        assert!(!names.iter().any(|n| n.starts_with("CARGO")), "{names:?}");
        drop(stage);
        assert!(!root.exists());
    }
}
