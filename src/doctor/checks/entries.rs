//! Our entries: are they where install put them, and as it wrote them?

use crate::doctor::effective::FileState;
use crate::doctor::finding::{Finding, Findings};
use crate::doctor::report::{State, Status};
use crate::doctor::scene::{Known, Scene};
use crate::hosts::claude_code::caps;
use crate::hosts::claude_code::places::{Scope, config_dir};
use crate::install::in_force;
use crate::install::manifest::{Loaded, Registered};
use std::path::Path;

pub(super) fn check(scene: &Scene, found: &mut Findings) {
    wrong_dir(scene, found);
    another_home(scene, found);
    lost(scene, found);
    outdated(scene, found);
    unverified(scene, found);
    let written = scene.manifest().is_some_and(|m| !m.entries.is_empty());
    if !written && scene.own().is_empty() {
        found.add(
            Finding::new("not-installed", "harness is not installed in Claude Code's settings")
                .fix("run `harness install`")
                .kills_both(),
        );
    }
    if let Loaded::Broken(why) = &scene.manifest {
        let path = crate::install::manifest::path(&scene.around.harness);
        found.add(
            Finding::new("manifest-bad", "the record of what is ours can't be read")
                .see(format!("{}: {why}", path.display()))
                .fix("run `harness install` to write it again"),
        );
    }
}

/// The hooks go by another home than the person's commands.
fn another_home(scene: &Scene, found: &mut Findings) {
    let Some(what) = in_force::differs(&scene.around, &scene.home) else { return };
    let unread = scene.around.harness.policy();
    let mut finding = Finding::new("home-differs", what).fix(
        "unset `HOME`, or install with `HARNESS_HOME` set: the hooks are then told the folder",
    );
    if unread.exists() {
        let unread = unread.display();
        finding = finding.status(Status::Warn).see(format!("no hook reads {unread}"));
    }
    found.add(finding);
}

/// Entries in a configuration folder that the client doesn't look in.
fn wrong_dir(scene: &Scene, found: &mut Findings) {
    let user = scene.around.file(Scope::User);
    let entries = scene.manifest().map(|m| m.entries.as_slice()).unwrap_or_default();
    let elsewhere = entries.iter().find(|e| e.scope == Scope::User && e.file != user);
    let Some(elsewhere) = elsewhere else { return };
    let used = config_dir(&scene.around.home, scene.around.config_dir.as_deref());
    let why = if scene.around.config_dir.is_some() { "`CLAUDE_CONFIG_DIR`" } else { "the default" };
    let finding = Finding::new(
        "wrong-config-dir",
        format!(
            "harness is installed in {}, the client reads {}",
            elsewhere.file.display(),
            user.display()
        ),
    )
    .see(format!("{} is {why}", used.display()))
    .fix("run `harness install` with the `CLAUDE_CONFIG_DIR` that the client is started with");
    let dead = |event: &str| {
        let covered = scene.own_active().iter().any(|h| h.event == event);
        (!covered).then_some(State::Dead)
    };
    found.add(finding.hits(dead("PreToolUse"), dead("SessionStart")));
}

/// What the manifest lists and the file lacks.
fn lost(scene: &Scene, found: &mut Findings) {
    for entry in scene.manifest().map(|m| m.entries.as_slice()).unwrap_or_default() {
        let Some(file) = scene.file(&entry.file) else {
            lost_folder(entry, found);
            continue;
        };
        let handlers = match &file.state {
            FileState::Read(settings) => settings.handlers.as_slice(),
            FileState::Absent => &[],
            // A file that can't be read is a finding of its own.
            _ => continue,
        };
        if handlers.iter().any(|h| entry.is(&h.entry)) {
            continue;
        }
        let changed = handlers.iter().find(|h| h.event == entry.event && scene.is_ours(h));
        let shown = scene.around.shown(&entry.file);
        found.add(
            match changed {
                Some(handler) => Finding::new(
                    "own-entry-lost",
                    format!("entries of ours in {shown} were changed after they were installed"),
                )
                .kind("changed")
                .see(format!("{}: {}", entry.event, handler.place()))
                .fix("run `harness doctor --fix`, or `harness install`"),
                None => {
                    Finding::new("own-entry-lost", format!("entries of ours are gone from {shown}"))
                        .kind("missing")
                        .see(format!("{}: not in {shown}", entry.event))
                        .fix("run `harness doctor --fix`, or `harness install`")
                }
            }
            .hits(
                dead_without(scene, entry, "PreToolUse"),
                dead_without(scene, entry, "SessionStart"),
            ),
        );
    }
}

/// The channel of a lost entry is dead if nothing of ours serves it.
fn dead_without(scene: &Scene, entry: &Registered, event: &str) -> Option<State> {
    let served = scene.own_active().iter().any(|h| h.event == event && !h.asynchronous);
    (entry.event == event && !served).then_some(State::Dead)
}

/// An entry of a project that isn't this one says nothing about this one.
fn lost_folder(entry: &Registered, found: &mut Findings) {
    if matches!(entry.scope, Scope::Project | Scope::Local) && !Path::new(&entry.file).exists() {
        let shown = entry.file.display();
        found.add(
            Finding::new("own-entry-lost", format!("{shown} is gone with our entries in it"))
                .kind("elsewhere")
                .status(Status::Note)
                .see(format!("{}: {shown}", entry.event)),
        );
    }
}

/// Entries written for another client than the one that reads them.
fn outdated(scene: &Scene, found: &mut Findings) {
    let known = match scene.known {
        Known::Recorded => "the one harness was installed for",
        _ => "the oldest one supported",
    };
    if scene.known != Known::Found {
        found.add(
            Finding::new(
                "client-missing",
                format!("no Claude Code was found; judged as {} ({known})", scene.version),
            )
            .fix("put `claude` on the search path, then run this again"),
        );
    }
    for handler in scene.own() {
        let exec = handler.args.is_some();
        let finding = if exec && scene.version < caps::EXEC_FORM {
            Finding::new(
                "entries-outdated",
                format!(
                    "Claude Code {} ignores `args` and starts our program without arguments",
                    scene.version
                ),
            )
            .kind("exec-form")
            .status(Status::Fail)
            .kills(&handler.event)
        } else if handler.event == "PreToolUse"
            && scene.known != Known::Assumed
            && scene.version >= caps::ON_FAILURE
            && handler.on_failure.is_none()
        {
            Finding::new("entries-outdated", format!(
                "Claude Code {} can close the gate when a hook fails (`onFailure`); our entry doesn't ask for it",
                scene.version
            ))
            .kind("on-failure")
        } else {
            continue;
        };
        found.add(
            finding.see(handler.place()).fix("run `harness install` to write them for this client"),
        );
    }
}

/// Entries that only look like ours are not run, so nothing can be said of them.
fn unverified(scene: &Scene, found: &mut Findings) {
    for handler in scene.own().into_iter().filter(|h| !scene.may_run(h)) {
        let unknown = |event: &str| (handler.event == event).then_some(State::Unknown);
        found.add(
            Finding::new(
                "entry-unverified",
                "an entry looks like harness's, but this installation didn't write it; it was not run",
            )
            .see(format!("{}: {}", handler.place(), handler.shown()))
            .fix("run `harness install` if it should be yours, else take it out")
            .hits(unknown("PreToolUse"), unknown("SessionStart")),
        );
    }
}
