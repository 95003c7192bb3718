//! The words of cmd.exe.

use crate::script::{RedirectKind, Word};

pub(super) enum Token {
    Word(Word),
    Redirect(RedirectKind),
    Pipe,
    /// `&`, `&&`, `||`, a parenthesis, a newline.
    End,
}

pub(super) struct Lexer<'a> {
    text: &'a str,
    pos: usize,
    start: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, pos: 0, start: 0 }
    }

    /// Where the last token began.
    pub(super) fn token_start(&self) -> usize {
        self.start
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.pos..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn take(&mut self) -> Option<char> {
        let found = self.peek()?;
        self.pos += found.len_utf8();
        Some(found)
    }

    fn eat(&mut self, what: &str) -> bool {
        let found = self.rest().starts_with(what);
        if found {
            self.pos += what.len();
        }
        found
    }

    pub(super) fn next_token(&mut self) -> Option<Token> {
        let rest = self.rest();
        self.pos += rest.len() - rest.trim_start_matches([' ', '\t', '\r', ',', '=']).len();
        self.start = self.pos;
        let first = self.peek()?;
        if self.eat("||") || self.eat("&&") {
            return Some(Token::End);
        }
        let skip = usize::from(first.is_ascii_digit());
        let after = self.rest().get(skip..).unwrap_or_default();
        if after.starts_with(['<', '>']) {
            return self.redirect(skip);
        }
        match first {
            '|' => {
                self.pos += 1;
                Some(Token::Pipe)
            }
            '&' | '\n' | '(' | ')' | '@' => {
                self.pos += 1;
                Some(Token::End)
            }
            _ => Some(Token::Word(self.word())),
        }
    }

    fn redirect(&mut self, skip: usize) -> Option<Token> {
        self.pos += skip;
        let input = self.take() == Some('<');
        let append = self.eat(">");
        if self.eat("&") {
            self.take();
            return self.next_token();
        }
        Some(Token::Redirect(super::kind(input, append)))
    }

    fn word(&mut self) -> Word {
        let mut word = Word::literal("");
        let mut quoted = false;
        while let Some(c) = self.peek() {
            match c {
                '"' => {
                    quoted = !quoted;
                    self.pos += 1;
                }
                '^' if !quoted => {
                    self.pos += 1;
                    // An escaped blank still ends a word.
                    if !matches!(self.peek(), Some(' ' | '\t' | '\r' | '\n')) {
                        word.text.extend(self.take());
                    }
                }
                '\n' => break,
                ' ' | '\t' | '\r' | '&' | '|' | '<' | '>' | '(' | ')' | ',' if !quoted => break,
                // Switches may follow one another without a blank: `rd /s/q`.
                '/' if !quoted && word.text.starts_with('/') && word.text.len() == 2 => break,
                _ => {
                    word.literal &= !matches!(c, '%' | '!');
                    word.glob |= matches!(c, '*' | '?');
                    word.text.extend(self.take());
                }
            }
        }
        word
    }
}
