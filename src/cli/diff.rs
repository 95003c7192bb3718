//! What would change in a file, as a unified diff. Of a long line (settings that a tool
//! wrote without line breaks) only the parts that change are shown: the whole line twice
//! would show nothing.

use similar::{Algorithm, ChangeTag, DiffOp, DiffTag, TextDiff};
use std::fmt::Write;
use std::time::{Duration, Instant};

/// Longer lines, in bytes, are shown in parts.
const LONG: usize = 240;
/// Longer lines that come in: a command of ours is none, or the diff would be none that
/// `patch` takes.
const LONG_NEW: usize = 1024;
/// How many bytes of a part go on one line.
const WIDTH: usize = 120;
/// How much of what stays is shown on either side of a part, in characters.
const AROUND: usize = 40;
/// How long the parts are looked for.
const PATIENCE: Duration = Duration::from_secs(2);

/// The diff of two texts, empty if they are the same; `None` where there is no file.
pub(super) fn unified(name: &str, old: Option<&str>, new: Option<&str>) -> String {
    let side = |text: Option<&str>| if text.is_some() { name } else { "/dev/null" };
    let (old_name, new_name) = (side(old), side(new));
    let diff = TextDiff::from_lines(old.unwrap_or_default(), new.unwrap_or_default());
    let mut text = String::new();
    for hunk in diff.unified_diff().iter_hunks() {
        let long = hunk.iter_changes().any(|change| change.value().len() > most(change.tag()));
        if long {
            let _ = writeln!(text, "{} long lines, shown in parts", hunk.header());
            hunk.ops().iter().for_each(|op| in_parts(&diff, op, &mut text));
        } else {
            let _ = write!(text, "{hunk}");
        }
    }
    if text.is_empty() { text } else { format!("--- {old_name}\n+++ {new_name}\n{text}") }
}

fn most(tag: ChangeTag) -> usize {
    if tag == ChangeTag::Insert { LONG_NEW } else { LONG }
}

fn in_parts(diff: &TextDiff<'_, '_, '_, str>, op: &DiffOp, text: &mut String) {
    let lines = |tag: ChangeTag| {
        let changes = diff.iter_changes(op).filter(|c| c.tag() == tag);
        changes.map(|c| c.value()).collect::<String>()
    };
    match op.tag() {
        DiffTag::Equal => {
            for line in lines(ChangeTag::Equal).lines() {
                let _ = writeln!(text, " {}", beginning(line));
            }
        }
        DiffTag::Delete => wrapped('-', &lines(ChangeTag::Delete), text),
        DiffTag::Insert => wrapped('+', &lines(ChangeTag::Insert), text),
        DiffTag::Replace => parts(&lines(ChangeTag::Delete), &lines(ChangeTag::Insert), text),
    }
}

/// The parts that differ, each between a few words of what stays.
fn parts(old: &str, new: &str, text: &mut String) {
    let (old, new) = (tokens(old), tokens(new));
    let until = Some(Instant::now() + PATIENCE);
    let ops = similar::capture_diff_slices_deadline(Algorithm::Myers, &old, &new, until);
    let last = ops.len().saturating_sub(1);
    for (n, op) in ops.iter().enumerate() {
        let (before, after) = (old.get(op.old_range()), new.get(op.new_range()));
        let (before, after) =
            (before.unwrap_or_default().concat(), after.unwrap_or_default().concat());
        if op.tag() == DiffTag::Equal {
            stays(&before, n > 0, n < last, text);
        } else {
            wrapped('-', &before, text);
            wrapped('+', &after, text);
        }
    }
}

/// What stays between two parts: its beginning if a part is before it, its end if one is
/// after it.
fn stays(all: &str, part_before: bool, part_after: bool, text: &mut String) {
    let count = all.chars().count();
    let head: String = all.chars().take(AROUND).collect();
    let tail: String = all.chars().skip(count.saturating_sub(AROUND)).collect();
    let shown = match (part_before, part_after) {
        _ if count <= 2 * AROUND => all.to_owned(),
        (true, true) => format!("{head} … {tail}"),
        (true, false) => format!("{head} …"),
        _ => format!("… {tail}"),
    };
    for line in shown.lines() {
        let _ = writeln!(text, " {line}");
    }
}

/// A text on lines of a width that can be read, broken between words.
fn wrapped(sign: char, all: &str, text: &mut String) {
    let mut line = String::new();
    for token in tokens(all) {
        if !line.is_empty() && !token.trim().is_empty() && line.len() + token.len() > WIDTH {
            let _ = writeln!(text, "{sign}{line}");
            line.clear();
        }
        line.push_str(token.trim_end_matches(['\r', '\n']));
        if token.ends_with('\n') {
            let _ = writeln!(text, "{sign}{line}");
            line.clear();
        }
    }
    if !line.is_empty() {
        let _ = writeln!(text, "{sign}{}", line);
    }
}

fn beginning(line: &str) -> String {
    let mut chars = line.chars();
    let head: String = chars.by_ref().take(WIDTH).collect();
    if chars.next().is_some() { format!("{head} …") } else { head }
}

/// Cuts a JSON text after each comma, bracket and line break that isn't within a string.
fn tokens(text: &str) -> Vec<&str> {
    let (mut all, mut start) = (Vec::new(), 0);
    let (mut quoted, mut escaped) = (false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            '\n' | ',' | '{' | '}' | '[' | ']' if !quoted || c == '\n' => {
                quoted = false;
                let end = at + c.len_utf8();
                all.extend(text.get(start..end));
                start = end;
            }
            _ => {}
        }
    }
    all.extend(text.get(start..).filter(|rest| !rest.is_empty()));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_lines_are_a_plain_unified_diff() {
        let text = unified("f", Some("a\nb\n"), Some("a\nc\n"));
        assert_eq!(text, "--- f\n+++ f\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n");
        assert_eq!(unified("f", Some("a"), Some("a")), "");
        assert!(unified("f", None, Some("a\n")).starts_with("--- /dev/null\n+++ f\n"));
        let long = "c".repeat(1000);
        let text = unified("f", Some("a\n"), Some(&format!("a\n{long}\n")));
        assert_eq!(text, format!("--- f\n+++ f\n@@ -1 +1,2 @@\n a\n+{long}\n"));
    }

    #[test]
    fn of_a_long_line_only_what_changes_is_shown() {
        let filler = |n: usize| format!("\"k{n}\":\"{}\"", "x, {y} ".repeat(60));
        let line = |inside: &str| format!("{{{},{inside}{}}}", filler(1), filler(2));
        let text = unified("f", Some(&line("")), Some(&line("\"new\":[1,2],")));
        let shown: Vec<&str> = text.lines().collect();
        assert_eq!(shown[2], "@@ -1 +1 @@ long lines, shown in parts");
        assert_eq!(shown.len(), 6, "{text}");
        assert!(shown[3].starts_with(" … ") && shown[3].ends_with("{y} \","), "{text}");
        assert_eq!(shown[4], "+\"new\":[1,2],");
        assert!(shown[5].starts_with(" \"k2\":\"x, {y}") && shown[5].ends_with(" …"), "{text}");
        let gone = unified("f", Some(&line("\"new\":[1,2],")), Some(&line("")));
        assert!(gone.contains("\n-\"new\":[1,2],\n"), "{gone}");
    }

    #[test]
    fn no_shown_line_is_long_but_one_word_that_is() {
        let all: String = (0..400).map(|n| format!("\"key{n}\":{n},")).collect();
        let text = unified("f", None, Some(&format!("{{{all}\"z\":0}}")));
        assert!(text.lines().all(|line| line.len() <= WIDTH + 40), "{text}");
        let joined: String = text.lines().skip(3).map(|line| &line[1..]).collect();
        assert_eq!(joined, format!("{{{all}\"z\":0}}"));
    }
}
