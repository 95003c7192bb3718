//! Compound commands.

use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

use super::ast::{List, Node, NodeKind, RawWord};
use super::cursor::Cursor;
use super::parse::Stop;

impl Cursor<'_> {
    /// The compound command that starts here, if one does.
    pub(super) fn compound(&mut self) -> Option<NodeKind> {
        let from = self.pos;
        if self.starts_with("((") && self.arithmetic_close(from + 2).is_some() {
            return Some(self.arithmetic_command());
        }
        if self.eat("(") {
            return Some(NodeKind::Subshell(self.parenthesised(from)));
        }
        let word = self.reserved()?;
        let read: fn(&mut Self) -> NodeKind = match word {
            "{" => Self::group,
            "if" => Self::if_command,
            "while" => Self::while_command,
            "until" => Self::until_command,
            "for" | "select" => Self::for_command,
            "case" => Self::case_command,
            "function" => Self::function_command,
            "[[" => Self::test_command,
            _ => return None,
        };
        if !self.enter() {
            return Some(NodeKind::Group(List::default()));
        }
        self.pos = from + word.len();
        let kind = read(self);
        self.leave();
        Some(kind)
    }

    fn expect(&mut self, word: &'static str, why: &'static str) {
        if self.reserved() == Some(word) {
            self.pos += word.len();
        } else {
            self.opaque_at(self.pos, self.pos, why);
        }
    }

    fn group(&mut self) -> NodeKind {
        let list = self.list(Stop::Words(&["}"]));
        self.expect("}", "`{` without its `}`");
        NodeKind::Group(list)
    }

    fn if_command(&mut self) -> NodeKind {
        let mut lists = Vec::new();
        loop {
            lists.push(self.list(Stop::Words(&["then", "elif", "else", "fi"])));
            match self.reserved() {
                Some("fi") => {
                    self.pos += 2;
                    return NodeKind::If(lists);
                }
                Some(word @ ("then" | "elif" | "else")) => self.pos += word.len(),
                _ => {
                    self.opaque_at(self.pos, self.pos, "`if` without its `fi`");
                    return NodeKind::If(lists);
                }
            }
        }
    }

    fn loop_body(&mut self) -> List {
        self.skip_blanks();
        self.eat(";");
        self.skip_lines();
        if self.reserved() == Some("{") {
            self.pos += 1;
            let list = self.list(Stop::Words(&["}"]));
            self.expect("}", "`{` without its `}`");
            return list;
        }
        self.expect("do", "loop without its `do`");
        let list = self.list(Stop::Words(&["done"]));
        self.expect("done", "loop without its `done`");
        list
    }

    fn while_command(&mut self) -> NodeKind {
        self.loop_on(false)
    }

    fn until_command(&mut self) -> NodeKind {
        self.loop_on(true)
    }

    fn loop_on(&mut self, until: bool) -> NodeKind {
        let head = self.list(Stop::Words(&["do"]));
        let body = self.loop_body();
        NodeKind::While { until, parts: Box::new((head, body)) }
    }

    fn for_command(&mut self) -> NodeKind {
        self.skip_blanks();
        if self.starts_with("((") {
            let head = self.arithmetic_command();
            let NodeKind::Test(words) = head else { return head };
            return NodeKind::For {
                name: String::new(),
                words: Some(words),
                body: self.loop_body(),
            };
        }
        let name = String::from(self.run(super::cursor::is_name));
        self.skip_lines();
        let mut words = None;
        if self.bare_word() == "in" {
            self.pos += 2;
            words = Some(self.words_until_end());
        }
        NodeKind::For { name, words, body: self.loop_body() }
    }

    /// Words to the end of this command.
    fn words_until_end(&mut self) -> Vec<RawWord> {
        let mut words = Vec::new();
        loop {
            self.skip_blanks();
            match self.word() {
                Some(word) => words.push(word),
                None => return words,
            }
        }
    }

    fn case_command(&mut self) -> NodeKind {
        self.skip_blanks();
        let word = self.word().unwrap_or_default();
        self.skip_lines();
        if self.bare_word() == "in" {
            self.pos += 2;
        } else {
            self.opaque_at(self.pos, self.pos, "`case` without its `in`");
        }
        let mut arms = Vec::new();
        loop {
            self.skip_lines();
            if self.is_end() || self.reserved() == Some("esac") {
                break;
            }
            arms.push(self.arm());
        }
        self.expect("esac", "`case` without its `esac`");
        NodeKind::Case { word, arms }
    }

    fn arm(&mut self) -> (Vec<RawWord>, List) {
        let from = self.pos;
        self.eat("(");
        let mut patterns = Vec::new();
        loop {
            self.skip_blanks();
            match self.word() {
                Some(word) => patterns.push(word),
                None if self.eat("|") => {}
                None => break,
            }
        }
        if !self.eat(")") {
            self.character();
            self.opaque_at(from, self.pos, "`case` pattern without its `)`");
        }
        let list = self.list(Stop::Arm);
        let _ = self.eat(";;&") || self.eat(";;") || self.eat(";&");
        (patterns, list)
    }

    fn function_command(&mut self) -> NodeKind {
        self.skip_blanks();
        let name = self.word().and_then(|word| word.constant()).unwrap_or_default();
        self.skip_blanks();
        if self.eat("(") {
            self.skip_blanks();
            self.eat(")");
        }
        self.function_body(name)
    }

    /// A function's body: a compound command.
    pub(super) fn function_body(&mut self, name: String) -> NodeKind {
        self.skip_lines();
        let at = self.at(self.pos);
        let Some(kind) = self.compound() else {
            self.opaque_at(self.pos, self.pos, "function without a body");
            return NodeKind::Test(Vec::new());
        };
        let mut redirects = Vec::new();
        self.skip_blanks();
        while self.redirect(&mut redirects) {
            self.skip_blanks();
        }
        NodeKind::Function { name, body: Rc::new(Node { kind, redirects, at }) }
    }

    /// `[[ … ]]`: its operators are no redirections.
    fn test_command(&mut self) -> NodeKind {
        let from = self.pos;
        let mut words = Vec::new();
        loop {
            self.skip_lines();
            if self.is_end() {
                self.opaque_at(from, self.pos, "`[[` without its `]]`");
                break;
            }
            if self.bare_word() == "]]" {
                self.pos += 2;
                break;
            }
            match self.word() {
                Some(word) => words.push(word),
                None => self.step(),
            }
        }
        NodeKind::Test(words)
    }

    /// `(( … ))`
    fn arithmetic_command(&mut self) -> NodeKind {
        let from = self.pos;
        let Some(close) = self.double_close(from + 2) else {
            self.pos += 2;
            self.opaque_at(from, self.pos, "`((` without its `))`");
            return NodeKind::Test(Vec::new());
        };
        self.pos = from + 2;
        let parts = self.inside(close);
        self.pos = self.pos.max(close + 2).min(self.text.len());
        NodeKind::Test([RawWord { parts, at: self.at(from), brace: false }].into())
    }
}
