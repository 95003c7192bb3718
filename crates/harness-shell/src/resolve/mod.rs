//! From words to what runs: through wrappers, into scripts given as arguments.

mod argv;
mod feed;
mod find;
mod inline;
mod make;
mod remote;
mod shells;
mod stdin_args;
mod table;
mod told;
mod variables;

use alloc::string::String;
use alloc::vec::Vec;

use crate::effects;
use crate::reader::{Reader, Stdin};
use crate::script::{Command, Dialect, Effect, EffectKind, Redirect, Word};
use crate::walk::Called;

/// Wrappers within wrappers are followed so far.
const MOST_WRAPPERS: usize = 32;

/// A command on its way to what it runs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pending {
    pub(crate) words: Vec<Word>,
    pub(crate) assigns: Vec<(String, Word)>,
    pub(crate) redirects: Vec<Redirect>,
    pub(crate) via: Vec<String>,
    pub(crate) effects: Vec<Effect>,
    pub(crate) cwd: Option<Word>,
    pub(crate) stdin: Stdin,
    pub(crate) at: usize,
}

impl Pending {
    /// The arguments.
    fn args(&self) -> &[Word] {
        self.words.get(1..).unwrap_or_default()
    }

    /// Takes away the program and `count` arguments: what is left runs through it.
    fn unwrap(&mut self, via: &str, count: usize) {
        self.words.drain(..(count + 1).min(self.words.len()));
        self.via.push(String::from(via));
    }

    pub(crate) fn effect(&mut self, kind: EffectKind, target: Option<Word>) {
        self.effects.push(Effect { kind, target, recursive: false, forced: false });
    }
}

/// What comes next for a command.
pub(crate) enum Next {
    /// It is what runs.
    Emit(Pending),
    /// It runs something else, which is looked at in its turn.
    Again(Pending),
    /// What it runs has been read.
    Done,
}

/// Finds out what a command runs, and adds that to the script.
pub(crate) fn run(reader: &mut Reader, mut pending: Pending) {
    if pending.cwd.is_none() {
        pending.cwd = reader.env.folder().cloned();
    }
    for _ in 0..MOST_WRAPPERS {
        match step(reader, pending) {
            Next::Emit(mut done) => {
                variables::loaded(reader, &mut done);
                told::read(reader, &done);
                emit(reader, done);
                return;
            }
            Next::Again(next) => pending = next,
            Next::Done => return,
        }
    }
    reader.opaque(pending.at, "too many wrappers", &crate::walk::joined(&pending.words));
    emit(reader, pending);
}

fn step(reader: &mut Reader, mut pending: Pending) -> Next {
    let Some(first) = pending.words.first() else { return Next::Emit(pending) };
    if !first.literal || first.glob {
        return unknown_program(reader, pending);
    }
    let name = base(&first.text);
    let whole = name.len() == first.text.len();
    if whole && let Some(next) = called(reader, &mut pending) {
        return next;
    }
    if whole && let Some(text) = alias(reader, &pending) {
        script(reader, &text, Dialect::Posix, pending, "alias");
        return Next::Done;
    }
    let Some(first) = pending.words.first() else { return Next::Emit(pending) };
    match table::find(base(&first.text)) {
        Some(read) => read(reader, pending),
        None => {
            // `Remove-Item`, where the line is meant for another shell.
            if pending.effects.is_empty()
                && first.text.starts_with(|c: char| c.is_ascii_uppercase())
            {
                crate::powershell::effects(&mut pending);
            }
            argv::unwrap(reader, pending)
        }
    }
}

/// The text that an alias of the line puts in the place of a command.
fn alias(reader: &mut Reader, pending: &Pending) -> Option<Word> {
    let name = &pending.words.first()?.text;
    let text = reader.functions.take_alias(name)?;
    let args = pending.args().iter();
    let literal = args.clone().all(|word| word.literal);
    let args: Vec<Word> =
        args.map(|word| Word { text: stdin_args::kept(word), ..word.clone() }).collect();
    let text = alloc::format!("{text} {}", crate::walk::joined(&args));
    Some(Word { text, literal, glob: false })
}

/// A call of a function of the line.
fn called(reader: &mut Reader, pending: &mut Pending) -> Option<Next> {
    if reader.functions.is_empty() {
        return None;
    }
    let name = pending.words.first()?.text.clone();
    let around = reader.around.len();
    reader.around.extend(pending.redirects.iter().cloned());
    let stdin = core::mem::replace(&mut reader.stdin, pending.stdin.clone());
    let called = reader.call(&name, pending.args());
    reader.stdin = stdin;
    reader.around.truncate(around);
    match called {
        Called::Unknown => None,
        Called::Read => Some(Next::Done),
        Called::Again => Some(Next::Emit(core::mem::take(pending))),
        Called::Bomb => {
            pending.effect(EffectKind::Multiply, None);
            Some(Next::Emit(core::mem::take(pending)))
        }
    }
}

/// The program is the value of an expansion.
fn unknown_program(reader: &mut Reader, mut pending: Pending) -> Next {
    let at = pending.at;
    let Some(first) = pending.words.first() else { return Next::Emit(pending) };
    let text = first.text.clone();
    if first.literal || text.starts_with("~/") {
        // A path with a pattern, or in a home: what it is called is known well enough.
        let glob = first.glob;
        if glob {
            reader.opaque(at, "the program's name is a pattern", &text);
        }
        return Next::Emit(pending);
    }
    reader.opaque(at, "the program's name is not known", &text);
    if text.contains("$(") || text.contains('`') || text.contains("<(") {
        pending.effect(EffectKind::ExecuteUnknown, None);
    }
    Next::Emit(pending)
}

/// Adds a command to the script.
pub(crate) fn emit(reader: &mut Reader, pending: Pending) -> Option<usize> {
    let Pending { words, assigns, mut redirects, via, effects: own, cwd, stdin, at } = pending;
    let mut words = words.into_iter();
    let around: usize = reader.around.iter().map(|redirect| redirect.target.text.len() + 64).sum();
    if around > 0 && reader.pay(around, at) {
        redirects.extend(reader.around.iter().cloned());
    }
    let piped_from = match stdin {
        Stdin::Pipe { from, .. } => from,
        _ => None,
    };
    let mut command = Command {
        program: words.next().unwrap_or_else(|| Word::literal("")),
        args: words.collect(),
        assigns,
        redirects,
        via,
        effects: own,
        cwd,
        piped_from,
        at,
    };
    effects::add(&mut command);
    reader.push(command, &stdin)
}

/// Reads a script that a command was given.
fn script(reader: &mut Reader, text: &Word, dialect: Dialect, mut pending: Pending, via: &str) {
    pending.via.push(String::from(via));
    let before = reader.script.commands.len();
    if !text.literal && is_unseen(&text.text) {
        pending.effect(EffectKind::ExecuteUnknown, None);
    }
    let unseen = !pending.effects.is_empty();
    in_script(reader, &pending, |reader| reader.nested(&text.text, dialect, pending.at));
    if reader.script.commands.len() == before || unseen {
        pending.via.pop();
        emit(reader, pending);
    }
}

/// Runs `read` with the state that the command gives to the script within it.
fn in_script(reader: &mut Reader, pending: &Pending, read: impl FnOnce(&mut Reader)) {
    let mark = reader.env.mark();
    let via = core::mem::replace(&mut reader.via, pending.via.clone());
    let stdin = core::mem::replace(&mut reader.stdin, pending.stdin.clone());
    let around = reader.around.len();
    let files = pending.redirects.iter().filter(|r| r.kind != crate::script::RedirectKind::Text);
    reader.around.extend(files.cloned());
    if pending.cwd.is_some() {
        reader.env.set_folder(pending.cwd.clone());
    }
    for (name, value) in &pending.assigns {
        let value = crate::walk::Value::Many([value.clone()].into());
        reader.env.set(name, value);
    }
    read(reader);
    reader.around.truncate(around);
    reader.stdin = stdin;
    reader.via = via;
    reader.env.rollback(mark);
}

/// Whether a text that is to be run comes, as a whole, from an expansion.
fn is_unseen(text: &str) -> bool {
    let text = text.trim();
    // `{}` is what `xargs` and `parallel` fill in.
    text == "{}" || text.starts_with(['$', '`'])
}

/// A program's bare name.
pub(crate) fn base(text: &str) -> &str {
    let base = text.rsplit(['/', '\\']).next().unwrap_or(text);
    base.strip_suffix(".exe").or_else(|| base.strip_suffix(".EXE")).unwrap_or(base)
}
