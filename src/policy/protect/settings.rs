//! Whether an edit of a settings file provably leaves hooks and off switches alone.

use harness_core::Json;
use harness_core::json::{self, Limits};

use super::super::facts::Facts;
use super::super::place::Place;

/// Whether a value is one the client accepts.
type Fits = fn(&Json<'_>) -> bool;

/// Keys that can be changed without any effect on hooks, each with what it must hold for
/// the client to accept the file: a file it refuses starts no hook at all.
const HARMLESS: &[(&str, Fits)] = &[
    ("model", is_text),
    ("outputStyle", is_text),
    ("theme", is_text),
    ("language", is_text),
    ("includeCoAuthoredBy", is_bool),
    ("alwaysThinkingEnabled", is_bool),
    ("spinnerTipsEnabled", is_bool),
    ("cleanupPeriodDays", is_number),
    ("permissions", is_permissions),
];

/// Whether the call is an edit of this one file whose result is proven harmless.
pub(super) fn harmless_edit(facts: &Facts<'_>, place: &Place) -> bool {
    if facts.call.truncated() || place.glob {
        return false;
    }
    let old = facts.world.read(&place.resolved);
    let Some(new) = result(facts, old.as_deref()) else { return false };
    let empty = Json::Object(Vec::new());
    let old = match &old {
        None => Some(empty),
        Some(bytes) => whole(bytes),
    };
    match (old, whole(new.as_bytes())) {
        (Some(old), Some(new)) => differs_harmlessly(&old, &new),
        _ => false,
    }
}

fn result(facts: &Facts<'_>, old: Option<&[u8]>) -> Option<String> {
    let input = facts.call.input();
    match facts.call.tool() {
        "Write" => input.get("content")?.as_text()?.as_str().map(str::to_owned),
        "Edit" => edited(std::str::from_utf8(old?).ok()?, input),
        "MultiEdit" => {
            let Some(Json::Array(edits)) = input.get("edits") else { return None };
            let text = std::str::from_utf8(old?).ok()?.to_owned();
            edits.iter().try_fold(text, |text, edit| edited(&text, edit))
        }
        _ => None,
    }
}

fn edited(text: &str, edit: &Json<'_>) -> Option<String> {
    let old = edit.get("old_string")?.as_text()?.as_str()?;
    let new = edit.get("new_string")?.as_text()?.as_str()?;
    if old.is_empty() || !text.contains(old) {
        return None;
    }
    let all = matches!(edit.get("replace_all"), Some(Json::Bool(true)));
    Some(if all { text.replace(old, new) } else { text.replacen(old, new, 1) })
}

fn whole(bytes: &[u8]) -> Option<Json<'_>> {
    let parsed = json::parse(bytes, Limits::default()).ok()?;
    let rest = bytes.get(parsed.used..)?;
    let sound = parsed.duplicate_key.is_none()
        && !parsed.invalid_utf8
        && rest.iter().all(u8::is_ascii_whitespace)
        && matches!(parsed.value, Json::Object(_));
    sound.then_some(parsed.value)
}

fn differs_harmlessly(old: &Json<'_>, new: &Json<'_>) -> bool {
    let (Json::Object(before), Json::Object(after)) = (old, new) else { return false };
    let keys = before.iter().chain(after).map(|(key, _)| key);
    keys.into_iter().all(|key| {
        let Some(name) = key.as_str() else { return false };
        let (was, is) = (old.get(name), new.get(name));
        was == is
            || HARMLESS
                .iter()
                .any(|(k, fits)| *k == name && is.is_none_or(fits) && same_mode(was, is))
    })
}

/// The mode in which the client asks must stay what it is.
fn same_mode(was: Option<&Json<'_>>, is: Option<&Json<'_>>) -> bool {
    ["defaultMode", "disableBypassPermissionsMode"]
        .iter()
        .all(|key| was.and_then(|j| j.get(key)) == is.and_then(|j| j.get(key)))
}

const fn is_text(json: &Json<'_>) -> bool {
    matches!(json, Json::String(_))
}

const fn is_bool(json: &Json<'_>) -> bool {
    matches!(json, Json::Bool(_))
}

const fn is_number(json: &Json<'_>) -> bool {
    matches!(json, Json::Number(_))
}

fn is_permissions(json: &Json<'_>) -> bool {
    let Json::Object(members) = json else { return false };
    members.iter().all(|(key, value)| match key.as_str() {
        Some("allow" | "deny" | "ask" | "additionalDirectories") => {
            matches!(value, Json::Array(items) if items.iter().all(is_text))
        }
        Some("defaultMode" | "disableBypassPermissionsMode") => is_text(value),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::{differs_harmlessly, whole};

    fn harmless(old: &str, new: &str) -> bool {
        match (whole(old.as_bytes()), whole(new.as_bytes())) {
            (Some(old), Some(new)) => differs_harmlessly(&old, &new),
            _ => false,
        }
    }

    #[test]
    fn proof() {
        let hooks = r#"{"hooks":{"PreToolUse":[]},"model":"a"}"#;
        assert!(harmless(hooks, r#"{"model":"b","hooks":{"PreToolUse":[]}}"#));
        assert!(harmless(
            hooks,
            r#"{"hooks":{"PreToolUse":[]},"permissions":{"allow":["Bash(ls)"]}}"#
        ));
        for bad in [
            r#"{"model":"a"}"#,
            r#"{"hooks":{"PreToolUse":[]},"model":5}"#,
            r#"{"hooks":{"PreToolUse":[]},"disableAllHooks":true}"#,
            r#"{"hooks":{"PreToolUse":[]},"env":{}}"#,
            r#"{"hooks":{"PreToolUse":[]},"permissions":{"defaultMode":"bypassPermissions"}}"#,
            r#"{"hooks":{"PreToolUse":[]},"permissions":"x"}"#,
            r#"{"hooks":{"PreToolUse":[]},"model":"a","model":"b"}"#,
            "{",
            "[]",
        ] {
            assert!(!harmless(hooks, bad), "{bad}");
        }
    }
}
