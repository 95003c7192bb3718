//! Loads the layers: files to flat bytes, by way of snapshots. A file that can't be
//! used is part of the policy and makes it stricter.

mod checksum;
mod snapshot;
mod source;

use std::path::{Path, PathBuf};

use super::flat::{self, Flat};
use super::parse::{self, Problem};
use super::{Layer, Sources, trust};
use crate::sys::bounded::{self, Unreadable};
use source::Source;

/// One file's layer as loaded.
#[derive(Debug)]
pub struct Loaded {
    /// Which.
    pub layer: Layer,
    /// The file.
    pub path: PathBuf,
    /// What became of it.
    pub state: State,
}

/// What became of a policy file.
#[derive(Debug)]
pub enum State {
    /// There is none.
    Missing,
    /// It can be used.
    Good {
        /// Its rules, compiled.
        bytes: Vec<u8>,
        /// Whether what runs code in it may run.
        trusted: bool,
    },
    /// It can't be used, and why.
    Broken(Vec<Problem>),
}

impl Loaded {
    /// Its rules, if it can be used.
    #[must_use]
    pub fn flat(&self) -> Option<Flat<'_>> {
        match &self.state {
            State::Good { bytes, .. } => Some(Flat::over(bytes)),
            _ => None,
        }
    }

    /// What is wrong with it, if it can't be used.
    #[must_use]
    pub fn broken(&self) -> Option<&[Problem]> {
        match &self.state {
            State::Broken(problems) => Some(problems),
            _ => None,
        }
    }

    /// Whether what runs code in it may run.
    #[must_use]
    pub const fn trusted(&self) -> bool {
        matches!(self.state, State::Good { trusted: true, .. })
    }
}

/// Loads managed, user and project files, in this order.
#[must_use]
pub fn all(sources: &Sources<'_>) -> Vec<Loaded> {
    all_with(sources, sources.home.policy())
}

/// The same, with this file for the user's.
#[must_use]
pub fn all_with(sources: &Sources<'_>, user: PathBuf) -> Vec<Loaded> {
    let mut out = vec![
        one(Layer::Managed, sources.managed.clone(), sources),
        one(Layer::User, user, sources),
    ];
    if let Some(root) = sources.project {
        out.push(one(Layer::Project, project_file(root), sources));
    }
    out
}

/// The policy file of a project.
#[must_use]
pub fn project_file(root: &Path) -> PathBuf {
    root.join(".harness").join("policy.toml")
}

fn one(layer: Layer, path: PathBuf, sources: &Sources<'_>) -> Loaded {
    let state = match Source::of(layer, &path) {
        // A person's file that is lost is no file that was never there: its rules are gone.
        // A repository's only tightens, and what is in it is anybody's.
        Err(Unreadable::Missing) => match bounded::astray(&path) {
            Some(why) if layer != Layer::Project => State::Broken(vec![unreadable(&why)]),
            _ => State::Missing,
        },
        Err(e) => State::Broken(vec![unreadable(&e)]),
        Ok(source) => match compiled(layer, &path, &source, sources) {
            Err(problems) => State::Broken(problems),
            Ok(bytes) => {
                let trusted = layer != Layer::Project || is_trusted(&bytes, &source, sources);
                State::Good { bytes, trusted }
            }
        },
    };
    Loaded { layer, path, state }
}

fn unreadable(why: &Unreadable) -> Problem {
    Problem::whole(
        format!("it can't be read: {why}"),
        "make it a readable TOML file, or move it away",
    )
}

fn compiled(
    layer: Layer,
    path: &Path,
    source: &Source,
    sources: &Sources<'_>,
) -> Result<Vec<u8>, Vec<Problem>> {
    let snapshot = snapshot::Snapshot::of(&sources.home.cache, layer, path);
    if let Some(bytes) = snapshot.read(source) {
        return Ok(bytes);
    }
    let stamp = source.stamp_at_rest();
    let source = source.bytes().map_err(|e| vec![unreadable(&e)])?;
    let bytes = parse::with_file(&source, layer, flat::compile)?;
    snapshot.write(&source, stamp, &bytes);
    Ok(bytes)
}

/// Nothing that runs code needs no trust.
fn is_trusted(bytes: &[u8], source: &Source, sources: &Sources<'_>) -> bool {
    let flat = Flat::over(bytes);
    match (flat.needs_trust(), sources.project) {
        (Ok(false), _) => true,
        (Ok(true), Some(root)) => {
            let (Ok(file), Ok(source)) = (flat.all(), source.bytes()) else { return false };
            trust::Ledger::read(&sources.home.state).holds(root, &trust::pin(root, &source, &file))
        }
        _ => false,
    }
}
