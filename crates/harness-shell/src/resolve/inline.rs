//! Interpreters that are given their program on the line.

use alloc::string::String;
use alloc::vec::Vec;

use super::{Next, Pending, base, emit, feed, run, shells};
use crate::code::{self, Found};
use crate::options::{Options, Spec};
use crate::reader::{Reader, Stdin};
use crate::script::{EffectKind, Word};

/// What an interpreter calls its options.
struct Interpreter {
    name: &'static str,
    /// Options whose value is the program.
    code: &'static [&'static str],
    spec: Spec,
}

const fn interpreter(
    name: &'static str,
    code: &'static [&'static str],
    values: &'static str,
    long: &'static [&'static str],
) -> Interpreter {
    Interpreter { name, code, spec: Spec::ordered(values, long) }
}

const TABLE: &[Interpreter] = &[
    interpreter("python", &["-c"], "cmWXQ", &["check-hash-based-pycs"]),
    interpreter("pypy", &["-c"], "cmWX", &[]),
    interpreter(
        "node",
        &["-e", "-p", "--eval", "--print"],
        "eprC",
        &["eval", "print", "require", "import", "loader"],
    ),
    interpreter("bun", &["-e", "-p", "--eval", "--print"], "epr", &["eval", "print"]),
    interpreter("deno", &[], "", &[]),
    interpreter("perl", &["-e", "-E"], "eEIMm", &[]),
    interpreter("ruby", &["-e"], "eIrCEW", &[]),
    interpreter("php", &["-r", "-B", "-R", "-E"], "rBREdcfz", &[]),
    interpreter("R", &["-e"], "efgd", &["file", "gui", "debugger", "encoding"]),
    interpreter("Rscript", &["-e"], "e", &["default-packages"]),
    interpreter("lua", &["-e"], "el", &[]),
    interpreter("osascript", &["-e"], "els", &[]),
];

/// `python -c …`, `node -e …`, and a program on standard input.
pub(super) fn read(reader: &mut Reader, mut pending: Pending) -> Next {
    let name = pending.words.first().map_or("", |word| base(&word.text));
    let bare = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let bare = if bare == "nodejs" { "node" } else { bare };
    let Some(row) = TABLE.iter().find(|row| row.name == bare) else { return Next::Emit(pending) };
    let options = Options::new(pending.args(), &row.spec);
    let mut texts: Vec<Word> = options.all_values(row.code).cloned().collect();
    let mut operands = options.operands.iter();
    if bare == "deno" && operands.next().is_some_and(|word| word.text == "eval") {
        texts.extend(operands.next().map(|word| (*word).clone()));
    }
    let via = alloc::format!("{bare} {}", row.code.first().unwrap_or(&"eval"));
    let runs_file = options
        .operands
        .first()
        .is_some_and(|word| !matches!(word.text.as_str(), "-" | "/dev/stdin"));
    let module = options.has("-m");
    if module && matches!(bare, "python" | "pypy") && options.all_values(row.code).next().is_none()
    {
        // A module runs as a program of its name would.
        let at = pending.args().iter().position(|word| word.text == "-m");
        if let Some(at) = at.filter(|at| at + 1 < pending.args().len()) {
            pending.unwrap("python -m", at + 1);
            return Next::Again(pending);
        }
    }
    // `perl -pi -e …`: the files named are written anew.
    let in_place = |word: &Word| {
        let letters = word.text.strip_prefix('-').unwrap_or_default();
        !letters.starts_with('-')
            && letters.split(['e', 'I', '.']).next().is_some_and(|l| l.contains('i'))
    };
    let rewrites = matches!(bare, "perl" | "ruby") && pending.args().iter().any(in_place);
    let files: Vec<Word> = options.operands.iter().map(|word| (*word).clone()).collect();
    if texts.is_empty() && !runs_file && !module {
        if let Some(text) = reader.input(&pending.stdin) {
            texts.push(Word::literal(text));
        } else if let Stdin::Text(text) = &pending.stdin {
            texts.push(text.clone());
        } else if feed::is_unseen(reader, &pending.stdin) {
            pending.effect(EffectKind::ExecuteUnknown, None);
        }
    } else if let Some(file) =
        options.operands.first().filter(|file| runs_file && feed::hides_code(file))
    {
        let file = (*file).clone();
        pending.effect(EffectKind::ExecuteUnknown, Some(file));
    }
    if rewrites {
        files.into_iter().for_each(|file| pending.effect(EffectKind::Overwrite, Some(file)));
    }
    programs(reader, pending, &texts, &via)
}

/// `awk 'BEGIN { system("…") }'`
pub(super) fn awk(reader: &mut Reader, mut pending: Pending) -> Next {
    let spec = Spec::ordered("FfvEil", &["field-separator", "file", "assign"]);
    let options = Options::new(pending.args(), &spec);
    let from_file = options.has_any(&["-f", "--file"]);
    let text = options.operands.first().filter(|_| !from_file).map(|word| (*word).clone());
    let texts: Vec<Word> = text.into_iter().collect();
    if options.value(&["-i", "--include"]).is_some_and(|word| word.text == "inplace") {
        let files: Vec<Word> = options.operands.iter().skip(1).map(|w| (*w).clone()).collect();
        files.into_iter().for_each(|file| pending.effect(EffectKind::Overwrite, Some(file)));
    }
    for text in &texts {
        files_of_awk(&text.text, &mut pending);
    }
    let commands: Vec<String> = texts
        .iter()
        .flat_map(|text| commands_of_awk(&text.text).chain(fed_by_awk(&text.text)))
        .map(String::from)
        .collect();
    for command in commands {
        shells::beside(reader, &pending, "awk", &command);
    }
    programs(reader, pending, &texts, "awk")
}

/// `print | "command"` and `"command" | getline`
fn commands_of_awk(code: &str) -> impl Iterator<Item = &str> {
    let strings = code.split('"').skip(1).step_by(2);
    let between = code.split('"').step_by(2).collect::<Vec<_>>();
    strings.enumerate().filter_map(move |(index, text)| {
        let before = between.get(index).is_some_and(|b| b.trim_end().ends_with(['|', '&']));
        let after = between.get(index + 1).is_some_and(|a| {
            a.trim_start().strip_prefix('|').is_some_and(|a| a.contains("getline"))
        });
        (before || after).then_some(text)
    })
}

/// What is printed into a shell: `print "command" | "sh"`.
fn fed_by_awk(code: &str) -> Option<&str> {
    let parts: Vec<&str> = code.split('"').collect();
    let at = parts.iter().position(|part| part.trim() == "|")?;
    let shell = parts.get(at + 1)?;
    matches!(*shell, "sh" | "bash" | "zsh" | "dash" | "ksh")
        .then(|| parts.get(at.checked_sub(1)?).copied())?
}

/// `print > "file"`
fn files_of_awk(code: &str, pending: &mut Pending) {
    let parts: Vec<&str> = code.split('"').collect();
    for pair in parts.chunks(2) {
        let [before, text] = pair else { continue };
        if let Some(before) = before.trim_end().strip_suffix('>') {
            let kind =
                if before.ends_with('>') { EffectKind::Create } else { EffectKind::Overwrite };
            pending.effect(kind, Some(Word::literal(*text)));
        }
    }
}

/// Adds the interpreter with what its programs do, and the commands that they run.
fn programs(reader: &mut Reader, mut pending: Pending, texts: &[Word], via: &str) -> Next {
    let mut inner = Vec::new();
    for text in texts {
        if !reader.pay(text.text.len(), pending.at) {
            pending.effect(EffectKind::ExecuteUnknown, None);
            break;
        }
        if !text.literal && text.text.trim_start().starts_with(['$', '`']) {
            pending.effect(EffectKind::ExecuteUnknown, None);
        }
        if opens_a_shell(&text.text) {
            pending.effect(EffectKind::ExecuteUnknown, None);
        }
        // Several are one program: what stands first in a later one doesn't start it.
        let code = match texts {
            [one] => code::without_text(via, &one.text),
            _ => &text.text,
        };
        for found in code::scan(code) {
            match found {
                Found::Effect(effect) => pending.effects.push(effect),
                Found::Shell(text) => inner.push(Inner::Text(text)),
                Found::Program(words) => inner.push(Inner::Words(words)),
            }
        }
    }
    let outer = pending.clone();
    emit(reader, pending);
    for one in inner {
        match one {
            Inner::Text(text) => shells::beside(reader, &outer, via, &text),
            Inner::Words(words) => {
                let mut next =
                    Pending { words, via: outer.via.clone(), at: outer.at, ..Pending::default() };
                next.cwd.clone_from(&outer.cwd);
                next.via.push(String::from(via));
                run(reader, next);
            }
        }
    }
    Next::Done
}

/// A connection to somewhere and a shell in one program: the one tells the other what to do.
fn opens_a_shell(code: &str) -> bool {
    let connects = ["socket", "sockopen", "Socket", "net.connect", "TCPSocket", "TCPClient"];
    let shells =
        ["/bin/sh", "/bin/bash", "\"sh\"", "'sh'", "\"bash\"", "sh -i", "cmd.exe", "popen("];
    connects.iter().any(|word| code.contains(word)) && shells.iter().any(|word| code.contains(word))
}

enum Inner {
    Text(String),
    Words(Vec<Word>),
}
