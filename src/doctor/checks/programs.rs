//! The programs our entries name: there, startable, self-contained?

use crate::doctor::finding::{Finding, Findings};
use crate::doctor::handler::Handler;
use crate::doctor::line;
use crate::doctor::scene::Scene;
use crate::install::binary;
use crate::sys::program::{Trouble, trouble};
use std::path::Path;

pub(super) fn check(scene: &Scene, found: &mut Findings) {
    for handler in scene.own() {
        let named = line::program(handler, &scene.around);
        let named = named.unwrap_or_else(|| handler.command.clone());
        let place = format!("{}: {}", handler.place(), handler.shown());
        let finding = match scene.program(handler) {
            None => missing(&named),
            Some(path) => match trouble(&path) {
                Some(Trouble::Missing) => missing(&path.display().to_string()),
                Some(Trouble::NotStartable(kind, why)) => Finding::new(
                    "not-startable",
                    format!("{} can't be started: {why}", path.display()),
                )
                .kind(kind)
                .fix("run `harness install` to put a working program there"),
                None => {
                    dynamic(&path, found);
                    continue;
                }
            },
        };
        found.add(finding.see(place).see(effect(handler)).kills(&handler.event));
    }
}

fn missing(named: &str) -> Finding {
    Finding::new("target-missing", format!("the registered program `{named}` does not exist"))
        .fix("run `harness install` to register one that does")
}

/// What the client does when the program can't be started.
fn effect(handler: &Handler) -> String {
    let held = handler.on_failure == Some(crate::doctor::handler::OnFailure::Block);
    let event = &handler.event;
    if held {
        format!(
            "{event}: `onFailure` is `block`: a client that knows it stops every call, an older one none"
        )
    } else {
        format!("{event}: the client goes on without it")
    }
}

/// A program with a loader runs what a repository's `LD_PRELOAD` names.
fn dynamic(path: &Path, found: &mut Findings) {
    if binary::is_static(path) == Some(false) {
        found.add(
            Finding::new(
                "dynamic-binary",
                format!("{} loads shared libraries, so a repository's `env` block (`LD_PRELOAD`) can reach into it", path.display()),
            )
            .see(path.display().to_string())
            .fix("install a static build (the released Linux binaries are)"),
        );
    }
}
