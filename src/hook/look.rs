//! Reads the settings files a client reads and compares them with the manifest.

use std::path::{Path, PathBuf};

use super::compare::{Settings, Weakness, weaknesses};
use super::limits;
use super::registered::{self, Registered};
use super::scene::Scene;
use crate::home::Home;
use crate::hosts::claude_code::places::{self, Os, Place, Scope};
use crate::sys::bounded::{self, Unreadable};

/// What weakens our hooks now. `owned`: this hook names an owner, so install wrote down
/// what it registered.
///
/// # Errors
/// What install registered can't be read.
pub fn at_settings(home: &Home, scene: &Scene, owned: bool) -> Result<Vec<Weakness>, String> {
    let ours = match registered::read(&home.state)? {
        Some(ours) => ours,
        None if owned => return Err("it is gone".into()),
        None => Vec::new(),
    };
    let all: Vec<Settings> = files(scene, &ours).into_iter().map(read).collect();
    Ok(weaknesses(&ours, &all))
}

/// Every file that counts, in the client's order, ours that it wouldn't find included.
fn files(scene: &Scene, ours: &[Registered]) -> Vec<Place> {
    let mut files = scene.settings_files();
    files.extend(drop_ins().into_iter().map(|file| Place { scope: Scope::Managed, file }));
    for entry in ours {
        if files.iter().all(|place| place.file != entry.file) {
            let scope = Scope::ALL.iter().find(|scope| scope.as_str() == entry.scope);
            files.push(Place { scope: *scope.unwrap_or(&Scope::User), file: entry.file.clone() });
        }
    }
    files.sort_by_key(|place| place.scope);
    files
}

fn drop_ins() -> Vec<PathBuf> {
    let Ok(folder) = std::fs::read_dir(places::managed_drop_ins(Os::here())) else {
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = folder
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|file| file.extension().is_some_and(|e| e == "json"))
        .collect();
    files.sort_unstable();
    files
}

fn read(place: Place) -> Settings {
    let text = match bounded::read(&place.file, limits::SETTINGS) {
        Ok(bytes) => String::from_utf8(bytes).map(Some).map_err(|e| e.to_string()),
        Err(Unreadable::Missing) => Ok(None),
        Err(error) => Err(error.to_string()),
    };
    Settings { scope: place.scope, file: place.file, text }
}

/// Whether two paths lead to the same file, also where one goes through a link.
#[must_use]
pub fn same_file(a: &Path, b: &Path) -> bool {
    a == b || matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}
