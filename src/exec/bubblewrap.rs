//! A fence in bubblewrap's words.

use std::ffi::OsString;
use std::path::Path;

use crate::sys::confine::{Fence, TEMP};

/// bubblewrap's words, up to where the command's own begin.
#[must_use]
pub fn words(program: &Path, fence: &Fence) -> Vec<OsString> {
    let mut words: Vec<OsString> = vec![program.into()];
    let mut add = |more: &[&std::ffi::OsStr]| words.extend(more.iter().map(|w| (*w).to_owned()));
    let s = std::ffi::OsStr::new;
    add(&[s("--unshare-user-try"), s("--unshare-pid"), s("--unshare-ipc"), s("--die-with-parent")]);
    // Root's command would keep what takes mounts away again.
    add(&[s("--cap-drop"), s("ALL")]);
    if !fence.network {
        add(&[s("--unshare-net")]);
    }
    add(&[s("--ro-bind"), s("/"), s("/"), s("--dev"), s("/dev"), s("--proc"), s("/proc")]);
    // Its own are only the new instance's; the terminal's name is looked for here.
    add(&[s("--dev-bind-try"), s("/dev/pts"), s("/dev/pts"), s("--tmpfs"), s("/dev/shm")]);
    if fence.temp {
        for temp in TEMP.iter().filter(|temp| Path::new(temp).is_dir()) {
            add(&[s("--perms"), s("1777"), s("--tmpfs"), s(temp)]);
        }
        for path in &fence.shown {
            add(&[s("--ro-bind"), path.as_os_str(), path.as_os_str()]);
        }
    }
    for folder in &fence.emptied {
        add(&[s("--tmpfs"), folder.as_os_str()]);
        for kept in fence.kept.iter().filter(|kept| kept.starts_with(folder)) {
            add(&[s("--ro-bind-try"), kept.as_os_str(), kept.as_os_str()]);
        }
        add(&[s("--remount-ro"), folder.as_os_str()]);
    }
    for path in fence.writable.iter().chain(&fence.pinned) {
        add(&[s("--bind"), path.as_os_str(), path.as_os_str()]);
    }
    for path in &fence.frozen {
        add(&[s("--ro-bind"), path.as_os_str(), path.as_os_str()]);
    }
    for path in &fence.masked {
        // One that is gone by now must not be made.
        if path.symlink_metadata().is_ok() {
            add(&[s("--ro-bind"), s("/dev/null"), path.as_os_str()]);
        }
    }
    add(&[s("--chdir"), fence.cwd.as_os_str(), s("--")]);
    words
}
