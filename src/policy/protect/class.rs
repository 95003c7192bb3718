//! What a path is to self-protection.

use std::cell::OnceCell;

use super::super::facts::Facts;
use super::super::paths;
use super::super::place::Place;
use super::Own;

/// What a protected path is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// harness's own policy, state, cache or binary.
    Harness,
    /// Settings of the client, which may also hold harmless things.
    Settings,
    /// Another host's hook file, or a hook script.
    Hooks,
    /// A project's policy.
    Project,
    /// A folder that holds settings: harmless to write in, not to take away.
    Folder,
}

/// Everything under protection in a situation.
pub(super) struct Known<'f> {
    facts: &'f Facts<'f>,
    own: &'f Own,
    resolved: OnceCell<Vec<(String, Class)>>,
}

/// Folders of hosts that hold settings or hooks.
const FOLDERS: &[&str] =
    &[".claude", ".codex", ".grok", ".gemini", ".qwen", ".cursor", ".copilot", ".dsh", ".harness"];

/// Files in those folders that start hooks.
pub(super) const FILES: &[&str] = &[
    ".claude/settings.json",
    ".claude/settings.local.json",
    ".claude/hooks",
    ".codex/hooks.json",
    ".codex/config.toml",
    ".grok/hooks",
    ".grok/config.toml",
    ".gemini/settings.json",
    ".qwen/settings.json",
    ".cursor/hooks.json",
    ".copilot/hooks",
    ".copilot/settings.json",
    ".copilot/config.json",
    ".dsh/cordis.patch.yml",
    ".dsh/harness-hooks.json",
    ".github/hooks",
    ".harness/policy.toml",
];

/// Folders of managed settings.
const MANAGED: &[&str] = &[
    "/etc/claude-code",
    "/etc/codex",
    "/etc/grok",
    "/etc/github-copilot",
    "/etc/gemini-cli",
    "/library/application support/claudecode",
    "/library/application support/geminicli",
    "c:/program files/claudecode",
    "c:/programdata/claudecode",
];

impl<'f> Known<'f> {
    pub(super) fn of(facts: &'f Facts<'f>, own: &'f Own) -> Self {
        Self { facts, own, resolved: OnceCell::new() }
    }

    /// The class of a place, if it is protected itself.
    pub(super) fn class(&self, place: &Place) -> Option<Class> {
        if place.forms().any(|form| self.is_repair(form)) {
            return None;
        }
        let by_name = place.forms().find_map(by_name);
        if matches!(by_name, Some(Class::Settings | Class::Hooks | Class::Project)) {
            return by_name;
        }
        // A glob over whole trees means only what is there.
        let tree = place.glob && place.spelled.contains("**");
        let own = self.keys().iter().find(|(key, class)| {
            *class != Class::Folder
                && place.may_be_within(key)
                && (!tree || self.facts.world.read(key).is_some())
        });
        own.map(|(_, class)| *class).or(by_name)
    }

    /// Whether a place is one of the folders that a client reads its settings from.
    pub(super) fn is_folder(&self, place: &Place) -> bool {
        self.keys().iter().any(|(key, class)| *class == Class::Folder && place.is(key))
    }

    /// What would go with a place that is deleted, moved or replaced.
    pub(super) fn taken_with(&self, place: &Place) -> Option<(Class, &str)> {
        // A glob over whole trees (`find . -name '*.json' -delete`) takes only what is there.
        let tree = place.glob && place.spelled.contains("**");
        self.keys()
            .iter()
            .find(|(key, _)| place.covers(key) && (!tree || self.facts.world.read(key).is_some()))
            .map(|(key, class)| (*class, key.as_str()))
    }

    /// A broken policy file that is to be repaired.
    pub(super) fn is_repair(&self, path: &str) -> bool {
        self.own.repair.iter().any(|file| file == path)
    }

    /// Words in code that name something protected.
    pub(super) fn named_in(&self, text: &str) -> bool {
        let folded = paths::folded(text);
        let near = |folder: &str, rest: &str| {
            folded.match_indices(folder).any(|(at, _)| {
                folded
                    .get(at..)
                    .is_some_and(|t| t.chars().take(120).collect::<String>().contains(rest))
            })
        };
        near(".claude", "settings")
            || near(".claude", "hooks")
            || near(".codex", "hooks.json")
            || near(".codex", "config.toml")
            || near(".grok", "hooks")
            || near(".grok", "config.toml")
            || near(".gemini", "settings")
            || near(".qwen", "settings")
            || near(".cursor", "hooks.json")
            || near(".copilot", "hooks")
            || near(".copilot", "settings")
            || near(".copilot", "config.json")
            || near(".dsh", "cordis.patch")
            || near(".dsh", "harness-hooks")
            || near(".harness", "policy")
            || folded.contains("/etc/claude-code")
            || folded.contains("disableallhooks")
            || self.own.paths.iter().any(|p| self.names_own(&folded, p))
            || folded.contains(".config/harness")
            || folded.contains(".local/state/harness")
    }

    /// Whether code names a whole folder of settings: `".claude"`, `".claude/*"`.
    pub(super) fn folder_named_in(text: &str) -> bool {
        let folded = paths::folded(text);
        FOLDERS.iter().any(|folder| {
            folded.match_indices(folder).any(|(at, _)| {
                let rest = folded.get(at + folder.len()..).unwrap_or("");
                rest.strip_prefix('/').unwrap_or(rest).starts_with(['*', '"', '\'', '`', '>'])
            })
        })
    }

    /// One of harness's own paths, in full or from the home on.
    fn names_own(&self, folded: &str, path: &str) -> bool {
        let homes = self.facts.situation.homes.iter();
        let short = homes.filter_map(|home| path.strip_prefix(home.as_str()));
        std::iter::once(path)
            .chain(short)
            .any(|p| p.len() > 5 && folded.contains(&paths::folded(p)))
    }

    fn keys(&self) -> &[(String, Class)] {
        self.resolved.get_or_init(|| self.find_keys())
    }

    fn find_keys(&self) -> Vec<(String, Class)> {
        let mut out: Vec<(String, Class)> = Vec::new();
        let mut add = |path: String, class: Class| {
            let resolved = self.facts.world.resolve("/", &path);
            if resolved != path {
                out.push((resolved, class));
            }
            out.push((path, class));
        };
        for path in &self.own.paths {
            add(paths::normal("/", path), Class::Harness);
        }
        for path in self.facts.situation.protected.paths() {
            let path = paths::normal("/", &path);
            let class = if is_settings(paths::base_name(&paths::folded(&path))) {
                Class::Settings
            } else {
                by_name(&path).unwrap_or(Class::Harness)
            };
            add(path, class);
        }
        for path in self.facts.situation.protected.others() {
            add(paths::normal("/", &path), Class::Hooks);
        }
        out.extend(self.well_known());
        out
    }

    /// Settings files that exist or may come to exist in the workspace, the current folder
    /// and the homes.
    fn well_known(&self) -> Vec<(String, Class)> {
        let situation = self.facts.situation;
        let mut roots: Vec<&str> = situation.homes.iter().map(String::as_str).collect();
        roots.extend([situation.workspace, self.facts.call.cwd()]);
        roots.retain(|r| !r.is_empty());
        roots.sort_unstable();
        roots.dedup();
        let mut out = Vec::with_capacity(roots.len() * (FILES.len() + FOLDERS.len()));
        for root in roots {
            let root = root.trim_end_matches('/');
            out.extend(FILES.iter().map(|f| (format!("{root}/{f}"), Class::Settings)));
            out.extend(FOLDERS.iter().map(|f| (format!("{root}/{f}"), Class::Folder)));
        }
        out.extend(MANAGED.iter().map(|f| ((*f).to_owned(), Class::Settings)));
        out
    }
}

/// The class by the path's own name, wherever it is.
pub(super) fn by_name(path: &str) -> Option<Class> {
    let path = paths::folded(path);
    if MANAGED.iter().any(|m| paths::within(&path, m)) {
        return Some(Class::Settings);
    }
    if paths::within(&path, "/etc/harness") {
        return Some(Class::Harness);
    }
    let parts: Vec<&str> = path.split('/').filter(|p| !p.is_empty()).collect();
    (0..parts.len()).rev().find_map(|at| in_folder(parts.get(at).copied()?, parts.get(at + 1..)?))
}

fn in_folder(folder: &str, rest: &[&str]) -> Option<Class> {
    let first = rest.first().copied().unwrap_or("");
    let alone = rest.len() == 1;
    let class = match folder {
        ".claude" if alone && is_settings(first) => Class::Settings,
        ".claude" if first == "hooks" => Class::Hooks,
        ".claude" if first == "plugins" && rest.last() == Some(&"hooks.json") => Class::Hooks,
        ".codex" if alone && matches!(first, "hooks.json" | "config.toml") => Class::Hooks,
        ".codex" | ".grok" | ".cursor" | ".copilot" | ".github" if first == "hooks" => Class::Hooks,
        ".grok" if alone && first.ends_with("config.toml") => Class::Hooks,
        ".gemini" | ".qwen" | ".copilot" if alone && is_settings(first) => Class::Hooks,
        ".cursor" if alone && first == "hooks.json" => Class::Hooks,
        ".copilot" if alone && first == "config.json" => Class::Hooks,
        ".dsh" if alone && first == "harness-hooks.json" => Class::Hooks,
        // One for all profiles, and one in each.
        ".dsh" if rest.last() == Some(&"cordis.patch.yml") => Class::Hooks,
        ".github" if first == "copilot" && rest.get(1).is_some_and(|f| is_settings(f)) => {
            Class::Hooks
        }
        ".harness" if alone && first == "policy.toml" => Class::Project,
        folder if rest.is_empty() && FOLDERS.contains(&folder) => Class::Folder,
        _ => return None,
    };
    Some(class)
}

/// `settings.json`, `settings.local.json`, `settings*.json`.
fn is_settings(name: &str) -> bool {
    let json = std::path::Path::new(name).extension().is_some_and(|e| e == "json" || e == "jsonc");
    json && name.starts_with("settings")
}

#[cfg(test)]
mod tests {
    use super::{Class, by_name};

    #[test]
    fn names() {
        assert_eq!(by_name("/w/.claude/settings.json"), Some(Class::Settings));
        assert_eq!(by_name("/w/.Claude/Settings.Local.JSON"), Some(Class::Settings));
        assert_eq!(by_name("/w/.claude/hooks/x.sh"), Some(Class::Hooks));
        assert_eq!(by_name("/etc/claude-code/managed-settings.d/a.json"), Some(Class::Settings));
        assert_eq!(by_name("/w/.harness/policy.toml"), Some(Class::Project));
        assert_eq!(by_name("/w/.claude"), Some(Class::Folder));
        assert_eq!(by_name("/w/.claude/agents/x.md"), None);
        assert_eq!(by_name("/w/.vscode/settings.json"), None);
        assert_eq!(by_name("/w/.github/workflows/ci.yml"), None);
    }
}
