//! What keeps a file from being started as a program, told without starting it.

use std::io::{ErrorKind, Read};
use std::path::Path;

use super::fs::is_executable;

/// What is in the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// It isn't there.
    Missing,
    /// It is there and can't be started: a word for the kind, and why.
    NotStartable(&'static str, String),
}

impl std::fmt::Display for Trouble {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Missing => f.write_str("it does not exist"),
            Self::NotStartable(_, why) => f.write_str(why),
        }
    }
}

/// What keeps this file from being started, if anything does.
#[must_use]
pub fn trouble(path: &Path) -> Option<Trouble> {
    let not = |kind, why: &str| Some(Trouble::NotStartable(kind, why.to_owned()));
    let meta = match std::fs::metadata(path) {
        Ok(meta) => meta,
        Err(_) if path.is_symlink() => return not("dangling", "it is a link that leads nowhere"),
        Err(e) if e.kind() == ErrorKind::PermissionDenied => {
            return not("not-reachable", "a folder on the way to it may not be entered");
        }
        Err(_) => return Some(Trouble::Missing),
    };
    if meta.is_dir() {
        return not("directory", "it is a folder");
    }
    if !is_executable(path) {
        return not("not-executable", "it is not executable");
    }
    if meta.len() == 0 {
        return not("empty", "it is empty");
    }
    let mut head = Vec::new();
    std::fs::File::open(path).ok()?.take(256).read_to_end(&mut head).ok()?;
    of_head(&head)
}

/// What of a program's first bytes keeps it from being started.
fn of_head(head: &[u8]) -> Option<Trouble> {
    let not = |kind, why: &str| Some(Trouble::NotStartable(kind, why.to_owned()));
    if head.starts_with(b"\xEF\xBB\xBF#!") {
        return not("shebang-bom", "a byte-order mark stands before its `#!`");
    }
    let line = head.strip_prefix(b"#!")?.split(|b| *b == b'\n').next().unwrap_or_default();
    if line.ends_with(b"\r") {
        return not("shebang-crlf", "its first line ends in a carriage return (CRLF line ends)");
    }
    let words = String::from_utf8_lossy(line).into_owned();
    let interpreter = words.split_whitespace().next().unwrap_or_default();
    if !Path::new(interpreter).exists() {
        let why = format!("its interpreter `{interpreter}` does not exist");
        return Some(Trouble::NotStartable("interpreter", why));
    }
    None
}
