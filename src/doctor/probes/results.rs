//! Rules on results: what they take out of a result doesn't reach the model.

use super::start::{Setting, Twist, start};
use super::{Part, cause, payload};
use crate::doctor::finding::Finding;
use crate::doctor::handler::Handler;
use crate::policy::PostRuling;
use harness_core::json::{Limits, parse};
use harness_core::{Identity, Json, ToolCall};
use serde_json::json;

/// What vendors give as examples of keys, in pieces: no scanner takes this file for a leak.
const SAMPLES: &[&[&str]] = &[
    &["AKIA", "IOSFODNN7EXAMPLE"],
    &["-----BEGIN ", "PRIVATE KEY-----\nMIIB\n-----END ", "PRIVATE KEY-----"],
];

/// Sends a result that holds sample secrets, if a rule would change it.
pub(super) fn probe(setting: Setting<'_>, handler: &Handler) -> Part {
    let mut part = Part::default();
    let samples: Vec<String> = SAMPLES.iter().map(|s| s.concat()).collect();
    let command = "echo probe";
    let result = json!({ "stdout": samples.join("\n"), "stderr": "", "interrupted": false, "isImage": false });
    if !changes(setting, command, &result.to_string()) {
        return part;
    }
    let sent = payload::result(setting, command, &result);
    let answer = start(setting, handler, &sent, Twist::default());
    let said = String::from_utf8_lossy(&answer.ran.stdout);
    let kept = |s: &&String| s.lines().next().is_some_and(|head| said.contains(head));
    let replaced = said.contains("updatedToolOutput") || said.contains("\"block\"");
    if replaced && samples.iter().filter(kept).count() < samples.len() {
        part.found.right("policy-bad", "a rule on results takes sample secrets out");
        return part;
    }
    let what = "a rule on results should change one with sample secrets, and the hook leaves it";
    let mut finding = Finding::new("policy-bad", what)
        .kind("result")
        .fix("run `harness doctor --fix`; if that changes nothing, report it");
    finding.evidence = cause::shown(&answer, handler);
    part.found.add(finding);
    part
}

/// Whether the policy, asked directly, changes this result.
fn changes(setting: Setting<'_>, command: &str, result: &str) -> bool {
    let input = json!({ "command": command }).to_string();
    let read = |text: &str| -> Option<Json<'static>> {
        let parsed = parse(text.as_bytes(), Limits::default()).ok()?;
        Some(parsed.value.into_owned())
    };
    let (Some(input), Some(result)) = (read(&input), read(result)) else { return false };
    let identity = Identity {
        session: "".into(),
        call: "".into(),
        agent: None,
        tool: "Bash".into(),
        cwd: setting.scene.around.cwd.to_string_lossy().into_owned().into(),
    };
    let call = ToolCall::seal(identity, input, false);
    !matches!(setting.scene.policy.post(&call, &result), PostRuling::Accept)
}
