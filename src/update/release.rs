//! A release as its signed `release.json` describes it.

use super::fetch::{self, Progress};
use super::source::{Source, triple};
use super::version::Version;
use super::{archive, signed};
use crate::install::Failure;
use crate::install::binary::is_harness;
use serde::Deserialize;
use std::collections::BTreeMap;

const NAME: &str = "release.json";
/// No description is longer.
const MOST: u64 = 1 << 20;

/// A release.
#[derive(Clone, Debug, Deserialize)]
pub struct Release {
    schema: u32,
    version: String,
    files: BTreeMap<String, File>,
}

#[derive(Clone, Debug, Deserialize)]
struct File {
    name: String,
    size: u64,
}

impl Release {
    /// The newest release, or a certain one.
    ///
    /// # Errors
    /// It can't be fetched, or isn't signed as what it says to be.
    pub fn fetch(source: &Source, wanted: Option<&Version>) -> Result<Self, Failure> {
        let at = |file: &str| match wanted {
            Some(version) => source.of_version(version, file),
            None => source.newest(file),
        };
        let bytes = fetch::bytes(&at(NAME), MOST, &mut |_, _| {})?;
        let signature = fetch::bytes(&at(&format!("{NAME}.minisig")), MOST, &mut |_, _| {})?;
        let signature = String::from_utf8_lossy(&signature);
        let version = signed::version_of(NAME, &bytes, &signature, &source.key).map_err(forged)?;
        let release: Self =
            serde_json::from_slice(&bytes).map_err(|e| forged(format!("{NAME}: {e}")))?;
        let other = wanted.is_some_and(|w| w.to_string() != version);
        if release.version != version || other || Version::of(&version).is_none() {
            return Err(forged(format!("what came is harness {version}")));
        }
        if release.schema != 1 {
            let hint = "take the newest installer instead";
            let what = "this release is described in a way that this harness doesn't know";
            return Err(Failure::could_not(what, Some(hint.to_owned())));
        }
        Ok(release)
    }

    /// Its version.
    #[must_use]
    pub fn version(&self) -> Version {
        Version::of(&self.version).unwrap_or_else(Version::own)
    }

    /// Its program for this machine.
    ///
    /// # Errors
    /// There is none, or it can't be fetched, or isn't what was signed.
    pub fn program(&self, source: &Source, told: Progress<'_>) -> Result<Vec<u8>, Failure> {
        let file = triple().and_then(|triple| self.files.get(triple)).ok_or_else(|| {
            let what = format!("harness {} has no release for this machine", self.version);
            Failure::could_not(what, Some("build it: `cargo install --locked harness`".into()))
        })?;
        // A name is one word below the release's own address.
        if file.name.contains(['/', '\\', ':']) || file.name.starts_with('.') {
            return Err(forged(format!("`{}` is no name of a file", file.name)));
        }
        let at = |name: &str| source.of_version(&self.version(), name);
        let most = file.size.min(archive::MOST);
        let packed = fetch::bytes(&at(&file.name), most, told)?;
        let name = format!("{}.minisig", file.name);
        let signature = fetch::bytes(&at(&name), MOST, &mut |_, _| {})?;
        let signature = String::from_utf8_lossy(&signature);
        let version =
            signed::version_of(&file.name, &packed, &signature, &source.key).map_err(forged)?;
        if version != self.version {
            return Err(forged(format!("{} is signed as harness {version}", file.name)));
        }
        let program = archive::file(&packed, "harness").map_err(forged)?;
        if !is_harness(&program) {
            return Err(forged(format!("what is in {} is no harness", file.name)));
        }
        Ok(program)
    }
}

fn forged(what: impl Into<String>) -> Failure {
    let hint = "nothing was changed; try again, and tell the project if it stays so";
    Failure::could_not(what, Some(hint.to_owned()))
}
