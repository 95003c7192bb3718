//! Which hooks of others a doctor has met before: a hash of each by the file it stands in,
//! kept in the state folder, so that the next run can say which are new.

use crate::doctor::effective::{File, FileState};
use crate::doctor::handler::Handler;
use crate::doctor::scene::Scene;
use crate::home::Home;
use crate::install::manifest::now_ms;
use crate::journal::hash::Short;
use crate::sys::fs;
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

/// The places that are remembered; the ones looked at longest ago are forgotten first.
const MOST: usize = 300;
/// What of an entry may change without making it another hook.
const MANNER: &[&str] = &["timeout", "onFailure", "async", "asyncRewake", "once", "statusMessage"];

/// What was met, as it is kept.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Met {
    /// The places looked at, the latest first.
    places: Vec<Place>,
}

/// One place that hooks come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Place {
    /// A settings file, or the plugins of a folder.
    name: String,
    /// When it was last looked at, in milliseconds since 1970.
    at_ms: u64,
    /// The hooks of others in it.
    hooks: Vec<String>,
}

/// What a run can say of new hooks.
#[derive(Debug)]
pub struct News<'a> {
    /// The hooks that were not there the last time.
    pub new: Vec<&'a Handler>,
    /// When the places that could be compared were last looked at, the earliest; `None` if
    /// there was nothing to compare with.
    pub since_ms: Option<u64>,
    /// Whether every place that has hooks of others was looked at before.
    pub complete: bool,
}

fn file(home: &Home) -> PathBuf {
    home.state.join("foreign.json")
}

/// What was met before; nothing, where nothing readable is kept.
#[must_use]
pub fn before(home: &Home) -> Met {
    let kept = fs::read(&file(home)).ok().flatten();
    kept.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
}

impl Met {
    /// What this run meets.
    #[must_use]
    pub fn now(scene: &Scene) -> Self {
        let at_ms = now_ms();
        let hooks = scene.foreign();
        let place = |name: String| {
            let of = hooks.iter().filter(|h| place(scene, h) == name).map(|h| hash(h));
            let mut hooks: Vec<String> = of.collect();
            hooks.sort_unstable();
            hooks.dedup();
            Place { name, at_ms, hooks }
        };
        Self { places: looked_at(scene).map(place).collect() }
    }

    /// What is new to somebody who remembers this.
    #[must_use]
    pub fn news<'a>(&self, scene: &'a Scene) -> News<'a> {
        let known: HashMap<&str, &Place> =
            self.places.iter().map(|p| (p.name.as_str(), p)).collect();
        let met: HashSet<(&str, &str)> = self
            .places
            .iter()
            .flat_map(|p| p.hooks.iter().map(|h| (p.name.as_str(), h.as_str())))
            .collect();
        let hooks = scene.foreign();
        let complete = hooks.iter().all(|h| known.contains_key(place(scene, h).as_str()));
        let is_new = |h: &&Handler| {
            let place = place(scene, h);
            known.contains_key(place.as_str()) && !met.contains(&(place.as_str(), &hash(h)))
        };
        let since_ms =
            looked_at(scene).filter_map(|name| Some(known.get(name.as_str())?.at_ms)).min();
        News { new: hooks.into_iter().filter(is_new).collect(), since_ms, complete }
    }

    /// Writes down what this run met, with what is remembered of other places. A home that
    /// harness keeps nothing in stays as it is.
    pub fn keep(self, home: &Home) {
        if !home.state.is_dir() {
            return;
        }
        let mut places = self.places;
        let now: Vec<String> = places.iter().map(|p| p.name.clone()).collect();
        places.extend(before(home).places.into_iter().filter(|p| !now.contains(&p.name)));
        places.truncate(MOST);
        if let Ok(text) = serde_json::to_string(&Self { places }) {
            // What can't be kept is only not compared with later.
            let _ = fs::write_private(&file(home), text.as_bytes());
        }
    }
}

/// The places that this run looks at. A file that can't be read is none of them, and its hooks
/// are not forgotten.
fn looked_at(scene: &Scene) -> impl Iterator<Item = String> {
    let read = |f: &&File| matches!(f.state, FileState::Absent | FileState::Read(_));
    let files = scene.files.iter().filter(read).map(|f| f.path.to_string_lossy().into_owned());
    files.chain([plugins(scene)])
}

/// Where a hook comes from. Which plugins are on differs from folder to folder.
fn place(scene: &Scene, handler: &Handler) -> String {
    match handler.plugin {
        Some(_) => plugins(scene),
        None => handler.file.to_string_lossy().into_owned(),
    }
}

fn plugins(scene: &Scene) -> String {
    format!("plugins in {}", scene.around.cwd.display())
}

/// What makes it this hook: when it fires and what it runs, as it is written. A plugin's
/// folder has the version in its name, and an update is no new hook.
fn hash(handler: &Handler) -> String {
    let mut fields = handler.entry.fields.clone();
    fields.retain(|name, _| !MANNER.contains(&name.as_str()));
    let owner = handler.plugin.as_ref().map(|p| &p.name);
    let all = serde_json::json!([owner, handler.event, handler.matcher, fields]);
    Short::of(all.to_string().as_bytes()).to_string()
}
