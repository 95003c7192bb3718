//! Calls of .NET's own classes: `[IO.Directory]::Delete('x', $true)`.

use alloc::string::String;
use alloc::vec::Vec;

use crate::code;
use crate::reader::Reader;
use crate::resolve::{self, Pending};
use crate::script::{Dialect, Effect, EffectKind, Word};

/// At most so many calls are followed.
const MOST: usize = 64;

/// Adds what the calls in a text do.
pub(super) fn read(reader: &mut Reader, text: &str, at: usize) {
    for (index, _) in text.match_indices("]::").take(MOST) {
        let class = text.get(..index).and_then(|head| head.rsplit('[').next()).unwrap_or_default();
        let rest = text.get(index + 3..).unwrap_or_default();
        let Some((method, rest)) = rest.split_once('(') else { continue };
        if !method.trim().chars().all(char::is_alphanumeric) {
            continue;
        }
        let class = class.rsplit('.').next().unwrap_or(class).to_ascii_lowercase();
        call(reader, &class, &method.trim().to_ascii_lowercase(), rest, at);
    }
    // `(Get-Item x).Delete()`
    for (index, _) in text.match_indices(").Delete(").take(MOST) {
        let head = text.get(..index).unwrap_or_default();
        let Some((_, inside)) = head.rsplit_once('(') else { continue };
        let mut words = inside.split_whitespace();
        let name = words.next().unwrap_or_default().to_ascii_lowercase();
        if matches!(name.as_str(), "get-item" | "gi")
            && let Some(target) = words.next_back()
        {
            let target = String::from(target.trim_matches(['"', '\'']));
            add(reader, EffectKind::Delete, Some(target), true, at);
        }
    }
}

fn call(reader: &mut Reader, class: &str, method: &str, rest: &str, at: usize) {
    let (literals, raw) = code::literals(rest);
    let first = literals.first().cloned();
    match (class, method) {
        ("directory", "delete") => {
            let deep = raw.to_ascii_lowercase().contains("$true");
            add(reader, EffectKind::Delete, first, deep, at);
        }
        ("file", "delete") => add(reader, EffectKind::Delete, first, false, at),
        ("file" | "directory", "move") => add(reader, EffectKind::Move, first, false, at),
        ("file", "copy" | "replace") => {
            add(reader, EffectKind::Overwrite, literals.into_iter().nth(1), false, at);
        }
        ("file", name) if name.starts_with("writeall") || name == "create" => {
            add(reader, EffectKind::Overwrite, first, false, at);
        }
        ("file", name) if name.starts_with("append") => {
            add(reader, EffectKind::Create, first, false, at);
        }
        ("process", "start") => {
            let line: Vec<&str> = literals.iter().map(String::as_str).collect();
            if literals.is_empty() {
                add(reader, EffectKind::ExecuteUnknown, None, false, at);
            } else {
                reader.nested(&line.join(" "), Dialect::PowerShell, at);
            }
        }
        ("scriptblock", "create") => match first {
            Some(text) => reader.nested(&text, Dialect::PowerShell, at),
            None => add(reader, EffectKind::ExecuteUnknown, None, false, at),
        },
        ("assembly", "load" | "loadfrom" | "loadfile") => {
            add(reader, EffectKind::ExecuteUnknown, None, false, at);
        }
        _ => {}
    }
}

fn add(reader: &mut Reader, kind: EffectKind, target: Option<String>, recursive: bool, at: usize) {
    let target = target.map(|text| {
        let literal = !text.contains('$');
        Word { text: text.replace('\\', "/"), literal, glob: false }
    });
    let mut pending = Pending { at, ..Pending::default() };
    pending.via.clone_from(&reader.via);
    pending.words.push(Word::literal(".NET"));
    pending.effects.push(Effect { kind, target, recursive, forced: true });
    resolve::emit(reader, pending);
}
