//! Off switches: before everything else.

use crate::doctor::effective::Switch;
use crate::doctor::finding::{Finding, Findings};
use crate::doctor::report::Status;
use crate::doctor::scene::Scene;
use crate::hook::off;
use crate::sys::world::Machine;
use harness_core::World;

pub(super) fn check(scene: &Scene, found: &mut Findings) {
    let ours_left = scene.effective.handlers.iter().any(|h| scene.is_ours(h));
    for switch in &scene.effective.off {
        let finding = said(scene, switch);
        found.add(if ours_left {
            finding.status(Status::Warn).see("our entries in managed settings stay on")
        } else {
            finding.kills_both()
        });
    }
    silenced(scene, found);
}

/// A person's own word, for a while.
fn silenced(scene: &Scene, found: &mut Findings) {
    let now = Machine::new("").now_ms();
    match off::until(&scene.home, now) {
        None => found.right("off", "nobody has silenced harness"),
        Some(until) => {
            let seconds = until.saturating_sub(now) / 1_000;
            let what = format!(
                "`harness off` silences all but self-protection for {seconds} more seconds"
            );
            found.add(Finding::new("off", what).fix("`harness off --end` ends it now"));
        }
    }
}

fn said(scene: &Scene, switch: &Switch) -> Finding {
    let key = switch.key;
    let (place, fix) = match &switch.file {
        Some(file) => {
            let shown = scene.around.shown(file);
            (format!("in {shown}"), format!("take `{key}` out of {shown}"))
        }
        None => ("in the environment".to_owned(), format!("unset `{key}`")),
    };
    let scope = switch.scope.map_or("environment", |s| s.as_str());
    let reach =
        if switch.managed_too { "every hook" } else { "every hook outside managed settings" };
    Finding::new("switched-off", format!("`{key}` {place} switches off {reach}"))
        .kind(scope)
        .see(format!("{place}: {key}"))
        .fix(fix)
}
