//! Lists, pipelines and compound commands.

use alloc::string::String;
use alloc::vec::Vec;

use super::env::Value;
use crate::posix::ast::{
    AssignValue, Item, Join, List, Node, NodeKind, RawAssign, RawRedirect, RawWord, Simple, Target,
};
use crate::reader::{Reader, Stdin};
use crate::resolve::{self, Pending};
use crate::script::{EffectKind, Redirect, RedirectKind, Word};

/// A loop over at most so many known words is read once for each.
const MOST_TURNS: usize = 8;

impl Reader {
    pub(crate) fn list(&mut self, list: &List) {
        let mut chain = self.env.mark();
        for item in &list.items {
            match item.join {
                Join::Sequence => {
                    self.env.blur(chain);
                    self.item(item);
                    chain = self.env.mark();
                }
                Join::And => {
                    self.doubt += 1;
                    self.item(item);
                    self.doubt -= 1;
                }
                Join::Or => self.maybe_with(|reader| reader.item(item)),
            }
        }
        self.env.blur(chain);
    }

    fn item(&mut self, item: &Item) {
        let beside = item.background || item.nodes.len() > 1;
        let outer = self.background;
        self.background |= beside;
        self.doubt += usize::from(item.background);
        let mark = self.env.mark();
        if let [node] = item.nodes.as_slice() {
            self.node(node);
        } else {
            self.pipeline(&item.nodes);
        }
        if beside {
            self.env.rollback(mark);
        }
        self.doubt -= usize::from(item.background);
        self.background = outer;
    }

    fn pipeline(&mut self, nodes: &[Node]) {
        let outer = self.stdin.clone();
        for node in nodes {
            let mark = self.env.mark();
            let before = self.script.commands.len();
            self.node(node);
            self.env.rollback(mark);
            let after = self.script.commands.len();
            self.stdin = Stdin::Pipe {
                from: after.checked_sub(1).filter(|&last| last >= before),
                exact: after == before + 1 && matches!(node.kind, NodeKind::Simple(_)),
            };
        }
        self.stdin = outer;
    }

    /// One command with its redirections.
    pub(crate) fn node(&mut self, node: &Node) {
        if !self.step(node.at) {
            return;
        }
        if let NodeKind::Simple(simple) = &node.kind {
            return self.simple(simple, &node.redirects, node.at);
        }
        let around = self.around.len();
        let stdin = self.stdin.clone();
        for redirect in &node.redirects {
            if let Some((redirect, is_stdin)) = self.redirect(redirect, false) {
                if is_stdin {
                    self.stdin = source(&redirect);
                }
                if redirect.kind != RedirectKind::Text {
                    self.around.push(redirect);
                }
            }
        }
        let before = self.script.commands.len();
        self.compound(&node.kind, node.at);
        // A redirection alone opens its file, whatever runs under it.
        if self.script.commands.len() == before && self.around.len() > around {
            resolve::run(self, Pending { at: node.at, ..Pending::default() });
        }
        self.around.truncate(around);
        self.stdin = stdin;
    }

    fn compound(&mut self, kind: &NodeKind, at: usize) {
        match kind {
            NodeKind::Simple(_) => {}
            NodeKind::Group(list) => self.list(list),
            NodeKind::Subshell(list) => self.subshell(list),
            NodeKind::If(lists) => self.branches(lists),
            NodeKind::While { until, parts } => {
                self.list(&parts.0);
                self.maybe(&parts.1);
                if super::endless::multiplies(*until, &parts.0, &parts.1) {
                    let mut pending = Pending { at, ..Pending::default() };
                    pending.words.push(Word::literal(if *until { "until" } else { "while" }));
                    pending.effect(EffectKind::Multiply, None);
                    resolve::emit(self, pending);
                }
            }
            NodeKind::For { name, words, body } => self.for_loop(name, words.as_deref(), body),
            NodeKind::Case { word, arms } => self.case(word, arms),
            NodeKind::Function { name, body } => self.define(name, body),
            NodeKind::Test(words) => {
                for word in words {
                    self.expand(word);
                }
            }
            NodeKind::Coproc(node) => self.beside(node, at),
        }
    }

    pub(crate) fn subshell(&mut self, list: &List) {
        let mark = self.env.mark();
        self.list(list);
        self.env.rollback(mark);
    }

    fn beside(&mut self, node: &Node, _at: usize) {
        let outer = core::mem::replace(&mut self.background, true);
        let mark = self.env.mark();
        self.node(node);
        self.env.rollback(mark);
        self.background = outer;
    }

    /// A list that may run.
    fn maybe(&mut self, list: &List) {
        self.maybe_with(|reader| reader.list(list));
    }

    fn maybe_with(&mut self, read: impl FnOnce(&mut Self)) {
        let mark = self.env.mark();
        self.doubt += 1;
        read(self);
        self.doubt -= 1;
        self.env.blur(mark);
    }

    fn branches(&mut self, lists: &[List]) {
        for (index, list) in lists.iter().enumerate() {
            if index == 0 { self.list(list) } else { self.maybe(list) }
        }
    }

    fn case(&mut self, word: &RawWord, arms: &[(Vec<RawWord>, List)]) {
        self.expand(word);
        for (patterns, list) in arms {
            for pattern in patterns {
                self.expand(pattern);
            }
            self.maybe(list);
        }
    }

    fn for_loop(&mut self, name: &str, words: Option<&[RawWord]>, body: &List) {
        let words: Option<Vec<Word>> =
            words.map(|words| words.iter().flat_map(|word| self.expand(word)).collect());
        let known = words.unwrap_or_default();
        let mark = self.env.mark();
        self.doubt += 1;
        let few = known.len() <= MOST_TURNS && self.pay(known.len() * 64, 0);
        if !name.is_empty() && !known.is_empty() && few {
            for word in known {
                self.env.set(name, Value::Many([word].into()));
                self.list(body);
            }
        } else {
            if !name.is_empty() {
                self.env.set(name, Value::Unknown);
            }
            self.list(body);
        }
        self.doubt -= 1;
        self.env.blur(mark);
    }

    fn simple(&mut self, simple: &Simple, redirects: &[RawRedirect], at: usize) {
        let assigns = self.assigns(&simple.assigns);
        let mut words = Vec::with_capacity(simple.words.len());
        for word in &simple.words {
            self.expand_into(word, &mut words);
        }
        let mut pending = Pending { at, words, ..Pending::default() };
        pending.via.clone_from(&self.via);
        pending.cwd = self.env.folder().cloned();
        pending.stdin = self.stdin.clone();
        // Without a program, `exec` only opens and closes.
        let opens = matches!(pending.words.as_slice(), [one] if one.text == "exec");
        for redirect in redirects {
            if let Some((redirect, is_stdin)) = self.redirect(redirect, opens) {
                if is_stdin {
                    pending.stdin = source(&redirect);
                }
                pending.redirects.push(redirect);
            }
        }
        if pending.words.is_empty() {
            for (name, value) in &assigns {
                self.env.set(name, value.clone());
                if name == "PATH" {
                    self.functions.forget_hashed();
                }
            }
        }
        pending.assigns = assigns.into_iter().map(|(name, value)| (name, as_word(value))).collect();
        self.builtin(&pending.words);
        resolve::run(self, pending);
    }

    fn assigns(&mut self, raw: &[RawAssign]) -> Vec<(String, Value)> {
        raw.iter()
            .map(|assign| {
                let value = match &assign.value {
                    AssignValue::Word(word) => self.value(word),
                    AssignValue::Array(words) => {
                        Value::Many(words.iter().flat_map(|word| self.expand(word)).collect())
                    }
                };
                let value = if assign.partial { Value::Unknown } else { value };
                (assign.name.clone(), value)
            })
            .collect()
    }

    /// What a variable holds once `word` is assigned to it: no splitting, no patterns.
    fn value(&mut self, word: &RawWord) -> Value {
        let word = self.expand_whole(word);
        if word.literal {
            Value::Known { text: word.text, glob: word.glob }
        } else {
            Value::Many([word].into())
        }
    }

    /// `stays`: what is opened stays open after the command.
    fn redirect(&mut self, raw: &RawRedirect, stays: bool) -> Option<(Redirect, bool)> {
        let target = match &raw.target {
            Target::Word(word) => self.expand_whole(word),
            Target::HereDoc(slot) => {
                let heredocs = self.heredocs.clone();
                let word = heredocs.get(*slot)?;
                Word { glob: false, ..self.expand_whole(word) }
            }
        };
        let found = Redirect { kind: raw.kind, target };
        let found = if raw.copies { self.copied(found, raw.stdin) } else { Some(found) };
        if let Some(name) = &raw.descriptor {
            self.opened(name, stays, found.as_ref());
        }
        let on_input =
            raw.stdin || (raw.copies && raw.descriptor.is_none() && raw.kind == RedirectKind::Read);
        Some((found?, on_input))
    }
}

fn as_word(value: Value) -> Word {
    match value {
        Value::Known { text, glob } => Word { text, literal: true, glob },
        Value::Many(words) => {
            let literal = words.iter().all(|word| word.literal);
            Word { text: super::joined(&words), literal, glob: false }
        }
        Value::Unknown => Word::default(),
    }
}

/// What standard input is under a redirection of it.
pub(super) fn source(redirect: &Redirect) -> Stdin {
    match redirect.kind {
        RedirectKind::Text => Stdin::Text(redirect.target.clone()),
        _ => Stdin::File(redirect.target.clone()),
    }
}
