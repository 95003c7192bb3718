//! Walks the tree of a shell line, as the shell would run it: expands words, keeps
//! track of variables and the folder, and hands each simple command to
//! [`crate::resolve`].

mod braces;
mod builtins;
mod descriptors;
mod endless;
mod env;
mod expand;
mod functions;
mod list;
mod operations;
mod output;

pub(crate) use env::{Env, Value, join};
pub(crate) use functions::{Called, Functions};
pub(crate) use output::decode_base64;

use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

use crate::posix::ast::RawWord;
use crate::posix::{Bounds, Place, parse};
use crate::reader::Reader;

/// Reads `text` as a shell would, in the state that `reader` is in.
pub(crate) fn read(reader: &mut Reader, text: &str, place: Place) {
    let bounds = Bounds {
        depth: reader.depth,
        commands: reader.limits.commands.saturating_sub(reader.script.commands.len()),
        words: reader.words,
    };
    let parsed = parse(text, place, bounds);
    reader.words = parsed.words;
    reader.found_opaque(parsed.opaque);
    let outer = core::mem::replace(&mut reader.heredocs, Rc::new(parsed.heredocs));
    reader.list(&parsed.list);
    reader.heredocs = outer;
}

/// What a parse left for later: the here-documents that its tree points into.
pub(crate) type HereDocs = Rc<Vec<RawWord>>;

/// The spelling of words, joined by blanks: what `eval` and `ssh` read.
pub(crate) fn joined<'a>(words: impl IntoIterator<Item = &'a crate::script::Word>) -> String {
    let texts: Vec<&str> = words.into_iter().map(|word| word.text.as_str()).collect();
    texts.join(" ")
}
