//! Variables and the current folder, as far as the line itself says what they are.

use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use crate::script::{Redirect, Word};

/// What a variable is known to hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    /// This text; whether it came of a pattern that the shell expands.
    Known { text: String, glob: bool },
    /// These, in order: an array, or all positional parameters.
    Many(Vec<Word>),
    /// Set by the line, to what can't be known.
    Unknown,
}

#[derive(Clone, Debug)]
enum Change {
    Variable(String, Option<Value>),
    Folder(Option<Word>),
    Descriptor(String, Option<Redirect>),
}

/// Variables and folder, with a log to take changes back: leaving a subshell costs
/// what was changed in it, not what exists.
#[derive(Debug, Default)]
pub(crate) struct Env {
    variables: BTreeMap<String, Value>,
    folder: Option<Word>,
    /// What the line opened to stay open (`exec 3> file`).
    descriptors: BTreeMap<String, Redirect>,
    log: Vec<Change>,
}

/// A point in time to go back to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark(usize);

impl Env {
    pub(crate) fn get(&self, name: &str) -> Option<&Value> {
        self.variables.get(name)
    }

    pub(crate) fn set(&mut self, name: &str, value: Value) {
        let before = self.variables.insert(name.to_owned(), value);
        self.log.push(Change::Variable(name.to_owned(), before));
    }

    /// A file that was read may have set any of them anew.
    pub(crate) fn doubt(&mut self) {
        let known = self.variables.iter().filter_map(|(name, value)| match value {
            Value::Known { text, glob } => {
                let word = Word { text: text.clone(), literal: false, glob: *glob };
                Some((name.clone(), Value::Many([word].into())))
            }
            _ => None,
        });
        for (name, value) in known.collect::<Vec<_>>() {
            self.set(&name, value);
        }
    }

    /// Back to what the line does not say.
    pub(crate) fn unset(&mut self, name: &str) {
        let before = self.variables.remove(name);
        self.log.push(Change::Variable(name.to_owned(), before));
    }

    /// Whether the line has set any variable.
    pub(crate) fn has_variables(&self) -> bool {
        !self.variables.is_empty()
    }

    /// What a descriptor is open on.
    pub(crate) fn descriptor(&self, number: &str) -> Option<&Redirect> {
        self.descriptors.get(number)
    }

    /// How many descriptors the line has open.
    pub(crate) fn open(&self) -> usize {
        self.descriptors.len()
    }

    /// Opens a descriptor, or closes it.
    pub(crate) fn set_descriptor(&mut self, number: &str, on: Option<Redirect>) {
        let before = match on {
            Some(on) => self.descriptors.insert(number.to_owned(), on),
            None => self.descriptors.remove(number),
        };
        self.log.push(Change::Descriptor(number.to_owned(), before));
    }

    pub(crate) fn folder(&self) -> Option<&Word> {
        self.folder.as_ref()
    }

    pub(crate) fn set_folder(&mut self, folder: Option<Word>) {
        let before = core::mem::replace(&mut self.folder, folder);
        self.log.push(Change::Folder(before));
    }

    /// Goes to `to` from where we are.
    pub(crate) fn change_folder(&mut self, to: &Word) {
        let next = join(self.folder.as_ref(), to);
        self.set_folder(Some(next));
    }

    pub(crate) fn mark(&self) -> Mark {
        Mark(self.log.len())
    }

    /// Takes back everything since `mark`: a subshell has ended.
    pub(crate) fn rollback(&mut self, mark: Mark) {
        self.take_back(mark);
    }

    fn take_back(&mut self, mark: Mark) -> (Vec<String>, Option<Word>) {
        let mut names = Vec::new();
        let folder = self.folder.clone();
        let mut moved = false;
        while self.log.len() > mark.0 {
            match self.log.pop() {
                Some(Change::Variable(name, before)) => {
                    match before {
                        Some(value) => self.variables.insert(name.clone(), value),
                        None => self.variables.remove(&name),
                    };
                    names.push(name);
                }
                Some(Change::Folder(before)) => {
                    self.folder = before;
                    moved = true;
                }
                // What may have been opened or closed is taken to be as it was.
                Some(Change::Descriptor(number, before)) => {
                    match before {
                        Some(on) => self.descriptors.insert(number, on),
                        None => self.descriptors.remove(&number),
                    };
                }
                None => break,
            }
        }
        (names, folder.filter(|_| moved))
    }

    /// What was changed since `mark` may or may not have happened.
    pub(crate) fn blur(&mut self, mark: Mark) {
        if self.log.len() == mark.0 {
            return;
        }
        let (names, folder) = self.take_back(mark);
        for name in names {
            if self.variables.get(&name) != Some(&Value::Unknown) {
                self.set(&name, Value::Unknown);
            }
        }
        if let Some(folder) = folder {
            self.set_folder(Some(Word { literal: false, ..folder }));
        }
    }
}

/// The folder `to`, seen from `from`.
pub(crate) fn join(from: Option<&Word>, to: &Word) -> Word {
    let from = match from {
        Some(from) if !is_absolute(&to.text) => from,
        _ => return to.clone(),
    };
    let mut text = from.text.clone();
    if !text.ends_with('/') {
        text.push('/');
    }
    text.push_str(&to.text);
    // A chain of relative folders must not cost the square of its length.
    if text.len() > 4096 {
        return Word { text: "…".into(), literal: false, glob: false };
    }
    Word { text, literal: from.literal && to.literal, glob: from.glob || to.glob }
}

/// Whether a path says by itself where it is, as far as one can tell.
fn is_absolute(path: &str) -> bool {
    path.starts_with(['/', '~', '$', '\\'])
        || (path.as_bytes().get(1) == Some(&b':')
            && path.starts_with(|drive: char| drive.is_ascii_alphabetic()))
}

#[cfg(test)]
mod tests {
    use super::{Env, Value};
    use crate::script::Word;

    fn known(text: &str) -> Value {
        Value::Known { text: text.into(), glob: false }
    }

    #[test]
    fn a_subshell_takes_its_changes_with_it() {
        let mut env = Env::default();
        env.set("x", known("1"));
        let mark = env.mark();
        env.set("x", known("2"));
        env.set("y", known("3"));
        env.change_folder(&Word::literal("/a"));
        env.rollback(mark);
        assert_eq!(env.get("x"), Some(&known("1")));
        assert_eq!((env.get("y"), env.folder()), (None, None));
    }

    #[test]
    fn what_may_have_happened_is_unknown() {
        let mut env = Env::default();
        env.set("x", known("1"));
        let mark = env.mark();
        env.set("x", known("2"));
        env.change_folder(&Word::literal("a"));
        env.change_folder(&Word::literal("b"));
        env.blur(mark);
        assert_eq!(env.get("x"), Some(&Value::Unknown));
        assert_eq!(env.folder().map(|f| (f.text.as_str(), f.literal)), Some(("a/b", false)));
    }
}
