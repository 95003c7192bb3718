//! The programs that are running, as far as the system shows them to this user.

use std::ffi::OsString;
use std::path::PathBuf;

/// A program that is running.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Running {
    /// Its number.
    pub pid: u32,
    /// What it calls itself, or was started with.
    pub words: Vec<OsString>,
    /// The folder it is in.
    pub cwd: Option<PathBuf>,
    environment: Vec<u8>,
}

impl Running {
    /// A variable of its environment.
    #[must_use]
    pub fn variable(&self, name: &str) -> Option<OsString> {
        let pairs = self.environment.split(|b| *b == 0);
        let value = |pair: &[u8]| pair.strip_prefix(name.as_bytes())?.strip_prefix(b"=").map(text);
        pairs.into_iter().find_map(value)
    }
}

/// The programs whose environment this user may read; `None` where the system doesn't show
/// them.
#[must_use]
#[cfg(target_os = "linux")]
pub fn all() -> Option<Vec<Running>> {
    let entries = std::fs::read_dir("/proc").ok()?.flatten();
    let found = entries.filter_map(|entry| {
        let pid = entry.file_name().to_str()?.parse().ok()?;
        let environment = std::fs::read(entry.path().join("environ")).ok()?;
        let line = std::fs::read(entry.path().join("cmdline")).ok()?;
        let words = line.split(|b| *b == 0 || *b == b' ').filter(|w| !w.is_empty());
        let words: Vec<OsString> = words.map(text).collect();
        let cwd = std::fs::read_link(entry.path().join("cwd")).ok();
        // What has no words is dead or the system's own.
        (!words.is_empty()).then_some(Running { pid, words, cwd, environment })
    });
    Some(found.collect())
}

/// The programs that are running; not shown here.
#[must_use]
#[cfg(not(target_os = "linux"))]
pub fn all() -> Option<Vec<Running>> {
    None
}

#[cfg(unix)]
fn text(bytes: &[u8]) -> OsString {
    use std::os::unix::ffi::OsStringExt;
    OsString::from_vec(bytes.to_vec())
}

#[cfg(not(unix))]
fn text(bytes: &[u8]) -> OsString {
    String::from_utf8_lossy(bytes).into_owned().into()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_child_is_seen_with_its_words_folder_and_environment() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().canonicalize().unwrap();
        let mut sleep = std::process::Command::new("sleep");
        let mut child = sleep.arg("60").current_dir(&folder).env("MARK", "a b").spawn().unwrap();
        // A program has no words yet at the very moment when it is started.
        let seen = || all().unwrap().into_iter().find(|r| r.pid == child.id());
        let found = (0..500).find_map(|_| {
            std::thread::sleep(std::time::Duration::from_millis(10));
            seen().filter(|r| r.words.len() == 2)
        });
        child.kill().unwrap();
        child.wait().unwrap();
        let found = found.unwrap();
        assert_eq!(found.words, ["sleep", "60"]);
        assert_eq!(found.cwd.as_ref(), Some(&folder));
        assert_eq!(found.variable("MARK"), Some("a b".into()));
        assert_eq!(found.variable("MAR"), None);
    }
}
