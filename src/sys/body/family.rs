//! The processes that a command has left to us: those that lost their parents became ours.

/// Ends everything below this process but `except`; the command too, if it is still there.
#[cfg(target_os = "linux")]
pub(super) fn end(command: libc::pid_t, except: Option<libc::pid_t>) {
    // SAFETY: no arguments, no memory.
    let own = unsafe { libc::getpid() };
    // A process may start others while we look, so we look until there is none.
    for _ in 0..1_000 {
        let all = living();
        let mut found = vec![own];
        let mut next = 0;
        while let Some(parent) = found.get(next).copied() {
            next += 1;
            let below = all.iter().filter(|(pid, above)| *above == parent && Some(*pid) != except);
            found.extend(below.map(|(pid, _)| *pid));
        }
        let found = found.get(1..).unwrap_or_default();
        if found.is_empty() {
            return;
        }
        for pid in found {
            // SAFETY: two numbers. Each is of our own family, seen a moment ago.
            unsafe { libc::kill(*pid, libc::SIGKILL) };
        }
        for pid in found.iter().filter(|pid| **pid != command) {
            // SAFETY: numbers only; of another's child it is an error that nobody minds.
            unsafe { libc::waitpid(*pid, std::ptr::null_mut(), libc::WNOHANG) };
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}

/// Every process that lives, with its parent.
#[cfg(target_os = "linux")]
fn living() -> Vec<(libc::pid_t, libc::pid_t)> {
    let Ok(folder) = std::fs::read_dir("/proc") else { return Vec::new() };
    let process = |entry: std::fs::DirEntry| {
        let pid: libc::pid_t = entry.file_name().to_str()?.parse().ok()?;
        let stat = std::fs::read(entry.path().join("stat")).ok()?;
        // `pid (name) state parent …`; the name may hold anything but ends with the last `)`.
        let end = stat.iter().rposition(|byte| *byte == b')')?;
        let rest = std::str::from_utf8(stat.get(end + 1..)?).ok()?;
        let mut fields = rest.split_whitespace();
        let state = fields.next()?;
        let parent = fields.next()?.parse().ok()?;
        (state != "Z" && state != "X").then_some((pid, parent))
    };
    folder.filter_map(|entry| process(entry.ok()?)).collect()
}

/// Elsewhere only the command itself is known.
#[cfg(not(target_os = "linux"))]
pub(super) fn end(_command: libc::pid_t, _except: Option<libc::pid_t>) {}
