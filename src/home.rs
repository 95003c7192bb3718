//! [`Home`]: where harness keeps its own files.

use std::path::{Path, PathBuf};

/// The three folders harness owns. A registered hook gets them from `--home` in its
/// argv; the environment is asked by people's commands only (a repository's settings
/// can set a hook's environment: Claude Code 2.1.332, measured).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Home {
    /// Holds `policy.toml`.
    pub config: PathBuf,
    /// Holds the manifest, logs, backups, trust and the owner's secret.
    pub state: PathBuf,
    /// Holds what can be rebuilt: compiled policy snapshots.
    pub cache: PathBuf,
}

impl Home {
    /// Everything under one folder, as `HARNESS_HOME` and `--home` lay it out.
    #[must_use]
    pub fn under(root: &Path) -> Self {
        Self { config: root.to_path_buf(), state: root.join("state"), cache: root.join("cache") }
    }

    /// The person's own policy file.
    #[must_use]
    pub fn policy(&self) -> PathBuf {
        self.config.join("policy.toml")
    }
}
