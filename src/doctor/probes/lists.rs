//! The client's own lists beside our gate: a command that one allows and the other denies.

use super::gate::denied;
use super::start::{Setting, Twist, start};
use super::{Part, payload};
use crate::doctor::checks::permissions::list;
use crate::doctor::finding::Finding;
use crate::doctor::handler::Handler;
use crate::doctor::report::Status;
use crate::hosts::claude_code::caps::Version;
use crate::hosts::claude_code::decoder::Decision;
use serde_json::json;

/// Rules tried of each list.
const MOST: usize = 12;
/// Before it a hook's consent outranked the person's own list.
const OUTRANKED: Version = Version::new(2, 1, 77);

pub(super) fn probe(setting: Setting<'_>, handler: &Handler, part: &mut Part) {
    for file in &setting.scene.files {
        let Some(settings) = file.json() else { continue };
        let shown = setting.scene.around.shown(&file.path);
        for name in ["allow", "deny", "ask"] {
            let rules = list(&settings, name);
            let commands = rules.iter().filter_map(|r| Some((*r, sample(r)?)));
            for (rule, command) in commands.take(MOST) {
                let place = format!("{shown} permissions.{name}: `{rule}`");
                if let Some(finding) = compare(setting, handler, name, &command) {
                    part.found.add(finding.see(place));
                }
            }
        }
    }
}

/// A command that a rule of the client's is about, if that is plain.
fn sample(rule: &str) -> Option<String> {
    let inner = rule.strip_prefix("Bash(")?.strip_suffix(')')?;
    let plain = inner.strip_suffix(":*").or_else(|| inner.strip_suffix(" *")).unwrap_or(inner);
    (!plain.trim().is_empty() && !plain.contains('*')).then(|| plain.to_owned())
}

fn compare(setting: Setting<'_>, handler: &Handler, list: &str, command: &str) -> Option<Finding> {
    let call = payload::call(setting, "Bash", &json!({ "command": command }));
    let answer = start(setting, handler, &call, Twist::default());
    match (list, &answer.decoded.decision) {
        ("allow", _) if denied(&answer) => Some(
            Finding::new("allow-overlap", "the policy denies what settings allow; it is denied")
                .fix("`harness explain` names the rule; take one of the two out"),
        ),
        ("deny" | "ask", Decision::Allowed) => {
            let what = format!("the policy allows what the settings' `{list}` list names");
            let finding = Finding::new("allow-overrides", what)
                .kind(list)
                .fix("`harness explain` names the rule that allows; narrow it");
            let open = list == "deny" && setting.scene.version < OUTRANKED;
            Some(if open { finding.status(Status::Fail) } else { finding })
        }
        _ => None,
    }
}
