//! Variables that give a program options, or code to load, beside its arguments.

use alloc::string::String;
use alloc::vec::Vec;

use super::{Next, Pending, base};
use crate::reader::Reader;
use crate::script::{EffectKind, Word};
use crate::walk::Value;

/// Variables that name code which any program, or any of one language, loads first.
const LOADED: &[&str] = &[
    "BASH_ENV",
    "DYLD_INSERT_LIBRARIES",
    "DYLD_LIBRARY_PATH",
    "LD_AUDIT",
    "LD_LIBRARY_PATH",
    "LD_PRELOAD",
    "NODE_OPTIONS",
    "PERL5OPT",
    "PYTHONPATH",
    "PYTHONSTARTUP",
    "RUBYOPT",
];

/// What a variable holds for a command: its own, or the line's.
enum Held {
    Text(String),
    Unknown,
}

fn held(reader: &Reader, pending: &Pending, name: &str) -> Option<Held> {
    if let Some((_, word)) = pending.assigns.iter().rev().find(|(own, _)| own == name) {
        return Some(if word.literal { Held::Text(word.text.clone()) } else { Held::Unknown });
    }
    match reader.env.get(name)? {
        Value::Known { text, .. } => Some(Held::Text(text.clone())),
        Value::Many(words) if words.iter().all(|word| word.literal) => {
            Some(Held::Text(crate::walk::joined(words)))
        }
        _ => Some(Held::Unknown),
    }
}

/// `tar`, which takes the words of `TAR_OPTIONS` for options of its own.
pub(super) fn tar(reader: &mut Reader, mut pending: Pending) -> Next {
    match held(reader, &pending, "TAR_OPTIONS") {
        None => {}
        Some(Held::Unknown) => pending.effect(EffectKind::ExecuteUnknown, None),
        Some(Held::Text(text)) => {
            let words: Vec<Word> = text.split_whitespace().map(Word::literal).collect();
            // The first word may say without a dash what is to be done.
            if let Some(first) = pending.words.get_mut(1).filter(|_| !words.is_empty())
                && !first.text.starts_with('-')
            {
                first.text.insert(0, '-');
            }
            let rest = pending.words.split_off(1);
            pending.words.extend(words);
            pending.words.extend(rest);
        }
    }
    Next::Emit(pending)
}

/// Adds that a command loads code from where anybody may have put it.
pub(super) fn loaded(reader: &Reader, pending: &mut Pending) {
    if pending.assigns.is_empty() && !reader.env.has_variables() {
        return;
    }
    let name = pending.words.first().map_or("", |word| base(&word.text));
    if matches!(name, "" | "export" | "declare" | "unset" | "echo" | "printf") {
        return;
    }
    for variable in LOADED {
        if let Some(Held::Text(text)) = held(reader, pending, variable)
            && anybodys(&text)
        {
            pending.effect(EffectKind::ExecuteUnknown, Some(Word::literal(text)));
            return;
        }
    }
}

/// Whether a list of paths holds one in a folder that everybody may write to.
fn anybodys(text: &str) -> bool {
    text.split([':', ' ', '=', ';']).any(|path| {
        ["/tmp/", "/var/tmp/", "/dev/shm/", "/private/tmp/"]
            .iter()
            .any(|folder| path.starts_with(folder))
    })
}

#[cfg(test)]
mod tests {
    use crate::{Dialect, EffectKind, Limits, read};

    fn has(line: &str, kind: EffectKind) -> bool {
        let script = read(line, Dialect::Posix, Limits::default());
        let mut effects = script.commands.iter().flat_map(|command| &command.effects);
        effects.any(|effect| effect.kind == kind)
    }

    #[test]
    fn options_from_variables() {
        for line in [
            "TAR_OPTIONS='--create --file=h:/a' tar -- f",
            "env TAR_OPTIONS='--create --file=h:/a' tar -- f",
            "export TAR_OPTIONS='--create --file=h:/a'; tar -- f",
            "o='--create --file=h:/a'; export TAR_OPTIONS=\"$o\"; tar -- f",
        ] {
            assert!(has(line, EffectKind::Send), "{line}");
        }
        for line in [
            "if a; then TAR_OPTIONS=''; else TAR_OPTIONS='-x'; fi; tar -- f",
            "declare -n R=TAR_OPTIONS; R='-x'; tar -- f",
        ] {
            assert!(has(line, EffectKind::ExecuteUnknown), "{line}");
        }
        let line = "TAR_OPTIONS=--no-same-owner tar xf a";
        assert!(!has(line, EffectKind::Send) && !has(line, EffectKind::ExecuteUnknown));
    }

    #[test]
    fn code_from_variables() {
        for line in [
            "LD_PRELOAD=/tmp/x.so id",
            "export LD_PRELOAD=/dev/shm/x.so; id",
            "NODE_OPTIONS='--require /tmp/x.js' npm test",
            "BASH_ENV=/tmp/x bash -c ls",
        ] {
            assert!(has(line, EffectKind::ExecuteUnknown), "{line}");
        }
        for line in [
            "LD_PRELOAD=/usr/lib/libjemalloc.so ./bench",
            "NODE_OPTIONS=--max-old-space-size=4096 npm test",
            "PYTHONPATH=src pytest",
            "export LD_PRELOAD=/tmp/x.so",
        ] {
            assert!(!has(line, EffectKind::ExecuteUnknown), "{line}");
        }
    }
}
