//! Where the hosts beside Claude Code keep what starts their hooks or stops them.

use super::HostId;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// A host's own folder.
#[derive(Debug)]
pub struct Place {
    /// The host.
    pub host: HostId,
    /// The variable that moves the folder.
    variable: Option<&'static str>,
    /// The folder in a person's home.
    folder: &'static str,
    /// What decides in it which hooks run, files and folders of files.
    decisive: &'static [&'static str],
}

/// Every host's.
pub const ALL: &[Place] = &[
    Place {
        host: HostId::Dsh,
        variable: Some("DSH_HOME"),
        folder: ".dsh",
        decisive: &["cordis.patch.yml", "harness-hooks.json"],
    },
    Place {
        host: HostId::Grok,
        variable: Some("GROK_HOME"),
        folder: ".grok",
        decisive: &["hooks", "config.toml"],
    },
    Place {
        host: HostId::Codex,
        variable: Some("CODEX_HOME"),
        folder: ".codex",
        decisive: &["hooks.json", "config.toml"],
    },
    Place { host: HostId::Gemini, variable: None, folder: ".gemini", decisive: &["settings.json"] },
    Place {
        host: HostId::Copilot,
        variable: None,
        folder: ".copilot",
        decisive: &["hooks", "settings.json", "config.json"],
    },
    Place { host: HostId::Qwen, variable: None, folder: ".qwen", decisive: &["settings.json"] },
];

impl Place {
    /// A host's.
    #[must_use]
    pub fn of(host: HostId) -> Option<&'static Self> {
        ALL.iter().find(|place| place.host == host)
    }

    /// The folder, where its variable says or in a home. `variables` looks one up.
    #[must_use]
    pub fn root(&self, home: &Path, variables: Variables<'_>) -> PathBuf {
        self.moved(variables).unwrap_or_else(|| home.join(self.folder))
    }

    /// What decides which hooks run, in each of these homes and where the folder was moved.
    #[must_use]
    pub fn decisive(&self, homes: &[String], variables: Variables<'_>) -> Vec<PathBuf> {
        let folders = homes.iter().map(|home| Path::new(home).join(self.folder));
        let folders = folders.chain(self.moved(variables));
        folders.flat_map(|at| self.decisive.iter().map(move |file| at.join(file))).collect()
    }

    fn moved(&self, variables: Variables<'_>) -> Option<PathBuf> {
        variables(self.variable?).map(PathBuf::from).filter(|path| path.is_absolute())
    }
}

/// Looks up a variable of the environment.
pub type Variables<'v> = &'v dyn Fn(&str) -> Option<OsString>;

#[cfg(test)]
mod tests {
    use super::{HostId, Place};
    use std::path::Path;

    #[test]
    fn a_moved_folder_is_decisive_beside_the_one_at_home() {
        let codex = Place::of(HostId::Codex).unwrap();
        let at =
            |value: &'static str| move |name: &str| (name == "CODEX_HOME").then(|| value.into());
        let all = codex.decisive(&["/home/u".into()], &at("/m"));
        for file in ["/home/u/.codex/hooks.json", "/m/hooks.json", "/m/config.toml"] {
            assert!(all.contains(&file.into()), "{file}");
        }
        assert_eq!(codex.root(Path::new("/home/u"), &at("/m")), Path::new("/m"));
        assert_eq!(codex.root(Path::new("/home/u"), &at("m")), Path::new("/home/u/.codex"));
        assert_eq!(codex.decisive(&["/home/u".into()], &at("m")).len(), 2);
    }
}
