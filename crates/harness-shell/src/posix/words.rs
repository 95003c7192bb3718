//! Words and their quotes.

use alloc::string::String;
use alloc::vec::Vec;

use super::ast::{Part, RawWord};
use super::cursor::{Cursor, is_meta};

impl Cursor<'_> {
    /// The word that starts here; `None` if none does.
    pub(super) fn word(&mut self) -> Option<RawWord> {
        let start = self.pos;
        if !self.is_end() && !self.spend() {
            return None;
        }
        let mut word = RawWord { parts: Vec::new(), at: self.at(start), brace: false };
        self.word_into(&mut word, None);
        (self.pos > start).then_some(word)
    }

    /// Reads on until the word ends, or `close` comes.
    pub(super) fn word_into(&mut self, word: &mut RawWord, close: Option<u8>) {
        while let Some(byte) = self.peek() {
            if close == Some(byte) {
                return;
            }
            match byte {
                b'\'' => self.single(&mut word.parts),
                b'"' => self.double(&mut word.parts),
                b'\\' => self.backslash(&mut word.parts),
                b'$' => self.dollar(&mut word.parts, false),
                b'`' => self.backtick(&mut word.parts, false),
                b'<' | b'>' if self.peek_at(1) == Some(b'(') => self.process(&mut word.parts),
                b'(' if close.is_none() && ends_in_extglob(word) => self.extglob(&mut word.parts),
                _ if close.is_none() && is_meta(byte) => return,
                b'{' => {
                    word.brace = true;
                    self.pos += 1;
                    push(&mut word.parts, "{", false);
                }
                _ => {
                    let text = self.plain(close);
                    push(&mut word.parts, text, false);
                }
            }
        }
    }

    /// At least one character, and on to the next that means something.
    fn plain(&mut self, close: Option<u8>) -> &str {
        let from = self.pos;
        self.character();
        self.run(|byte| {
            !(matches!(byte, b'\'' | b'"' | b'\\' | b'$' | b'`' | b'{')
                || is_meta(byte)
                || close == Some(byte))
        });
        self.slice(from, self.pos)
    }

    fn single(&mut self, parts: &mut Vec<Part>) {
        let from = self.pos;
        self.step();
        let text = self.run(|byte| byte != b'\'');
        if !self.eat("'") {
            self.opaque_at(from, self.pos, "unterminated quote");
        }
        push(parts, text, true);
    }

    /// `"…"`
    pub(super) fn double(&mut self, parts: &mut Vec<Part>) {
        let from = self.pos;
        self.step();
        push(parts, "", true);
        self.quoted_until(parts, Some(b'"'));
        if !self.eat("\"") {
            self.opaque_at(from, self.pos, "unterminated quote");
        }
    }

    /// Text as within double quotes, until `close` or the end.
    pub(super) fn quoted_until(&mut self, parts: &mut Vec<Part>, close: Option<u8>) {
        while let Some(byte) = self.peek() {
            if close == Some(byte) {
                return;
            }
            match byte {
                b'$' => self.dollar(parts, true),
                b'`' => self.backtick(parts, true),
                b'\\' => self.quoted_backslash(parts, close),
                _ => {
                    let text = self
                        .run(|byte| !matches!(byte, b'$' | b'`' | b'\\') && close != Some(byte));
                    push(parts, text, true);
                }
            }
        }
    }

    fn backslash(&mut self, parts: &mut Vec<Part>) {
        self.step();
        match self.character() {
            Some('\n') => {}
            Some('\r') if self.peek() == Some(b'\n') => self.step(),
            Some(found) => push(parts, found.encode_utf8(&mut [0; 4]), true),
            None => push(parts, "\\", true),
        }
    }

    fn quoted_backslash(&mut self, parts: &mut Vec<Part>, close: Option<u8>) {
        self.step();
        match self.peek() {
            Some(b'\n') => self.step(),
            Some(byte @ (b'$' | b'`' | b'\\')) => {
                self.step();
                push(parts, char::from(byte).encode_utf8(&mut [0; 4]), true);
            }
            Some(byte) if close == Some(byte) => {
                self.step();
                push(parts, char::from(byte).encode_utf8(&mut [0; 4]), true);
            }
            _ => push(parts, "\\", true),
        }
    }

    /// `@(a|b)` and its kin: a pattern for the shell, its parentheses part of the word.
    fn extglob(&mut self, parts: &mut Vec<Part>) {
        let from = self.pos;
        if !self.enter() {
            return;
        }
        self.step();
        push(parts, "(", false);
        let mut inner = RawWord::default();
        self.word_into(&mut inner, Some(b')'));
        parts.append(&mut inner.parts);
        if self.eat(")") {
            push(parts, ")", false);
        } else {
            self.opaque_at(from, self.pos, "unterminated pattern");
        }
        self.leave();
    }
}

/// Adds text to a word, joined to what is there if it is quoted the same.
pub(super) fn push(parts: &mut Vec<Part>, more: &str, quoted: bool) {
    if let Some(Part::Text { text, quoted: before }) = parts.last_mut()
        && *before == quoted
    {
        text.push_str(more);
        return;
    }
    parts.push(Part::Text { text: String::from(more), quoted });
}

fn ends_in_extglob(word: &RawWord) -> bool {
    matches!(word.parts.last(), Some(Part::Text { text, quoted: false })
        if text.ends_with(['@', '?', '*', '+', '!']))
}
