//! The static checks: what the client will read, in which scope, and what that means.

mod commands;
mod entries;
mod files;
mod foreign;
mod lasting;
mod location;
pub(super) mod permissions;
mod policy;
mod programs;
mod reach;
mod scopes;
mod shape;
mod shells;
mod state;
mod surroundings;
mod switches;
mod variables;
mod windows;

use super::finding::Findings;
use super::scene::Scene;

/// Runs every static check; off switches first.
pub fn run(scene: &Scene, found: &mut Findings) {
    switches::check(scene, found);
    files::check(scene, found);
    shape::check(scene, found);
    entries::check(scene, found);
    scopes::check(scene, found);
    commands::check(scene, found);
    programs::check(scene, found);
    lasting::check(scene, found);
    reach::check(scene, found);
    foreign::check(scene, found);
    surroundings::check(scene, found);
    policy::check(scene, found);
    variables::check(scene, found);
    shells::check(scene, found);
    windows::check(scene, found);
    permissions::check(scene, found);
    location::check(scene, found);
    state::check(scene, found);
}
