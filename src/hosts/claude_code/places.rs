//! Where Claude Code reads which settings file, in its own order: the later wins where
//! both speak of the same thing, and the hooks of all of them run.

use std::fmt;
use std::path::{Path, PathBuf};

/// Whose settings a file holds.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// The person's, for every project.
    User,
    /// The repository's, shared.
    Project,
    /// The repository's, this person's own.
    Local,
    /// The machine's; nothing below can switch it off.
    Managed,
}

impl Scope {
    /// Every scope, in the order the client reads them.
    pub const ALL: &'static [Self] = &[Self::User, Self::Project, Self::Local, Self::Managed];

    /// The name on the command line and in reports.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Project => "project",
            Self::Local => "local",
            Self::Managed => "managed",
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The operating systems the client keeps its files apart for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Os {
    /// Linux and everything like it.
    Linux,
    /// macOS.
    MacOs,
    /// Windows.
    Windows,
}

impl Os {
    /// The one this program was built for.
    #[must_use]
    pub fn here() -> Self {
        match std::env::consts::OS {
            "windows" => Self::Windows,
            "macos" => Self::MacOs,
            _ => Self::Linux,
        }
    }
}

/// What the places depend on.
#[derive(Clone, Debug)]
pub struct Roots<'a> {
    /// The person's home.
    pub home: &'a Path,
    /// `CLAUDE_CONFIG_DIR`, if set and not blank (see [`config_dir`]).
    pub config_dir: Option<&'a Path>,
    /// The folder a session starts in.
    pub start: &'a Path,
    /// The root of the git repository around `start`, if any.
    pub git_root: Option<&'a Path>,
    /// The operating system.
    pub os: Os,
}

/// One settings file the client would read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Whose it is.
    pub scope: Scope,
    /// The file; it need not exist.
    pub file: PathBuf,
}

/// The folder the client keeps the person's own things in.
#[must_use]
pub fn config_dir(home: &Path, config_dir: Option<&Path>) -> PathBuf {
    config_dir.map_or_else(|| home.join(".claude"), Path::to_path_buf)
}

/// The person's settings.
#[must_use]
pub fn user(roots: &Roots<'_>) -> PathBuf {
    config_dir(roots.home, roots.config_dir).join("settings.json")
}

/// The repository's settings: of the start folder only, the client doesn't walk up.
#[must_use]
pub fn project(roots: &Roots<'_>) -> PathBuf {
    roots.start.join(".claude").join("settings.json")
}

/// This person's settings for the repository: at its git root (clients from 2.1.211, not
/// on Windows), in the start folder outside git.
#[must_use]
pub fn local(roots: &Roots<'_>) -> PathBuf {
    let base = match (roots.os, roots.git_root) {
        (Os::Linux | Os::MacOs, Some(root)) => root,
        _ => roots.start,
    };
    base.join(".claude").join("settings.local.json")
}

/// The folder of the machine's settings.
#[must_use]
pub fn managed_dir(os: Os) -> PathBuf {
    PathBuf::from(match os {
        Os::Linux => "/etc/claude-code",
        Os::MacOs => "/Library/Application Support/ClaudeCode",
        Os::Windows => r"C:\Program Files\ClaudeCode",
    })
}

/// The machine's settings file.
#[must_use]
pub fn managed(os: Os) -> PathBuf {
    managed_dir(os).join("managed-settings.json")
}

/// The folder whose `*.json` files add to the machine's settings, in name order.
#[must_use]
pub fn managed_drop_ins(os: Os) -> PathBuf {
    managed_dir(os).join("managed-settings.d")
}

/// harness's own drop-in.
#[must_use]
pub fn managed_own(os: Os) -> PathBuf {
    managed_drop_ins(os).join("50-harness.json")
}

/// The fixed files in the client's order: user, project, local, managed. The drop-ins of
/// [`managed_drop_ins`] come last and have to be listed.
#[must_use]
pub fn settings_files(roots: &Roots<'_>) -> Vec<Place> {
    vec![
        Place { scope: Scope::User, file: user(roots) },
        Place { scope: Scope::Project, file: project(roots) },
        Place { scope: Scope::Local, file: local(roots) },
        Place { scope: Scope::Managed, file: managed(roots.os) },
    ]
}

/// The file harness writes its entries to in a scope.
#[must_use]
pub fn own_file(roots: &Roots<'_>, scope: Scope) -> PathBuf {
    match scope {
        Scope::User => user(roots),
        Scope::Project => project(roots),
        Scope::Local => local(roots),
        Scope::Managed => managed_own(roots.os),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn roots<'a>(config_dir: Option<&'a Path>, git: Option<&'a Path>, os: Os) -> Roots<'a> {
        let (home, start) = (Path::new("/home/u"), Path::new("/w/repo/sub"));
        Roots { home, config_dir, start, git_root: git, os }
    }

    #[test]
    fn the_person_may_move_the_config_folder() {
        assert_eq!(user(&roots(None, None, Os::Linux)), Path::new("/home/u/.claude/settings.json"));
        let moved = roots(Some(Path::new("/alt/")), None, Os::Linux);
        assert_eq!(user(&moved), Path::new("/alt/settings.json"));
    }

    #[test]
    fn local_settings_live_at_the_git_root_but_not_on_windows() {
        let git = Some(Path::new("/w/repo"));
        assert_eq!(
            local(&roots(None, git, Os::Linux)),
            Path::new("/w/repo/.claude/settings.local.json")
        );
        let start = Path::new("/w/repo/sub/.claude/settings.local.json");
        assert_eq!(local(&roots(None, None, Os::Linux)), start);
        assert_eq!(local(&roots(None, git, Os::Windows)), start);
    }

    #[test]
    fn managed_comes_last() {
        let all = settings_files(&roots(None, None, Os::MacOs));
        assert_eq!(all.iter().map(|p| p.scope).collect::<Vec<_>>(), Scope::ALL);
        assert!(managed_own(Os::Linux).ends_with("managed-settings.d/50-harness.json"));
    }
}
