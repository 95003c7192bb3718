//! cmd.exe: a first reader. Separators, quotes, carets, redirections, its own commands.

mod lex;
mod table;

use alloc::string::String;
use alloc::vec::Vec;

use crate::posix::Place;
use crate::reader::{Reader, Stdin};
use crate::resolve::{self, Pending};
use crate::script::{Dialect, Redirect, RedirectKind, Word};
use crate::walk::Value;
use lex::{Lexer, Token};

/// Reads `text` as cmd.exe would.
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
            Token::Redirect(kind) => {
                if let Some(Token::Word(target)) = lexer.next_token() {
                    redirects.push(Redirect { kind, target });
                }
            }
            Token::Pipe => {
                let before = reader.script.commands.len();
                flush(reader, &mut words, &mut redirects, place.at(start));
                let last = reader.script.commands.len().checked_sub(1).filter(|at| *at >= before);
                reader.stdin = Stdin::Pipe { from: last, exact: false };
            }
            Token::End => {
                flush(reader, &mut words, &mut redirects, place.at(start));
                reader.stdin.clone_from(&outer);
            }
        }
    }
    flush(reader, &mut words, &mut redirects, place.at(start));
    reader.stdin = outer;
}

fn flush(reader: &mut Reader, words: &mut Vec<Word>, redirects: &mut Vec<Redirect>, at: usize) {
    let mut words = core::mem::take(words);
    let redirects = core::mem::take(redirects);
    table::strip(&mut words);
    if (words.is_empty() && redirects.is_empty()) || !reader.step(at) {
        return;
    }
    if let Some(text) = expanded(reader, &words) {
        return reader.nested(&text, Dialect::Cmd, at);
    }
    if let Some(first) = words.first_mut() {
        first.text.make_ascii_lowercase();
    }
    if table::set(reader, &words) {
        return;
    }
    let mut pending = Pending { words, redirects, at, ..Pending::default() };
    pending.via.clone_from(&reader.via);
    pending.stdin = reader.stdin.clone();
    if let Some(folder) = table::folder(&pending.words) {
        return reader.env.change_folder(&folder);
    }
    table::effects(&mut pending);
    resolve::run(reader, pending);
}

/// The words as one text, once the variables that the text itself set are put in.
fn expanded(reader: &mut Reader, words: &[Word]) -> Option<String> {
    if words.iter().all(|word| word.literal) || !reader.env.has_variables() {
        return None;
    }
    let text = crate::walk::joined(words);
    let mut out = String::new();
    let mut rest = text.as_str();
    let mut found = false;
    while let Some(at) = rest.find(['%', '!']) {
        let mark = rest.get(at..=at)?;
        let after = rest.get(at + 1..)?;
        out.push_str(rest.get(..at)?);
        let known = after.split_once(mark).and_then(|(name, after)| {
            match reader.env.get(&table::key(name)) {
                Some(Value::Known { text, .. }) => Some((text.clone(), after)),
                _ => None,
            }
        });
        match known {
            Some((value, after)) if reader.pay(value.len(), 0) => {
                found = true;
                out.push_str(&value);
                rest = after;
            }
            _ => {
                out.push_str(mark);
                rest = after;
            }
        }
    }
    out.push_str(rest);
    found.then_some(out)
}

/// What kind of redirection an operator is.
fn kind(input: bool, append: bool) -> RedirectKind {
    match (input, append) {
        (true, _) => RedirectKind::Read,
        (false, true) => RedirectKind::Append,
        (false, false) => RedirectKind::Overwrite,
    }
}
