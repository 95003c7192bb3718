//! Shells, and what hands a text to one.

use alloc::string::String;

use super::feed::{hides_code, is_unseen};
use super::{Next, Pending, base, in_script, script};
use crate::options::{Options, Spec};
use crate::reader::{Reader, Stdin};
use crate::script::{Dialect, EffectKind, Redirect, RedirectKind, Word};
use crate::walk::joined;

/// `bash` and its kin: `-c`, a file, or standard input.
pub(super) fn posix(reader: &mut Reader, mut pending: Pending) -> Next {
    let name = String::from(pending.words.first().map_or("sh", |word| base(&word.text)));
    let spec = Spec::ordered("oO", &["rcfile", "init-file"]);
    let options = Options::new(pending.args(), &spec);
    let plus = options.operands.iter().take_while(|word| word.text.starts_with('+')).count();
    let operands = options.operands.get(plus..).unwrap_or_default();
    if options.has("-n") && plus == 0 {
        return Next::Emit(pending);
    }
    if options.has("-c") {
        let Some(text) = operands.first().map(|word| (*word).clone()) else {
            return Next::Emit(pending);
        };
        let rest: alloc::vec::Vec<Word> =
            operands.iter().skip(2).map(|word| (*word).clone()).collect();
        let mark = reader.env.mark();
        reader.bind(&rest);
        script(reader, &text, Dialect::Posix, pending, &alloc::format!("{name} -c"));
        reader.env.rollback(mark);
        return Next::Done;
    }
    match operands.first().filter(|_| !options.has("-s")) {
        Some(file) if !matches!(file.text.as_str(), "-" | "/dev/stdin" | "/dev/fd/0") => {
            let file = (*file).clone();
            if let Some(open) = reader.descriptor(&file.text) {
                pending.stdin = open;
                return from_stdin(reader, pending, &name);
            }
            let kind =
                if hides_code(&file) { EffectKind::ExecuteUnknown } else { EffectKind::Read };
            pending.effect(kind, Some(file));
            Next::Emit(pending)
        }
        _ => from_stdin(reader, pending, &name),
    }
}

/// A shell that reads its commands from standard input.
fn from_stdin(reader: &mut Reader, mut pending: Pending, name: &str) -> Next {
    if let Stdin::Text(text) = &pending.stdin {
        let text = text.clone();
        script(reader, &text, Dialect::Posix, pending, name);
        return Next::Done;
    }
    // A shell whose output goes to another machine is told from there what to do.
    let far = |target: &Word| {
        target.text.starts_with("/dev/tcp/") || target.text.starts_with("/dev/udp/")
    };
    if pending.redirects.iter().any(|redirect| far(&redirect.target)) {
        pending.effect(EffectKind::ExecuteUnknown, None);
        return Next::Emit(pending);
    }
    if let Some(text) = reader.input(&pending.stdin) {
        if reader.pay(text.len(), pending.at) {
            script(reader, &Word::literal(text), Dialect::Posix, pending, name);
            return Next::Done;
        }
    } else if is_unseen(reader, &pending.stdin) {
        pending.effect(EffectKind::ExecuteUnknown, None);
    }
    Next::Emit(pending)
}

/// `eval`
pub(super) fn eval(reader: &mut Reader, pending: Pending) -> Next {
    let args = pending.args();
    let args = if args.first().is_some_and(|word| word.text == "--") {
        args.get(1..).unwrap_or_default()
    } else {
        args
    };
    let text = Word { text: joined(args), literal: args.iter().all(|w| w.literal), glob: false };
    script(reader, &text, Dialect::Posix, pending, "eval");
    Next::Done
}

/// `at` and `batch`: a shell runs what they are fed, later.
pub(super) fn later(reader: &mut Reader, pending: Pending) -> Next {
    let name = String::from(pending.words.first().map_or("at", |word| base(&word.text)));
    let spec = Spec::values("fqtc", &[]);
    let options = Options::new(pending.args(), &spec);
    if options.has_any(&["-l", "-r", "-d", "-c", "-V"]) {
        return Next::Emit(pending);
    }
    if let Some(file) = options.value(&["-f"]).cloned() {
        let mut pending = pending;
        pending.effect(EffectKind::Read, Some(file));
        return Next::Emit(pending);
    }
    from_stdin(reader, pending, &name)
}

/// `crontab -`: the commands of the table it is fed.
pub(super) fn crontab(reader: &mut Reader, pending: Pending) -> Next {
    let fed = match &pending.stdin {
        Stdin::Text(text) => Some(text.text.clone()),
        stdin => reader.input(stdin),
    };
    for line in fed.unwrap_or_default().lines() {
        if let Some(text) = scheduled(line) {
            beside(reader, &pending, "crontab", text);
        }
    }
    Next::Emit(pending)
}

/// The command of a line of a crontab.
fn scheduled(line: &str) -> Option<&str> {
    let mut rest = line.trim();
    let fields = match rest.chars().next()? {
        '@' => 1,
        first if first.is_ascii_digit() || first == '*' => 5,
        _ => return None,
    };
    for _ in 0..fields {
        rest = rest.split_once([' ', '\t'])?.1.trim_start();
    }
    Some(rest)
}

/// `source` and `.`
pub(super) fn source(reader: &mut Reader, mut pending: Pending) -> Next {
    let Some(file) = pending.args().first().cloned() else { return Next::Emit(pending) };
    if let Some(open) = reader.descriptor(&file.text) {
        pending.stdin = open;
        return from_stdin(reader, pending, "source");
    }
    let piped = file.text == "/dev/stdin" && is_unseen(reader, &pending.stdin);
    let unseen = piped || hides_code(&file);
    let kind = if unseen { EffectKind::ExecuteUnknown } else { EffectKind::Read };
    pending.effect(kind, Some(file));
    Next::Emit(pending)
}

/// `trap 'commands' EXIT`
pub(super) fn trap(reader: &mut Reader, pending: Pending) -> Next {
    match pending.args() {
        [text, _, ..] if !text.text.starts_with('-') && !text.text.is_empty() => {
            let text = text.clone();
            script(reader, &text, Dialect::Posix, pending, "trap");
            Next::Done
        }
        _ => Next::Emit(pending),
    }
}

/// `watch command…`: its words joined, for `sh -c`.
pub(super) fn watch(reader: &mut Reader, mut pending: Pending) -> Next {
    let spec = Spec::ordered("nq", &["interval", "equexit"]);
    let options = Options::new(pending.args(), &spec);
    if options.operands.is_empty() {
        return Next::Emit(pending);
    }
    let first = options.first;
    if options.has_any(&["-x", "--exec"]) {
        pending.unwrap("watch", first);
        return Next::Again(pending);
    }
    let text = all(&options);
    script(reader, &text, Dialect::Posix, pending, "watch");
    Next::Done
}

/// `flock FILE -c text`, `flock FILE command…`: the file is held open meanwhile.
pub(super) fn flock(reader: &mut Reader, mut pending: Pending) -> Next {
    let options = Options::new(
        pending.args(),
        &Spec::ordered("wE", &["timeout", "wait", "conflict-exit-code"]),
    );
    let first = options.first;
    let file = options.operands.first().map(|word| (*word).clone());
    match options.operands.get(1..).unwrap_or_default() {
        [] => Next::Emit(pending),
        [flag, text, ..] if matches!(flag.text.as_str(), "-c" | "--command") => {
            let text = (*text).clone();
            pending.effect(EffectKind::Read, file);
            script(reader, &text, Dialect::Posix, pending, "flock");
            Next::Done
        }
        _ => {
            pending.effect(EffectKind::Read, file);
            pending.unwrap("flock", first + 1);
            Next::Again(pending)
        }
    }
}

/// `su -c text`, `script -c text`
pub(super) fn dash_c(reader: &mut Reader, pending: Pending) -> Next {
    let name = String::from(pending.words.first().map_or("", |word| base(&word.text)));
    let (spec, skip) = if name == "su" {
        (Spec::values("cgGsw", &["command", "session-command", "shell", "group"]), 1)
    } else {
        (Spec::values("cEIOBTmo", &["command", "log-in", "log-out", "log-io", "log-timing"]), 1)
    };
    let options = Options::new(pending.args(), &spec);
    if let Some(text) = options.value(&["-c", "--command", "--session-command"]) {
        let text = text.clone();
        script(reader, &text, Dialect::Posix, pending, &alloc::format!("{name} -c"));
        return Next::Done;
    }
    // BSD: `script file command…`
    let rest: alloc::vec::Vec<Word> =
        options.operands.iter().skip(skip).map(|word| (*word).clone()).collect();
    if name == "script" && !rest.is_empty() {
        let mut next = pending;
        next.words = rest;
        next.via.push(name);
        return Next::Again(next);
    }
    Next::Emit(pending)
}

/// `powershell -Command …`, `-EncodedCommand`, `-File`
pub(super) fn powershell(reader: &mut Reader, mut pending: Pending) -> Next {
    match crate::powershell::invocation(pending.args()) {
        crate::powershell::Invocation::Text(text) if text.text == "-" => {
            powershell_stdin(reader, pending)
        }
        crate::powershell::Invocation::Text(text) => {
            script(reader, &text, Dialect::PowerShell, pending, "powershell -Command");
            Next::Done
        }
        crate::powershell::Invocation::Unreadable => {
            reader.opaque(
                pending.at,
                "encoded command that does not decode",
                &joined(pending.args()),
            );
            pending.effect(EffectKind::ExecuteUnknown, None);
            Next::Emit(pending)
        }
        crate::powershell::Invocation::File(file) => {
            pending.effect(EffectKind::Read, Some(file));
            Next::Emit(pending)
        }
        crate::powershell::Invocation::Stdin => powershell_stdin(reader, pending),
    }
}

fn powershell_stdin(reader: &mut Reader, mut pending: Pending) -> Next {
    if let Some(text) = reader.input(&pending.stdin) {
        script(reader, &Word::literal(text), Dialect::PowerShell, pending, "powershell");
        return Next::Done;
    }
    if is_unseen(reader, &pending.stdin) {
        pending.effect(EffectKind::ExecuteUnknown, None);
    }
    Next::Emit(pending)
}

/// `cmd /c …`
pub(super) fn cmd(reader: &mut Reader, pending: Pending) -> Next {
    let found = pending.args().iter().enumerate().find_map(|(index, word)| {
        let text = word.text.trim_start_matches('/');
        let switch = text.len() < word.text.len();
        let letter = text.chars().next().filter(|_| switch)?;
        matches!(letter, 'c' | 'C' | 'k' | 'K' | 'r' | 'R').then(|| (index, text.get(1..)))
    });
    let Some((index, attached)) = found else { return Next::Emit(pending) };
    let rest = pending.args().get(index + 1..).unwrap_or_default();
    let mut text = String::from(attached.unwrap_or_default());
    if !text.is_empty() {
        text.push(' ');
    }
    text.push_str(&joined(rest));
    let literal = rest.iter().all(|word| word.literal);
    script(reader, &Word { text, literal, glob: false }, Dialect::Cmd, pending, "cmd /c");
    Next::Done
}

/// `forfiles /c "command"`
pub(super) fn forfiles(reader: &mut Reader, pending: Pending) -> Next {
    let at = pending.args().iter().position(|word| word.text.eq_ignore_ascii_case("/c"));
    let Some(text) = at.and_then(|at| pending.args().get(at + 1)).cloned() else {
        return Next::Emit(pending);
    };
    script(reader, &text, Dialect::Cmd, pending, "forfiles");
    Next::Done
}

/// A program that reads statements, not files, from its input.
pub(super) fn fed(reader: &mut Reader, mut pending: Pending) -> Next {
    if let Some(text) =
        reader.input(&pending.stdin).filter(|text| reader.pay(text.len(), pending.at))
        && !matches!(pending.stdin, Stdin::Text(_))
    {
        let target = Word::literal(text);
        pending.redirects.push(Redirect { kind: RedirectKind::Text, target });
    }
    Next::Emit(pending)
}

/// All operands as one text.
pub(super) fn all(options: &Options<'_>) -> Word {
    Word {
        text: joined(options.operands.iter().copied()),
        literal: options.operands.iter().all(|word| word.literal),
        glob: false,
    }
}

/// Reads `text` as part of what `pending` does, which is added by itself.
pub(super) fn beside(reader: &mut Reader, pending: &Pending, via: &str, text: &str) {
    // What it is fed is not copied: there may be one of these for each of its lines.
    let mut inner = Pending {
        via: pending.via.clone(),
        assigns: pending.assigns.clone(),
        cwd: pending.cwd.clone(),
        at: pending.at,
        ..Pending::default()
    };
    inner.via.push(String::from(via));
    in_script(reader, &inner, |reader| reader.nested(text, Dialect::Posix, inner.at));
}
