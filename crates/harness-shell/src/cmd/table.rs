//! The commands of cmd.exe: their effects.

use alloc::string::String;
use alloc::vec::Vec;

use crate::resolve::Pending;
use crate::script::{Effect, EffectKind, Word};
use EffectKind::{Create, Delete, Device, Move, Overwrite, Permissions, Read, Stop};

/// Names, what they do, and the switch that sends them down folders.
const TABLE: &[(&[&str], EffectKind, &str)] = &[
    (&["del", "erase"], Delete, "/s"),
    (&["rd", "rmdir"], Delete, "/s"),
    (&["move", "ren", "rename"], Move, "/"),
    (&["copy", "xcopy", "robocopy", "replace"], Overwrite, "/e"),
    (&["md", "mkdir", "mklink"], Create, "/"),
    (&["type", "more"], Read, "/"),
    (&["format"], Device, "/"),
    (&["attrib", "cacls"], Permissions, "/s"),
    (&["taskkill", "shutdown"], Stop, "/"),
];

/// Takes away what only says when or how a command runs.
pub(super) fn strip(words: &mut Vec<Word>) {
    loop {
        let lead = words.first().map(|word| word.text.to_ascii_lowercase());
        let count = match lead.as_deref() {
            Some("call" | "do" | "else") => 1,
            Some("start") => {
                1 + words.iter().skip(1).take_while(|w| w.text.starts_with('/')).count()
            }
            Some("if") => condition(words),
            Some("for") => match words.iter().position(|w| w.text.eq_ignore_ascii_case("do")) {
                Some(at) => at + 1,
                None => words.len(),
            },
            _ => return,
        };
        words.drain(..count.min(words.len()));
    }
}

/// How many words `if …` and its condition are.
fn condition(words: &[Word]) -> usize {
    let mut at = 1;
    while words
        .get(at)
        .is_some_and(|w| w.text.eq_ignore_ascii_case("not") || w.text.starts_with('/'))
    {
        at += 1;
    }
    match words.get(at) {
        Some(w)
            if w.text.eq_ignore_ascii_case("exist") || w.text.eq_ignore_ascii_case("defined") =>
        {
            at + 2
        }
        Some(w) if w.text.eq_ignore_ascii_case("errorlevel") => at + 2,
        Some(w) if w.text.contains("==") => at + 1,
        _ => at + 3,
    }
}

/// Adds what a command of cmd.exe does.
pub(super) fn effects(pending: &mut Pending) {
    let Some(first) = pending.words.first() else { return };
    let name = first.text.to_ascii_lowercase();
    let Some((_, kind, deep)) = TABLE.iter().find(|(names, ..)| names.contains(&name.as_str()))
    else {
        return;
    };
    let args = pending.words.get(1..).unwrap_or_default();
    let has = |switch: &str| args.iter().any(|word| word.text.eq_ignore_ascii_case(switch));
    let recursive = has(deep);
    let forced = has("/q") || has("/f") || has("/y");
    let targets: Vec<Word> =
        args.iter().filter(|word| !word.text.starts_with('/')).cloned().collect();
    let one = |target| Effect { kind: *kind, target, recursive, forced };
    if let Some(first) = pending.words.first_mut() {
        first.text = String::from(&name);
    }
    if targets.is_empty() {
        return pending.effects.push(one(None));
    }
    pending.effects.extend(targets.into_iter().map(|target| one(Some(target))));
}

/// The folder that a command changes to.
pub(super) fn folder(words: &[Word]) -> Option<Word> {
    let name = words.first()?.text.to_ascii_lowercase();
    matches!(name.as_str(), "cd" | "chdir" | "pushd")
        .then(|| words.iter().skip(1).find(|word| !word.text.eq_ignore_ascii_case("/d")).cloned())?
}
