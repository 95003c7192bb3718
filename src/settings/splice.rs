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

/// Takes the item at `index` out, with the comma and white space that belong to it; the
/// only item leaves `emptied` between the brackets.
pub(super) fn remove(text: &str, container: &Node, index: usize, emptied: &str) -> String {
    let items = spans(container);
    let Some(item) = items.get(index) else { return text.to_owned() };
    let before = index.checked_sub(1).and_then(|i| items.get(i));
    match (before, items.get(index + 1)) {
        (Some(before), _) => replace(text, before.end..item.end, ""),
        (None, Some(after)) => replace(text, item.start..after.start, ""),
        (None, None) => replace(text, interior(container), emptied),
    }
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
