//! What of a repository starts programs: its hooks and its configuration, also those of
//! worktrees and submodules.

use std::path::{Path, PathBuf};

/// What of a repository is to stay as it is, relative to its folder.
const FROZEN: &[&str] = &["hooks", "config", "config.worktree"];
/// How deep names of submodules go.
const DEPTH: usize = 4;

/// What a workspace's repository adds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repository {
    /// Folders outside the workspace that commits are written to.
    pub writable: Vec<PathBuf>,
    /// What is to stay as it is, there or not.
    pub frozen: Vec<PathBuf>,
    /// Whether there is none: one that the command makes is looked at afterwards.
    pub missing: bool,
}

/// Looks at the repository of a folder.
#[must_use]
pub fn look(root: &Path) -> Repository {
    let mut found = Repository::default();
    let dot = root.join(".git");
    match std::fs::symlink_metadata(&dot) {
        Ok(about) if about.is_dir() => found.frozen.extend(of(&dot)),
        Ok(about) if about.is_file() => {
            found.frozen.push(dot.clone());
            if let Some((own, common)) = worktree(&dot) {
                found.frozen.extend(of(&common));
                found.frozen.push(own.join("config.worktree"));
                found.writable.push(common);
            }
        }
        Ok(_) => found.frozen.push(dot),
        Err(_) => found.missing = true,
    }
    // A bare one is its own folder.
    if root.join("HEAD").is_file() && root.join("objects").is_dir() {
        found.frozen.extend(of(root));
        found.missing = false;
    }
    found
}

fn of(folder: &Path) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> = FROZEN.iter().map(|name| folder.join(name)).collect();
    modules(&folder.join("modules"), DEPTH, &mut all);
    all
}

fn modules(folder: &Path, depth: usize, all: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten().filter(|e| e.file_type().is_ok_and(|kind| kind.is_dir())) {
        let path = entry.path();
        if path.join("HEAD").is_file() {
            all.extend(FROZEN.iter().map(|name| path.join(name)));
            modules(&path.join("modules"), depth, all);
        } else if depth > 0 {
            modules(&path, depth - 1, all);
        }
    }
}

/// The folder of a worktree and that of its repository, where the repository itself says
/// that this worktree is its own: the file in the worktree could say anything.
fn worktree(file: &Path) -> Option<(PathBuf, PathBuf)> {
    let own = named(file, "gitdir: ")?.canonicalize().ok()?;
    let back = PathBuf::from(text(&own.join("gitdir"))?);
    if back.canonicalize().ok()? != file.canonicalize().ok()? {
        return None;
    }
    let common = own.join(text(&own.join("commondir"))?).canonicalize().ok()?;
    let below = own.starts_with(common.join("worktrees"));
    (below && common.join("objects").is_dir()).then_some((own, common))
}

fn named(file: &Path, mark: &str) -> Option<PathBuf> {
    let said = text(file)?;
    let path = PathBuf::from(said.strip_prefix(mark)?);
    Some(if path.is_absolute() { path } else { file.parent()?.join(path) })
}

fn text(file: &Path) -> Option<String> {
    let bytes = crate::sys::bounded::read(file, 64 << 10).ok()?;
    Some(String::from_utf8(bytes).ok()?.trim_end().to_owned())
}

/// Whether a configuration has only what `git init`, `git clone` and a person's name make of
/// it: nothing that starts a program.
#[must_use]
pub fn is_plain(config: &str) -> bool {
    const PLAIN: &[(&str, &[&str])] = &[
        (
            "core",
            &[
                "repositoryformatversion",
                "filemode",
                "bare",
                "logallrefupdates",
                "ignorecase",
                "precomposeunicode",
                "symlinks",
                "autocrlf",
                "eol",
            ],
        ),
        ("user", &["name", "email"]),
        ("init", &["defaultbranch"]),
        ("branch", &["remote", "merge", "rebase"]),
        ("extensions", &["objectformat", "refstorage"]),
        ("commit", &["gpgsign"]),
        ("advice", &["detachedhead"]),
    ];
    let mut section: Option<&[&str]> = None;
    let mut remote = false;
    for line in config.lines().map(str::trim) {
        if line.is_empty() || line.starts_with(['#', ';']) {
            continue;
        }
        if let Some(head) = line.strip_prefix('[') {
            // More behind the head of a section on the same line isn't what git writes.
            let Some(head) = head.strip_suffix(']') else { return false };
            let name = head.split([' ', '"', '.']).next().unwrap_or("").to_ascii_lowercase();
            remote = name == "remote";
            section = PLAIN.iter().find(|(known, _)| *known == name).map(|(_, keys)| *keys);
            if section.is_none() && !remote {
                return false;
            }
            continue;
        }
        let (key, value) = line.split_once('=').unwrap_or((line, ""));
        let key = key.trim().to_ascii_lowercase();
        let fits = if remote {
            // `helper::address` starts a program.
            key == "fetch" || (key == "url" && !value.contains("::"))
        } else {
            section.is_some_and(|keys| keys.contains(&key.as_str()))
        };
        if !fits || line.ends_with('\\') {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::is_plain;

    #[test]
    fn what_starts_programs_is_not_plain() {
        assert!(is_plain(
            "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\
             [remote \"origin\"]\n\turl = https://example.com/a.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n\
             [branch \"main\"]\n\tremote = origin\n\tmerge = refs/heads/main\n[user]\n\tname = A\n"
        ));
        for bad in [
            "[core]\n\tfsmonitor = /w/evil\n",
            "[core] hooksPath = /w/evil\n",
            "[CORE]\n\tHooksPath=x\n",
            "[include]\n\tpath = /w/evil\n",
            "[includeIf \"gitdir:/\"]\n\tpath = x\n",
            "[alias]\n\tst = !evil\n",
            "[filter \"x\"]\n\tclean = evil\n",
            "[remote \"o\"]\n\turl = ext::sh -c evil\n",
            "[remote \"o\"]\n\tuploadpack = evil\n",
            "[core]\n\tfilemode = true \\\n",
            "[core \"x\"] sshCommand = evil\n",
        ] {
            assert!(!is_plain(bad), "{bad}");
        }
    }
}
