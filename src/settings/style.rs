//! How a text is laid out, so that what is added looks like what is there.

use super::syntax::Node;
use serde_json::Value;

/// The layout of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Style {
    /// `\n` or `\r\n`.
    pub(super) newline: &'static str,
    /// One step of indentation.
    pub(super) unit: String,
    /// What stands between key and value.
    pub(super) colon: &'static str,
}

impl Style {
    /// The layout of an existing text.
    pub(super) fn of(text: &str, root: &Node) -> Self {
        let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let first = root.members().and_then(|m| m.first());
        let indent = first.map(|m| line_indent(text, m.key_span.start));
        let own_line = first.is_some_and(|m| starts_line(text, m.key_span.start));
        let unit = indent.filter(|i| own_line && !i.is_empty()).unwrap_or("  ").to_owned();
        let colon = first.and_then(|m| text.get(m.key_span.end..m.value.span.start));
        Self { newline, unit, colon: if colon == Some(":") { ":" } else { ": " } }
    }

    /// Prints a value over several lines (arrays of plain values stay on one), each line
    /// but the first behind `indent`.
    pub(super) fn block(&self, value: &Value, indent: &str) -> String {
        let inner = format!("{indent}{}", self.unit);
        let lines = |open: char, items: Vec<String>, close: char| {
            let sep = format!("{}{inner}", self.newline);
            let items = items.join(&format!(",{sep}"));
            format!("{open}{sep}{items}{}{indent}{close}", self.newline)
        };
        match value {
            Value::Object(members) if !members.is_empty() => {
                let items = members.iter().map(|(key, value)| {
                    format!("{}{}{}", quote(key), self.colon, self.block(value, &inner))
                });
                lines('{', items.collect(), '}')
            }
            Value::Array(items) if items.iter().any(|i| i.is_object() || i.is_array()) => {
                lines('[', items.iter().map(|i| self.block(i, &inner)).collect(), ']')
            }
            _ => self.inline(value),
        }
    }

    /// Prints a value on one line.
    pub(super) fn inline(&self, value: &Value) -> String {
        let comma = self.comma();
        match value {
            Value::Object(members) => {
                let items: Vec<String> = members
                    .iter()
                    .map(|(k, v)| format!("{}{}{}", quote(k), self.colon, self.inline(v)))
                    .collect();
                format!("{{{}}}", items.join(comma))
            }
            Value::Array(items) => {
                let items: Vec<String> = items.iter().map(|i| self.inline(i)).collect();
                format!("[{}]", items.join(comma))
            }
            _ => value.to_string(),
        }
    }

    /// What stands between two items on one line.
    pub(super) fn comma(&self) -> &'static str {
        if self.colon == ":" { "," } else { ", " }
    }
}

/// A JSON string.
pub(super) fn quote(text: &str) -> String {
    Value::from(text).to_string()
}

/// The white space with which the line of `offset` begins.
pub(super) fn line_indent(text: &str, offset: usize) -> &str {
    let before = text.get(..offset).unwrap_or_default();
    let line = text.get(before.rfind('\n').map_or(0, |i| i + 1)..).unwrap_or_default();
    let end = line.find(|c| c != ' ' && c != '\t').unwrap_or(line.len());
    line.get(..end).unwrap_or_default()
}

/// Whether only white space stands between the start of the line and `offset`.
fn starts_line(text: &str, offset: usize) -> bool {
    let before = text.get(..offset).unwrap_or_default();
    before
        .rfind('\n')
        .is_some_and(|i| before.get(i..).is_some_and(|between| between.trim_ascii().is_empty()))
}
