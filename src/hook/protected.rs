//! [`Protected`]: harness's own files and the host's settings, which no agent changes.

use std::env;
use std::path::{Path, PathBuf};

use crate::home::Home;
use crate::hosts;
use crate::hosts::claude_code::places::{self, Os};
use crate::policy;
use crate::sys::{own, paths};

/// What is under self-protection beside the built-in paths: where to look for it.
#[derive(Debug)]
pub struct Protected {
    home: Home,
    homes: Vec<String>,
    workspace: String,
}

impl Protected {
    /// For an installation, the homes of a person and a workspace (empty if unknown).
    #[must_use]
    pub fn of(home: &Home, homes: &[String], workspace: &str) -> Self {
        Self { home: home.clone(), homes: homes.to_vec(), workspace: workspace.to_owned() }
    }
}

impl policy::Protected for Protected {
    fn paths(&self) -> Vec<String> {
        let Self { home, homes, workspace } = self;
        let mut all: Vec<PathBuf> = vec![
            home.config.clone(),
            // By itself too: it may be a link to a file elsewhere, which decides then.
            home.policy(),
            home.state.clone(),
            home.cache.clone(),
            places::managed_dir(Os::here()),
        ];
        all.extend(own::program());
        let managed = paths::managed_policy();
        if let Some(folder) = managed.parent() {
            all.push(folder.to_path_buf());
        }
        all.push(managed);
        let moved =
            env::var_os("CLAUDE_CONFIG_DIR").map(PathBuf::from).filter(|dir| dir.is_absolute());
        let folders = homes.iter().map(|home| Path::new(home).join(".claude")).chain(moved);
        let above = Path::new(workspace).ancestors().filter(|dir| !dir.as_os_str().is_empty());
        for folder in folders.chain(above.map(|dir| dir.join(".claude"))) {
            all.push(folder.join("settings.json"));
            all.push(folder.join("settings.local.json"));
        }
        all.into_iter().map(|path| path.to_string_lossy().into_owned()).collect()
    }

    fn others(&self) -> Vec<String> {
        let variables = |name: &str| env::var_os(name);
        let all = hosts::places::ALL.iter();
        let all = all.flat_map(|place| place.decisive(&self.homes, &variables));
        all.map(|path| path.to_string_lossy().into_owned()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Protected;
    use crate::home::Home;
    use crate::policy::Protected as _;
    use std::path::Path;

    #[test]
    fn our_files_and_the_settings_on_the_way_up_are_protected() {
        let home = Home::under(Path::new("/r"));
        let own = Protected::of(&home, &["/home/u".into()], "/w/repo");
        let all = own.paths();
        for file in [
            "/r",
            "/r/state",
            "/home/u/.claude/settings.json",
            "/w/repo/.claude/settings.json",
            "/w/.claude/settings.local.json",
        ] {
            assert!(all.iter().any(|p| p == file), "{file}");
        }
        let others = own.others();
        for file in
            [".codex/hooks.json", ".codex/config.toml", ".grok/hooks", ".qwen/settings.json"]
        {
            assert!(others.contains(&format!("/home/u/{file}")), "{file}");
        }
    }
}
