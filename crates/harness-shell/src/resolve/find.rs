//! `find` and `fd`: what they delete, and what they run on what they find.

use alloc::string::String;
use alloc::vec::Vec;

use super::{Next, Pending, emit, run};
use crate::options::{Options, Spec};
use crate::reader::{Reader, Stdin};
use crate::script::{Effect, EffectKind, Word};

/// `find`
pub(super) fn read(reader: &mut Reader, mut pending: Pending) -> Next {
    let args = Vec::from(pending.args());
    let found = targets(&args);
    let mut inner = Vec::new();
    let mut index = 0;
    while let Some(word) = args.get(index) {
        index += 1;
        match word.text.as_str() {
            "-delete" => {
                for target in &found {
                    pending.effects.push(deletion(target));
                }
            }
            "-exec" | "-execdir" | "-ok" | "-okdir" => {
                let words = command(args.get(index..).unwrap_or_default());
                index += words.len();
                inner.push((words, word.text.clone()));
            }
            "-fprint" | "-fprint0" | "-fls" | "-fprintf" => {
                pending.effect(EffectKind::Overwrite, args.get(index).cloned());
            }
            // Their value may look like an action.
            "-name" | "-iname" | "-path" | "-ipath" | "-wholename" | "-regex" | "-iregex"
            | "-newer" | "-user" | "-group" | "-size" | "-mtime" | "-type" | "-perm"
            | "-printf" => {
                index += 1;
            }
            _ => {}
        }
    }
    let outer = pending.clone();
    emit(reader, pending);
    for (words, action) in inner {
        execute(reader, &outer, words, &action, &found);
    }
    Next::Done
}

fn deletion(target: &Word) -> Effect {
    Effect { kind: EffectKind::Delete, target: Some(target.clone()), recursive: true, forced: true }
}

/// What may be found, as far as names say.
fn targets(args: &[Word]) -> Vec<Word> {
    let is_expression = |word: &&Word| word.text.starts_with(['-', '(', '!', ')', ',']);
    let lead = args
        .iter()
        .take_while(|word| {
            matches!(word.text.as_str(), "-H" | "-L" | "-P") || word.text.starts_with("-O")
        })
        .count();
    let mut starts: Vec<Word> =
        args.iter().skip(lead).take_while(|word| !is_expression(word)).cloned().collect();
    if starts.is_empty() {
        starts.push(Word::literal("."));
    }
    let loose =
        args.iter().any(|word| matches!(word.text.as_str(), "-o" | "-or" | "!" | "-not" | ","));
    let value = |options: &[&str]| {
        args.windows(2).rev().find_map(|pair| match pair {
            [option, value] if options.contains(&option.text.as_str()) => Some(value),
            _ => None,
        })
    };
    let all = |pattern: &&Word| matches!(pattern.text.as_str(), "*" | ".*" | "*.*" | "./*" | "/*");
    if loose {
        return starts;
    }
    if let Some(name) = value(&["-name", "-iname"]).filter(|name| !all(name)) {
        return starts.iter().map(|s| below(s, "**/", name)).collect();
    }
    let any = Word::literal("*");
    if args.iter().any(|word| word.text == "-empty") {
        // None of a name: what is empty holds nothing that a rule could be about.
        let empty = Word::literal("(empty)");
        return starts.iter().map(|start| below(start, "**/", &empty)).collect();
    }
    if let Some(pattern) = value(PATHS).filter(|pattern| !all(pattern)) {
        return starts.iter().map(|start| by_path(start, pattern)).collect();
    }
    if value(REGEXES).is_some() {
        return starts.iter().map(|start| below(start, "**/", &any)).collect();
    }
    if value(PARTS).is_some() {
        // Old, large, somebody's: most of what is there, perhaps, but not the folder itself.
        return starts.iter().map(|s| below(s, "", &any)).collect();
    }
    starts
}

const PATHS: &[&str] = &["-path", "-ipath", "-wholename", "-iwholename"];
const REGEXES: &[&str] = &["-regex", "-iregex"];
const PARTS: &[&str] = &[
    "-mtime", "-mmin", "-atime", "-amin", "-ctime", "-cmin", "-size", "-newer", "-user", "-group",
    "-perm", "-uid", "-gid", "-inum", "-links", "-newermt",
];

/// What `-path` says: a pattern of the whole path, whose stars cross folders.
fn by_path(start: &Word, pattern: &Word) -> Word {
    let text = pattern.text.as_str();
    let text =
        text.strip_suffix("/*").map_or_else(|| text.into(), |head| alloc::format!("{head}/**"));
    match text.strip_prefix("*/") {
        Some(rest) => below(start, "**/", &Word { text: rest.into(), ..pattern.clone() }),
        None => Word { text, literal: pattern.literal, glob: true },
    }
}

/// Everything of that name below a folder.
fn below(start: &Word, deep: &str, name: &Word) -> Word {
    let folder = start.text.trim_end_matches('/');
    Word {
        text: alloc::format!("{folder}/{deep}{}", name.text),
        literal: start.literal && name.literal,
        glob: true,
    }
}

/// The words of an action, its end included.
fn command(args: &[Word]) -> Vec<Word> {
    let end = args.iter().enumerate().position(|(index, word)| {
        let after_braces = || index > 0 && args.get(index - 1).is_some_and(|w| w.text == "{}");
        word.text == ";" || word.text == "\\;" || (word.text == "+" && after_braces())
    });
    args.get(..end.map_or(args.len(), |end| end + 1)).unwrap_or_default().into()
}

fn execute(reader: &mut Reader, outer: &Pending, words: Vec<Word>, action: &str, found: &[Word]) {
    let mut words = words;
    if words.last().is_some_and(|word| matches!(word.text.as_str(), ";" | "+" | "\\;")) {
        words.pop();
    }
    if words.is_empty() {
        return;
    }
    let mut via = outer.via.clone();
    via.push(alloc::format!("find {action}"));
    let next = Pending {
        words: fill(&words, "{}", found),
        via,
        cwd: outer.cwd.clone(),
        stdin: Stdin::Outside,
        at: outer.at,
        redirects: outer.redirects.clone(),
        assigns: outer.assigns.clone(),
        effects: Vec::new(),
    };
    let before = reader.script.commands.len();
    run(reader, next);
    widen(reader, before, found);
}

/// What feeds this input names files: those, and whether all below them are meant.
pub(super) fn piped(reader: &Reader, stdin: &Stdin) -> Option<(Vec<Word>, bool)> {
    let Stdin::Pipe { from: Some(index), exact: true } = stdin else { return None };
    let command = reader.script.commands.get(*index)?;
    let named = |skip: usize| {
        let words = command.args.iter().filter(|word| !word.text.starts_with('-')).skip(skip);
        words.filter(|word| word.glob || word.text.contains('/')).cloned().collect::<Vec<_>>()
    };
    let found = match command.name() {
        "find" => (targets(&command.args), true),
        "ls" if command.args.iter().any(|word| word.glob) => (named(0), false),
        "git" if command.args.first().is_some_and(|word| word.text == "ls-files") => {
            let files = command.args.iter().skip(1).filter(|word| !word.text.starts_with('-'));
            (files.map(|file| below(file, "**/", &Word::literal("*"))).collect(), false)
        }
        _ => return None,
    };
    (!found.0.is_empty()).then_some(found)
}

/// A command run on everything below a folder goes down it.
pub(super) fn widen(reader: &mut Reader, from: usize, targets: &[Word]) {
    for command in reader.script.commands.iter_mut().skip(from) {
        for effect in &mut command.effects {
            if effect.target.as_ref().is_some_and(|target| targets.contains(target)) {
                effect.recursive = true;
            }
        }
    }
}

/// Puts what was found in the place of `mark`.
pub(super) fn fill(words: &[Word], mark: &str, found: &[Word]) -> Vec<Word> {
    let mut out = Vec::new();
    for word in words {
        if word.text == mark {
            out.extend(found.iter().cloned());
        } else if word.text.contains(mark)
            && let Some(first) = found.first()
        {
            out.push(Word {
                text: word.text.replace(mark, &first.text),
                literal: word.literal && first.literal,
                glob: word.glob || first.glob,
            });
        } else {
            out.push(word.clone());
        }
    }
    out
}

/// `fd -x command`, `fd -X command`
pub(super) fn fd(reader: &mut Reader, pending: Pending) -> Next {
    let args = Vec::from(pending.args());
    let at = args
        .iter()
        .position(|word| matches!(word.text.as_str(), "-x" | "-X" | "--exec" | "--exec-batch"));
    let Some(at) = at else { return Next::Emit(pending) };
    let own = args.get(..at).unwrap_or_default();
    let options = Options::new(
        own,
        &Spec::values("dEtecjSo", &["max-depth", "exclude", "type", "extension"]),
    );
    let mut words: Vec<Word> = args.get(at + 1..).unwrap_or_default().into();
    if !words.iter().any(|word| word.text.contains("{}")) {
        words.push(Word::literal("{}"));
    }
    let start = options.operands.get(1).map_or_else(|| Word::literal("."), |word| (*word).clone());
    let found = match options.operands.first() {
        Some(name) if name.text != "." => {
            let name = Word::literal(alloc::format!("*{}*", name.text));
            Vec::from([below(&start, "**/", &name)])
        }
        _ => Vec::from([start]),
    };
    let outer = pending.clone();
    emit(reader, pending);
    let action = args.get(at).map_or_else(String::new, |word| word.text.clone());
    execute(reader, &outer, words, &action, &found);
    Next::Done
}
