//! The only door to standard output and error for people's commands. A closed pipe is
//! an end, never a panic.

use std::io::Write;

/// Prints a line to standard output.
pub fn line(text: impl AsRef<str>) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_ref().as_bytes()).and_then(|()| out.write_all(b"\n"));
}

/// Prints what a line is to be typed behind.
pub fn prompt(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Prints a line to standard error.
pub fn note(text: impl AsRef<str>) {
    let mut err = std::io::stderr().lock();
    let _ = err.write_all(text.as_ref().as_bytes()).and_then(|()| err.write_all(b"\n"));
}

/// Prints an error and the next step, in one voice: lower case, no period.
pub fn error(what: impl AsRef<str>, hint: Option<&str>) {
    note(format!("error: {}", what.as_ref()));
    if let Some(hint) = hint {
        note(format!("hint: {hint}"));
    }
}
