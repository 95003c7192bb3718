//! Settings files that the client can't or won't read.

use crate::doctor::effective::{File, FileState};
use crate::doctor::finding::{Finding, Findings};
use crate::doctor::report::{State, Status};
use crate::doctor::scene::Scene;
use crate::hosts::claude_code::caps;
use crate::hosts::claude_code::places::Scope;
use crate::policy::parse::nearest;
use crate::settings::hooks::{Fate, Fault};

pub(super) fn check(scene: &Scene, found: &mut Findings) {
    for file in &scene.files {
        let shown = scene.around.shown(&file.path);
        match &file.state {
            FileState::Absent => {}
            FileState::Unreadable(why) => found.add(lost(
                scene,
                file,
                Finding::new("settings-unreadable", format!("{shown} can't be read: {why}"))
                    .fix(format!("make {shown} readable for you")),
            )),
            FileState::Unparseable { why, .. } if why.contains("UTF-16") => found.add(lost(
                scene,
                file,
                Finding::new("utf16", format!("{shown}: {why}, so it ignores all of it"))
                    .see(format!("{shown}:1:1"))
                    .fix(format!("save {shown} as UTF-8")),
            )),
            FileState::Unparseable { line, column, why } => found.add(lost(
                scene,
                file,
                Finding::new(
                    "settings-unparseable",
                    format!("{shown} is not JSON, so the client ignores all of it"),
                )
                .see(format!("{shown}:{line}:{column}: {why}"))
                .fix(format!("repair line {line} of {shown}")),
            )),
            FileState::Refused(faults) => refused(scene, file, faults, found),
            FileState::Read(settings) => tolerated(&shown, &settings.faults, found),
        }
    }
}

/// What it means that all of a file is lost: much if our entries are, or should be, in it.
pub(super) fn lost(scene: &Scene, file: &File, finding: Finding) -> Finding {
    let entries = scene.manifest().map(|m| m.entries.as_slice()).unwrap_or_default();
    let here = |event: &str| entries.iter().any(|e| e.file == file.path && e.event == event);
    if file.scope == Scope::Managed {
        // The client refuses to start; nothing of ours is called.
        return finding.see("with a broken managed file the client refuses to start").kills_both();
    }
    if !entries.iter().any(|e| e.file == file.path) {
        return finding.status(Status::Warn);
    }
    let elsewhere = |event: &str| scene.own_active().iter().any(|h| h.event == event);
    let state = |event| (here(event) && !elsewhere(event)).then_some(State::Dead);
    finding.hits(state("PreToolUse"), state("SessionStart"))
}

fn refused(scene: &Scene, file: &File, faults: &[Fault], found: &mut Findings) {
    let shown = scene.around.shown(&file.path);
    let worst: Vec<&Fault> = faults.iter().filter(|f| f.fate == Fate::FileDropped).collect();
    let only_events = worst.iter().all(|f| is_event_name(f));
    let message = format!("Claude Code {} ignores all of {shown}", scene.version);
    let mut finding = if only_events {
        Finding::new("event-unknown", message)
    } else {
        Finding::new("schema-invalid", message)
    };
    for fault in worst.iter().take(5) {
        finding = finding.see(line(&shown, fault));
    }
    let place = worst.first().map_or_else(String::new, |f| format!("`{}` in ", f.path));
    found.add(lost(scene, file, finding.fix(format!("correct {place}{shown}"))));
}

fn tolerated(shown: &str, faults: &[Fault], found: &mut Findings) {
    for fault in faults {
        let finding = if is_event_name(fault) {
            let name = fault.path.strip_prefix("hooks.").unwrap_or_default();
            match meant(name) {
                // Not a newer client's event: nobody will ever call what is registered there.
                Some(like) => {
                    Finding::new("event-unknown", "hooks wait for an event that never comes")
                        .kind("misspelt")
                        .status(Status::Warn)
                        .see(format!("`{name}`: did you mean `{like}`?"))
                }
                None => Finding::new("event-unknown", fault.what.clone()).status(Status::Note),
            }
        } else {
            Finding::new("schema-invalid", "the client leaves out what it doesn't accept")
                .kind("entry")
                .status(Status::Warn)
        };
        found.add(
            finding.see(line(shown, fault)).fix(format!("correct `{}` in {shown}", fault.path)),
        );
    }
}

/// The event that a misspelt name surely means, in whatever case and with whatever between
/// its words. One that another version knows is not misspelt.
fn meant(name: &str) -> Option<&'static str> {
    if caps::names().any(|known| known == name) {
        return None;
    }
    let plain = |name: &str| name.to_ascii_lowercase().replace(['_', '-', ' '], "");
    let all: Vec<(String, &str)> = caps::names().map(|name| (plain(name), name)).collect();
    let folded: Vec<&str> = all.iter().map(|(folded, _)| folded.as_str()).collect();
    let like = nearest(&plain(name), &folded)?;
    all.iter().find(|(folded, _)| folded == like).map(|(_, name)| *name)
}

fn is_event_name(fault: &Fault) -> bool {
    let name = fault.path.strip_prefix("hooks.").unwrap_or_default();
    !name.is_empty() && !name.contains(['.', '[']) && !caps::knows_name(name, caps::NEWEST_MEASURED)
        || fault.what.contains("knows no event")
}

fn line(shown: &str, fault: &Fault) -> String {
    format!("{shown}:{}:{} {}: {}", fault.line, fault.column, fault.path, fault.what)
}

#[cfg(test)]
mod tests {
    use super::meant;

    #[test]
    fn slips_in_the_names_of_events_are_known_for_what_they_are() {
        for (slip, event) in [
            ("preToolUse", "PreToolUse"),
            ("PreTooluse", "PreToolUse"),
            ("pre_tool_use", "PreToolUse"),
            ("PostToolUsed", "PostToolUse"),
            ("SesionStart", "SessionStart"),
            ("stop", "Stop"),
        ] {
            assert_eq!(meant(slip), Some(event), "{slip}");
        }
        for other in
            ["", "PreToolUse", "PostToolBatch", "AfterLunch", "beforeShellExecution", "Stopwatch"]
        {
            assert_eq!(meant(other), None, "{other}");
        }
    }
}
