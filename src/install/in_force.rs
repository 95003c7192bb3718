//! Where the hooks that run in a folder look for harness's files. People's commands look
//! there too, so that what they say is what the hook does.

use super::surroundings::Surroundings;
use super::{beside, own};
use crate::home::Home;
use crate::hosts::claude_code::caps::NEWEST_MEASURED;
use crate::hosts::claude_code::places;
use crate::settings::hooks::{self, Entry};
use crate::sys::{fs, paths};
use std::path::Path;

/// The folders that a registered command names; `None` if it leaves them to the system's
/// word for the home, as shared and machine-wide ones do.
#[must_use]
pub fn named(entry: &Entry) -> Option<Home> {
    let argv = own::argv(entry)?;
    let flag = |name: &str| {
        let at = argv.iter().position(|a| a == name)?;
        argv.get(at + 1).map(Path::new)
    };
    if let Some(root) = flag("--home") {
        return Some(Home::under(root));
    }
    let (config, state, cache) = (flag("--config")?, flag("--state")?, flag("--cache")?);
    Some(Home { config: config.into(), state: state.into(), cache: cache.into() })
}

/// Where the gate that runs here looks: the folders it was registered with, else the
/// system's word for the home, which `HOME` doesn't change. Without a gate, or with
/// `HARNESS_HOME` set, where people's commands look anyway.
#[must_use]
pub fn home(around: &Surroundings) -> Home {
    if around.one_folder.is_some() {
        return around.harness.clone();
    }
    let gates: Vec<Entry> =
        places::settings_files(&around.roots()).iter().flat_map(|p| gates(&p.file)).collect();
    let unnamed = || {
        let hook = paths::home_for_hook().filter(|_| !gates.is_empty());
        hook.unwrap_or_else(|| around.harness.clone())
    };
    gates.iter().find_map(named).unwrap_or_else(unnamed)
}

/// Every home that a gate found here was registered with, each once.
#[must_use]
pub fn homes(around: &Surroundings) -> Vec<Home> {
    let files = places::settings_files(&around.roots());
    let gates = files.iter().flat_map(|p| gates(&p.file));
    let mut homes: Vec<Home> = Vec::new();
    for home in gates.filter_map(|gate| named(&gate).or_else(paths::home_for_hook)) {
        if !homes.contains(&home) {
            homes.push(home);
        }
    }
    homes
}

/// Whether a file that some host reads its hooks from holds this id.
#[must_use]
pub fn names(around: &Surroundings, owner: &str) -> bool {
    let files = places::settings_files(&around.roots()).into_iter().map(|place| place.file);
    files.chain(beside::files(around)).any(|file| {
        let bytes = fs::read(&file).ok().flatten().unwrap_or_default();
        String::from_utf8_lossy(&bytes).contains(owner)
    })
}

/// The gates of ours that a settings file registers; none if it can't be read.
#[must_use]
pub fn gates(file: &Path) -> Vec<Entry> {
    let bytes = fs::read(file).ok().flatten().unwrap_or_default();
    let text = String::from_utf8(bytes).unwrap_or_default();
    let found = hooks::list(&text, NEWEST_MEASURED).map(|l| l.entries).unwrap_or_default();
    found.into_iter().filter(|e| e.event == "PreToolUse" && own::is_ours(e, None)).collect()
}

/// What to tell a person whose `HOME` is not the home that the hooks here go by.
#[must_use]
pub fn differs(around: &Surroundings, home: &Home) -> Option<String> {
    (home.config != around.harness.config).then(|| {
        format!(
            "the hooks that run here read {}, not {}: they go by the folders they were registered with, else by the system's word for your home, whatever `HOME` says",
            home.config.display(),
            around.harness.config.display()
        )
    })
}
