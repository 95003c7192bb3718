//! What a shell's word means as a path: tilde and a few well-known variables expanded,
//! the rest known in full, known up to a folder, or not known.

use harness_shell::Word;

/// What is known of a word's path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Known {
    /// All of it; may hold glob characters if `Word::glob` says so.
    Whole(String),
    /// It starts in this folder (absolute or relative), then goes on unknown.
    Prefix(String),
    /// Nothing.
    Nothing,
}

/// The folders that stand behind well-known variables.
#[derive(Clone, Copy, Debug)]
pub struct Names<'a> {
    /// `~` and `$HOME`.
    pub home: &'a str,
    /// `$PWD`.
    pub cwd: &'a str,
    /// `$TMPDIR`.
    pub temp: &'a str,
}

/// Reads a word as a path.
#[must_use]
pub fn path(word: &Word, names: Names<'_>) -> Known {
    let text = word.text.as_str();
    if let Some(rest) = text.strip_prefix('~') {
        return tilde(rest, names, word.literal);
    }
    if !word.literal && text.contains("{}") {
        // The place `xargs` fills.
        return Known::Nothing;
    }
    if word.literal {
        return Known::Whole(text.to_owned());
    }
    if text.starts_with("<(") || text.starts_with(">(") {
        // What a command prints, or is fed.
        return Known::Nothing;
    }
    if let Some(rest) = made_by_mktemp(text) {
        return finish(&format!("{}/mktemp", names.temp), rest, false);
    }
    for (spelling, value) in [
        ("$HOME", names.home),
        ("${HOME}", names.home),
        ("$PWD", names.cwd),
        ("${PWD}", names.cwd),
        ("$(pwd)", names.cwd),
        ("`pwd`", names.cwd),
        ("$TMPDIR", names.temp),
        ("${TMPDIR}", names.temp),
        ("${TMPDIR:-/tmp}", names.temp),
        ("%USERPROFILE%", names.home),
        ("$env:USERPROFILE", names.home),
    ] {
        if let Some(rest) = text.strip_prefix(spelling)
            && (rest.is_empty() || rest.starts_with(['/', '\\']))
        {
            return if value.is_empty() { Known::Nothing } else { finish(value, rest, false) };
        }
    }
    finish("", text, false)
}

/// `~` is the person's home, `~name` another's.
fn tilde(rest: &str, names: Names<'_>, literal: bool) -> Known {
    let at = rest.find('/').unwrap_or(rest.len());
    let (user, below) = rest.split_at_checked(at).unwrap_or((rest, ""));
    let named = user.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c));
    match user {
        "" => finish(names.home, below, literal),
        "root" => finish("/root", below, literal),
        user if named && !user.contains("..") => finish(&format!("/home/{user}"), below, literal),
        _ => finish("", &format!("~{rest}"), literal),
    }
}

/// What follows `$(mktemp …)`, if the folder it makes is sure to be in temp.
fn made_by_mktemp(text: &str) -> Option<&str> {
    let (inner, rest) = text.strip_prefix("$(mktemp")?.split_once(')')?;
    let in_temp = |word: &str| {
        (!word.contains('/') || word.starts_with("/tmp/"))
            && !word.starts_with("-p")
            && !word.starts_with("--tmpdir=")
            && !word.contains(['$', '`', ';', '&', '|'])
    };
    let fits = (inner.is_empty() || inner.starts_with(' ')) && inner.split(' ').all(in_temp);
    (fits && !rest.contains("..")).then_some(rest)
}

fn finish(head: &str, rest: &str, literal: bool) -> Known {
    let whole = format!("{head}{rest}");
    if literal {
        return Known::Whole(whole);
    }
    match rest.find(['$', '`', '%']) {
        None => Known::Whole(whole),
        Some(at) => {
            let known = rest.get(..at).unwrap_or("");
            match known.rfind('/') {
                Some(0) if head.is_empty() => Known::Prefix("/".to_owned()),
                Some(slash) => Known::Prefix(format!("{head}{}", known.get(..slash).unwrap_or(""))),
                None if head.is_empty() => Known::Nothing,
                // `$HOME$x` is some sibling of the home.
                None => Known::Nothing,
            }
        }
    }
}

/// A word's brace alternatives, at most 64; the word itself if it has none.
#[must_use]
pub fn braces(text: &str) -> Vec<String> {
    let mut out = vec![text.to_owned()];
    for _ in 0..8 {
        let mut next = Vec::new();
        let mut changed = false;
        for item in &out {
            match alternatives(item) {
                Some(list) => {
                    changed = true;
                    next.extend(list);
                }
                None => next.push(item.clone()),
            }
        }
        if !changed || next.len() > 64 {
            break;
        }
        out = next;
    }
    out
}

fn alternatives(text: &str) -> Option<Vec<String>> {
    let close = text.find('}')?;
    let open = text.get(..close)?.rfind('{')?;
    let inner = text.get(open + 1..close)?;
    if !inner.contains(',') {
        return None;
    }
    let (before, after) = (text.get(..open)?, text.get(close + 1..)?);
    Some(inner.split(',').map(|alt| format!("{before}{alt}{after}")).collect())
}

#[cfg(test)]
mod tests {
    use super::{Known, Names, braces, path};
    use harness_shell::Word;

    const NAMES: Names<'static> = Names { home: "/h", cwd: "/w", temp: "/tmp" };

    fn loose(text: &str) -> Word {
        Word { text: text.into(), literal: false, glob: false }
    }

    #[test]
    fn expands() {
        let whole = |s: &str| Known::Whole(s.to_owned());
        assert_eq!(path(&Word::literal("a/b"), NAMES), whole("a/b"));
        assert_eq!(path(&loose("~/x"), NAMES), whole("/h/x"));
        assert_eq!(path(&loose("$HOME"), NAMES), whole("/h"));
        assert_eq!(path(&loose("${HOME}/x/$y/z"), NAMES), Known::Prefix("/h/x".into()));
        assert_eq!(path(&loose("$HOME/$y"), NAMES), Known::Prefix("/h".into()));
        assert_eq!(path(&loose("$X/y"), NAMES), Known::Nothing);
        assert_eq!(path(&loose("/$X"), NAMES), Known::Prefix("/".into()));
        assert_eq!(path(&loose("/a/b$X/c"), NAMES), Known::Prefix("/a".into()));
        assert_eq!(path(&loose("$HOMER/x"), NAMES), Known::Nothing);
        assert_eq!(path(&loose("~root/x"), NAMES), whole("/root/x"));
        assert_eq!(path(&loose("~u"), NAMES), whole("/home/u"));
        assert_eq!(path(&loose("$(mktemp -d)/x"), NAMES), whole("/tmp/mktemp/x"));
        assert_eq!(path(&loose("$(mktemp -d -p /etc)"), NAMES), Known::Nothing);
        assert_eq!(path(&Word::literal("a$b"), NAMES), whole("a$b"));
    }

    #[test]
    fn brace_lists() {
        assert_eq!(braces("/{etc,usr}/x"), ["/etc/x", "/usr/x"]);
        assert_eq!(braces("a{b"), ["a{b"]);
        assert_eq!(braces("{a,b}{1,2}"), ["a1", "a2", "b1", "b2"]);
    }
}
