//! [`Surroundings`]: the person, folders and environment an install works in.

use super::failure::Failure;
use crate::home::Home;
use crate::hosts::claude_code::places::{Os, Roots, Scope, own_file};
use crate::sys::{fs, paths};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Everything an install, uninstall or status takes from outside.
#[derive(Clone, Debug)]
pub struct Surroundings {
    /// The person's home.
    pub home: PathBuf,
    /// harness's own folders.
    pub harness: Home,
    /// `HARNESS_HOME`, if it laid `harness` out.
    pub one_folder: Option<PathBuf>,
    /// `CLAUDE_CONFIG_DIR`, if set.
    pub config_dir: Option<PathBuf>,
    /// The current folder.
    pub cwd: PathBuf,
    /// The git root around the current folder.
    pub git_root: Option<PathBuf>,
    /// The operating system.
    pub os: Os,
    /// The search path.
    pub path: OsString,
}

impl Surroundings {
    /// Of this process.
    ///
    /// # Errors
    /// There is no home, or a variable can't mean what it says.
    pub fn now() -> Result<Self, Failure> {
        let no_home = || {
            Failure::could_not(
                "no home folder is known",
                Some("set `HOME` to an absolute path".into()),
            )
        };
        home_variable(std::env::var_os("HOME"))?;
        let cwd = std::env::current_dir().map_err(|e| {
            Failure::could_not(format!("the current folder can't be read: {e}"), None)
        })?;
        Ok(Self {
            home: paths::person_home().ok_or_else(no_home)?,
            harness: paths::home_for_cli().ok_or_else(no_home)?,
            one_folder: paths::harness_home(),
            config_dir: config_dir(std::env::var_os("CLAUDE_CONFIG_DIR"))?,
            git_root: fs::git_root(&cwd),
            cwd,
            os: Os::here(),
            path: std::env::var_os("PATH").unwrap_or_default(),
        })
    }

    /// What the client's places depend on.
    #[must_use]
    pub fn roots(&self) -> Roots<'_> {
        Roots {
            home: &self.home,
            config_dir: self.config_dir.as_deref(),
            start: &self.cwd,
            git_root: self.git_root.as_deref(),
            os: self.os,
        }
    }

    /// The file harness's entries are in, in a scope.
    #[must_use]
    pub fn file(&self, scope: Scope) -> PathBuf {
        own_file(&self.roots(), scope)
    }

    /// A path as a person writes it.
    #[must_use]
    pub fn shown(&self, path: &Path) -> String {
        match path.strip_prefix(&self.home) {
            Ok(rest) if !rest.as_os_str().is_empty() => format!("~/{}", rest.display()),
            _ => path.display().to_string(),
        }
    }
}

/// The client takes `HOME` as it is, so with a relative one it reads settings below its
/// current folder: to go by the system's word instead would be to work on another home.
fn home_variable(value: Option<OsString>) -> Result<(), Failure> {
    let Some(value) = value.filter(|v| !v.is_empty()) else { return Ok(()) };
    let path = PathBuf::from(value);
    if path.is_absolute() {
        return Ok(());
    }
    let what = format!("`HOME` is `{}`, which is not an absolute path", path.display());
    Err(Failure::usage(what, "give it absolute, or unset it"))
}

/// A blank variable is an unset one, as for the client.
fn config_dir(value: Option<OsString>) -> Result<Option<PathBuf>, Failure> {
    let Some(value) = value.filter(|v| !v.to_string_lossy().trim().is_empty()) else {
        return Ok(None);
    };
    let path = PathBuf::from(value);
    if path.is_absolute() {
        return Ok(Some(path));
    }
    let what =
        format!("`CLAUDE_CONFIG_DIR` is `{}`, which is not an absolute path", path.display());
    Err(Failure::usage(what, "give it absolute (nobody expands `~` in it), or unset it"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_relative_home_is_an_error() {
        for good in [None, Some(""), Some("/home/me")] {
            assert!(home_variable(good.map(OsString::from)).is_ok(), "{good:?}");
        }
        for bad in ["home/me", "~", ".", " /home/me"] {
            assert!(home_variable(Some(bad.into())).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_blank_config_folder_is_none_and_a_relative_one_an_error() {
        assert_eq!(config_dir(Some(" \t".into())).unwrap(), None);
        assert_eq!(config_dir(Some("/alt/".into())).unwrap(), Some("/alt".into()));
        for bad in ["relative/dir", "~/claude"] {
            assert!(config_dir(Some(bad.into())).is_err(), "{bad}");
        }
    }
}
