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
    of_head(&head(path)?)
}

/// The same of a program that is started without a shell: of one that is text, the first line
/// must say what reads it. glibc hands other text to the shell, musl's library doesn't.
#[must_use]
pub fn trouble_without_shell(path: &Path) -> Option<Trouble> {
    let mute = || head(path).is_some_and(|head| cfg!(not(target_env = "gnu")) && is_mute(&head));
    trouble(path).or_else(|| {
        let why = "it is text whose first line (`#!/bin/sh`) doesn't say what reads it";
        mute().then(|| Trouble::NotStartable("no-shebang", why.to_owned()))
    })
}

/// A program's first bytes, where they may be read.
fn head(path: &Path) -> Option<Vec<u8>> {
    let mut head = Vec::new();
    std::fs::File::open(path).ok()?.take(256).read_to_end(&mut head).ok()?;
    Some(head)
}

/// Whether these are the first bytes of a text that doesn't say what reads it. No format of
/// programs is without a zero there.
fn is_mute(head: &[u8]) -> bool {
    !head.starts_with(b"#!") && !head.contains(&0)
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

#[cfg(test)]
mod tests {
    use super::{Trouble, is_mute, of_head, trouble};

    #[test]
    fn text_must_say_what_reads_it() {
        assert!(is_mute(b"echo hello\n") && is_mute(b"\n#!/bin/sh\n"));
        assert!(!is_mute(b"#!/bin/sh\n") && !is_mute(b"\x7fELF\x02\x01\x01\0\0\0"));
    }

    #[test]
    fn the_first_line_must_name_what_is_there() {
        let kind = |head: &[u8]| match of_head(head) {
            Some(Trouble::NotStartable(kind, _)) => kind,
            _ => "",
        };
        assert_eq!(kind(b"#!/bin/sh\nexit 0\n"), "");
        assert_eq!(kind(b"#! /bin/sh -e\n"), "");
        assert_eq!(kind(b"#!/no/such/shell\n"), "interpreter");
        assert_eq!(kind(b"#!/bin/sh\r\nexit 0\r\n"), "shebang-crlf");
        assert_eq!(kind(b"\xEF\xBB\xBF#!/bin/sh\n"), "shebang-bom");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_that_leads_nowhere_is_told_from_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        std::os::unix::fs::symlink("none", at("link")).unwrap();
        assert_eq!(trouble(&at("none")), Some(Trouble::Missing));
        assert!(matches!(trouble(&at("link")), Some(Trouble::NotStartable("dangling", _))));
        assert!(matches!(trouble(dir.path()), Some(Trouble::NotStartable("directory", _))));
    }
}
