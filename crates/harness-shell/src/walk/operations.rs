//! `${name%pattern}` and its kin, on values and patterns that are known.

use alloc::string::String;

use super::env::Value;
use crate::script::Word;

/// What an operation makes of a variable's value; `None` if that can't be known.
pub(super) fn result(value: Option<&Value>, operation: &Word) -> Option<String> {
    let text = match value? {
        Value::Known { text, .. } => text.as_str(),
        Value::Many(words) => words.first().filter(|word| word.literal)?.text.as_str(),
        Value::Unknown => return None,
    };
    if !operation.literal {
        return None;
    }
    let operation = operation.text.as_str();
    if let Some(rest) = operation.strip_prefix(":-").or(operation.strip_prefix(":=")) {
        // An empty value counts as none with the colon, and as one without.
        return Some(String::from(if text.is_empty() { rest } else { text }));
    }
    if operation.starts_with(['-', '=', '?']) {
        return Some(String::from(text));
    }
    if let Some(rest) = operation.strip_prefix(":+").filter(|_| !text.is_empty()) {
        return Some(String::from(rest));
    }
    if operation.starts_with(":+") {
        return Some(String::new());
    }
    if let Some(rest) = operation.strip_prefix('+') {
        return Some(String::from(rest));
    }
    match operation {
        "^^" => return Some(text.to_uppercase()),
        ",," => return Some(text.to_lowercase()),
        _ => {}
    }
    // Longest first: a doubled sign takes as much as it can, the same without a pattern.
    for (sign, at_end) in [("%%", true), ("%", true), ("##", false), ("#", false)] {
        if let Some(pattern) = operation.strip_prefix(sign) {
            let pattern = plain(pattern)?;
            let cut = if at_end { text.strip_suffix(pattern) } else { text.strip_prefix(pattern) };
            return Some(String::from(cut.unwrap_or(text)));
        }
    }
    if let Some(rest) = operation.strip_prefix("//") {
        let (from, to) = rest.split_once('/').unwrap_or((rest, ""));
        return Some(text.replace(plain(from).filter(|from| !from.is_empty())?, to));
    }
    if let Some(rest) = operation.strip_prefix('/') {
        let (from, to) = rest.split_once('/').unwrap_or((rest, ""));
        return Some(text.replacen(plain(from).filter(|from| !from.is_empty())?, to, 1));
    }
    slice(text, operation.strip_prefix(':')?)
}

/// A pattern that is no more than a text.
fn plain(pattern: &str) -> Option<&str> {
    (!pattern.contains(['*', '?', '[', '\\', '(', '#', '%'])).then_some(pattern)
}

/// `offset`, `offset:length`
fn slice(text: &str, range: &str) -> Option<String> {
    let (from, length) = range.split_once(':').map_or((range, None), |(f, l)| (f, Some(l)));
    let from: usize = from.trim().parse().ok()?;
    let rest = text.chars().skip(from);
    Some(match length {
        Some(length) => rest.take(length.trim().parse().ok()?).collect(),
        None => rest.collect(),
    })
}

#[cfg(test)]
mod tests {
    use crate::{Dialect, Limits, read};
    use alloc::string::String;

    fn first(line: &str) -> String {
        let script = read(line, Dialect::Posix, Limits::default());
        let last = script.commands.last().expect("a command");
        last.args[0].text.clone()
    }

    #[test]
    fn is_what_bash_makes_of_it() {
        for (line, expected) in [
            ("x=abc; echo \"${x%c}\"", "ab"),
            ("x=abc; echo ${x#a}", "bc"),
            ("x=abc; echo ${x%z}", "abc"),
            ("x=aba; echo ${x/a/c}", "cba"),
            ("x=aba; echo ${x//a/c}", "cbc"),
            ("x=aba; echo ${x//a}", "b"),
            ("x=abcd; echo ${x:1:2}", "bc"),
            ("x=ab; echo ${x^^}", "AB"),
            ("x=; echo \"${x=a}\"", ""),
            ("x=; echo ${x:=a}", "a"),
            ("x=b; echo ${x:-a}", "b"),
            ("x=1; echo ${x+a}", "a"),
            ("x=abc; echo ${x%$y}", "${x%$y}"),
            ("x=abc; echo ${x%b*}", "${x%b*}"),
            ("echo ${x%c}", "${x%c}"),
        ] {
            assert_eq!(first(line), expected, "{line}");
        }
    }
}
