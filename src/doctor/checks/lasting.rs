//! Whether the registered program is the one that was installed, the one that runs here,
//! and will be there tomorrow.

use crate::doctor::finding::{Finding, Findings};
use crate::doctor::report::Status;
use crate::doctor::scene::Scene;
use crate::install::binary;
use crate::sys::paths;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

pub(super) fn check(scene: &Scene, found: &mut Findings) {
    let programs: BTreeSet<PathBuf> =
        scene.own().into_iter().filter_map(|h| scene.program(h)).filter(|p| p.is_file()).collect();
    for program in &programs {
        if let Some(why) = fragile(program, scene) {
            found.add(
                Finding::new("fragile-path", format!("the registered program is in {why}"))
                    .see(program.display().to_string())
                    .fix(
                        "run `harness install` from a lasting place: it registers that, or a copy",
                    ),
            );
        }
        same(scene, program, found);
    }
}

/// Why a path won't last, if it won't.
fn fragile(path: &Path, scene: &Scene) -> Option<&'static str> {
    // What a home is called says nothing of what is in it.
    let below = path.strip_prefix(&scene.around.home);
    let parts = below.as_ref().copied().unwrap_or(path);
    let whole = format!("/{}/", parts.to_string_lossy().trim_start_matches('/'));
    let has = |what: &str| whole.contains(what);
    if has("/target/debug/") || has("/target/release/") {
        Some("a build folder, gone with the next clean")
    } else if below.is_err() && paths::is_temporary(path, None) {
        Some("a temporary folder")
    } else if has("/_npx/") || has("/Downloads/") || whole.starts_with("/Volumes/") {
        Some("a folder that is cleared or unmounted")
    } else if binary::is_versioned(parts) {
        Some("a folder of one version, gone with the next upgrade")
    } else {
        None
    }
}

fn same(scene: &Scene, program: &Path, found: &mut Findings) {
    let Ok(bytes) = std::fs::read(program) else { return };
    let recorded = scene.manifest().filter(|m| m.binary == program).map(|m| &m.binary_blake3);
    let running = std::env::current_exe().ok().and_then(|p| std::fs::read(p).ok());
    let is_this = running.as_ref() == Some(&bytes);
    if let Some(recorded) = recorded
        && *recorded != blake3::hash(&bytes).to_hex().to_string()
    {
        let what = "the registered program is not the one that was installed";
        let finding = Finding::new("integrity-changed", what)
            .see(program.display().to_string())
            .see(format!("installed {recorded}, now {}", blake3::hash(&bytes).to_hex()))
            .fix("if you updated it, run `harness install` to record that; else put it back");
        found.add(if is_this {
            finding.status(Status::Note).see("it is the program that runs now")
        } else {
            finding
        });
    } else if !is_this && binary::is_harness(&bytes) {
        let shown = program.display();
        found.add(
            Finding::new(
                "version-skew",
                format!("another build of harness is registered: {shown}"),
            )
            .see(format!(
                "this one is {} {}",
                env!("CARGO_PKG_VERSION"),
                std::env::current_exe().unwrap_or_default().display()
            ))
            .fix("run `harness install` with the one you want registered"),
        );
    }
}
