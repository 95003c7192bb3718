//! What an ordinary user may do with a path that belongs to the machine: replace it by
//! writing to any part of the way there, or start it.

use std::path::Path;
use std::process::Command;

/// The first part of the way to a path that an ordinary user can change, links on the way
/// and what they lead to included, and who that is.
#[must_use]
pub fn changes(path: &Path) -> Option<String> {
    imp::changes(path, 40)
}

/// The first part of the way to a program that keeps an ordinary user from starting it.
#[must_use]
pub fn cannot_start(path: &Path) -> Option<String> {
    imp::cannot_start(path)
}

/// Whether this process is the administrator's, and can be an ordinary user's.
#[must_use]
pub fn can_become_one() -> bool {
    imp::is_administrator()
}

/// Makes a command one of an ordinary user who has nothing on this machine.
pub fn become_one(command: &mut Command) {
    imp::become_one(command);
}

#[cfg(unix)]
mod imp {
    use std::fs::Metadata;
    use std::os::unix::fs::MetadataExt;
    use std::os::unix::process::CommandExt;
    use std::path::{Path, PathBuf};
    use std::process::Command;

    /// The user that systems keep for those who own nothing.
    const NOBODY: u32 = 65_534;

    pub(super) fn changes(path: &Path, links: u32) -> Option<String> {
        let mut parts: Vec<&Path> = path.ancestors().collect();
        parts.reverse();
        for part in parts {
            // What isn't there yet is made by the administrator.
            let Ok(meta) = std::fs::symlink_metadata(part) else { continue };
            if let Some(who) = writer(&meta) {
                return Some(format!("{} can be changed by {who}", part.display()));
            }
            if let Ok(end) = std::fs::read_link(part) {
                let end: PathBuf = part.parent().unwrap_or(part).join(end);
                let found = match links.checked_sub(1) {
                    Some(left) => changes(&end, left),
                    None => Some(format!("{} is a link without an end", part.display())),
                };
                if found.is_some() {
                    return found;
                }
            }
        }
        None
    }

    /// Who may write, apart from the administrator.
    fn writer(meta: &Metadata) -> Option<String> {
        let mode = meta.mode();
        if meta.uid() != 0 {
            return Some(format!("user {}, who owns it", meta.uid()));
        }
        if meta.is_symlink() {
            return None;
        }
        if mode & 0o002 != 0 {
            return Some("every user".to_owned());
        }
        if mode & 0o020 == 0 || meta.gid() == 0 {
            return None;
        }
        member(meta.gid()).map(|user| format!("user {user}, of group {}", meta.gid()))
    }

    /// Somebody in a group, by the system's own lists. A group that isn't in them may have
    /// anybody in it.
    fn member(gid: u32) -> Option<String> {
        let read = |file: &str| std::fs::read_to_string(file).unwrap_or_default();
        let (groups, users) = (read("/etc/group"), read("/etc/passwd"));
        member_in(&groups, &users, gid)
    }

    pub(super) fn member_in(groups: &str, users: &str, gid: u32) -> Option<String> {
        let is = |field: Option<&str>| field.and_then(|f| f.parse().ok()) == Some(gid);
        let fields = |line: &str| line.split(':').map(str::to_owned).collect::<Vec<_>>();
        let own = users
            .lines()
            .map(fields)
            .find(|f| is(f.get(3).map(String::as_str)) && f.get(2).is_some_and(|uid| uid != "0"));
        if let Some(user) = own {
            return user.into_iter().next();
        }
        let group = groups.lines().map(fields).find(|f| is(f.get(2).map(String::as_str)));
        let Some(group) = group else { return Some("?".to_owned()) };
        let names = group.get(3).cloned().unwrap_or_default();
        let mut names = names.split(',').filter(|n| !n.is_empty() && *n != "root");
        names.next().map(str::to_owned)
    }

    pub(super) fn cannot_start(path: &Path) -> Option<String> {
        let real = match path.canonicalize() {
            Ok(real) => real,
            Err(e) => return Some(format!("{}: {e}", path.display())),
        };
        let shut = |part: &Path, need: u32| {
            let mode = std::fs::metadata(part).map_or(0, |m| m.mode());
            (mode & need != need).then(|| {
                format!("{} is shut to other users (mode {:04o})", part.display(), mode & 0o7777)
            })
        };
        let folders = path.ancestors().skip(1).chain(real.ancestors().skip(1));
        let folders = folders.filter(|f| !f.as_os_str().is_empty());
        folders.into_iter().find_map(|f| shut(f, 0o001)).or_else(|| shut(&real, 0o005))
    }

    #[expect(unsafe_code, reason = "nothing safe says who this process is")]
    pub(super) fn is_administrator() -> bool {
        // SAFETY: takes nothing, can't fail, touches no memory.
        unsafe { libc::geteuid() == 0 }
    }

    pub(super) fn become_one(command: &mut Command) {
        command.uid(NOBODY).gid(NOBODY);
    }
}

#[cfg(not(unix))]
mod imp {
    use std::path::Path;
    use std::process::Command;

    pub(super) fn changes(_: &Path, _: u32) -> Option<String> {
        None
    }

    pub(super) fn cannot_start(_: &Path) -> Option<String> {
        None
    }

    pub(super) fn is_administrator() -> bool {
        false
    }

    pub(super) fn become_one(_: &mut Command) {}
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, chown, symlink};

    #[test]
    fn members_of_a_group_are_found_in_both_lists() {
        let groups = "root:x:0:\nstaff:x:50:\nwheel:x:10:root,ann\n";
        let users = "root:x:0:0::/root:/bin/sh\nbob:x:1000:1000::/:/bin/sh\n";
        assert_eq!(imp::member_in(groups, users, 50), None);
        assert_eq!(imp::member_in(groups, users, 10).as_deref(), Some("ann"));
        assert_eq!(imp::member_in(groups, users, 1000).as_deref(), Some("bob"));
        assert_eq!(imp::member_in(groups, users, 77).as_deref(), Some("?"));
    }

    #[test]
    fn a_way_is_as_strong_as_its_weakest_part() {
        assert_eq!(changes(Path::new("/usr/bin/env")), None);
        assert_eq!(cannot_start(Path::new("/usr/bin/env")), None);
        // Everybody may write to the folder for temporary files, and so to what is in it.
        assert!(changes(Path::new("/tmp/x/harness")).is_some_and(|why| why.contains("/tmp ")));
        let built = std::env::current_exe().unwrap();
        let dir = tempfile::tempdir_in(built.parent().unwrap()).unwrap();
        let root = std::os::unix::fs::MetadataExt::uid(&dir.path().metadata().unwrap()) == 0;
        if !root || changes(dir.path()).is_some() {
            return;
        }
        let (file, link) = (dir.path().join("f"), dir.path().join("l"));
        std::fs::write(&file, "x").unwrap();
        symlink(&file, &link).unwrap();
        assert_eq!(changes(&link), None);
        let mode =
            |mode| std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
        mode(0o757);
        assert!(changes(&link).is_some_and(|why| why.contains("every user")));
        mode(0o755);
        chown(&file, Some(1234), None).unwrap();
        assert!(changes(&link).is_some_and(|why| why.contains("user 1234")));
        chown(&file, Some(0), None).unwrap();
        std::fs::set_permissions(dir.path(), std::fs::Permissions::from_mode(0o700)).unwrap();
        assert!(cannot_start(&file).is_some_and(|why| why.contains("shut to other users")));
    }
}
