//! What `$` and backticks start.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use super::ansi_c::{Escapes, unescape};
use super::ast::{List, Part, RawWord};
use super::cursor::{Cursor, is_name};
use super::parse::Stop;
use super::words::push;

impl Cursor<'_> {
    /// At a `$`.
    pub(super) fn dollar(&mut self, parts: &mut Vec<Part>, quoted: bool) {
        let from = self.pos;
        if !self.spend() {
            return;
        }
        match self.peek_at(1) {
            Some(b'(') if self.is_arithmetic(from) => self.arithmetic(parts, from),
            Some(b'(') => self.substitution(parts, quoted),
            Some(b'{') => self.braced(parts, quoted),
            Some(b'[') => self.old_arithmetic(parts, from),
            Some(b'\'') if !quoted => self.ansi_c(parts),
            Some(b'"') if !quoted => {
                self.step();
                self.double(parts);
            }
            Some(byte) if byte.is_ascii_digit() || b"@*#?$!-".contains(&byte) => {
                self.pos += 2;
                self.variable(parts, quoted, from, from + 1, None);
            }
            Some(byte) if is_name(byte) => {
                self.step();
                self.run(is_name);
                self.variable(parts, quoted, from, from + 1, None);
            }
            _ => {
                self.step();
                push(parts, "$", quoted);
            }
        }
    }

    fn variable(
        &mut self,
        parts: &mut Vec<Part>,
        quoted: bool,
        from: usize,
        name: usize,
        operation: Option<Box<RawWord>>,
    ) {
        let name = self.slice(name, self.pos).trim_end_matches('}');
        let raw = self.raw(from);
        parts.push(Part::Variable { name: String::from(name), quoted, raw, operation });
    }

    fn ansi_c(&mut self, parts: &mut Vec<Part>) {
        let from = self.pos;
        self.pos += 2;
        let start = self.pos;
        loop {
            self.run(|byte| byte != b'\'' && byte != b'\\');
            match self.peek() {
                Some(b'\\') => {
                    self.step();
                    self.character();
                }
                Some(_) => break,
                None => {
                    self.opaque_at(from, self.pos, "unterminated quote");
                    break;
                }
            }
        }
        let text = unescape(self.slice(start, self.pos), Escapes::Quote);
        self.eat("'");
        push(parts, &text, true);
    }

    /// `${…}`
    fn braced(&mut self, parts: &mut Vec<Part>, quoted: bool) {
        let from = self.pos;
        self.pos += 2;
        let name = self.pos;
        if self.peek().is_some_and(is_name) {
            self.run(is_name);
            if self.eat("}") {
                return self.variable(parts, quoted, from, name, None);
            }
        }
        let named = self.pos;
        if !self.enter() {
            return;
        }
        let mut word = RawWord { at: self.at(from), ..RawWord::default() };
        if quoted {
            self.operation_quoted(&mut word)
        } else {
            self.word_into(&mut word, Some(b'}'))
        }
        if !self.eat("}") {
            self.opaque_at(from, self.pos, "`${` without its `}`");
        }
        self.leave();
        parts.push(Part::Variable {
            name: String::from(self.slice(name, named)),
            quoted,
            raw: self.raw(from),
            operation: Some(Box::new(word)),
        });
    }

    /// The rest of a `${…` that stands within double quotes.
    fn operation_quoted(&mut self, word: &mut RawWord) {
        while let Some(byte) = self.peek() {
            match byte {
                b'}' => return,
                b'"' => self.double(&mut word.parts),
                b'$' => self.dollar(&mut word.parts, true),
                b'`' => self.backtick(&mut word.parts, true),
                b'\\' => {
                    self.step();
                    if let Some(found) = self.character() {
                        push(&mut word.parts, found.encode_utf8(&mut [0; 4]), true);
                    }
                }
                _ => {
                    let text = self.run(|byte| !matches!(byte, b'}' | b'"' | b'$' | b'`' | b'\\'));
                    push(&mut word.parts, text, true);
                }
            }
        }
    }

    /// `$( … )`
    fn substitution(&mut self, parts: &mut Vec<Part>, quoted: bool) {
        let from = self.pos;
        self.pos += 2;
        let list = self.parenthesised(from);
        let raw = self.raw(from);
        parts.push(Part::Substitution { list, quoted, raw });
    }

    /// `<( … )` and `>( … )`
    pub(super) fn process(&mut self, parts: &mut Vec<Part>) {
        let from = self.pos;
        let reads = self.peek() == Some(b'<');
        self.pos += 2;
        let list = self.parenthesised(from);
        let raw = self.raw(from);
        parts.push(Part::Process { list, raw, reads });
    }

    /// A list up to its `)`.
    pub(super) fn parenthesised(&mut self, from: usize) -> List {
        if !self.enter() {
            return List::default();
        }
        let list = self.list(Stop::Parenthesis);
        if !self.eat(")") {
            self.opaque_at(from, self.pos, "`(` without its `)`");
        }
        self.leave();
        list
    }

    /// Backticks: their text is read once the backslashes of this level are gone.
    pub(super) fn backtick(&mut self, parts: &mut Vec<Part>, quoted: bool) {
        let from = self.pos;
        self.step();
        let mut text = String::new();
        loop {
            text.push_str(self.run(|byte| byte != b'`' && byte != b'\\'));
            if self.peek() != Some(b'\\') {
                break;
            }
            self.step();
            match self.peek() {
                Some(b'`' | b'\\' | b'$') => {}
                Some(b'"') if quoted => {}
                _ => text.push('\\'),
            }
            text.extend(self.character());
        }
        if !self.eat("`") {
            self.opaque_at(from, self.pos, "unterminated backtick");
        }
        if !self.enter() {
            return;
        }
        let list = self.within(&text, self.at(from), |inner| inner.list(Stop::End));
        self.leave();
        let raw = self.raw(from);
        parts.push(Part::Substitution { list, quoted, raw });
    }

    /// Whether `$((` at `from` closes with `))`: it is a command substitution otherwise.
    fn is_arithmetic(&self, from: usize) -> bool {
        self.peek_at(2) == Some(b'(') && self.arithmetic_close(from + 3).is_some()
    }

    /// As [`Self::double_close`], unless the inside is commands: some shells run those.
    pub(super) fn arithmetic_close(&self, from: usize) -> Option<usize> {
        let close = self.double_close(from)?;
        let inside = self.text.as_bytes().get(from..close).unwrap_or_default();
        let words = |four: &[u8]| match four {
            [before, b' ', b'-' | b'/', after] => {
                before.is_ascii_alphanumeric() && after.is_ascii_alphabetic()
            }
            [before, b' ', after, _] => {
                before.is_ascii_alphabetic() && after.is_ascii_alphanumeric()
            }
            _ => false,
        };
        let commands = inside.contains(&b';') || inside.windows(4).any(words);
        (!commands).then_some(close)
    }

    /// Where the `))` is that closes a `((` whose inside starts at `from`.
    pub(super) fn double_close(&self, from: usize) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let mut depth = 0usize;
        let mut at = from;
        while let Some(&byte) = bytes.get(at) {
            match byte {
                b'\\' => at += 1,
                b'(' => depth += 1,
                b')' if depth > 0 => depth -= 1,
                b')' => return (bytes.get(at + 1) == Some(&b')')).then_some(at),
                _ => {}
            }
            at += 1;
        }
        None
    }

    fn arithmetic(&mut self, parts: &mut Vec<Part>, from: usize) {
        let Some(close) = self.double_close(from + 3) else { return self.step() };
        self.pos = from + 3;
        let inner = self.inside(close);
        self.pos = self.pos.max(close + 2).min(self.text.len());
        let raw = self.raw(from);
        parts.push(Part::Unknown { raw, inner });
    }

    /// The expansions from here to `close`, read as within double quotes.
    pub(super) fn inside(&mut self, close: usize) -> Vec<Part> {
        let mut inner = Vec::new();
        if !self.enter() {
            return inner;
        }
        while self.pos < close {
            match self.peek() {
                Some(b'$') => self.dollar(&mut inner, true),
                Some(b'`') => self.backtick(&mut inner, true),
                Some(b'\\') => {
                    self.step();
                    self.character();
                }
                Some(_) => {
                    self.run(|byte| !matches!(byte, b'$' | b'`' | b'\\' | b')'));
                    if self.peek() == Some(b')') {
                        self.pos += 1;
                    }
                }
                None => break,
            }
        }
        self.leave();
        inner
    }

    /// `$[ … ]`
    fn old_arithmetic(&mut self, parts: &mut Vec<Part>, from: usize) {
        self.pos += 2;
        if !self.enter() {
            return;
        }
        let mut inner = Vec::new();
        self.quoted_until(&mut inner, Some(b']'));
        if !self.eat("]") {
            self.opaque_at(from, self.pos, "`$[` without its `]`");
        }
        self.leave();
        let raw = self.raw(from);
        parts.push(Part::Unknown { raw, inner });
    }
}
