//! PowerShell's words.

use alloc::string::String;
use alloc::vec::Vec;

use crate::script::Word;

pub(super) enum Token {
    Word(Word),
    Redirect {
        append: bool,
    },
    Pipe,
    /// A separator, a newline, or an edge of a block or group.
    End,
    /// `@{ … }`: its inside.
    Table(String),
    Opaque(&'static str),
}

pub(super) struct Lexer<'a> {
    text: &'a str,
    pos: usize,
    start: usize,
    /// Commands that stand within strings (`"$(…)"`).
    pub(super) inner: Vec<String>,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, pos: 0, start: 0, inner: Vec::new() }
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

    fn eat(&mut self, what: &str) -> bool {
        let found = self.rest().starts_with(what);
        if found {
            self.pos += what.len();
        }
        found
    }

    fn take(&mut self) -> Option<char> {
        let found = self.peek()?;
        self.pos += found.len_utf8();
        Some(found)
    }

    fn take_while(&mut self, keep: impl Fn(char) -> bool) {
        let rest = self.rest();
        self.pos += rest.find(|c| !keep(c)).unwrap_or(rest.len());
    }

    fn skip(&mut self) {
        loop {
            self.take_while(|c| matches!(c, ' ' | '\t' | '\r'));
            if self.eat("`\n") || self.eat("`\r\n") {
                continue;
            }
            if self.eat("<#") {
                let rest = self.rest();
                self.pos += rest.find("#>").map_or(rest.len(), |at| at + 2);
            } else if self.peek() == Some('#') {
                self.take_while(|c| c != '\n');
            } else {
                return;
            }
        }
    }

    pub(super) fn next_token(&mut self) -> Option<Token> {
        self.skip();
        self.start = self.pos;
        let first = self.peek()?;
        if self.eat("||") || self.eat("&&") {
            return Some(Token::End);
        }
        if first == '|' {
            self.pos += 1;
            return Some(Token::Pipe);
        }
        for stream in ["*", "1", "2", "3", "4", "5", "6", ""] {
            if let Some(rest) = self.rest().strip_prefix(stream)
                && rest.starts_with('>')
            {
                return Some(self.redirect(stream.len()));
            }
        }
        match first {
            // The call operator only says that a program's name follows.
            '&' => {
                self.pos += 1;
                self.next_after_call()
            }
            ';' | '\n' | '{' | '}' | '(' | ')' => {
                self.pos += 1;
                Some(Token::End)
            }
            '@' if self.rest().starts_with("@{") => {
                let inside = self.balanced(2, '{', '}');
                Some(Token::Table(inside))
            }
            '@' if self.rest().starts_with("@'") || self.rest().starts_with("@\"") => {
                Some(self.here_string())
            }
            '$' | '@' if self.starts_group() => {
                self.pos += 2;
                Some(Token::End)
            }
            _ => Some(self.word()),
        }
    }

    fn next_after_call(&mut self) -> Option<Token> {
        self.skip();
        match self.peek() {
            None | Some(';' | '\n' | '|' | '&') => Some(Token::End),
            // A block or group that is called: its inside is read as it comes.
            Some('{' | '(') => {
                self.pos += 1;
                Some(Token::End)
            }
            Some(_) => Some(self.word()),
        }
    }

    /// The text after `skip` bytes, up to what closes it.
    fn balanced(&mut self, skip: usize, open: char, close: char) -> String {
        let rest = self.rest().get(skip..).unwrap_or_default();
        let mut depth = 1usize;
        let end = rest.find(|c| {
            if c == open {
                depth += 1;
            } else if c == close {
                depth -= 1;
            }
            depth == 0
        });
        let end = end.unwrap_or(rest.len());
        self.pos = (self.pos + skip + end + close.len_utf8()).min(self.text.len());
        String::from(rest.get(..end).unwrap_or_default())
    }

    /// `@'` and a line's end, up to a line that starts with `'@`.
    fn here_string(&mut self) -> Token {
        let quote = if self.rest().starts_with("@'") { "\n'@" } else { "\n\"@" };
        let rest = self.rest().get(2..).unwrap_or_default();
        let end = rest.find(quote);
        let text = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
        self.pos = (self.pos + 2 + text.len() + quote.len()).min(self.text.len());
        let literal = quote.contains('\'') || !text.contains('$');
        Token::Word(Word {
            text: String::from(text.trim_start_matches(['\r', '\n'])),
            literal,
            glob: false,
        })
    }

    fn starts_group(&self) -> bool {
        ["$(", "@(", "@{"].iter().any(|open| self.rest().starts_with(open))
    }

    fn redirect(&mut self, skip: usize) -> Token {
        self.pos += skip + 1;
        let append = self.eat(">");
        if self.eat("&") {
            self.take_while(|c| c.is_ascii_digit());
            return self.next_token().unwrap_or(Token::End);
        }
        Token::Redirect { append }
    }

    fn word(&mut self) -> Token {
        let mut word = Word::literal("");
        while let Some(c) = self.peek() {
            match c {
                ' ' | '\t' | '\r' | '\n' | ';' | '|' | '(' | ')' | '{' | '}' | '>' | '<' => break,
                '&' if !word.text.is_empty() => break,
                '\'' => {
                    if !self.single(&mut word) {
                        return Token::Opaque("unterminated quote");
                    }
                }
                '"' => {
                    if !self.double(&mut word) {
                        return Token::Opaque("unterminated quote");
                    }
                }
                '`' => {
                    self.pos += 1;
                    word.text.extend(self.take());
                }
                '$' => {
                    word.literal = false;
                    word.text.extend(self.take());
                }
                _ => {
                    word.glob |= matches!(c, '*' | '?');
                    word.literal &= !(c == '~' && word.text.is_empty());
                    word.text.extend(self.take());
                }
            }
        }
        if self.pos == self.start {
            self.take();
            return Token::Opaque("unexpected here");
        }
        Token::Word(word)
    }

    fn single(&mut self, word: &mut Word) -> bool {
        self.pos += 1;
        loop {
            let rest = self.rest();
            let Some(at) = rest.find('\'') else {
                self.pos = self.text.len();
                return false;
            };
            word.text.push_str(rest.get(..at).unwrap_or_default());
            self.pos += at + 1;
            if !self.eat("'") {
                return true;
            }
            word.text.push('\'');
        }
    }

    fn double(&mut self, word: &mut Word) -> bool {
        self.pos += 1;
        let from = word.text.len();
        while let Some(c) = self.take() {
            match c {
                '"' if !self.eat("\"") => return true,
                '"' => word.text.push('"'),
                '`' => {
                    let escaped = self.take();
                    word.text.extend(escaped.map(|c| if c == 'n' { '\n' } else { c }));
                }
                '$' => {
                    word.literal = false;
                    word.text.push('$');
                    if self.peek() == Some('(') {
                        let inside = self.balanced(1, '(', ')');
                        word.text.push_str("(…)");
                        self.inner.push(inside);
                    }
                }
                _ => word.text.push(c),
            }
        }
        let _ = from;
        false
    }
}

/// A text, or nothing.
pub(super) fn text_of(words: &[Word]) -> Option<String> {
    (!words.is_empty()).then(|| crate::walk::joined(words))
}
