//! Trust: a person's word that a project's policy may run code, pinned by content.

use std::io;
use std::path::{Path, PathBuf};

use harness_core::Json;
use harness_core::json::{self, Limits};

use super::file::File;
use crate::sys::bounded;

const BOUND: u64 = 1 << 20;

/// The hash over a project's policy file and every file of the project that its guards
/// start: a change of either asks again.
#[must_use]
pub fn pin(root: &Path, source: &[u8], file: &File<'_>) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(source);
    for word in file.rules.iter().filter_map(|r| r.run.as_ref()).flat_map(|run| run.argv.iter()) {
        let path = root.join(word);
        if let Ok(bytes) = bounded::read(&path, 64 << 20) {
            hasher.update(&(word.len() as u64).to_le_bytes());
            hasher.update(word.as_bytes());
            hasher.update(&(bytes.len() as u64).to_le_bytes());
            hasher.update(&bytes);
        }
    }
    hasher.finalize().to_hex().to_string()
}

/// `state/trust.json`: trusted projects with their pins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    entries: Vec<(PathBuf, String)>,
}

impl Ledger {
    /// Reads it; what can't be read trusts nothing.
    #[must_use]
    pub fn read(state: &Path) -> Self {
        let Ok(bytes) = bounded::read(&place(state), BOUND) else { return Self::default() };
        let Ok(parsed) = json::parse(&bytes, Limits::default()) else { return Self::default() };
        let Some(Json::Array(items)) = parsed.value.get("trusted") else {
            return Self::default();
        };
        let entry = |item: &Json<'_>| {
            Some((PathBuf::from(item.str_at("root")?.as_ref()), item.str_at("pin")?.into_owned()))
        };
        Self { entries: items.iter().filter_map(entry).collect() }
    }

    /// Whether a project is trusted with this pin.
    #[must_use]
    pub fn holds(&self, root: &Path, pin: &str) -> bool {
        self.entries.iter().any(|(r, p)| r == root && p == pin)
    }

    /// Adds or renews a project's trust.
    pub fn trust(&mut self, root: &Path, pin: String) {
        self.revoke(root);
        self.entries.push((root.to_path_buf(), pin));
    }

    /// Takes a project's trust back; whether there was any.
    pub fn revoke(&mut self, root: &Path) -> bool {
        let before = self.entries.len();
        self.entries.retain(|(r, _)| r != root);
        self.entries.len() < before
    }

    /// Writes it, whole or not at all.
    ///
    /// # Errors
    /// When the state folder can't be written.
    pub fn write(&self, state: &Path) -> io::Result<()> {
        use std::io::Write;
        let entries: Vec<_> = self
            .entries
            .iter()
            .map(|(root, pin)| serde_json::json!({"root": root.to_string_lossy(), "pin": pin}))
            .collect();
        let text = serde_json::json!({"schema": 1, "trusted": entries}).to_string();
        std::fs::create_dir_all(state)?;
        let mut new = tempfile::NamedTempFile::new_in(state)?;
        new.write_all(text.as_bytes())?;
        new.as_file().sync_all()?;
        new.persist(place(state))?;
        Ok(())
    }
}

fn place(state: &Path) -> PathBuf {
    state.join("trust.json")
}

#[cfg(test)]
mod tests {
    use super::{Ledger, pin};
    use crate::policy::file::File;
    use std::path::Path;

    #[test]
    fn remembered_and_revoked() {
        let dir = tempfile::tempdir().unwrap();
        let mut ledger = Ledger::read(dir.path());
        ledger.trust(Path::new("/p"), "1".into());
        ledger.trust(Path::new("/p"), "2".into());
        ledger.write(dir.path()).unwrap();
        let mut again = Ledger::read(dir.path());
        assert!(again.holds(Path::new("/p"), "2") && !again.holds(Path::new("/p"), "1"));
        assert!(again.revoke(Path::new("/p")) && !again.revoke(Path::new("/p")));
        std::fs::write(dir.path().join("trust.json"), b"{\"trusted\":7").unwrap();
        assert_eq!(Ledger::read(dir.path()), Ledger::default());
    }

    #[test]
    fn pin_covers_what_is_run() {
        let dir = tempfile::tempdir().unwrap();
        let source = b"version = 1\n[[guard]]\nid = \"g\"\ntool = \"*\"\nrun = [\"./g\"]\n";
        std::fs::write(dir.path().join("g"), "one").unwrap();
        let now = || {
            crate::policy::parse::with_file(
                source,
                crate::policy::Layer::Project,
                |f: &File<'_>| pin(dir.path(), source, f),
            )
            .unwrap()
        };
        let first = now();
        std::fs::write(dir.path().join("g"), "two").unwrap();
        assert_ne!(first, now());
    }
}
