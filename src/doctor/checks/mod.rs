//! The static checks: what the client will read, in which scope, and what that means.

mod entries;
mod files;
mod policy;
mod programs;
mod reach;
mod scopes;
mod switches;

use super::finding::Findings;
use super::scene::Scene;

/// Runs every static check; off switches first.
pub fn run(scene: &Scene, found: &mut Findings) {
    switches::check(scene, found);
    files::check(scene, found);
    entries::check(scene, found);
    scopes::check(scene, found);
    programs::check(scene, found);
    reach::check(scene, found);
    policy::check(scene, found);
}
