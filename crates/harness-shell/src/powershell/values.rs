//! Variables, tables and the pipeline's items, as far as the text says what they are.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::lower;
use crate::reader::{Reader, Stdin};
use crate::resolve::Pending;
use crate::script::{Command, EffectKind, Word};
use crate::walk::Value;

/// Longer texts are not expanded.
const LONG: usize = 64 << 10;

/// A path with forward slashes, which rules are written in.
pub(super) fn path(word: &Word) -> Word {
    Word { text: word.text.replace('\\', "/"), ..word.clone() }
}

/// The name of a variable in the reader's state: PowerShell's are the same in any case.
fn key(name: &str) -> String {
    format!("ps:{}", name.to_ascii_lowercase())
}

/// Takes in `$name = value`; what is left is the command whose output is assigned.
pub(super) fn assigned(reader: &mut Reader, mut words: Vec<Word>) -> Vec<Word> {
    let Some(first) = words.first().filter(|word| word.text.starts_with('$')) else {
        return words;
    };
    let (name, rest) = match first.text.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (first.text.as_str(), None),
    };
    let name = String::from(name.trim_start_matches('$').trim_end_matches(['+', ' ']));
    if let Some(value) = rest {
        let word = Word { text: String::from(value), literal: !value.contains('$'), glob: false };
        words.remove(0);
        if !word.text.is_empty() {
            words.insert(0, word);
        }
    } else if words.get(1).is_some_and(|word| matches!(word.text.as_str(), "=" | "+=")) {
        words.drain(..2);
    } else {
        return words;
    }
    let value = match words.as_slice() {
        [one] if one.literal && reader.pay(one.text.len(), 0) => Value::Many([one.clone()].into()),
        _ => Value::Unknown,
    };
    let known = value != Value::Unknown;
    reader.env.set(&key(&name), value);
    if known { Vec::new() } else { words }
}

/// Takes in `$name = @{ … }`, to be splatted later; whether it is that.
pub(super) fn table(reader: &mut Reader, words: &mut Vec<Word>, inside: &str) -> bool {
    let [name, equals] = words.as_slice() else { return false };
    if !name.text.starts_with('$') || equals.text != "=" || inside.len() > LONG {
        return false;
    }
    let mut pairs = Vec::new();
    for pair in inside.split([';', '\n']) {
        let Some((parameter, value)) = pair.split_once('=') else { continue };
        let value = value.trim();
        match value.to_ascii_lowercase().as_str() {
            "$false" => continue,
            "$true" => pairs.push(Word::literal(format!("-{}", parameter.trim()))),
            _ => {
                pairs.push(Word::literal(format!("-{}", parameter.trim())));
                let text = String::from(value.trim_matches(['"', '\'']));
                let literal = !text.contains('$') || value.starts_with('\'');
                pairs.push(Word { text, literal, glob: false });
            }
        }
    }
    let name = format!("@{}", name.text.trim_start_matches('$'));
    if reader.pay(inside.len(), 0) {
        reader.env.set(&key(&name), Value::Many(pairs));
    }
    words.clear();
    true
}

/// Puts known values in the place of variables.
pub(super) fn expanded(reader: &mut Reader, words: Vec<Word>) -> Vec<Word> {
    let plain = |word: &Word| word.literal && !word.text.starts_with('@');
    if words.iter().all(plain) || !reader.env.has_variables() {
        return words;
    }
    let mut out = Vec::with_capacity(words.len());
    for word in words {
        if word.text.starts_with('@') {
            match reader.env.get(&key(&word.text)) {
                Some(Value::Many(pairs)) => out.extend(pairs.iter().cloned()),
                _ => out.push(word),
            }
        } else if word.literal || word.text.len() > LONG {
            out.push(word);
        } else {
            out.push(expand(reader, &word));
        }
    }
    out
}

fn expand(reader: &mut Reader, word: &Word) -> Word {
    let mut out = Word { text: String::new(), literal: true, glob: word.glob };
    let mut rest = word.text.as_str();
    while let Some(at) = rest.find('$') {
        let (before, after) = rest.split_at_checked(at).unwrap_or((rest, ""));
        out.text.push_str(before);
        let after = after.get(1..).unwrap_or_default();
        let braced = after.starts_with('{');
        let name = after.trim_start_matches('{');
        let end = name.find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | ':'));
        let name = name.get(..end.unwrap_or(name.len())).unwrap_or_default();
        let used = name.len() + usize::from(braced) * 2;
        rest = after.get(used..).unwrap_or_default();
        let known = match reader.env.get(&key(name)) {
            Some(Value::Many(words)) => words.first().cloned(),
            _ => None,
        };
        match known {
            Some(value) if reader.pay(value.text.len(), 0) => {
                out.text.push_str(&value.text);
                out.literal &= value.literal;
                out.glob |= value.glob;
                // A file's own name, of the file that the variable is.
                for property in [".FullName", ".Name", ".Path", ".PSPath"] {
                    rest = rest.strip_prefix(property).unwrap_or(rest);
                }
            }
            _ => {
                out.text.push('$');
                out.text.push_str(after.get(..used).unwrap_or_default());
                out.literal = false;
            }
        }
    }
    out.text.push_str(rest);
    out
}

/// Makes `$_` what a command hands on.
pub(super) fn piped(reader: &mut Reader, from: Option<usize>) {
    let item = from.and_then(|index| items(reader.script.commands.get(index)?));
    if item.is_some() || reader.env.get("ps:_").is_some() {
        let value = item.map_or(Value::Unknown, |(item, _)| Value::Many([item].into()));
        reader.env.set("ps:_", value);
    }
}

/// The files that a command hands on, and whether it went down folders for them.
fn items(command: &Command) -> Option<(Word, bool)> {
    let name = command.program.text.to_ascii_lowercase();
    if !matches!(name.as_str(), "get-childitem" | "gci" | "dir" | "ls" | "get-item" | "gi") {
        // A text by itself: `'C:\\x' | Remove-Item`.
        return (command.args.is_empty() && command.program.literal)
            .then(|| (path(&command.program), false));
    }
    let deep =
        command.args.iter().any(|word| "-recurse".starts_with(&lower(word)) && word.text.len() > 1);
    let named = command.args.iter().find(|word| !word.text.starts_with('-'));
    let start = named.map_or_else(|| Word::literal("."), path);
    if name.ends_with("item") && !name.ends_with("childitem") || name == "gi" || start.glob {
        return Some((start, deep));
    }
    let text = format!("{}/*", start.text.trim_end_matches('/'));
    Some((Word { text, glob: true, ..start }, deep))
}

/// `Get-ChildItem x | Remove-Item`: what it removes comes by the pipe.
pub(super) fn from_pipe(reader: &Reader, pending: &mut Pending) {
    let Stdin::Pipe { from: Some(index), .. } = pending.stdin else { return };
    let bare = |effect: &&mut crate::script::Effect| {
        effect.target.is_none()
            && matches!(effect.kind, EffectKind::Delete | EffectKind::Move | EffectKind::Overwrite)
    };
    let found = reader.script.commands.get(index).and_then(items);
    let Some((item, deep)) = found else { return };
    for effect in pending.effects.iter_mut().filter(bare) {
        effect.target = Some(item.clone());
        effect.recursive |= deep;
    }
}
