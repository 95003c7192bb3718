//! The client's own rules for a settings file, as measured: what it accepts, and what a
//! breach costs.

use super::hooks::{Fate, Walk};
use super::syntax::{BOM, Node, Value};
use crate::hosts::claude_code::caps;
use std::collections::HashSet;

/// For each member, whether it is the last of its name: the one the client reads.
pub(super) fn lasts(object: &Node) -> Vec<bool> {
    let mut seen = HashSet::new();
    let members = object.members().unwrap_or_default().iter();
    let mut lasts: Vec<bool> = members.rev().map(|m| seen.insert(m.key.as_str())).collect();
    lasts.reverse();
    lasts
}

/// The file as a whole and its top keys.
pub(super) fn top(walk: &mut Walk<'_>, root: &Node) {
    if walk.text.starts_with(BOM) && walk.client < caps::BOM_TOLERATED {
        let what = format!("a byte order mark, which Claude Code {} can't read", walk.client);
        walk.fault(String::new(), root, what, Fate::FileDropped);
    }
    if root.members().is_none() {
        let what = format!("an object is needed, this is {}", root.kind());
        walk.fault(String::new(), root, what, Fate::FileDropped);
    }
    for (key, needed) in [
        ("hooks", "an object"),
        ("permissions", "an object"),
        ("model", "a string"),
        ("disableAllHooks", "a boolean"),
        ("allowManagedHooksOnly", "a boolean"),
    ] {
        let Some(member) = root.get(key) else { continue };
        // A null `hooks` is tolerated; the others weren't measured with null.
        if member.value.kind() != needed && member.value.value != Value::Null {
            let what = format!("`{key}` must be {needed}, this is {}", member.value.kind());
            walk.fault(key.to_owned(), &member.value, what, Fate::FileDropped);
        }
    }
}

/// An event's name and value.
pub(super) fn event(walk: &mut Walk<'_>, event: &str, value: &Node) {
    let path = format!("hooks.{event}");
    if !caps::knows_name(event, walk.client) {
        let tolerated = walk.client >= caps::UNKNOWN_EVENT_TOLERATED;
        let fate = if tolerated { Fate::EntryDropped } else { Fate::FileDropped };
        let what = format!("Claude Code {} knows no event `{event}`", walk.client);
        walk.fault(path.clone(), value, what, fate);
    }
    if value.elements().is_none() {
        let what = format!("an array of groups is needed, this is {}", value.kind());
        walk.fault(path, value, what, Fate::EntryDropped);
    }
}

fn price(walk: &Walk<'_>, event: &str) -> Fate {
    if !caps::knows_name(event, walk.client) {
        Fate::EntryDropped
    } else if caps::bad_entry_drops_file(event, walk.client) {
        Fate::FileDropped
    } else {
        Fate::EntryDropped
    }
}

/// A group: matcher and hooks.
pub(super) fn group(walk: &mut Walk<'_>, event: &str, path: &str, group: &Node) -> Fate {
    let price = price(walk, event);
    let mut fate =
        if caps::knows_name(event, walk.client) { Fate::Kept } else { Fate::EntryDropped };
    let mut fault = |walk: &mut Walk<'_>, path: String, at: &Node, what: String| {
        walk.fault(path, at, what, price);
        fate = price;
    };
    if group.members().is_none() {
        let what = format!("a group with `hooks` is needed, this is {}", group.kind());
        fault(walk, path.to_owned(), group, what);
        return fate;
    }
    match group.get("hooks") {
        Some(hooks) if hooks.value.elements().is_some() => {}
        Some(hooks) => {
            let what = format!("`hooks` must be an array, this is {}", hooks.value.kind());
            fault(walk, format!("{path}.hooks"), &hooks.value, what);
        }
        None => {
            let what = "a group needs `hooks`, an array of commands".to_owned();
            fault(walk, path.to_owned(), group, what);
        }
    }
    if let Some(matcher) = group.get("matcher").filter(|m| m.value.text().is_none()) {
        let what = format!("`matcher` must be a string, this is {}", matcher.value.kind());
        fault(walk, format!("{path}.matcher"), &matcher.value, what);
    }
    fate
}

/// One hook.
pub(super) fn hook(walk: &mut Walk<'_>, event: &str, path: &str, hook: &Node) -> Fate {
    let price = price(walk, event);
    let mut fate = Fate::Kept;
    for (field, what) in breaches(walk, hook) {
        let (path, at) = match field.and_then(|f| hook.get(f)) {
            Some(member) => (format!("{path}.{}", member.key), &member.value),
            None => (path.to_owned(), hook),
        };
        walk.fault(path, at, what, price);
        fate = price;
    }
    fate
}

type Breach = (Option<&'static str>, String);

fn breaches(walk: &Walk<'_>, hook: &Node) -> Vec<Breach> {
    if hook.members().is_none() {
        return vec![(None, format!("a hook must be an object, this is {}", hook.kind()))];
    }
    let mut found = Vec::new();
    found.extend(kind(walk, hook));
    found.extend(timeout(walk, hook));
    let bad = |field: &'static str, needed: &str, ok: fn(&Node) -> bool| {
        let member = hook.get(field).filter(|m| !ok(&m.value))?;
        let written = walk.text.get(member.value.span.clone()).unwrap_or_default();
        let written: String = written.chars().take(40).collect();
        Some((Some(field), format!("`{field}` must be {needed}, not `{written}`")))
    };
    found.extend(bad("shell", "`bash` or `powershell`", |n| {
        matches!(n.text(), Some("bash" | "powershell"))
    }));
    found.extend(bad("once", "true or false", |n| matches!(n.value, Value::Bool(_))));
    if walk.client >= caps::ON_FAILURE {
        found.extend(bad("onFailure", "`continue` or `block`", |n| {
            matches!(n.text(), Some("continue" | "block"))
        }));
    }
    if walk.client >= caps::EXEC_FORM {
        found.extend(bad("args", "an array of strings", |n| {
            n.elements().is_some_and(|all| all.iter().all(|a| a.text().is_some()))
        }));
    }
    found
}

fn kind(walk: &Walk<'_>, hook: &Node) -> Option<Breach> {
    let Some(member) = hook.get("type") else {
        return Some((None, "a hook needs a `type`".to_owned()));
    };
    let Some(name) = member.value.text() else {
        return Some((Some("type"), "`type` must be a string".to_owned()));
    };
    if caps::kind_since(name).is_none_or(|since| walk.client < since) {
        let what = format!("Claude Code {} knows no hook of type `{name}`", walk.client);
        return Some((Some("type"), what));
    }
    let needed = match name {
        "command" => "command",
        "prompt" | "agent" => "prompt",
        "http" => "url",
        _ => return None,
    };
    let missing = hook.get(needed).is_none_or(|m| m.value.text().is_none());
    missing.then(|| (None, format!("a `{name}` hook needs `{needed}`, a string")))
}

fn timeout(walk: &Walk<'_>, hook: &Node) -> Option<Breach> {
    let member = hook.get("timeout")?;
    let number = match member.value.to_json(walk.text) {
        serde_json::Value::Number(n) => n.as_f64(),
        _ => None,
    };
    if number.is_some_and(|n| n > 0.0) {
        return None;
    }
    Some((Some("timeout"), "`timeout` must be a number of seconds above 0".to_owned()))
}
