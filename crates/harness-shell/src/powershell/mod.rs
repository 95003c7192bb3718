//! PowerShell: pipelines, separators, quotes, blocks, the call operator, variables and
//! tables that the text itself sets; what other expressions compute is not known.

mod dotnet;
mod invocation;
mod lex;
mod table;
mod values;

pub(crate) use invocation::{Invocation, invocation};
pub(crate) use table::effects;

use alloc::string::String;
use alloc::vec::Vec;

use crate::posix::Place;
use crate::reader::{Reader, Stdin};
use crate::resolve::{self, Pending};
use crate::script::{Dialect, EffectKind, Redirect, RedirectKind, Word};
use lex::{Lexer, Token};

/// Reads `text` as PowerShell would.
pub(crate) fn read(reader: &mut Reader, text: &str, place: Place) {
    let mut lexer = Lexer::new(text);
    let mut words: Vec<Word> = Vec::new();
    let mut redirects = Vec::new();
    let mut start = 0;
    let outer = reader.stdin.clone();
    while let Some(token) = lexer.next_token() {
        if !reader.spend(place.at(start)) {
            break;
        }
        match token {
            Token::Word(word) => {
                if words.is_empty() {
                    start = lexer.token_start();
                }
                words.push(word);
            }
            Token::Redirect { append } => {
                if let Some(Token::Word(target)) = lexer.next_token() {
                    let kind = if append { RedirectKind::Append } else { RedirectKind::Overwrite };
                    redirects.push(Redirect { kind, target: values::path(&target) });
                }
            }
            Token::Pipe => {
                let before = reader.script.commands.len();
                flush(reader, &mut words, &mut redirects, place.at(start));
                let last = reader.script.commands.len().checked_sub(1).filter(|at| *at >= before);
                values::piped(reader, last);
                reader.stdin = Stdin::Pipe { from: last, exact: false };
            }
            Token::End => {
                flush(reader, &mut words, &mut redirects, place.at(start));
                reader.stdin.clone_from(&outer);
            }
            Token::Table(inside) => {
                if !values::table(reader, &mut words, &inside) && inside.contains('(') {
                    reader.nested(&inside, Dialect::PowerShell, place.at(start));
                }
            }
            Token::Opaque(why) => reader.opaque(place.at(lexer.token_start()), why, text),
        }
    }
    flush(reader, &mut words, &mut redirects, place.at(start));
    reader.stdin = outer;
    for inner in core::mem::take(&mut lexer.inner) {
        if !reader.step(place.at(0)) {
            break;
        }
        reader.nested(&inner, Dialect::PowerShell, place.at(0));
    }
    dotnet::read(reader, text, place.at(0));
}

fn flush(reader: &mut Reader, words: &mut Vec<Word>, redirects: &mut Vec<Redirect>, at: usize) {
    let words = core::mem::take(words);
    let redirects = core::mem::take(redirects);
    let words = values::assigned(reader, words);
    let Some(first) = words.first().filter(|_| reader.step(at)) else { return };
    if is_syntax(&first.text) {
        return;
    }
    let words = values::expanded(reader, words);
    let mut pending = Pending { words, redirects, at, ..Pending::default() };
    pending.via.clone_from(&reader.via);
    pending.stdin = reader.stdin.clone();
    if let Some(first) = pending.words.first_mut()
        && first.text.starts_with(".\\")
    {
        first.text = first.text.replace('\\', "/");
    }
    if let Some(target) = table::folder(&pending.words) {
        return reader.env.change_folder(&target);
    }
    if let Some(text) = evaluated(&pending.words) {
        if text.literal {
            return reader.nested(&text.text, Dialect::PowerShell, at);
        }
        pending.effect(EffectKind::ExecuteUnknown, None);
    } else if let Some(text) = started(&pending.words) {
        reader.nested(&text, Dialect::PowerShell, at);
    }
    table::effects(&mut pending);
    values::from_pipe(reader, &mut pending);
    resolve::run(reader, pending);
}

/// `iex 'text'`, `Invoke-Expression -Command text`
fn evaluated(words: &[Word]) -> Option<Word> {
    let name = lower(words.first()?);
    if !matches!(name.as_str(), "iex" | "invoke-expression") {
        return None;
    }
    let rest: Vec<Word> =
        words.iter().skip(1).filter(|word| !lower(word).starts_with("-c")).cloned().collect();
    let literal = !rest.is_empty() && rest.iter().all(|word| word.literal);
    Some(Word { text: crate::walk::joined(&rest), literal, glob: false })
}

/// `Start-Process program -ArgumentList …`
fn started(words: &[Word]) -> Option<String> {
    let name = lower(words.first()?);
    if !matches!(name.as_str(), "start-process" | "saps" | "start") {
        return None;
    }
    let named = |word: &&Word| {
        let name = lower(word);
        !(name.starts_with('-') && "-argumentlist -args -filepath".contains(name.as_str()))
    };
    let rest: Vec<&Word> = words.iter().skip(1).filter(named).collect();
    let literal = !rest.is_empty() && rest.iter().all(|word| word.literal);
    literal.then(|| crate::walk::joined(rest).replace(',', " "))
}

/// Words that only give shape to a script.
fn is_syntax(word: &str) -> bool {
    const WORDS: [&str; 18] = [
        "if", "else", "elseif", "foreach", "for", "while", "do", "until", "switch", "try", "catch",
        "finally", "function", "param", "return", "begin", "process", "end",
    ];
    WORDS.iter().any(|known| known.eq_ignore_ascii_case(word))
}

/// A word's text in lower case.
fn lower(word: &Word) -> String {
    word.text.to_ascii_lowercase()
}
