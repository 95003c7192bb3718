//! The only door to standard output and error for people's commands. A closed pipe is
//! an end, never a panic; output that is lost in any other way is an error.

use std::io::{self, ErrorKind, Write};
use std::sync::OnceLock;

use super::exit::Exit;

/// Why standard output takes nothing more: what it said first.
static LOST: OnceLock<io::Error> = OnceLock::new();

/// Prints a line to standard output.
pub fn line(text: impl AsRef<str>) {
    let mut out = io::stdout().lock();
    mind(out.write_all(text.as_ref().as_bytes()).and_then(|()| out.write_all(b"\n")));
}

/// Prints what a line is to be typed behind.
pub fn prompt(text: &str) {
    let mut out = io::stdout().lock();
    mind(out.write_all(text.as_bytes()).and_then(|()| out.flush()));
}

/// Prints a line to standard error.
pub fn note(text: impl AsRef<str>) {
    let mut err = io::stderr().lock();
    let _ = err.write_all(text.as_ref().as_bytes()).and_then(|()| err.write_all(b"\n"));
}

/// Prints an error and the next step, in one voice: lower case, no period.
pub fn error(what: impl AsRef<str>, hint: Option<&str>) {
    note(format!("error: {}", what.as_ref()));
    if let Some(hint) = hint {
        note(format!("hint: {hint}"));
    }
}

/// Remembers that writing to standard output failed.
pub(super) fn mind(written: io::Result<()>) {
    if let Err(error) = written {
        let _ = LOST.set(error);
    }
}

/// Whether standard output takes nothing more: what only prints may end.
pub fn is_over() -> bool {
    LOST.get().is_some()
}

/// How the command ends, now that it has said all: what was lost on the way makes it an
/// error. Whoever reads no further, as `head` does, has lost nothing, and what was interrupted
/// (its terminal may be gone) has said so already.
pub(super) fn finish(exit: Exit) -> Exit {
    mind(io::stdout().lock().flush());
    match LOST.get() {
        Some(error) if error.kind() != ErrorKind::BrokenPipe && exit != Exit::Interrupted => {
            self::error(
                format!("standard output can't be written: {error}"),
                Some("what it was to say is lost; what the command did is done"),
            );
            Exit::CouldNot
        }
        _ => exit,
    }
}
