//! Simple commands: assignments, words, redirections.

use alloc::string::String;
use alloc::vec::Vec;

use super::ast::{
    AssignValue, Node, NodeKind, Part, RawAssign, RawRedirect, RawWord, Simple, Target,
};
use super::cursor::{Cursor, is_meta, is_name};
use super::heredoc::Pending;
use crate::script::RedirectKind;

impl Cursor<'_> {
    pub(super) fn simple(&mut self, at: usize) -> Option<Node> {
        let start = self.pos;
        let mut simple = Simple::default();
        let mut redirects = Vec::new();
        loop {
            self.skip_blanks();
            if self.redirect(&mut redirects) {
                continue;
            }
            if simple.words.is_empty() && self.assignment(&mut simple.assigns) {
                continue;
            }
            if self.peek() == Some(b'(') {
                if self.slice(self.pos.saturating_sub(1), self.pos) == "=" {
                    simple.words.append(&mut self.array());
                    continue;
                }
                if let Some(node) = self.function_after(&simple, at) {
                    return Some(node);
                }
                break;
            }
            match self.word() {
                Some(word) => simple.words.push(word),
                None => break,
            }
        }
        (self.pos > start
            && !(simple.words.is_empty() && simple.assigns.is_empty() && redirects.is_empty()))
        .then_some(Node { kind: NodeKind::Simple(simple), redirects, at })
    }

    /// `name ( )` and a body; or the arguments of an array builtin (`declare -a x=(…)`).
    fn function_after(&mut self, simple: &Simple, at: usize) -> Option<Node> {
        let from = self.pos;
        self.step();
        self.skip_blanks();
        if let [name] = simple.words.as_slice()
            && self.eat(")")
            && self.enter()
        {
            let kind = self.function_body(name.constant().unwrap_or_default());
            self.leave();
            return Some(Node { kind, redirects: Vec::new(), at });
        }
        self.pos = from;
        None
    }

    /// `name=value`, `name+=value`, `name[i]=value`, `name=( … )`.
    fn assignment(&mut self, assigns: &mut Vec<RawAssign>) -> bool {
        let from = self.pos;
        let name = self.run(is_name);
        if name.is_empty() || name.starts_with(|first: char| first.is_ascii_digit()) {
            self.pos = from;
            return false;
        }
        let mut partial = self.subscript();
        partial |= self.eat("+");
        if !self.eat("=") {
            self.pos = from;
            return false;
        }
        let name = String::from(name);
        let value = if self.peek() == Some(b'(') {
            AssignValue::Array(self.array())
        } else {
            AssignValue::Word(self.word().unwrap_or_default())
        };
        assigns.push(RawAssign { name, partial, value });
        true
    }

    fn subscript(&mut self) -> bool {
        if self.peek() != Some(b'[') {
            return false;
        }
        let from = self.pos;
        self.run(|byte| byte != b']' && !is_meta(byte));
        let closed = self.eat("]");
        if !closed {
            self.pos = from;
        }
        closed
    }

    fn array(&mut self) -> Vec<RawWord> {
        let from = self.pos;
        self.step();
        let mut words = Vec::new();
        loop {
            self.skip_lines();
            match self.word() {
                Some(word) => words.push(word),
                None if self.eat(")") => return words,
                None if self.is_end() => {
                    self.opaque_at(from, self.pos, "`(` without its `)`");
                    return words;
                }
                None => self.step(),
            }
        }
    }

    /// Reads one redirection, if one starts here.
    pub(super) fn redirect(&mut self, redirects: &mut Vec<RawRedirect>) -> bool {
        let from = self.pos;
        let (stdin, descriptor) = self.descriptor();
        let Some((operator, kind)) = OPERATORS.iter().find(|(text, _)| self.starts_with(text))
        else {
            self.pos = from;
            return false;
        };
        if matches!(self.peek(), Some(b'<' | b'>')) && self.peek_at(1) == Some(b'(') {
            self.pos = from;
            return false;
        }
        self.pos += operator.len();
        self.skip_blanks();
        match operator {
            &"<<" | &"<<-" => self.heredoc(*operator == "<<-", stdin, redirects),
            &">&" | &"<&" => self.duplicate(*kind, stdin, descriptor.is_some(), redirects),
            _ => self.target(*kind, stdin && operator.starts_with('<'), redirects),
        }
        if descriptor.is_some()
            && let Some(last) = redirects.last_mut().filter(|last| last.descriptor.is_none())
        {
            last.descriptor = descriptor;
        }
        true
    }

    /// Steps over a number or `{name}` before an operator: whether standard input is
    /// what a reading operator would then mean, and which other one it names.
    fn descriptor(&mut self) -> (bool, Option<String>) {
        let from = self.pos;
        if self.eat("{") {
            let name = self.run(is_name);
            if !name.is_empty() && self.eat("}") && matches!(self.peek(), Some(b'<' | b'>')) {
                return (false, Some(String::from(name)));
            }
            self.pos = from;
            return (true, None);
        }
        match self.run(|byte| byte.is_ascii_digit()) {
            "" | "0" => (true, None),
            "1" | "2" => (false, None),
            number if matches!(self.peek(), Some(b'<' | b'>')) => {
                (false, Some(String::from(number)))
            }
            _ => (false, None),
        }
    }

    fn target(&mut self, kind: RedirectKind, stdin: bool, redirects: &mut Vec<RawRedirect>) {
        match self.word() {
            Some(word) => redirects.push(RawRedirect {
                kind,
                target: Target::Word(word),
                stdin,
                descriptor: None,
                copies: false,
            }),
            None => self.opaque_at(self.pos, self.pos, "redirection without a target"),
        }
    }

    /// `>&2` goes to a descriptor, `>& file` to a file.
    fn duplicate(
        &mut self,
        kind: RedirectKind,
        stdin: bool,
        kept: bool,
        redirects: &mut Vec<RawRedirect>,
    ) {
        let before = self.pos;
        let digits = self.run(|byte| byte.is_ascii_digit() || byte == b'-');
        let number = !digits.is_empty() && self.peek().is_none_or(is_meta);
        // The standard ones say nothing about files.
        if number && !kept && matches!(digits, "0" | "1" | "2" | "-") {
            return;
        }
        self.pos = before;
        let count = redirects.len();
        self.target(kind, stdin && kind == RedirectKind::Read, redirects);
        if let Some(last) = redirects.get_mut(count) {
            last.copies = true;
        }
    }

    fn heredoc(&mut self, strip: bool, stdin: bool, redirects: &mut Vec<RawRedirect>) {
        let at = self.at(self.pos);
        let from = self.pos;
        let Some(word) = self.word() else {
            return self.opaque_at(self.pos, self.pos, "here-document without a delimiter");
        };
        let plain = word.parts.iter().any(|part| matches!(part, Part::Text { quoted: true, .. }));
        let delimiter = word.constant().unwrap_or_else(|| String::from(self.slice(from, self.pos)));
        let slot = self.heredocs.len();
        self.heredocs.push(RawWord::default());
        self.pending.push(Pending { delimiter, strip, plain, slot, at });
        let target = Target::HereDoc(slot);
        redirects.push(RawRedirect {
            kind: RedirectKind::Text,
            target,
            stdin,
            descriptor: None,
            copies: false,
        });
    }
}

/// Longest first.
const OPERATORS: [(&str, RedirectKind); 12] = [
    ("&>>", RedirectKind::Append),
    ("<<<", RedirectKind::Text),
    ("<<-", RedirectKind::Text),
    ("&>", RedirectKind::Overwrite),
    (">>", RedirectKind::Append),
    (">|", RedirectKind::Overwrite),
    (">&", RedirectKind::Overwrite),
    ("<<", RedirectKind::Text),
    ("<>", RedirectKind::ReadWrite),
    ("<&", RedirectKind::Read),
    (">", RedirectKind::Overwrite),
    ("<", RedirectKind::Read),
];
