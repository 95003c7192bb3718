//! The last time that the client itself showed whether the hooks work: written by
//! `harness doctor --live`, read by `harness status`. It holds for that client only.

use super::failure::Failure;
use super::manifest::now_ms;
use super::surroundings::Surroundings;
use crate::home::Home;
use crate::hosts::claude_code::caps::Version;
use crate::sys::fs;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// A result of a live run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proven {
    /// When, in milliseconds since 1970.
    pub at_ms: u64,
    /// The client's version.
    pub client: String,
    /// `alive`, `dead` or `unknown`.
    pub gate: String,
    /// Likewise.
    pub soft: String,
    /// The client's program, size and time: another one is another client, and nobody has
    /// to start it to see that.
    pub program: Option<Mark>,
}

/// What tells a program from another at the same path without reading it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// Where it really is.
    pub path: PathBuf,
    /// Its length.
    pub bytes: u64,
    /// When it was written.
    pub written_ms: u64,
}

fn file(home: &Home) -> PathBuf {
    home.state.join("live.json")
}

/// The last result, if there is a readable one.
#[must_use]
pub fn last(home: &Home) -> Option<Proven> {
    serde_json::from_slice(&fs::read(&file(home)).ok()??).ok()
}

impl Proven {
    /// A result of just now, of the client that a shell would start.
    #[must_use]
    pub fn now(around: &Surroundings, client: Version, gate: &str, soft: &str) -> Self {
        Self {
            at_ms: now_ms(),
            client: client.to_string(),
            gate: gate.to_owned(),
            soft: soft.to_owned(),
            program: here(around),
        }
    }

    /// Writes it down.
    ///
    /// # Errors
    /// The system refuses.
    pub fn keep(&self, home: &Home) -> Result<(), Failure> {
        let text =
            serde_json::to_string(self).map_err(|e| Failure::could_not(e.to_string(), None))?;
        Ok(fs::write_private(&file(home), text.as_bytes())?)
    }

    /// Why it says nothing of the client that is here now; `installed` is the version that
    /// the entries were last written for.
    #[must_use]
    pub fn expired(&self, around: &Surroundings, installed: Option<&str>) -> Option<String> {
        let (then, now) = (self.program.as_ref(), here(around));
        match (then, now) {
            (_, None) => Some("there is no client on the search path now".to_owned()),
            (Some(then), Some(now)) if *then == now => None,
            _ => Some(match installed.filter(|v| *v != self.client) {
                Some(version) => format!("the client is {version} now"),
                None => "the client has changed since".to_owned(),
            }),
        }
    }
}

fn here(around: &Surroundings) -> Option<Mark> {
    let found = which::which_in("claude", Some(&around.path), &around.cwd).ok()?;
    mark(&found.canonicalize().ok()?)
}

fn mark(path: &Path) -> Option<Mark> {
    let meta = std::fs::metadata(path).ok()?;
    let written = meta.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    Some(Mark {
        path: path.to_path_buf(),
        bytes: meta.len(),
        written_ms: u64::try_from(written.as_millis()).unwrap_or(u64::MAX),
    })
}
