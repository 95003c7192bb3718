//! Where settings lie: on what breaks locks and renames, or beside another system's.

use crate::doctor::effective::FileState;
use crate::doctor::finding::{Finding, Findings};
use crate::doctor::scene::Scene;
use crate::hosts::claude_code::places::{Os, Scope};
use crate::install::in_force;
use std::path::{Path, PathBuf};

/// Kinds of mounts on which a rename or a lock may not be what it is elsewhere.
const REMOTE: &[&str] =
    &["nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "drvfs", "fuse.sshfs", "afpfs", "webdav"];

pub(super) fn check(scene: &Scene, found: &mut Findings) {
    for file in scene.files.iter().filter(|f| f.scope == Scope::User) {
        if matches!(file.state, FileState::Absent) {
            continue;
        }
        let real = file.path.canonicalize().unwrap_or_else(|_| file.path.clone());
        if let Some(why) = fragile(&real, &scene.mounts) {
            let shown = scene.around.shown(&file.path);
            found.add(
                Finding::new("fragile-location", format!("{shown} is in {why}"))
                    .see(real.display().to_string())
                    .fix("let `CLAUDE_CONFIG_DIR` name a folder on a disk of this machine"),
            );
        }
    }
    if scene.around.os == Os::Linux {
        other_side(scene, found);
    }
}

/// Why writers may lose what they write there.
fn fragile(path: &Path, mounts: &str) -> Option<String> {
    let synced = ["OneDrive", "Dropbox", "Google Drive", "iCloud Drive", "Mobile Documents"];
    let part = |p: &str| synced.iter().any(|s| p == *s || p.starts_with(&format!("{s} - ")));
    if let Some(name) = path.iter().map(|c| c.to_string_lossy()).find(|c| part(c)) {
        return Some(format!("`{name}`, which another program keeps in step with a server"));
    }
    let (folder, kind) = mount(path, mounts)?;
    REMOTE
        .contains(&kind.as_str())
        .then(|| format!("a file system of another machine or system ({kind} at {folder})"))
}

/// The mount that holds a path, from the text of a mount table: its folder and its kind.
fn mount(path: &Path, mounts: &str) -> Option<(String, String)> {
    let line = |line: &str| {
        let mut words = line.split_whitespace().skip(1);
        let folder = words.next()?.replace("\\040", " ");
        Some((folder, words.next()?.to_owned()))
    };
    let held = mounts.lines().filter_map(line).filter(|(folder, _)| path.starts_with(folder));
    // Of two at one place the later one is seen.
    held.enumerate().max_by_key(|(at, (folder, _))| (folder.len(), *at)).map(|(_, m)| m)
}

/// Windows users' homes as they are seen from Linux on Windows.
fn other_side(scene: &Scene, found: &mut Findings) {
    let here = !scene.own().is_empty();
    let homes = std::fs::read_dir(&scene.windows_users).into_iter().flatten().flatten();
    let mut open: Vec<PathBuf> = homes
        .map(|e| e.path().join(".claude/settings.json"))
        .filter(|file| file.is_file() && !scene.files.iter().any(|f| f.path == *file))
        .filter(|file| here && in_force::gates(file).is_empty())
        .collect();
    open.sort();
    for file in open {
        found.add(
            Finding::new(
                "other-side-unprotected",
                "Claude Code on the Windows side of this machine has no hooks of ours",
            )
            .see(file.display().to_string())
            .fix("install harness there too, if it is used"),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::fragile;
    use std::path::Path;

    const MOUNTS: &str = "/dev/sda / ext4 rw 0 0\nsrv:/h /home nfs4 rw 0 0\n/dev/sdb /home/me ext4 rw 0 0\nC: /mnt/c 9p rw 0 0\nsrv:/x /with\\040space cifs rw 0 0\n";

    #[test]
    fn the_mount_that_holds_a_path_decides() {
        for (path, why) in [
            ("/root/.claude/settings.json", None),
            ("/home/you/.claude/settings.json", Some("nfs4 at /home")),
            ("/home/me/.claude/settings.json", None),
            ("/homes/.claude/settings.json", None),
            ("/mnt/c/Users/x/.claude/settings.json", Some("9p at /mnt/c")),
            ("/with space/settings.json", Some("cifs at /with space")),
            ("/home/me/OneDrive/.claude/settings.json", Some("`OneDrive`")),
            ("/home/me/OneDrive - Firm/x/settings.json", Some("`OneDrive - Firm`")),
            ("/home/me/OneDriver/settings.json", None),
        ] {
            let said = fragile(Path::new(path), MOUNTS);
            match why {
                None => assert_eq!(said, None, "{path}"),
                Some(why) => assert!(said.is_some_and(|s| s.contains(why)), "{path}"),
            }
        }
    }
}
