//! The tree of a shell line.

use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

use crate::script::RedirectKind;

/// Commands in sequence.
#[derive(Debug, Default)]
pub(crate) struct List {
    pub(crate) items: Vec<Item>,
}

/// One pipeline and how it hangs on the one before.
#[derive(Debug)]
pub(crate) struct Item {
    pub(crate) join: Join,
    /// Ends in `&`.
    pub(crate) background: bool,
    /// The commands of the pipeline.
    pub(crate) nodes: Vec<Node>,
}

/// How a pipeline hangs on the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Join {
    /// `;`, `&`, a newline, or the first.
    Sequence,
    /// `&&`
    And,
    /// `||`
    Or,
}

/// One command, simple or compound.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) kind: NodeKind,
    pub(crate) redirects: Vec<RawRedirect>,
    pub(crate) at: usize,
}

#[derive(Debug)]
pub(crate) enum NodeKind {
    Simple(Simple),
    /// `{ … }`
    Group(List),
    /// `( … )`
    Subshell(List),
    /// `if`: conditions and bodies in order; only the first is sure to run.
    If(Vec<List>),
    /// `while`, or `until`: condition, body.
    While {
        until: bool,
        parts: Box<(List, List)>,
    },
    /// `for` and `select`.
    For {
        name: String,
        words: Option<Vec<RawWord>>,
        body: List,
    },
    /// `case`
    Case {
        word: RawWord,
        arms: Vec<(Vec<RawWord>, List)>,
    },
    /// A function's definition.
    Function {
        name: String,
        body: Rc<Node>,
    },
    /// `[[ … ]]` and `(( … ))`: only the substitutions in them run.
    Test(Vec<RawWord>),
    /// `coproc`
    Coproc(Box<Node>),
}

/// Assignments, then words.
#[derive(Debug, Default)]
pub(crate) struct Simple {
    pub(crate) assigns: Vec<RawAssign>,
    pub(crate) words: Vec<RawWord>,
}

/// `name=value`
#[derive(Debug)]
pub(crate) struct RawAssign {
    pub(crate) name: String,
    /// `+=`, or an element of an array: the old value matters.
    pub(crate) partial: bool,
    pub(crate) value: AssignValue,
}

#[derive(Debug)]
pub(crate) enum AssignValue {
    Word(RawWord),
    Array(Vec<RawWord>),
}

/// A redirection before expansion.
#[derive(Debug)]
pub(crate) struct RawRedirect {
    pub(crate) kind: RedirectKind,
    pub(crate) target: Target,
    /// Whether it is of standard input.
    pub(crate) stdin: bool,
    /// The descriptor it is of: a number above those of the standard ones, or a variable's
    /// name (`{name}>`).
    pub(crate) descriptor: Option<String>,
    /// Whether the target is a descriptor's number (`>&3`).
    pub(crate) copies: bool,
}

#[derive(Debug)]
pub(crate) enum Target {
    /// A file's name, or the text of a here-string.
    Word(RawWord),
    /// A here-document, by its number in the parse.
    HereDoc(usize),
}

/// A word before expansion.
#[derive(Debug, Default)]
pub(crate) struct RawWord {
    pub(crate) parts: Vec<Part>,
    pub(crate) at: usize,
    /// Has an unquoted `{`.
    pub(crate) brace: bool,
}

impl RawWord {
    /// The text, if the word is one unquoted run of plain text.
    pub(crate) fn bare(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [Part::Text { text, quoted: false }] => Some(text),
            _ => None,
        }
    }

    /// The text, if nothing in the word is left to expand.
    pub(crate) fn constant(&self) -> Option<String> {
        let mut all = String::new();
        for part in &self.parts {
            let Part::Text { text, .. } = part else { return None };
            all.push_str(text);
        }
        Some(all)
    }
}

#[derive(Debug)]
pub(crate) enum Part {
    /// Text known as it stands; unquoted, it may still hold globs and braces.
    Text { text: String, quoted: bool },
    /// `$x`, `${x}`, `${x…}`
    Variable { name: String, quoted: bool, raw: String, operation: Option<Box<RawWord>> },
    /// `$( … )` and backticks.
    Substitution { list: List, quoted: bool, raw: String },
    /// `<( … )` and `>( … )`
    Process { list: List, raw: String, reads: bool },
    /// `$(( … ))` and the like: unknown text, in which these parts stand.
    Unknown { raw: String, inner: Vec<Part> },
}
