//! The static checks: what the client will read, in which scope, and what that means.

mod commands;
mod entries;
mod files;
mod lasting;
mod policy;
mod programs;
mod reach;
mod scopes;
mod shape;
mod surroundings;
mod switches;

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
    surroundings::check(scene, found);
    policy::check(scene, found);
}
