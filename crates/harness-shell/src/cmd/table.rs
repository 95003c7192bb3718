//! The commands of cmd.exe: their effects.

use alloc::string::String;
use alloc::vec::Vec;

use crate::reader::Reader;
use crate::resolve::Pending;
use crate::script::{Effect, EffectKind, Word};
use crate::walk::Value;
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
            // `for /f %i in ('command') do …`
            Some(text) if text.starts_with(['\'', '`']) => {
                let quote = ['\'', '`'];
                if let Some(first) = words.first_mut() {
                    first.text = String::from(first.text.trim_start_matches(quote));
                }
                if let Some(last) = words.last_mut() {
                    last.text = String::from(last.text.trim_end_matches(quote));
                }
                return;
            }
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
    let path = |word: &Word| Word { text: word.text.replace('\\', "/"), ..word.clone() };
    let targets: Vec<Word> =
        args.iter().filter(|word| !word.text.starts_with('/')).map(path).collect();
    let one = |target| Effect { kind: *kind, target, recursive, forced };
    if let Some(first) = pending.words.first_mut() {
        first.text = String::from(&name);
    }
    if targets.is_empty() {
        return pending.effects.push(one(None));
    }
    // Of a copy the last is written, and the others are read.
    let copies = *kind == Overwrite && targets.len() > 1;
    let last = targets.len() - 1;
    pending.effects.extend(targets.into_iter().enumerate().map(|(index, target)| {
        let kind = if copies && index < last { Read } else { *kind };
        Effect { kind, ..one(Some(target)) }
    }));
}

/// The name of a variable in the reader's state: cmd's are the same in any case.
pub(super) fn key(name: &str) -> String {
    alloc::format!("cmd:{}", name.to_ascii_lowercase())
}

/// `set NAME=value`, whatever blanks and switches the value holds.
pub(super) fn set(reader: &mut Reader, words: &[Word]) -> bool {
    let [first, rest @ ..] = words else { return false };
    if first.text != "set" {
        return false;
    }
    let text = crate::walk::joined(rest.iter().skip_while(|word| word.text.starts_with('/')));
    if let Some((name, value)) = text.split_once('=') {
        let known = rest.iter().all(|word| word.literal) && reader.pay(value.len(), 0);
        let text = String::from(value.trim());
        let value = if known { Value::Known { text, glob: false } } else { Value::Unknown };
        reader.env.set(&key(name), value);
    }
    true
}

/// The folder that a command changes to.
pub(super) fn folder(words: &[Word]) -> Option<Word> {
    let name = words.first()?.text.to_ascii_lowercase();
    matches!(name.as_str(), "cd" | "chdir" | "pushd")
        .then(|| words.iter().skip(1).find(|word| !word.text.eq_ignore_ascii_case("/d")).cloned())?
}
