//! Adds one item to an array or object, or takes one out: the smallest change of bytes.
//! Taking out what was added last gives back the text as it was.

use super::style::{Style, line_indent};
use super::syntax::Node;
use serde_json::Value;
use std::ops::Range;

/// Adds an item at the end of the array or object `container`; `key` for an object.
pub(super) fn append(
    text: &str,
    style: &Style,
    container: &Node,
    key: Option<&str>,
    value: &Value,
) -> String {
    let items = spans(container);
    let label = key.map(|k| format!("{}{}", super::style::quote(k), style.colon));
    let label = label.unwrap_or_default();
    if let Some(last) = items.last() {
        let gap = gap_before_last(text, container, &items, style);
        let body = match gap.rfind('\n') {
            Some(at) => style.block(value, gap.get(at + 1..).unwrap_or_default()),
            None => style.inline(value),
        };
        return insert(text, last.end, &format!(",{gap}{label}{body}"));
    }
    let outer = line_indent(text, container.span.start);
    let inner = format!("{outer}{}", style.unit);
    let body = style.block(value, &inner);
    let nl = style.newline;
    let inside = format!("{nl}{inner}{label}{body}{nl}{outer}");
    replace(text, interior(container), &inside)
}

/// The change of a range of bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Edit<'a> {
    /// The bytes that go.
    pub(super) range: Range<usize>,
    /// What comes in their place.
    pub(super) with: &'a str,
}

/// Makes all edits at once; they are in order, and where they overlap nothing is put in.
pub(super) fn apply(text: &str, edits: &[Edit<'_>]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for edit in edits {
        out.push_str(text.get(at..edit.range.start).unwrap_or_default());
        out.push_str(edit.with);
        at = at.max(edit.range.end);
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}

/// Takes out the items that `goes` says yes to, each with the comma and white space that
/// belong to it; if that is all of them, `emptied` is left between the brackets.
pub(super) fn remove<'a>(container: &Node, goes: &[bool], emptied: &'a str) -> Vec<Edit<'a>> {
    let items = spans(container);
    let Some(first_left) = goes.iter().position(|g| !g) else {
        return vec![Edit { range: interior(container), with: emptied }];
    };
    let mut edits = Vec::new();
    if let (Some(first), Some(left), true) = (items.first(), items.get(first_left), first_left > 0)
    {
        edits.push(Edit { range: first.start..left.start, with: "" });
    }
    let pairs = items.iter().zip(items.iter().skip(1)).zip(goes.iter().skip(1));
    for ((before, item), _) in pairs.skip(first_left).filter(|(_, goes)| **goes) {
        edits.push(Edit { range: before.end..item.end, with: "" });
    }
    edits
}

/// The bytes between the brackets.
pub(super) fn interior(container: &Node) -> Range<usize> {
    container.span.start + 1..container.span.end.saturating_sub(1)
}

/// Puts other bytes in the place of a range.
pub(super) fn replace(text: &str, range: Range<usize>, with: &str) -> String {
    let head = text.get(..range.start).unwrap_or_default();
    let tail = text.get(range.end..).unwrap_or_default();
    [head, with, tail].concat()
}

fn insert(text: &str, at: usize, what: &str) -> String {
    replace(text, at..at, what)
}

fn spans(container: &Node) -> Vec<Range<usize>> {
    match (container.members(), container.elements()) {
        (Some(members), _) => members.iter().map(super::syntax::Member::span).collect(),
        (_, Some(elements)) => elements.iter().map(|e| e.span.clone()).collect(),
        _ => Vec::new(),
    }
}

/// The white space in front of the last item: after its comma, or after the bracket if it
/// is the only one.
fn gap_before_last(text: &str, container: &Node, items: &[Range<usize>], style: &Style) -> String {
    let Some((last, rest)) = items.split_last() else { return String::new() };
    let from = rest.last().map_or(container.span.start + 1, |r| r.end);
    let between = text.get(from..last.start).unwrap_or_default();
    let gap = between.rsplit(',').next().unwrap_or_default();
    let only_on_one_line = rest.is_empty() && !gap.contains('\n');
    if only_on_one_line { style.comma().trim_start_matches(',').to_owned() } else { gap.to_owned() }
}
