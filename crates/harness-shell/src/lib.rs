//! Says what a command line will do.
//!
//! [`read`] turns text into a [`Script`]: the simple commands it will run, each with
//! its resolved program, arguments, assignments, redirections and [`Effect`]s, and
//! the places it could not read as [`Opaque`]. It is total: any text in, a script out.
//! It runs nothing, reads no file and knows no policy: whether an effect is wanted is
//! for rules to say.
//!
//! The way of a line: `posix` makes a tree of it, `walk` goes through the tree as the
//! shell would and expands the words, `resolve` follows wrappers to what really runs,
//! `effects` says what that does. `powershell` and `cmd` join at `resolve`.
#![no_std]
#![forbid(unsafe_code)]
#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::unreachable,
    clippy::indexing_slicing,
    clippy::string_slice
)]
#![cfg_attr(test, expect(clippy::indexing_slicing, reason = "a test may panic"))]

extern crate alloc;

mod cmd;
mod code;
mod cut;
mod effects;
mod fetched;
mod links;
mod options;
mod posix;
mod powershell;
mod reader;
mod resolve;
pub mod script;
mod sent;
mod walk;

pub use script::{
    Command, Dialect, Effect, EffectKind, Limits, Opaque, Redirect, RedirectKind, Script, Word,
};

/// Reads a command line.
#[must_use]
pub fn read(line: &str, dialect: Dialect, limits: Limits) -> Script {
    let mut reader = reader::Reader::new(limits);
    reader.text(line, dialect, posix::Place::From(0));
    reader.rest_of_functions();
    links::mark(&mut reader.script);
    fetched::mark(&mut reader.script, &reader.sure);
    sent::mark(&mut reader.script);
    reader.script
}
