//! Where the parser stands, and what it has found out on its way.

use alloc::string::String;
use alloc::vec::Vec;

use super::ast::RawWord;
use super::heredoc::Pending;
use crate::script::{Limits, Opaque};

/// One more says nothing new to who was told so many times.
pub(crate) const MOST_OPAQUE: usize = 200;

/// What a parse may still use up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub(crate) depth: usize,
    pub(crate) commands: usize,
    pub(crate) words: usize,
}

impl From<Limits> for Bounds {
    fn from(limits: Limits) -> Self {
        Self { depth: limits.depth, commands: limits.commands, words: limits.words }
    }
}

/// Where a text stands in the line that was given.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    /// It starts there, byte for byte.
    From(usize),
    /// It was made from the word that starts there.
    Of(usize),
}

impl Place {
    pub(crate) fn at(self, offset: usize) -> usize {
        match self {
            Self::From(base) => base.saturating_add(offset),
            Self::Of(base) => base,
        }
    }
}

/// The parser's state.
#[derive(Debug)]
pub(super) struct Cursor<'a> {
    pub(super) text: &'a str,
    pub(super) pos: usize,
    pub(super) place: Place,
    pub(super) bounds: Bounds,
    pub(super) opaque: Vec<Opaque>,
    pub(super) heredocs: Vec<RawWord>,
    pub(super) pending: Vec<Pending>,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str, place: Place, bounds: Bounds) -> Self {
        Self {
            text,
            pos: 0,
            place,
            bounds,
            opaque: Vec::new(),
            heredocs: Vec::new(),
            pending: Vec::new(),
        }
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.peek_at(0)
    }

    pub(super) fn peek_at(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.pos.saturating_add(ahead)).copied()
    }

    pub(super) fn starts_with(&self, what: &str) -> bool {
        self.rest_bytes().starts_with(what.as_bytes())
    }

    fn rest_bytes(&self) -> &'a [u8] {
        self.text.as_bytes().get(self.pos..).unwrap_or_default()
    }

    /// Steps over `what` if it is next.
    pub(super) fn eat(&mut self, what: &str) -> bool {
        let found = self.starts_with(what);
        if found {
            self.pos += what.len();
        }
        found
    }

    pub(super) fn step(&mut self) {
        self.pos = (self.pos + 1).min(self.text.len());
    }

    pub(super) fn is_end(&self) -> bool {
        self.pos >= self.text.len()
    }

    /// Steps to the end: the rest is not read.
    pub(super) fn give_up(&mut self, why: &'static str) {
        let from = self.pos;
        self.pos = self.text.len();
        self.opaque_at(from, self.pos, why);
    }

    /// The text between two offsets, empty if they don't fall on characters.
    pub(super) fn slice(&self, from: usize, to: usize) -> &'a str {
        self.text.get(from..to).unwrap_or_default()
    }

    /// What was read since `from`, as it was written; of a very long one the start, for
    /// each level of nesting holds all of those within it.
    pub(super) fn raw(&self, from: usize) -> String {
        let whole = self.slice(from, self.pos);
        let mut raw = String::from(crate::cut::cut_to(whole, 1024));
        if raw.len() < whole.len() {
            raw.push('…');
        }
        raw
    }

    /// Steps over bytes while `plain` holds, and returns them.
    pub(super) fn run(&mut self, plain: impl Fn(u8) -> bool) -> &'a str {
        let from = self.pos;
        let rest = self.rest_bytes();
        self.pos += rest.iter().position(|&byte| !plain(byte)).unwrap_or(rest.len());
        self.slice(from, self.pos)
    }

    /// Steps over one character, and returns it.
    pub(super) fn character(&mut self) -> Option<char> {
        let found = self.text.get(self.pos..)?.chars().next()?;
        self.pos += found.len_utf8();
        Some(found)
    }

    pub(super) fn at(&self, offset: usize) -> usize {
        self.place.at(offset)
    }

    pub(super) fn opaque_at(&mut self, from: usize, to: usize, why: &'static str) {
        let text = String::from(crate::cut::cut(self.slice(from, to)));
        let opaque = Opaque { at: self.at(from), why, text };
        if self.opaque.len() < MOST_OPAQUE || opaque.is_exhaustion() {
            self.opaque.push(opaque);
        }
    }

    /// Pays for one word or expansion; false, and at the end, once there were too many.
    pub(super) fn spend(&mut self) -> bool {
        if self.bounds.words == 0 {
            self.give_up("too many words");
            return false;
        }
        self.bounds.words -= 1;
        true
    }

    /// Goes one level down, unless that is too deep: then the rest is not read.
    pub(super) fn enter(&mut self) -> bool {
        if self.bounds.depth == 0 {
            self.give_up("nested too deeply");
            return false;
        }
        self.bounds.depth -= 1;
        true
    }

    pub(super) fn leave(&mut self) {
        self.bounds.depth += 1;
    }

    /// Reads `text`, made from the word at `at`, as part of this parse.
    pub(super) fn within<R>(
        &mut self,
        text: &str,
        at: usize,
        read: impl FnOnce(&mut Cursor<'_>) -> R,
    ) -> R {
        let mut inner = Cursor::new(text, Place::Of(at), self.bounds);
        inner.opaque = core::mem::take(&mut self.opaque);
        inner.heredocs = core::mem::take(&mut self.heredocs);
        let result = read(&mut inner);
        self.opaque = inner.opaque;
        self.heredocs = inner.heredocs;
        self.bounds.commands = inner.bounds.commands;
        self.bounds.words = inner.bounds.words;
        result
    }

    /// Blanks, line continuations and a comment.
    pub(super) fn skip_blanks(&mut self) {
        loop {
            match self.peek() {
                Some(b' ' | b'\t' | b'\r') => self.pos += 1,
                Some(b'\\') if self.peek_at(1) == Some(b'\n') => self.pos += 2,
                Some(b'\\') if self.starts_with("\\\r\n") => self.pos += 3,
                Some(b'#') => {
                    self.run(|byte| byte != b'\n');
                }
                _ => return,
            }
        }
    }

    /// Blanks and newlines, with the here-documents that start at one.
    pub(super) fn skip_lines(&mut self) {
        loop {
            self.skip_blanks();
            if self.peek() != Some(b'\n') {
                return;
            }
            self.pos += 1;
            self.read_heredocs();
        }
    }
}

/// Whether a byte ends an unquoted word.
pub(super) fn is_meta(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')')
}

pub(super) fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}
