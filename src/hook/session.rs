//! SessionStart: pins the workspace, says how things stand, and looks whether somebody
//! has weakened our hooks.

use std::env;
use std::path::Path;

use harness_core::knobs::value::Knob;
use harness_core::knobs::{Deployment, Presets, SandboxMode};

use super::answer::Answer;
use super::compare::Weakness;
use super::context;
use super::knobs::{self, Ladder};
use super::look;
use super::scene::Scene;
use super::trouble::Trouble;
use crate::home::Home;
use crate::hosts::{Decision, EventName, Inbound, Outbound};
use crate::journal::record::Record;
use crate::journal::{authority, redact};

/// Characters of the session id in the status line.
const SHOWN_ID: usize = 36;

/// Answers the beginning of a session; `owned` says that this hook names an owner.
///
/// # Errors
/// Only in test builds, on demand.
pub fn answer(
    home: &Home,
    owned: bool,
    inbound: &Inbound<'_>,
    source: &str,
) -> Result<Answer, Trouble> {
    let mut scene = Scene::look(home, inbound);
    let begins = !scene.authority.began;
    if begins {
        scene.workspace = start(&scene, inbound, source);
    }
    let policy = scene.policy(home)?;
    let ladder = scene.ladder(&policy);
    let presets = policy.presets();
    let pinned = !begins || pin(&scene, &ladder, &presets);
    let found = look::at_settings(home, &scene, owned).unwrap_or_else(|why| {
        vec![Weakness {
            file: None,
            what: format!("what install registered can't be read (manifest.json: {why})"),
            repeated: false,
        }]
    });
    let repeated = found.iter().any(|weakness| weakness.repeated);
    if repeated {
        scene.tighten("a project repeats our hook with weaker attributes");
    }
    let now = scene.ladder(&policy).now();
    let mut text = status(now, &inbound.session, !found.is_empty());
    text.push_str(told(&scene, now));
    for weakness in found.iter().take(8) {
        text.push_str("\nharness warns: ");
        if let Some(file) = &weakness.file {
            text.push_str(&file.to_string_lossy());
            text.push_str(": ");
        }
        text.push_str(&weakness.what);
        text.push_str("; tell the person, `harness doctor` says what to do");
    }
    let more = context::of(&policy, EventName::SessionStart, None, &scene.workspace);
    if !more.is_empty() {
        text.push('\n');
        text.push_str(&more);
    }
    let mut record = Record::new("hook/invoked", scene.now_ms())
        .text("event", "SessionStart")
        .text("session", redact::head(&inbound.session, 256))
        .flag("pinned", pinned)
        .text("source", redact::head(source, 64))
        .text("workspace", redact::head(&scene.workspace, 1_024));
    if !found.is_empty() {
        record = record
            .text("alarm", "our hooks are weakened")
            .list("found", found.iter().take(16).map(|weakness| weakness.what.as_str()));
    }
    let outbound = Outbound { decision: Decision::Silence, context: text };
    let notes = scene.notes(EventName::SessionStart, inbound, None, source);
    Ok(Answer { outbound, record: Some(record), notes })
}

/// Where the client started. At a startup the payload's folder is that, and no repository
/// can set it; later on only the host's own word is.
fn start(scene: &Scene, inbound: &Inbound<'_>, source: &str) -> String {
    let of_host = env::var_os("CLAUDE_PROJECT_DIR").map(|dir| dir.to_string_lossy().into_owned());
    let started_in = match of_host {
        Some(dir) if source != "startup" || !Path::new(inbound.cwd.as_ref()).is_absolute() => dir,
        _ => inbound.cwd.clone().into_owned(),
    };
    scene.beginning(&started_in)
}

/// Pins the workspace and the knobs, all in one write.
fn pin(scene: &Scene, ladder: &Ladder, presets: &Presets) -> bool {
    let now = scene.now_ms();
    let start = Record::new(authority::START, now).text("workspace", &scene.workspace);
    let pins = ladder.pins(presets);
    let pins = pins.iter().map(|event| knobs::record(event, now).text("by", "session start"));
    authority::append(&scene.log, std::iter::once(start).chain(pins)).is_ok()
}

/// The line every session begins with: `harness VERSION: gate active, sandbox MODE,
/// approval POLICY, session ID`, the id being the host's, its first 36 characters, what is
/// not a letter, a digit, `-`, `_` or `.` replaced by `_`. Full access is said as `off`: a
/// model must not take it for an invitation.
fn status(knobs: Deployment, session: &str, weakened: bool) -> String {
    let id: String = session
        .chars()
        .take(SHOWN_ID)
        .map(|c| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '_' })
        .collect();
    let sandbox = match knobs.sandbox {
        SandboxMode::DangerFullAccess => "off",
        mode => mode.word(),
    };
    format!(
        "harness {}: gate {}, sandbox {sandbox}, approval {}, session {id}",
        env!("CARGO_PKG_VERSION"),
        if weakened { "weakened" } else { "active" },
        knobs.approval.word(),
    )
}

/// What the sandbox means, for the model.
const fn told(scene: &Scene, knobs: Deployment) -> &'static str {
    match (scene.authority.alarmed, knobs.sandbox) {
        (true, _) => "\nAn alarm has tightened this session: everything but reading asks.",
        (_, SandboxMode::ReadOnly) => {
            "\nThe sandbox is read-only: what isn't known only to read needs a person's yes, call by call."
        }
        (_, SandboxMode::WorkspaceWrite) => {
            "\nThe sandbox is the workspace and temp: a write outside needs a person's yes, call by call."
        }
        (_, SandboxMode::DangerFullAccess) => "",
    }
}
