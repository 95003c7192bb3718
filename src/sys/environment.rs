//! The environment of a program that decides for us: of the system, not of whoever started
//! us, since a repository's settings can set a hook's.

use std::ffi::OsString;

use super::paths;

/// The search path, the home and the language; on Windows also what no program starts
/// without.
#[must_use]
pub fn plain() -> Vec<(OsString, OsString)> {
    let mut out = imp::basics();
    out.extend(paths::os_home().map(|home| (imp::HOME.into(), home.into_os_string())));
    out
}

#[cfg(unix)]
mod imp {
    use std::ffi::OsString;

    pub(super) const HOME: &str = "HOME";

    pub(super) fn basics() -> Vec<(OsString, OsString)> {
        let path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/homebrew/bin";
        vec![("PATH".into(), path.into()), ("LANG".into(), "C.UTF-8".into())]
    }
}

#[cfg(windows)]
mod imp {
    use std::ffi::OsString;

    pub(super) const HOME: &str = "USERPROFILE";

    /// Those the system sets at start, which a client passes on.
    const KEPT: &[&str] = &["SystemRoot", "SystemDrive", "ComSpec", "PATHEXT", "TEMP", "TMP"];

    pub(super) fn basics() -> Vec<(OsString, OsString)> {
        let kept = KEPT.iter().filter_map(|name| Some(((*name).into(), std::env::var_os(name)?)));
        let mut out: Vec<(OsString, OsString)> = kept.collect();
        let root = std::env::var_os("SystemRoot").unwrap_or_else(|| "C:\\Windows".into());
        let root = root.to_string_lossy();
        out.push(("PATH".into(), format!("{root}\\System32;{root}").into()));
        out
    }
}
