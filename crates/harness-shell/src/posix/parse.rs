//! Lists and pipelines.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::ast::{Item, Join, List, Node, NodeKind, RawWord};
use super::cursor::{Bounds, Cursor, Place};
use crate::script::Opaque;

/// A text, parsed.
#[derive(Debug)]
pub(crate) struct Parsed {
    pub(crate) list: List,
    /// The here-documents, by number.
    pub(crate) heredocs: Vec<RawWord>,
    pub(crate) opaque: Vec<Opaque>,
    /// Words that may still be read.
    pub(crate) words: usize,
}

/// Parses a whole text.
pub(crate) fn parse(text: &str, place: Place, bounds: Bounds) -> Parsed {
    let mut cursor = Cursor::new(text, place, bounds);
    let list = cursor.list(Stop::End);
    cursor.unread_heredocs();
    Parsed { list, heredocs: cursor.heredocs, opaque: cursor.opaque, words: cursor.bounds.words }
}

/// What ends a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// Nothing but the end of the text.
    End,
    /// `)`
    Parenthesis,
    /// One of these reserved words.
    Words(&'static [&'static str]),
    /// `;;`, `;&`, `;;&` or `esac`.
    Arm,
}

/// Words that only ever end a list.
const ENDERS: [&str; 8] = ["then", "do", "done", "fi", "else", "elif", "esac", "}"];

impl Cursor<'_> {
    /// Reads commands until `stop`, which is left to be read.
    pub(super) fn list(&mut self, stop: Stop) -> List {
        let mut items = Vec::new();
        let mut join = Join::Sequence;
        loop {
            self.skip_lines();
            if self.is_end() || self.stops(stop) {
                return List { items };
            }
            if self.stray() {
                continue;
            }
            let Some(nodes) = self.pipeline() else { continue };
            let (background, next) = self.separator(stop);
            items.push(Item { join, background, nodes });
            join = next;
        }
    }

    fn stops(&self, stop: Stop) -> bool {
        match stop {
            Stop::End => false,
            Stop::Parenthesis => self.peek() == Some(b')'),
            Stop::Words(words) => self.reserved().is_some_and(|word| words.contains(&word)),
            Stop::Arm => {
                self.starts_with(";;") || self.starts_with(";&") || self.reserved() == Some("esac")
            }
        }
    }

    /// Steps over what can't start a command, saying so.
    fn stray(&mut self) -> bool {
        let from = self.pos;
        match self.peek() {
            Some(b'&') if self.peek_at(1) == Some(b'>') => return false,
            Some(b';' | b'&' | b'|') => {
                self.run(|byte| matches!(byte, b';' | b'&' | b'|'));
            }
            Some(b')') => self.step(),
            _ => match self.reserved().filter(|word| ENDERS.contains(word)) {
                Some(word) => self.pos += word.len(),
                None => return false,
            },
        }
        if self.slice(from, self.pos) != ";" {
            self.opaque_at(from, self.pos, "unexpected here");
        }
        true
    }

    /// What follows a pipeline: whether it ran in the background, and whether the next
    /// depends on it.
    fn separator(&mut self, stop: Stop) -> (bool, Join) {
        self.skip_blanks();
        if self.eat("&&") {
            return (false, Join::And);
        }
        if self.eat("||") {
            return (false, Join::Or);
        }
        if stop == Stop::Arm && (self.starts_with(";;") || self.starts_with(";&")) {
            return (false, Join::Sequence);
        }
        if !self.starts_with("&>") && self.eat("&") {
            return (true, Join::Sequence);
        }
        self.eat(";");
        (false, Join::Sequence)
    }

    /// Commands joined by `|` and `|&`.
    fn pipeline(&mut self) -> Option<Vec<Node>> {
        let mut nodes = Vec::new();
        loop {
            self.prefixes();
            let before = self.pos;
            if let Some(node) = self.command() {
                nodes.push(node);
            } else if self.pos == before {
                self.unreadable();
            }
            self.skip_blanks();
            if self.starts_with("||") || !(self.eat("|&") || self.eat("|")) {
                return (!nodes.is_empty()).then_some(nodes);
            }
            self.skip_lines();
            if self.is_end() {
                return (!nodes.is_empty()).then_some(nodes);
            }
        }
    }

    /// `!` and `time`.
    fn prefixes(&mut self) {
        loop {
            match self.reserved() {
                Some("!") => self.pos += 1,
                Some("time") => {
                    let from = self.pos;
                    self.pos += 4;
                    self.skip_blanks();
                    while matches!(self.bare_word(), "-p" | "--") {
                        self.pos += 2;
                        self.skip_blanks();
                    }
                    if self.peek() == Some(b'-') {
                        // The program of that name, with options of its own.
                        self.pos = from;
                        return;
                    }
                }
                _ => return,
            }
            self.skip_blanks();
        }
    }

    /// A command could not start here: never stand still.
    fn unreadable(&mut self) {
        let from = self.pos;
        if matches!(self.peek(), None | Some(b'\n' | b')')) || self.is_end() {
            return;
        }
        self.character();
        self.opaque_at(from, self.pos, "unexpected here");
    }

    /// One command, simple or compound, with its redirections.
    fn command(&mut self) -> Option<Node> {
        if self.bounds.commands == 0 {
            self.give_up("too many commands");
            return None;
        }
        self.bounds.commands -= 1;
        let at = self.at(self.pos);
        if self.reserved() == Some("coproc") {
            return self.coproc(at);
        }
        let Some(kind) = self.compound() else { return self.simple(at) };
        let mut redirects = Vec::new();
        self.skip_blanks();
        while self.redirect(&mut redirects) {
            self.skip_blanks();
        }
        Some(Node { kind, redirects, at })
    }

    fn coproc(&mut self, at: usize) -> Option<Node> {
        self.pos += "coproc".len();
        self.skip_blanks();
        let before = self.pos;
        self.run(super::cursor::is_name);
        self.skip_blanks();
        // A name goes before a compound command only.
        if !matches!(self.peek(), Some(b'{' | b'(')) {
            self.pos = before;
        }
        if !self.enter() {
            return None;
        }
        let node = self.command();
        self.leave();
        Some(Node { kind: NodeKind::Coproc(Box::new(node?)), redirects: Vec::new(), at })
    }

    /// The plain text from here to the next blank or operator.
    pub(super) fn bare_word(&self) -> &str {
        let rest = self.text.get(self.pos..).unwrap_or_default();
        let end = rest.bytes().take(9).position(super::cursor::is_meta);
        rest.get(..end.unwrap_or(rest.len().min(9))).unwrap_or_default()
    }

    /// The reserved word that stands here, if one does.
    pub(super) fn reserved(&self) -> Option<&'static str> {
        let first = self.peek()?;
        if !(first.is_ascii_lowercase() || matches!(first, b'{' | b'}' | b'!' | b'[')) {
            return None;
        }
        let word = self.bare_word();
        if word.starts_with('!') && word.len() == 1 {
            return Some("!");
        }
        RESERVED.iter().copied().find(|&reserved| reserved == word)
    }

    fn unread_heredocs(&mut self) {
        for pending in core::mem::take(&mut self.pending) {
            self.opaque_at(self.pos, self.pos, "here-document without its text");
            if let Some(slot) = self.heredocs.get_mut(pending.slot) {
                *slot = RawWord::default();
            }
        }
    }
}

const RESERVED: [&str; 20] = [
    "if", "then", "elif", "else", "fi", "for", "do", "done", "while", "until", "case", "esac",
    "select", "function", "time", "coproc", "{", "}", "[[", "!",
];
