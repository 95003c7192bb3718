//! `xargs`, `parallel` and `env`: words that become a command's arguments.

use alloc::string::String;
use alloc::vec::Vec;

use super::argv::assignments;
use super::find::{self, fill};
use super::{Next, Pending, emit, run, script};
use crate::options::{Options, Spec};
use crate::reader::{Reader, Stdin};
use crate::script::{Dialect, Word};
use crate::walk::{join, joined};

/// At most so many arguments are followed.
const MOST: usize = 64;
/// At most so many runs of one command are followed.
const MOST_RUNS: usize = 8;

const XARGS: Spec = Spec {
    values: "aEIdLnPsJR",
    optional: "iel",
    long_values: &[
        "arg-file",
        "delimiter",
        "max-args",
        "max-procs",
        "max-chars",
        "process-slot-var",
    ],
    ordered: true,
    single_dash: false,
};

/// `env`
pub(super) fn env(reader: &mut Reader, mut pending: Pending) -> Next {
    let spec = Spec::ordered("uCSP", &["unset", "chdir", "split-string", "argv0"]);
    let options = Options::new(pending.args(), &spec);
    let first = options.first;
    if let Some(folder) = options.value(&["-C", "--chdir"]) {
        pending.cwd = Some(join(pending.cwd.as_ref(), folder));
    }
    let options = Options::new(pending.args(), &spec);
    // The first one splits; a second belongs to what came out of it.
    let split = options.all_values(&["-S", "--split-string"]).next().cloned();
    if let Some(mut text) = split {
        // What follows is the command's, whether or not it looks like an option.
        let splits = |word: &Word| word.text.starts_with("-S") || word.text.starts_with("--split");
        let at = pending.args().iter().position(splits).unwrap_or_default();
        let attached = pending.args().get(at).is_some_and(|word| {
            word.text.contains('=') || (word.text.len() > 2 && !word.text.starts_with("--"))
        });
        let skip = if attached { at + 1 } else { at + 2 };
        for word in pending.args().iter().skip(skip) {
            text.text.push(' ');
            text.literal &= word.literal;
            text.text.push_str(&quoted(word));
        }
        script(reader, &text, Dialect::Posix, pending, "env");
        return Next::Done;
    }
    if options.operands.is_empty() {
        return Next::Emit(pending);
    }
    let mut next = pending.clone();
    next.unwrap("env", first);
    if next.words.first().is_some_and(|word| word.text == "-") {
        next.words.remove(0);
    }
    assignments(&mut next);
    if next.words.is_empty() { Next::Emit(pending) } else { Next::Again(next) }
}

/// A word as one word for a shell, if it is known.
pub(super) fn quoted(word: &Word) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_./=:,@%+-".contains(&byte);
    if !word.literal || (!word.text.is_empty() && word.text.bytes().all(plain)) {
        return word.text.clone();
    }
    alloc::format!("'{}'", word.text.replace('\'', "'\\''"))
}

/// The same of a word whose patterns are still to be expanded.
pub(super) fn kept(word: &Word) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_./=:,@%+-*?[]".contains(&byte);
    if word.glob && word.text.bytes().all(plain) { word.text.clone() } else { quoted(word) }
}

/// The same of a word that may already be one.
fn requoted(word: &Word) -> String {
    if word.text.contains(' ') { quoted(word) } else { word.text.clone() }
}

/// `xargs`
pub(super) fn xargs(reader: &mut Reader, pending: Pending) -> Next {
    let options = Options::new(pending.args(), &XARGS);
    if options.operands.is_empty() {
        return Next::Emit(pending);
    }
    let mark = mark(&options);
    let first = options.first;
    let input =
        if options.has_any(&["-a", "--arg-file"]) { None } else { reader.input(&pending.stdin) };
    let lines = mark.is_some() || options.has_any(&["-d", "--delimiter", "-0", "--null"]);
    let items = input.and_then(|text| items(&text, lines));
    if items.as_ref().is_some_and(Vec::is_empty) && options.has_any(&["-r", "--no-run-if-empty"]) {
        return Next::Emit(pending);
    }
    let found = if items.is_none() { find::piped(reader, &pending.stdin) } else { None };
    let mut next = pending;
    next.unwrap("xargs", first);
    let before = reader.script.commands.len();
    match found {
        Some((found, deep)) => {
            feed(reader, next, mark.as_deref(), Some(found.clone()));
            if deep {
                find::widen(reader, before, &found);
            }
        }
        None => feed(reader, next, mark.as_deref(), items),
    }
    Next::Done
}

/// The text that stands for an item, if items are put in a place of their own.
fn mark(options: &Options<'_>) -> Option<String> {
    if let Some(mark) = options.value(&["-I", "-J", "--replace", "-i"]) {
        return Some(mark.text.clone());
    }
    options.has_any(&["-i", "--replace"]).then(|| String::from("{}"))
}

fn items(text: &str, lines: bool) -> Option<Vec<Word>> {
    if !lines && text.contains(['\'', '"', '\\']) {
        return None;
    }
    let items: Vec<Word> = if lines {
        text.split(['\n', '\0']).filter(|line| !line.is_empty()).map(Word::literal).collect()
    } else {
        text.split_whitespace().map(Word::literal).collect()
    };
    (items.len() <= MOST).then_some(items)
}

/// Runs what is left of `pending` on the items.
fn feed(reader: &mut Reader, pending: Pending, mark: Option<&str>, items: Option<Vec<Word>>) {
    let unknown = || Vec::from([Word { text: String::from("{}"), literal: false, glob: false }]);
    let items = items.unwrap_or_else(unknown);
    let Some(mark) = mark else {
        let mut next = pending;
        next.words.extend(items);
        return run(reader, next);
    };
    let items = if items.len() > MOST_RUNS { unknown() } else { items };
    for item in items {
        let mut next = pending.clone();
        next.words = fill(&pending.words, mark, &[item]);
        run(reader, next);
    }
}

const PARALLEL: Spec = Spec {
    values: "jPNnLISadEsCDM",
    optional: "il",
    long_values: &[
        "jobs",
        "max-args",
        "max-procs",
        "arg-file",
        "colsep",
        "delay",
        "results",
        "joblog",
        "sshlogin",
        "timeout",
        "retries",
        "tmpdir",
        "workdir",
        "wd",
        "halt",
        "memfree",
        "load",
        "nice",
        "basefile",
        "env",
        "tagstring",
        "shellquote",
        "rpl",
        "delimiter",
        "replace",
        "limit",
        "profile",
        "header",
    ],
    ordered: true,
    single_dash: false,
};

/// `parallel`: a text for a shell, once for each argument.
pub(super) fn parallel(reader: &mut Reader, pending: Pending) -> Next {
    let args = Vec::from(pending.args());
    let cut = args.iter().position(|word| matches!(word.text.as_str(), ":::" | ":::+" | "::::"));
    let own = args.get(..cut.unwrap_or(args.len())).unwrap_or_default();
    let options = Options::new(own, &PARALLEL);
    let given = cut.map(|cut| args.get(cut + 1..).unwrap_or_default());
    let from_file = cut.and_then(|cut| args.get(cut)).is_some_and(|word| word.text == "::::");
    let items: Option<Vec<Word>> = match given {
        Some(_) if from_file => None,
        Some(words) => Some(words.iter().filter(|w| !w.text.starts_with(":::")).cloned().collect()),
        None => reader.input(&pending.stdin).and_then(|text| items(&text, true)),
    };
    let piped = matches!(pending.stdin, Stdin::Pipe { .. } | Stdin::File(_));
    if options.operands.is_empty() && items.is_none() && !piped {
        return Next::Emit(pending);
    }
    let unknown = Word { text: String::from("{}"), literal: false, glob: false };
    let items = items.filter(|items| items.len() <= MOST_RUNS).unwrap_or_else(|| [unknown].into());
    let mut words: Vec<Word> = options.operands.iter().map(|word| (*word).clone()).collect();
    if !words.is_empty() && !words.iter().any(|word| word.text.contains("{}")) {
        words.push(Word::literal("{}"));
    }
    for item in &items {
        // An item is put in as one word; without a command it is the command itself.
        let one = Word { text: quoted(item), ..item.clone() };
        let words = if words.is_empty() {
            Vec::from([item.clone()])
        } else {
            fill(&words, "{}", core::slice::from_ref(&one))
        };
        let literal = words.iter().all(|word| word.literal);
        let text = Word { text: joined(&words), literal, glob: false };
        script(reader, &text, Dialect::Posix, pending.clone(), "parallel");
        // With `-q`, and in the minds of many without it, a word stays a word.
        if own.iter().any(|word| word.text.contains(' ')) {
            let words: Vec<Word> =
                words.iter().map(|w| Word { text: requoted(w), ..w.clone() }).collect();
            let text = Word { text: joined(&words), literal, glob: false };
            script(reader, &text, Dialect::Posix, pending.clone(), "parallel -q");
        }
    }
    if items.is_empty() {
        emit(reader, pending);
    }
    Next::Done
}
