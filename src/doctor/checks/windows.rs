//! What a hook's first word stands for on Windows: the launcher of another system, or a
//! link to a shop.

use crate::doctor::finding::{Finding, Findings};
use crate::doctor::line;
use crate::doctor::scene::Scene;
use crate::hosts::claude_code::places::Os;
use std::path::{Path, PathBuf};

/// How names of programs end there.
const ENDINGS: &[&str] = &["", ".exe", ".cmd", ".bat", ".com"];

pub(super) fn check(scene: &Scene, found: &mut Findings) {
    if scene.around.os != Os::Windows {
        return;
    }
    let all = scene.effective.handlers.iter().chain(&scene.effective.silenced);
    for handler in all.filter(|h| h.kind == "command") {
        let Some(program) = line::program(handler, &scene.around) else { continue };
        let Some(path) = resolved(&program, &scene.around.path.to_string_lossy()) else {
            continue;
        };
        let length = std::fs::metadata(&path).map(|m| m.len()).unwrap_or_default();
        let finding = match stand_in(&path, length) {
            Some(StandIn::Launcher) => Finding::new(
                "wsl-bash",
                "a hook's `bash` is the launcher of Linux on Windows, which sees other files",
            ),
            Some(StandIn::Shop) => Finding::new(
                "store-stub",
                "a hook's program is a placeholder that opens a shop and runs nothing",
            ),
            None => continue,
        };
        found.add(
            finding
                .see(format!("{}: `{program}` is {}", handler.place(), path.display()))
                .fix("give the absolute path of the program that is meant")
                .kills(if scene.is_ours(handler) { &handler.event } else { "" }),
        );
    }
}

enum StandIn {
    Launcher,
    Shop,
}

fn stand_in(path: &Path, length: u64) -> Option<StandIn> {
    let path = path.to_string_lossy().to_lowercase().replace('\\', "/");
    let name = path.rsplit('/').next().unwrap_or_default();
    let system = ["/system32/", "/sysnative/", "/syswow64/"].iter().any(|f| path.contains(f));
    if system && matches!(name, "bash" | "bash.exe" | "wsl.exe") {
        Some(StandIn::Launcher)
    } else if length == 0 && (path.contains("/windowsapps/") || name.starts_with("python")) {
        Some(StandIn::Shop)
    } else {
        None
    }
}

/// The file a name stands for on a search path of that system.
fn resolved(program: &str, path: &str) -> Option<PathBuf> {
    let with_endings = |base: PathBuf| {
        ENDINGS.iter().map(move |e| PathBuf::from(format!("{}{e}", base.display())))
    };
    if program.contains(['/', '\\']) {
        return with_endings(PathBuf::from(program)).find(|p| p.is_file());
    }
    path.split(';')
        .filter(|f| !f.is_empty())
        .flat_map(|folder| with_endings(Path::new(folder).join(program)))
        .find(|p| p.is_file())
}
