//! Where things are: the person's home, harness's own folders, the system's temp.

use std::env;
use std::ffi::{CStr, OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use super::{bounded, own};
use crate::home::Home;

/// The person's home by the operating system's word (the user database), never the
/// environment's. `None` where the database has no absolute folder for this user.
#[must_use]
pub fn os_home() -> Option<PathBuf> {
    let user = own::user();
    of_file(user).or_else(|| of_library(user))
}

/// The home in the local file, which the C library would also ask first: read here in one
/// piece, since the library's way costs a hook several system calls more.
#[cfg(target_os = "linux")]
fn of_file(user: u32) -> Option<PathBuf> {
    home_in(&bounded::read(Path::new("/etc/passwd"), 1 << 20).ok()?, user)
}

/// Elsewhere the file knows no people.
#[cfg(not(target_os = "linux"))]
fn of_file(_user: u32) -> Option<PathBuf> {
    None
}

/// The home of a user in the lines of `/etc/passwd`: name, password, number, group,
/// comment, home, shell.
#[cfg(any(target_os = "linux", test))]
fn home_in(database: &[u8], user: u32) -> Option<PathBuf> {
    let home = database.split(|byte| *byte == b'\n').find_map(|line| {
        let mut fields = line.split(|byte| *byte == b':');
        let number = std::str::from_utf8(fields.nth(2)?).ok()?;
        (number.parse() == Ok(user)).then(|| fields.nth(2)).flatten()
    })?;
    absolute(OsStr::from_bytes(home))
}

/// The home by the C library's word: what other sources than the file know.
fn of_library(user: u32) -> Option<PathBuf> {
    let mut buffer = [0_u8; 4096];
    // SAFETY: all-zero is a valid `passwd`: integers and null pointers.
    let mut entry: libc::passwd = unsafe { std::mem::zeroed() };
    let mut found: *mut libc::passwd = std::ptr::null_mut();
    // SAFETY: every pointer is to a live local of the length given with it; `found` is
    // null or `&entry` afterwards.
    let code = unsafe {
        libc::getpwuid_r(
            user,
            &raw mut entry,
            buffer.as_mut_ptr().cast(),
            buffer.len(),
            &raw mut found,
        )
    };
    if code != 0 || found.is_null() || entry.pw_dir.is_null() {
        return None;
    }
    // SAFETY: a successful `getpwuid_r` leaves `pw_dir` pointing at a NUL-terminated
    // string inside `buffer`, which is alive.
    let dir = unsafe { CStr::from_ptr(entry.pw_dir) };
    absolute(OsStr::from_bytes(dir.to_bytes()))
}

/// The home a person's command works for: `$HOME` if it is absolute, as every other
/// program of theirs does, else the operating system's word.
#[must_use]
pub fn person_home() -> Option<PathBuf> {
    env::var_os("HOME").and_then(|h| absolute(&h)).or_else(os_home)
}

/// The default layout below a home folder.
#[must_use]
pub fn default_layout(home: &Path) -> Home {
    Home {
        config: home.join(".config/harness"),
        state: home.join(".local/state/harness"),
        cache: home.join(".cache/harness"),
    }
}

/// The layout of a hook that was told nothing: the default below the operating
/// system's word for the home. The environment is not asked.
#[must_use]
pub fn home_for_hook() -> Option<Home> {
    os_home().map(|home| default_layout(&home))
}

/// The layout for people's commands: `HARNESS_HOME`, else the XDG variables, else the
/// default below the person's home. Relative XDG folders are ignored, as the XDG rules
/// say; a relative `HARNESS_HOME` is taken from the current folder. `None` if there is
/// no home at all.
#[must_use]
pub fn home_for_cli() -> Option<Home> {
    if let Some(root) = env::var_os("HARNESS_HOME").filter(|root| !root.is_empty()) {
        return std::path::absolute(root).ok().map(|root| Home::under(&root));
    }
    let xdg = |name: &str| env::var_os(name).and_then(|dir| absolute(&dir)).map(own_folder);
    let below = person_home().map(|home| default_layout(&home));
    Some(Home {
        config: xdg("XDG_CONFIG_HOME").or_else(|| below.as_ref().map(|h| h.config.clone()))?,
        state: xdg("XDG_STATE_HOME").or_else(|| below.as_ref().map(|h| h.state.clone()))?,
        cache: xdg("XDG_CACHE_HOME").or_else(|| below.as_ref().map(|h| h.cache.clone()))?,
    })
}

/// Whether `HARNESS_HOME` laid out [`home_for_cli`] (install then registers `--home`).
#[must_use]
pub fn harness_home() -> Option<PathBuf> {
    let root = env::var_os("HARNESS_HOME").filter(|root| !root.is_empty())?;
    std::path::absolute(root).ok()
}

/// The policy file of whoever manages this machine.
#[must_use]
pub fn managed_policy() -> PathBuf {
    if cfg!(target_os = "macos") {
        PathBuf::from("/Library/Application Support/harness/policy.toml")
    } else {
        PathBuf::from("/etc/harness/policy.toml")
    }
}

/// The folders in which anyone may scratch, as the system has them (`TMPDIR` is the
/// environment's and not asked), each by its own name and by where it really leads.
#[must_use]
pub fn system_temp() -> &'static [&'static str] {
    if cfg!(target_os = "macos") {
        &["/tmp", "/private/tmp", "/var/tmp", "/private/var/tmp", "/var/folders"]
    } else {
        &["/tmp", "/var/tmp"]
    }
}

/// Whether what lies here goes with the next clean of the system's scratch folders, or
/// of `own`, which is the environment's. A build that runs the tests spares the clone it
/// was built in: a clone in `/tmp` has to pass them too.
#[must_use]
pub fn is_temporary(path: &Path, own: Option<&Path>) -> bool {
    let spared = cfg!(feature = "faults") && path.starts_with(env!("CARGO_MANIFEST_DIR"));
    let system = system_temp().iter().chain(&["/dev/shm"]).map(Path::new);
    !spared && system.chain(own).any(|temp| path.starts_with(temp))
}

fn own_folder(mut base: PathBuf) -> PathBuf {
    base.push("harness");
    base
}

fn absolute(path: &OsStr) -> Option<PathBuf> {
    let path = PathBuf::from(OsString::from_vec(path.as_bytes().to_vec()));
    path.is_absolute().then_some(path)
}

#[cfg(test)]
mod tests {
    use super::{default_layout, home_in, of_library, os_home};
    use std::path::Path;

    #[test]
    fn the_file_and_the_library_agree() {
        assert_eq!(os_home(), of_library(crate::sys::own::user()));
    }

    #[test]
    fn a_home_is_the_sixth_field_of_the_first_line_with_the_number() {
        let file = b"broken\nroot:x:0:0:root:/root:/bin/sh\n+::::::\nu:x:1000:1000:A B,,:/home/\xfc:/bin/sh\nv:x:1000:1:::\nw:x:7:7::rel:/x\n";
        let home =
            |user| home_in(file, user).map(|home| home.into_os_string().into_encoded_bytes());
        assert_eq!(home(0).as_deref(), Some(&b"/root"[..]));
        assert_eq!(home(1000).as_deref(), Some(&b"/home/\xfc"[..]));
        assert_eq!(home(7), None, "a relative home is none");
        assert_eq!(home(8), None);
    }

    #[test]
    fn the_system_knows_this_users_home() {
        assert!(os_home().is_some_and(|home| home.is_absolute()));
    }

    #[test]
    fn the_default_layout_is_three_folders_below_the_home() {
        let home = default_layout(Path::new("/h"));
        assert_eq!(home.policy(), Path::new("/h/.config/harness/policy.toml"));
        assert_eq!(home.state, Path::new("/h/.local/state/harness"));
        assert_eq!(home.cache, Path::new("/h/.cache/harness"));
    }
}
