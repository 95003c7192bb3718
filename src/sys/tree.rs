//! A child in a group of its own, and the end of the whole group.

use std::process::{Child, Command};

/// Puts a child into a process group of its own, so that all it starts ends with it.
pub fn own_group(command: &mut Command) {
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        command.process_group(0);
    }
    #[cfg(not(unix))]
    let _ = command;
}

/// Ends a child and its group, and waits for the child.
pub fn kill(child: &mut Child) {
    #[cfg(unix)]
    if let Ok(group) = i32::try_from(child.id()) {
        // SAFETY: sends a signal; the group is the child's own, made at its start.
        unsafe { libc::kill(-group, libc::SIGKILL) };
    }
    let _ = child.kill();
    let _ = child.wait();
}
