//! Which tools the gate covers, and which hooks are not ours.

use crate::doctor::effective::started;
use crate::doctor::finding::{Finding, Findings};
use crate::doctor::foreign::described;
use crate::doctor::report::{State, Status};
use crate::doctor::scene::Scene;

/// The most hooks of others that are listed.
const MOST: usize = 50;

/// Tools that change something or reach out, one of a server's among them.
pub(super) const TOOLS: &[&str] = &[
    "Bash",
    "PowerShell",
    "Write",
    "Edit",
    "MultiEdit",
    "NotebookEdit",
    "Read",
    "Agent",
    "WebFetch",
    "mcp__server__tool",
];

pub(super) fn check(scene: &Scene, found: &mut Findings) {
    matchers(scene, found);
    foreign(scene, found);
}

fn matchers(scene: &Scene, found: &mut Findings) {
    let own: Vec<_> = scene.own().into_iter().cloned().collect();
    let gates: Vec<_> = own.iter().filter(|h| h.event == "PreToolUse").collect();
    if gates.is_empty() {
        return;
    }
    let mut open = Vec::new();
    let mut unsure = false;
    for tool in TOOLS {
        let occasion = started(&own, "PreToolUse", tool, scene.version);
        if occasion.started.is_empty() {
            open.push(*tool);
        }
        unsure |= occasion.started.iter().all(|h| occasion.unsure.contains(h))
            && !occasion.started.is_empty();
    }
    let place = |mut f: Finding| {
        for gate in &gates {
            let matcher = gate.matcher.as_deref().unwrap_or("");
            f = f.see(format!("{}: matcher `{matcher}`", gate.place()));
        }
        f.fix("run `harness install`: it registers the matcher `*`")
    };
    if unsure {
        found.add(place(
            Finding::new("matcher-dead", "a matcher is a pattern this doctor can't read")
                .kind("unread")
                .status(Status::Warn)
                .hits(Some(State::Unknown), None),
        ));
    }
    if open.len() == TOOLS.len() {
        let finding = Finding::new("matcher-dead", "the gate's matcher fits no tool");
        found.add(place(finding.kills("PreToolUse")));
    } else if !open.is_empty() {
        let message = format!("the gate doesn't see these tools: {}", open.join(", "));
        let finding = Finding::new("matcher-dead", message).kind("gap");
        found.add(place(finding.kills("PreToolUse")));
    }
}

fn foreign(scene: &Scene, found: &mut Findings) {
    let foreign = scene.foreign();
    if foreign.is_empty() {
        return;
    }
    let ran = if scene.others_run { "they were run" } else { "they were not run" };
    let message = format!("{} hooks that are not ours; {ran}", foreign.len());
    let mut finding = Finding::new("foreign-hooks", message);
    for handler in foreign.iter().take(MOST) {
        finding = finding.see(described(handler, scene.version));
    }
    if foreign.len() > MOST {
        finding = finding.see(format!("and {} more", foreign.len() - MOST));
    }
    found.add(finding);
}
