//! Functions: read where they are called, with the arguments of the call.

use alloc::collections::BTreeMap;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

use super::HereDocs;
use super::env::Value;
use crate::posix::ast::Node;
use crate::reader::Reader;
use crate::script::Word;

/// Calls within calls are followed so far.
const MOST_CALLS: usize = 8;

/// The positional parameters that are followed, and all of them together.
pub(super) const POSITIONAL: [&str; 11] = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "@", "*"];

/// Builtins that come before programs of their names.
const BUILTINS: [&str; 16] = [
    ":", ".", "[", "cd", "command", "echo", "eval", "exec", "exit", "export", "kill", "printf",
    "pwd", "read", "test", "true",
];

#[derive(Clone, Debug)]
struct Function {
    body: Rc<Node>,
    heredocs: HereDocs,
    called: bool,
}

/// The functions that the line defines.
#[derive(Debug, Default)]
pub(crate) struct Functions {
    known: BTreeMap<String, Function>,
    aliases: BTreeMap<String, String>,
    /// Paths that names were told to stand for, until `PATH` changes.
    hashed: BTreeMap<String, String>,
    /// Builtins that were switched off.
    disabled: Vec<String>,
    calls: Vec<Call>,
}

#[derive(Debug)]
struct Call {
    name: String,
    background: bool,
}

impl Functions {
    pub(crate) fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// What an alias of the line stands for. Each is followed once, for one that names
    /// itself means the program.
    pub(crate) fn take_alias(&mut self, name: &str) -> Option<String> {
        if let Some(text) = self.aliases.remove(name) {
            return Some(text);
        }
        let path = self.hashed.get(name)?;
        let hidden = BUILTINS.contains(&name) && !self.disabled.iter().any(|known| known == name);
        (!hidden).then(|| path.clone())
    }

    pub(super) fn hash(&mut self, name: &str, path: &str) {
        if path.contains('/') {
            self.hashed.insert(String::from(name), String::from(path));
        }
    }

    /// `PATH` has changed: the shell looks for programs anew.
    pub(super) fn forget_hashed(&mut self) {
        self.hashed.clear();
    }

    pub(super) fn disable(&mut self, name: &str) {
        self.disabled.push(String::from(name));
    }
}

/// What became of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Called {
    /// Not a function of this line.
    Unknown,
    /// Its body was read.
    Read,
    /// It calls itself, and leaves itself running each time.
    Bomb,
    /// It calls itself.
    Again,
}

impl Reader {
    pub(super) fn define(&mut self, name: &str, body: &Rc<Node>) {
        self.uncalled(name);
        let function = Function {
            body: Rc::clone(body),
            heredocs: HereDocs::clone(&self.heredocs),
            called: false,
        };
        self.functions.known.insert(String::from(name), function);
    }

    /// Reads the body of `name` as called with `args`.
    pub(crate) fn call(&mut self, name: &str, args: &[Word]) -> Called {
        let Some(function) = self.functions.known.get_mut(name) else { return Called::Unknown };
        let depth = self.functions.calls.len();
        if let Some(first) = self.functions.calls.iter().position(|call| call.name == name) {
            let inner = self.functions.calls.iter().skip(first + 1);
            let bomb = self.background || inner.into_iter().any(|call| call.background);
            return if bomb { Called::Bomb } else { Called::Again };
        }
        if depth >= MOST_CALLS || self.depth == 0 {
            return Called::Again;
        }
        function.called = true;
        let function = function.clone();
        let outer: Vec<_> = POSITIONAL.iter().map(|name| self.env.get(name).cloned()).collect();
        self.bind(args);
        self.enter_function(name, &function);
        for (name, value) in POSITIONAL.into_iter().zip(outer) {
            match value {
                Some(value) => self.env.set(name, value),
                None => self.env.unset(name),
            }
        }
        Called::Read
    }

    fn enter_function(&mut self, name: &str, function: &Function) {
        let background = core::mem::replace(&mut self.background, false);
        let heredocs = core::mem::replace(&mut self.heredocs, HereDocs::clone(&function.heredocs));
        self.functions.calls.push(Call { name: String::from(name), background });
        self.depth -= 1;
        self.node(&function.body);
        self.depth += 1;
        self.functions.calls.pop();
        self.heredocs = heredocs;
        self.background = background;
    }

    /// `alias name=text`
    pub(super) fn alias(&mut self, args: &[Word]) {
        for word in args {
            if let Some((name, text)) = word.text.split_once('=')
                && self.pay(word.text.len(), 0)
            {
                self.functions.aliases.insert(String::from(name), String::from(text));
            }
        }
    }

    /// Makes `args` the positional parameters.
    pub(crate) fn bind(&mut self, args: &[Word]) {
        let size = args.iter().map(|word| word.text.len()).sum();
        let known = self.pay(size, 0);
        for (index, name) in POSITIONAL.into_iter().take(9).enumerate() {
            let value = match args.get(index) {
                Some(word) if known => Value::Many([word.clone()].into()),
                Some(_) => Value::Unknown,
                None => Value::Known { text: String::new(), glob: false },
            };
            self.env.set(name, value);
        }
        for name in ["@", "*"] {
            let all = if known { Value::Many(args.into()) } else { Value::Unknown };
            self.env.set(name, all);
        }
    }

    /// Reads a function that nobody called: it may be called from outside.
    fn uncalled(&mut self, name: &str) {
        let Some(function) = self.functions.known.get_mut(name) else { return };
        if function.called || self.depth == 0 {
            return;
        }
        function.called = true;
        let function = function.clone();
        let mark = self.env.mark();
        self.doubt += 1;
        self.enter_function(name, &function);
        self.doubt -= 1;
        self.env.rollback(mark);
    }

    /// Reads what nobody called, at the end; and what that defines in its turn.
    pub(crate) fn rest_of_functions(&mut self) {
        for _ in 0..self.limits.depth {
            let left = self.functions.known.iter().filter(|(_, function)| !function.called);
            let names: Vec<String> = left.map(|(name, _)| name.clone()).collect();
            if names.is_empty() {
                return;
            }
            for name in names {
                self.uncalled(&name);
            }
        }
        self.opaque(0, "functions that define too many others", "");
    }
}
