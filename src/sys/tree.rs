//! A process and everything it started: put apart at the start, ended whole at the end.

use std::io;
use std::process::{Child, Command};

/// Starts the command as leader of its own session, without a terminal, so that nothing
/// it does reaches ours.
pub fn apart(command: &mut Command) {
    imp::apart(command);
}

/// In a child before it becomes another program: whoever kills us kills it too, so that
/// nobody is left who would wait for it and end it. Only numbers are handed over, as is
/// allowed there.
#[cfg(unix)]
pub(super) fn die_with_parent() {
    #[cfg(target_os = "linux")]
    // SAFETY: numbers only; a kernel that refuses changes nothing.
    unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
    }
}

/// Ends the child, what descends from it, and what carries `mark` (`NAME=value`) in its
/// environment: a client's hooks and shells are sessions of their own, and whoever lost
/// its parent is no descendant any more. Waits for the child.
///
/// # Errors
/// The child couldn't be waited for.
pub fn end(child: &mut Child, mark: &str) -> io::Result<()> {
    imp::end(child.id(), mark);
    // Already gone is as good as killed.
    let _ = child.kill();
    child.wait().map(drop)
}

/// Ends what a child that has exited left behind; see [`end`].
pub fn sweep(root: u32, mark: &str) {
    imp::end(root, mark);
}

#[cfg(unix)]
mod imp {
    use std::os::unix::process::CommandExt;
    use std::process::Command;

    #[expect(unsafe_code, reason = "a hook between fork and exec is unsafe to install")]
    pub(super) fn apart(command: &mut Command) {
        // SAFETY: setsid and prctl are async-signal-safe and touch no memory of ours.
        unsafe {
            command.pre_exec(|| {
                libc::setsid();
                super::die_with_parent();
                Ok(())
            });
        }
    }

    #[expect(unsafe_code, reason = "kill has no safe counterpart for groups")]
    fn kill(pid: i32) {
        // SAFETY: kill takes two numbers and touches no memory of ours.
        let _ = unsafe { libc::kill(pid, libc::SIGKILL) };
    }

    pub(super) fn end(root: u32, mark: &str) {
        let Ok(root) = i32::try_from(root) else { return };
        // Whoever is being started while we look is found in the next round.
        for _ in 0..10 {
            let found = super::found::family(root, mark);
            if root > 1 {
                kill(-root);
            }
            if found.is_empty() {
                return;
            }
            found.into_iter().for_each(kill);
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
    }
}

#[cfg(target_os = "linux")]
mod found {
    use std::fs;

    /// The living processes of a tree, without ourselves.
    pub(super) fn family(root: i32, mark: &str) -> Vec<i32> {
        let all = living();
        let mut family = vec![root];
        let mut at = 0;
        while let Some(parent) = family.get(at).copied() {
            let children = all.iter().filter(|(_, p)| *p == parent).map(|(pid, _)| *pid);
            let fresh = children.filter(|pid| !family.contains(pid)).collect::<Vec<_>>();
            family.extend(fresh);
            at += 1;
        }
        let marked = all.iter().map(|(pid, _)| *pid).filter(|pid| has_mark(*pid, mark));
        let ours = i32::try_from(std::process::id()).unwrap_or_default();
        let mut found = marked.collect::<Vec<_>>();
        found.extend(family.into_iter().filter(|pid| all.iter().any(|(p, _)| p == pid)));
        found.retain(|pid| *pid > 1 && *pid != ours);
        found
    }

    /// Processes and their parents; zombies are dead.
    fn living() -> Vec<(i32, i32)> {
        let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
        let pids = entries.filter_map(|e| e.file_name().to_str()?.parse::<i32>().ok());
        pids.filter_map(|pid| {
            let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
            let mut rest = stat.rsplit_once(')')?.1.split_ascii_whitespace();
            let state = rest.next()?;
            let parent = rest.next()?.parse().ok()?;
            (state != "Z" && state != "X").then_some((pid, parent))
        })
        .collect()
    }

    fn has_mark(pid: i32, mark: &str) -> bool {
        fs::read(format!("/proc/{pid}/environ"))
            .is_ok_and(|env| env.split(|b| *b == 0).any(|pair| pair == mark.as_bytes()))
    }
}

#[cfg(all(unix, not(target_os = "linux")))]
mod found {
    /// The process group is all that can be found without asking the kernel's tables.
    pub(super) fn family(_root: i32, _mark: &str) -> Vec<i32> {
        Vec::new()
    }
}

#[cfg(windows)]
mod imp {
    use std::os::windows::process::CommandExt;
    use std::process::{Command, Stdio};

    const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;
    const CREATE_NO_WINDOW: u32 = 0x0800_0000;

    pub(super) fn apart(command: &mut Command) {
        command.creation_flags(CREATE_NEW_PROCESS_GROUP | CREATE_NO_WINDOW);
    }

    pub(super) fn end(root: u32, _mark: &str) {
        // Where it is missing or fails, the child itself is still killed.
        let _ = Command::new("taskkill")
            .args(["/T", "/F", "/PID", &root.to_string()])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::{apart, end};
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    #[test]
    fn a_grandchild_in_a_session_of_its_own_ends_too() {
        let dir = tempfile::tempdir().unwrap();
        let pid = dir.path().join("pid");
        let script = "(setsid sh -c 'echo $$ > \"$PID_FILE\"; exec sleep 60' &) ; sleep 60";
        let mark = format!("HARNESS_TREE_TEST={}", pid.display());
        let mut command = Command::new("sh");
        command.args(["-c", script]).env("PID_FILE", &pid).stdout(Stdio::null());
        command.env("HARNESS_TREE_TEST", &pid);
        apart(&mut command);
        let mut child = command.spawn().unwrap();
        let began = Instant::now();
        while std::fs::read_to_string(&pid).map_or(0, |t| t.len()) < 2 {
            assert!(began.elapsed() < Duration::from_secs(10), "the grandchild never came up");
            std::thread::sleep(Duration::from_millis(5));
        }
        end(&mut child, &mark).unwrap();
        let grandchild = std::fs::read_to_string(&pid).unwrap();
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", grandchild.trim()));
        assert!(stat.map_or(true, |s| s.contains(") Z ")), "still running");
    }
}
