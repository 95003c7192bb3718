//! PowerShell: a first reader. Pipelines, separators, quotes, blocks, the call
//! operator; what an expression computes is not known.

mod invocation;
mod lex;
mod table;

pub(crate) use invocation::{Invocation, invocation};
pub(crate) use table::effects;

use alloc::string::String;
use alloc::vec::Vec;

use crate::posix::Place;
use crate::reader::{Reader, Stdin};
use crate::resolve::{self, Pending};
use crate::script::{Redirect, RedirectKind, Word};
use lex::{Lexer, Token};

/// Reads `text` as PowerShell would.
pub(crate) fn read(reader: &mut Reader, text: &str, place: Place) {
    let mut lexer = Lexer::new(text);
    let mut words: Vec<Word> = Vec::new();
    let mut redirects = Vec::new();
    let mut start = 0;
    let outer = reader.stdin.clone();
    while let Some(token) = lexer.next_token() {
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
            Token::Opaque(why) => reader.opaque(place.at(lexer.token_start()), why, text),
        }
    }
    flush(reader, &mut words, &mut redirects, place.at(start));
    reader.stdin = outer;
}

fn flush(reader: &mut Reader, words: &mut Vec<Word>, redirects: &mut Vec<Redirect>, at: usize) {
    let words = core::mem::take(words);
    let redirects = core::mem::take(redirects);
    let Some(first) = words.first() else { return };
    if is_syntax(&first.text) {
        return;
    }
    let mut pending = Pending { words, redirects, at, ..Pending::default() };
    pending.via.clone_from(&reader.via);
    pending.stdin = reader.stdin.clone();
    if let Some(target) = table::folder(&pending.words) {
        return reader.env.change_folder(&target);
    }
    table::effects(&mut pending);
    resolve::run(reader, pending);
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
