//! Gates of others that see one shell and not the other, and how many hooks a call starts.

use crate::doctor::effective::started;
use crate::doctor::finding::{Finding, Findings};
use crate::doctor::report::Status;
use crate::doctor::scene::Scene;
use crate::hosts::claude_code::decoder::matcher::{Fires, fires};
use crate::hosts::claude_code::places::Os;

/// Hooks a call may start before somebody should look.
const CROWD: usize = 15;
/// Switches the PowerShell tool on.
const POWERSHELL: &str = "CLAUDE_CODE_USE_POWERSHELL_TOOL";

pub(super) fn check(scene: &Scene, found: &mut Findings) {
    shells(scene, found);
    crowd(scene, found);
}

/// Whether this client has a PowerShell tool.
fn has_powershell(scene: &Scene) -> bool {
    let on = |value: &str| !matches!(value, "" | "0" | "false");
    let settings = scene.files.iter().filter_map(|f| f.settings());
    let mut set = settings.flat_map(|s| s.env.iter());
    set.any(|(name, value)| name == POWERSHELL && on(value)) || !has_bash(scene)
}

/// Windows alone may lack it; the client looks for Git's.
fn has_bash(scene: &Scene) -> bool {
    let folders = scene.around.path.to_string_lossy().into_owned();
    let there = |folder: &str| {
        ["bash", "bash.exe"].iter().any(|name| std::path::Path::new(folder).join(name).is_file())
    };
    scene.around.os != Os::Windows || folders.split(';').any(there)
}

fn shells(scene: &Scene, found: &mut Findings) {
    if !has_bash(scene) {
        let what = "there is no bash on the search path, so the Bash tool does not exist here";
        found.add(Finding::new("shell-tool-gap", what).kind("no-bash").status(Status::Note));
    }
    if !has_powershell(scene) {
        return;
    }
    for handler in scene.foreign().into_iter().filter(|h| h.event == "PreToolUse") {
        let fits = |tool| fires(handler.matcher.as_deref(), tool, scene.version) == Fires::Yes;
        let (seen, unseen) = match (fits("Bash"), fits("PowerShell")) {
            (true, false) => ("Bash", "PowerShell"),
            (false, true) if has_bash(scene) => ("PowerShell", "Bash"),
            _ => continue,
        };
        found.add(
            Finding::new("shell-tool-gap", format!("a hook sees {seen} and not {unseen}"))
                .kind("foreign")
                .status(Status::Warn)
                .see(format!(
                    "{}: matcher `{}`",
                    handler.place(),
                    handler.matcher.as_deref().unwrap_or_default()
                ))
                .fix("if it is a guard, write the matcher `Bash|PowerShell`"),
        );
    }
}

/// Each of them costs every call a process.
fn crowd(scene: &Scene, found: &mut Findings) {
    let occasion = started(&scene.effective.handlers, "PreToolUse", "Bash", scene.version);
    let count = occasion.started.iter().filter(|h| h.kind == "command").count();
    if count <= CROWD {
        return;
    }
    let mut finding =
        Finding::new("fan-out", format!("{count} hooks are started at every call of Bash"))
            .fix("join them, or narrow their matchers to the tools that they are for");
    for handler in occasion.started.iter().take(5) {
        finding = finding.see(format!("{}: {}", handler.place(), handler.shown()));
    }
    found.add(finding);
}
