//! `state/manifest.json`: what is ours, outside the settings (clients rewrite those), and
//! `state/consent.json`: that a person is editing them right now.

use super::binary::Program;
use super::failure::Failure;
use crate::home::Home;
use crate::hosts::claude_code::places::Scope;
use crate::settings::edit::Trace;
use crate::sys::fs;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// Everything an installation put somewhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// 1; fields are only added within a number.
    pub schema: u32,
    /// The harness that wrote it.
    pub version: String,
    /// When, in milliseconds since 1970.
    pub installed_at: u64,
    /// The registered program.
    pub binary: PathBuf,
    /// Its content.
    pub binary_blake3: String,
    /// Every entry.
    pub entries: Vec<Registered>,
    /// Every settings file an entry is in.
    #[serde(default)]
    pub files: Vec<FileRecord>,
    /// Every file of another host than Claude Code that hooks are in.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub beside: Vec<Beside>,
}

/// One file of another host than Claude Code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Beside {
    /// The host's id.
    pub host: String,
    /// How its file stood before.
    pub record: FileRecord,
}

/// One entry in a settings file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Registered {
    /// The host's id.
    pub host: String,
    /// The scope.
    pub scope: Scope,
    /// The settings file.
    pub file: PathBuf,
    /// The lowest client known to read it.
    pub client: Option<String>,
    /// The event.
    pub event: String,
    /// The group's matcher.
    pub matcher: Option<String>,
    /// The program, or the whole shell line if there are no `args`.
    pub command: String,
    /// Its arguments, in the exec form.
    pub args: Option<Vec<String>>,
    /// In seconds.
    pub timeout: u32,
    /// What the client does if the hook can't answer.
    pub on_failure: Option<String>,
}

/// How a settings file stood before, so that it can stand so again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRecord {
    /// The file.
    pub file: PathBuf,
    /// It wasn't there.
    #[serde(default)]
    pub created: bool,
    /// Folders that were made for it, outermost first.
    #[serde(default)]
    pub folders: Vec<PathBuf>,
    /// Where it led, if it was a link.
    #[serde(default)]
    pub link: Option<PathBuf>,
    /// What its text can't say.
    #[serde(default)]
    pub trace: Trace,
}

/// What was found in the manifest's place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Loaded {
    /// A manifest.
    Is(Box<Manifest>),
    /// Nothing.
    Missing,
    /// Something that can't be read as one: why.
    Broken(String),
}

impl Loaded {
    /// The manifest, if there is a good one.
    #[must_use]
    pub fn get(&self) -> Option<&Manifest> {
        match self {
            Self::Is(manifest) => Some(manifest),
            _ => None,
        }
    }
}

/// Where the manifest is.
#[must_use]
pub fn path(home: &Home) -> PathBuf {
    home.state.join("manifest.json")
}

/// Reads the manifest; a broken one is as good as lost, since entries are known by their
/// shape too.
#[must_use]
pub fn load(home: &Home) -> Loaded {
    let bytes = match fs::read(&path(home)) {
        Ok(Some(bytes)) => bytes,
        Ok(None) => return Loaded::Missing,
        Err(e) => return Loaded::Broken(e.to_string()),
    };
    match serde_json::from_slice::<Manifest>(&bytes) {
        Ok(manifest) if manifest.schema == 1 => Loaded::Is(Box::new(manifest)),
        Ok(manifest) => Loaded::Broken(format!("schema {} is not known", manifest.schema)),
        Err(e) => Loaded::Broken(e.to_string()),
    }
}

impl Manifest {
    /// Nothing is installed yet.
    #[must_use]
    pub const fn empty() -> Self {
        Self {
            schema: 1,
            version: String::new(),
            installed_at: 0,
            binary: PathBuf::new(),
            binary_blake3: String::new(),
            entries: Vec::new(),
            files: Vec::new(),
            beside: Vec::new(),
        }
    }

    /// Notes which program is registered, now, by this harness.
    pub fn stamp(&mut self, program: &Program) {
        env!("CARGO_PKG_VERSION").clone_into(&mut self.version);
        self.installed_at = now_ms();
        self.binary.clone_from(&program.path);
        self.binary_blake3.clone_from(&program.blake3);
    }

    /// How a file stood before.
    #[must_use]
    pub fn record(&self, file: &Path) -> Option<&FileRecord> {
        self.files.iter().find(|f| f.file == file)
    }

    /// Forgets a file.
    pub fn forget(&mut self, file: &Path) {
        self.entries.retain(|e| e.file != file);
        self.files.retain(|f| f.file != file);
    }

    /// Writes it.
    ///
    /// # Errors
    /// The system refuses.
    pub fn save(&self, home: &Home) -> Result<(), Failure> {
        let mut text = serde_json::to_string_pretty(self)
            .map_err(|e| Failure::could_not(e.to_string(), None))?;
        text.push('\n');
        Ok(fs::write_private(&path(home), text.as_bytes())?)
    }
}

/// How long a person's edit may take to reach open sessions.
const CONSENT_MS: u64 = 60_000;

/// Lets open sessions accept one edit of a settings file: to exactly these bytes, or to
/// no file. Whatever else is written meanwhile is judged like any other change.
///
/// # Errors
/// The system refuses.
pub fn consent(home: &Home, file: &Path, becomes: Option<&[u8]>) -> Result<(), Failure> {
    let record = serde_json::json!({
        "file": file,
        "until_ms": now_ms() + CONSENT_MS,
        "blake3": becomes.map(|bytes| blake3::hash(bytes).to_hex().to_string()),
    });
    Ok(fs::write_private(&home.state.join("consent.json"), record.to_string().as_bytes())?)
}

/// Milliseconds since 1970.
#[must_use]
pub fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_comes_back_and_a_broken_one_is_said() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::under(dir.path());
        assert_eq!(load(&home), Loaded::Missing);
        let entry = serde_json::json!({"host": "claude-code", "scope": "user", "file": "/s",
            "client": null, "event": "SessionEnd", "matcher": null, "command": "h", "args": null,
            "timeout": 5, "on_failure": null});
        let text = serde_json::json!({"schema": 1, "version": "0.1.0", "installed_at": 1,
            "binary": "/h", "binary_blake3": "00", "entries": [entry]});
        fs::write_private(&path(&home), text.to_string().as_bytes()).unwrap();
        let manifest = load(&home).get().unwrap().clone();
        manifest.save(&home).unwrap();
        assert_eq!(load(&home).get(), Some(&manifest));
        fs::write_private(&path(&home), b"{").unwrap();
        assert!(matches!(load(&home), Loaded::Broken(_)));
    }
}
