//! Windows's own tools, whose switches start with a slash and whose case doesn't matter.

use alloc::vec::Vec;

use crate::script::{Command, Effect, EffectKind, Word};

/// Adds what such a tool does; whether it is one.
pub(super) fn add(name: &str, command: &Command, effects: &mut Vec<Effect>) -> bool {
    let has = |wanted: &[&str]| command.args.iter().any(|word| is_any(word, wanted));
    let first = |wanted: &[&str]| command.args.first().is_some_and(|word| is_any(word, wanted));
    let kind = match name {
        "reg" if first(&["add"]) && command.args.get(1).is_some_and(starts_things) => {
            EffectKind::Persist
        }
        "schtasks" if has(&["/create", "-create", "/change"]) => EffectKind::Persist,
        "sc" if first(&["create", "config"]) => EffectKind::Persist,
        "wmic" if has(&["call"]) && has(&["create"]) => EffectKind::ExecuteUnknown,
        "installutil" | "msbuild" if has(&["/u"]) => EffectKind::ExecuteUnknown,
        "msiexec" if command.args.iter().any(is_url) => EffectKind::ExecuteUnknown,
        "reg" | "schtasks" | "sc" | "wmic" | "msiexec" => return true,
        _ => return false,
    };
    effects.push(Effect { kind, target: None, recursive: false, forced: false });
    true
}

fn is_any(word: &Word, wanted: &[&str]) -> bool {
    wanted.iter().any(|text| word.text.eq_ignore_ascii_case(text))
}

fn is_url(word: &Word) -> bool {
    word.text.contains("://")
}

/// Keys of the registry whose programs start with the session or the machine.
fn starts_things(word: &Word) -> bool {
    // A POSIX shell takes the backslashes away, where they are not quoted.
    let key = word.text.to_ascii_lowercase().replace(['/', '\\', ' '], "");
    ["currentversionrun", "currentversionrunonce", "currentversionrunservices", "winlogon"]
        .iter()
        .any(|end| key.ends_with(end))
        || ["currentcontrolsetservices", "imagefileexecutionoptions"]
            .iter()
            .any(|p| key.contains(p))
}
