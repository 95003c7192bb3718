//! Where things stand in a settings file: lines for people.

use jsonc_parser::ast::{Object, Value};
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

/// Line and column of a byte, both from 1.
pub(super) fn place(bytes: &[u8], at: usize) -> (usize, usize) {
    let before = bytes.get(..at.min(bytes.len())).unwrap_or_default();
    let line = before.iter().filter(|b| **b == b'\n').count() + 1;
    let start = before.iter().rposition(|b| *b == b'\n').map_or(0, |n| n + 1);
    (line, before.len() - start + 1)
}

/// What most likely went wrong at a byte.
pub(super) fn why(bytes: &[u8], at: usize) -> &'static str {
    let here = bytes.get(at..).unwrap_or_default();
    let before = bytes.get(..at.min(bytes.len())).unwrap_or_default().trim_ascii_end();
    if here.starts_with(b"//") || here.starts_with(b"/*") {
        "comments are not allowed in this file"
    } else if here.starts_with(b"<<<<<<<")
        || here.starts_with(b"=======")
        || here.starts_with(b">>>>>>>")
    {
        "a merge conflict was left here"
    } else if before.ends_with(b",") && matches!(here.first(), Some(b'}' | b']')) {
        "a comma stands before the closing bracket"
    } else if here.is_empty() && bytes.trim_ascii().is_empty() {
        "the file is empty"
    } else if here.is_empty() {
        "the file ends in the middle"
    } else {
        "this can't stand here"
    }
}

/// The lines of the entries of a file.
pub(super) struct Lines(Vec<(String, usize, usize, usize)>);

impl Lines {
    /// Finds them; none for a file that isn't UTF-8.
    pub(super) fn of(bytes: &[u8]) -> Self {
        let text = std::str::from_utf8(bytes).unwrap_or_default();
        let parsed = parse_to_ast(text, &CollectOptions::default(), &ParseOptions::default());
        let mut found = Vec::new();
        if let Some(Value::Object(root)) = parsed.ok().and_then(|p| p.value)
            && let Some(hooks) = root.get_object("hooks")
        {
            collect(hooks, bytes, &mut found);
        }
        Self(found)
    }

    /// The line of `hooks.EVENT[i].hooks[j]`, 0 if not known.
    pub(super) fn entry(&self, event: &str, i: usize, j: usize) -> usize {
        self.0.iter().rev().find(|(e, a, b, _)| e == event && (*a, *b) == (i, j)).map_or(0, |f| f.3)
    }
}

fn collect(hooks: &Object<'_>, bytes: &[u8], found: &mut Vec<(String, usize, usize, usize)>) {
    for event in &hooks.properties {
        let Value::Array(groups) = &event.value else { continue };
        for (i, group) in groups.elements.iter().enumerate() {
            let Some(entries) = group.as_object().and_then(|g| g.get_array("hooks")) else {
                continue;
            };
            for (j, entry) in entries.elements.iter().enumerate() {
                let line = place(bytes, entry.range().start).0;
                found.push((event.name.as_str().to_owned(), i, j, line));
            }
        }
    }
}
