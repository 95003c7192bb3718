//! bash and POSIX sh: text to a tree. What it means is for [`crate::walk`].

pub(crate) mod ansi_c;
pub(crate) mod ast;
mod compound;
mod cursor;
mod dollar;
mod heredoc;
mod parse;
mod simple;
mod words;

pub(crate) use cursor::{Bounds, MOST_OPAQUE, Place};
pub(crate) use parse::parse;
