//! The state of one reading: what has been found, what may still be spent.

use alloc::string::String;
use alloc::vec::Vec;

use crate::cut::cut;
use crate::posix::{MOST_OPAQUE, Place};
use crate::script::{Command, Dialect, Limits, Opaque, Redirect, Script, Word};
use crate::walk::{self, Env, Functions, HereDocs};

/// Where a command's standard input comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Stdin {
    /// From outside of the line.
    #[default]
    Outside,
    /// From a command of the line; whether all of it comes from that one.
    Pipe { from: Option<usize>, exact: bool },
    /// A text that the line holds.
    Text(Word),
    /// A file.
    File(Word),
}

/// One reading.
#[derive(Debug)]
pub(crate) struct Reader {
    pub(crate) script: Script,
    pub(crate) limits: Limits,
    /// Levels that may still be gone down.
    pub(crate) depth: usize,
    /// Bytes of text that may still be read.
    bytes: usize,
    /// Words that may still be read.
    pub(crate) words: usize,
    /// Nodes that may still be walked through.
    steps: usize,
    /// Bytes that may still be copied while expanding.
    work: usize,
    pub(crate) env: Env,
    pub(crate) functions: Functions,
    pub(crate) heredocs: HereDocs,
    /// The wrappers around what is being read.
    pub(crate) via: Vec<String>,
    /// Redirections of the compound commands around.
    pub(crate) around: Vec<Redirect>,
    pub(crate) stdin: Stdin,
    /// Whether what is being read runs beside what follows.
    pub(crate) background: bool,
    /// Of each command, whether a pipe feeds it just what one other prints.
    pub(crate) exact: Vec<bool>,
    /// Of each command, whether it runs if the line does, here and now.
    pub(crate) sure: Vec<bool>,
    /// How many branches and loops are around what is being read.
    pub(crate) doubt: usize,
    spent: bool,
    full: bool,
}

impl Reader {
    pub(crate) fn new(limits: Limits) -> Self {
        Self {
            script: Script::default(),
            limits,
            depth: limits.depth,
            bytes: limits.bytes,
            words: limits.words,
            steps: limits.commands.saturating_mul(4),
            work: limits.bytes,
            env: Env::default(),
            functions: Functions::default(),
            heredocs: HereDocs::default(),
            via: Vec::new(),
            around: Vec::new(),
            stdin: Stdin::Outside,
            background: false,
            exact: Vec::new(),
            sure: Vec::new(),
            doubt: 0,
            spent: false,
            full: false,
        }
    }

    /// Reads a text that the line holds, one level down.
    pub(crate) fn nested(&mut self, text: &str, dialect: Dialect, at: usize) {
        if self.depth == 0 {
            return self.opaque(at, "nested too deeply", text);
        }
        self.depth -= 1;
        self.text(text, dialect, Place::Of(at));
        self.depth += 1;
    }

    /// Reads a text.
    pub(crate) fn text(&mut self, text: &str, dialect: Dialect, place: Place) {
        if !self.step(place.at(0)) {
            return;
        }
        if text.len() > self.bytes {
            return self.opaque(place.at(0), "too long", text);
        }
        self.bytes -= text.len();
        match dialect {
            Dialect::Posix => walk::read(self, text, place),
            Dialect::PowerShell => crate::powershell::read(self, text, place),
            Dialect::Cmd => crate::cmd::read(self, text, place),
        }
    }

    /// Pays for copying `bytes`; false once too much has been copied.
    pub(crate) fn pay(&mut self, bytes: usize, at: usize) -> bool {
        if let Some(left) = self.work.checked_sub(bytes) {
            self.work = left;
            return true;
        }
        if !self.spent {
            self.spent = true;
            self.opaque(at, "expands to too much", "");
        }
        false
    }

    /// Says that something could not be read.
    pub(crate) fn opaque(&mut self, at: usize, why: &'static str, text: &str) {
        let opaque = Opaque { at, why, text: String::from(cut(text)) };
        if self.script.opaque.len() < MOST_OPAQUE || opaque.is_exhaustion() {
            self.script.opaque.push(opaque);
        }
    }

    /// Takes over what a parse could not read.
    pub(crate) fn found_opaque(&mut self, found: Vec<Opaque>) {
        let left = MOST_OPAQUE.saturating_sub(self.script.opaque.len());
        let mut count = 0;
        self.script.opaque.extend(found.into_iter().filter(|opaque| {
            count += 1;
            count <= left || opaque.is_exhaustion()
        }));
    }

    /// Goes one step on; false, and said so, once there were too many or the script is full.
    pub(crate) fn step(&mut self, at: usize) -> bool {
        if self.steps > 0 && self.script.commands.len() < self.limits.commands {
            self.steps -= 1;
            return true;
        }
        if !self.full {
            self.full = true;
            self.opaque(at, "too many commands", "");
        }
        false
    }

    /// Pays for a word that a shell other than bash reads.
    pub(crate) fn spend(&mut self, at: usize) -> bool {
        if self.words > 0 {
            self.words -= 1;
            return true;
        }
        if !self.full {
            self.full = true;
            self.opaque(at, "too many words", "");
        }
        false
    }

    /// Adds a command; its place among them, if there was room.
    pub(crate) fn push(&mut self, command: Command, stdin: &Stdin) -> Option<usize> {
        let index = self.script.commands.len();
        if index >= self.limits.commands {
            self.step(command.at);
            return None;
        }
        self.sure.push(self.doubt == 0 && command.via.is_empty());
        self.script.commands.push(command);
        self.exact.push(matches!(stdin, Stdin::Pipe { exact: true, .. }));
        Some(index)
    }
}
