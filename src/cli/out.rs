//! The only door to standard output and error for people's commands. A closed pipe is
//! an end, never a panic; output that is lost in any other way is an error. What a terminal
//! would obey in others' text (a log's, a file's name) is spelled out.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, ErrorKind, Write};
use std::sync::OnceLock;

use super::exit::Exit;
use crate::hosts::words;

/// Why standard output takes nothing more: what it said first.
static LOST: OnceLock<io::Error> = OnceLock::new();

/// Prints a line to standard output.
pub fn line(text: impl AsRef<str>) {
    styled(&*harmless(text.as_ref()));
}

/// Prints a line whose colours are harness's own, and whose other text was cleaned before.
pub fn styled(text: impl AsRef<str>) {
    let mut out = io::stdout().lock();
    mind(out.write_all(text.as_ref().as_bytes()).and_then(|()| out.write_all(b"\n")));
}

/// Prints what a line is to be typed behind.
pub fn prompt(text: &str) {
    let mut out = io::stdout().lock();
    mind(out.write_all(harmless(text).as_bytes()).and_then(|()| out.flush()));
}

/// Text with what a terminal would obey spelled as JSON spells it: there it means the same,
/// and elsewhere it can be seen. Line ends and tabs stay.
fn harmless(text: &str) -> Cow<'_, str> {
    let obeyed = |c: char| words::obeyed(c) && !matches!(c, '\n' | '\t');
    if !text.contains(obeyed) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        if c == '\r' && rest.peek() == Some(&'\n') {
            continue;
        }
        if obeyed(c) {
            let _ = write!(out, "\\u{:04x}", u32::from(c));
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// Prints a line to standard error.
pub fn note(text: impl AsRef<str>) {
    let mut err = io::stderr().lock();
    let text = harmless(text.as_ref());
    let _ = err.write_all(text.as_bytes()).and_then(|()| err.write_all(b"\n"));
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

#[cfg(test)]
mod tests {
    use super::harmless;

    #[test]
    fn what_a_terminal_would_obey_is_spelled_out_and_json_means_the_same() {
        let bad = "a\tb\r\nc\u{1b}[31m\u{9b}2J\u{202e}\u{2066}\r\0\u{feff}하🙂";
        assert_eq!(
            harmless(bad),
            "a\tb\nc\\u001b[31m\\u009b2J\\u202e\\u2066\\u000d\\u0000\\ufeff하🙂"
        );
        let value = serde_json::json!({"x": "\u{9b}\u{202e}\u{2028}\u{7f} \r\n"});
        let shown = harmless(&value.to_string()).into_owned();
        assert!(shown.is_ascii(), "{shown}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&shown).ok(), Some(value));
        assert!(matches!(harmless("plain\ttext\n"), std::borrow::Cow::Borrowed(_)));
    }
}
