//! Everything in a policy file that isn't a rule.

use super::super::file::{Context, Except, File, Knob, Post, Preset};
use super::super::{packs, redact};
use super::nearest;
use super::rule;
use super::section::Section;
use crate::hosts::EventName;

const SANDBOX: &[&str] = &["read-only", "workspace-write", "danger-full-access"];
const APPROVAL: &[&str] = &["ask", "never"];

/// `version = 1`
pub(super) fn version(root: &mut Section<'_, '_, '_>) {
    match root.integer("version") {
        Some(1) => {}
        _ if !root.has("version") => {
            root.wrong_whole("`version` is missing", "begin the file with `version = 1`");
        }
        _ => root.wrong("version", "this harness reads version 1", "write `version = 1`"),
    }
}

/// `[journal]`
pub(super) fn journal<'t>(root: &mut Section<'t, '_, '_>, file: &mut File<'t>) {
    root.table("journal", |s| {
        s.known(&["required"]);
        if s.flag("required") {
            file.knobs.push(Knob { name: "journal", value: "required" });
        }
    });
}

/// `[knobs]`
pub(super) fn knobs<'t>(root: &mut Section<'t, '_, '_>, file: &mut File<'t>) {
    root.table("knobs", |s| {
        s.known(&["sandbox", "approval"]);
        for (name, values) in [("sandbox", SANDBOX), ("approval", APPROVAL)] {
            if let Some(value) = choice(s, name, values) {
                file.knobs.push(Knob { name, value });
            }
        }
    });
}

fn choice<'t>(s: &mut Section<'t, '_, '_>, key: &str, values: &[&str]) -> Option<&'t str> {
    let value = s.text(key)?;
    if !values.contains(&value) {
        let what = format!("there is no `{value}`");
        s.wrong(key, what, format!("one of {}", values.join(", ")));
    }
    Some(value)
}

/// `[presets.NAME]`
pub(super) fn presets<'t>(root: &mut Section<'t, '_, '_>, file: &mut File<'t>) {
    root.table("presets", |all| {
        all.tables(|name, s| {
            s.known(&["sandbox", "approval", "description"]);
            if name == "custom" {
                s.wrong_whole("`custom` is what no preset is called", "choose another name");
            }
            for key in ["sandbox", "approval"] {
                if !s.has(key) {
                    s.wrong_whole(format!("`{key}` is missing"), format!("add `{key}`"));
                }
            }
            file.presets.push(Preset {
                name,
                sandbox: choice(s, "sandbox", SANDBOX).unwrap_or(""),
                approval: choice(s, "approval", APPROVAL).unwrap_or(""),
                description: s.text("description").unwrap_or(""),
            });
        });
    });
}

/// `[packs]`
pub(super) fn packs<'t>(root: &mut Section<'t, '_, '_>, file: &mut File<'t>, project: bool) {
    root.table("packs", |s| {
        s.known(&["enable", "disable"]);
        file.enable = pack_names(s, "enable");
        if project {
            s.forbidden(
                "disable",
                "a project's file can't switch a pack off: it may only tighten",
                "move it to your own policy file, or take it out",
            );
        } else {
            file.disable = pack_names(s, "disable");
            if file.disable.contains(&packs::SELF_PROTECTION) {
                s.wrong("disable", "`self-protection` is always on", "take it out");
            }
        }
    });
}

fn pack_names<'t>(s: &mut Section<'t, '_, '_>, key: &str) -> Vec<&'t str> {
    let names = s.list(key).into_owned();
    for name in &names {
        if packs::find(name).is_none() && *name != packs::SELF_PROTECTION {
            let all: Vec<&str> = packs::ALL.iter().map(|p| p.name).collect();
            let instead = match nearest(name, &all) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("one of {}", all.join(", ")),
            };
            s.wrong(key, format!("there is no pack `{name}`"), instead);
        }
    }
    names
}

/// `[[except]]`
pub(super) fn excepts<'t>(root: &mut Section<'t, '_, '_>, file: &mut File<'t>) {
    root.each("except", |s| {
        s.known(&["rule", "when", "reason"]);
        let rule = s.required("rule", "\"pack/rule\"");
        if rule.starts_with("self-protection/") || rule.starts_with("harness/") {
            s.wrong("rule", "there is no way out of this rule", "take the exception out");
        } else if !rule.is_empty() && packs::by_id(rule).is_none() {
            let what = format!("no pack has a rule `{rule}`");
            let all: Vec<&str> = packs::ALL.iter().flat_map(|p| p.rules()).map(|r| r.id).collect();
            let instead = match nearest(rule, &all) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "see `harness policy packs` and `harness policy show PACK`".to_owned(),
            };
            s.wrong("rule", what, instead);
        }
        let mut when = super::super::model::Matcher::ANY;
        s.table("when", |w| {
            w.known(&[
                "tool",
                "command",
                "flags",
                "without",
                "args",
                "paths",
                "path",
                "access",
                "effects",
                "zones",
                "recursive",
                "forced",
                "mentions",
                "branch",
            ]);
            when = rule::conditions(w);
            when.branch = w.list("branch");
        });
        let reason = s.required("reason", "\"why it is fine\"");
        file.excepts.push(Except { rule, line: s.line(), when, reason });
    });
}

/// `[[context]]`
pub(super) fn contexts<'t>(root: &mut Section<'t, '_, '_>, file: &mut File<'t>) {
    root.each("context", |s| {
        s.known(&["event", "tool", "text"]);
        let name = s.required("event", "\"SessionStart\"");
        let event = EventName::parse(name).filter(|e| takes_context(*e));
        if event.is_none() && !name.is_empty() {
            let all: Vec<&str> =
                EventName::ALL.iter().filter(|e| takes_context(**e)).map(|e| e.as_str()).collect();
            s.wrong(
                "event",
                format!("no context goes out on `{name}`"),
                format!("one of {}", all.join(", ")),
            );
        }
        let text = s.required("text", "\"what the model should know\"");
        let tools = s.list("tool");
        if !tools.is_empty() && event.is_some_and(|e| !of_tools(e)) {
            s.wrong("tool", "this event is not about a tool", "take it out");
        }
        if let Some(event) = event {
            file.contexts.push(Context { event, tools, text });
        }
    });
}

const fn of_tools(event: EventName) -> bool {
    matches!(event, EventName::PreToolUse | EventName::PostToolUse | EventName::PostToolUseFailure)
}

const fn takes_context(event: EventName) -> bool {
    !matches!(event, EventName::ConfigChange | EventName::SessionEnd)
}

/// `[[post]]`
pub(super) fn posts<'t>(root: &mut Section<'t, '_, '_>, file: &mut File<'t>) {
    root.each("post", |s| {
        s.known(&["id", "tool", "redact", "mentions", "block"]);
        let id = rule::id(s);
        let redact = s.list("redact");
        for kind in redact.iter() {
            if redact::kind(kind).is_none() {
                let all: Vec<&str> = redact::KINDS.iter().map(|k| k.name).collect();
                s.wrong(
                    "redact",
                    format!("there is no secret `{kind}`"),
                    format!("one of {}", all.join(", ")),
                );
            }
        }
        let block = s.text("block").unwrap_or("");
        if redact.is_empty() && block.trim().is_empty() {
            s.wrong_whole(
                "it does nothing",
                "add `redact = [\"private-key\"]` or `block = \"why\"`",
            );
        }
        let tools = s.list("tool");
        let mentions = s.list("mentions");
        file.posts.push(Post { id, line: s.line(), tools, redact, mentions, block });
    });
}

/// `[[bridge]]`
pub(super) fn bridges(root: &mut Section<'_, '_, '_>) {
    root.each("bridge", |s| {
        s.known(&["config", "on_failure"]);
        let _ = s.required("config", "\"~/.claude/old-hooks.json\"");
        let _ = choice(s, "on_failure", &["deny", "continue"]);
        s.wrong_whole(
            "bridges are not supported by this version",
            "take it out; keep those hooks in the client's own settings for now",
        );
    });
}
