//! [`install`] and [`strip`]: our groups into a settings text and out of it again.
//!
//! `strip` undoes `install` to the byte, also where the `hooks` object or an event's array
//! had to be made, and keeps whatever was changed elsewhere in between. What it can't see
//! in the text (was that array empty before, or absent?) `install` hands out as a
//! [`Trace`], which the manifest keeps.

use super::hooks::Entry;
use super::style::Style;
use super::syntax::{self, Node, SyntaxError, Value, line_column};
use super::{removal, splice};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How a container stood before the first item was put into it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Before {
    /// It was not there.
    Absent,
    /// It was there and empty, with these bytes between its brackets.
    Empty(String),
}

/// What [`strip`] needs to know beyond the text. Containers that had items aren't listed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Trace {
    /// The whole text, if there was no value in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blank: Option<String>,
    /// The bytes between the brackets of an empty root object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root: Option<String>,
    /// The `hooks` object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hooks: Option<Before>,
    /// The events' arrays.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub events: BTreeMap<String, Before>,
}

/// A group to be put in: `{"matcher": …, "hooks": […]}` under an event.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// The event.
    pub event: String,
    /// The group itself.
    pub value: serde_json::Value,
}

/// Why a text can't be edited.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// It isn't strict JSON.
    #[error(transparent)]
    Syntax(#[from] SyntaxError),
    /// It is, but not in the shape of settings.
    #[error("{line}:{column}: {message}")]
    Shape {
        /// 1-based.
        line: usize,
        /// 1-based, in characters.
        column: usize,
        /// What is wrong.
        message: String,
    },
}

impl EditError {
    /// 1-based line and column.
    #[must_use]
    pub const fn place(&self) -> (usize, usize) {
        match self {
            Self::Syntax(e) => (e.line, e.column),
            Self::Shape { line, column, .. } => (*line, *column),
        }
    }

    /// What is wrong, without the place.
    #[must_use]
    pub fn message(&self) -> &str {
        match self {
            Self::Syntax(e) => &e.message,
            Self::Shape { message, .. } => message,
        }
    }
}

/// Adds the groups, each at the end of its event's array.
///
/// # Errors
/// The text isn't strict JSON, or `hooks` or one of the events isn't what it must be.
pub fn install(text: &str, groups: &[Group]) -> Result<(String, Trace), EditError> {
    let mut trace = Trace::default();
    let mut text = text.to_owned();
    if syntax::is_blank(&text) {
        let start = if text.starts_with(syntax::BOM) { syntax::BOM } else { "" };
        let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let fresh = format!("{start}{{}}{newline}");
        trace.blank = Some(std::mem::replace(&mut text, fresh));
    }
    let root = syntax::parse(&text)?;
    let style = Style::of(&text, &root);
    let mut rest = groups.iter();
    let mut start = only(&text, &root, "hooks")?.map(|hooks| hooks.span.start);
    if start.is_none()
        && let Some(group) = rest.next()
    {
        note_empty(&text, &root, &mut trace.root);
        trace.hooks = Some(Before::Absent);
        trace.events.insert(group.event.clone(), Before::Absent);
        let value = serde_json::json!({ group.event.as_str(): [group.value] });
        text = splice::append(&text, &style, &root, Some("hooks"), &value);
        let root = syntax::parse(&text)?;
        start = only(&text, &root, "hooks")?.map(|hooks| hooks.span.start);
    }
    // Whatever is added stays inside `hooks`: the rest of a large file is not read again.
    if let Some(start) = start {
        for group in rest {
            let hooks = syntax::parse_at(&text, start)?;
            text = add(&text, &style, &hooks, group, &mut trace)?;
        }
    }
    Ok((text, trace))
}

fn add(
    text: &str,
    style: &Style,
    hooks: &Node,
    group: &Group,
    trace: &mut Trace,
) -> Result<String, EditError> {
    let event = group.event.as_str();
    let Some(array) = only(text, hooks, event)? else {
        let mut empty = None;
        note_empty(text, hooks, &mut empty);
        if let Some(interior) = empty {
            trace.hooks = Some(Before::Empty(interior));
        }
        trace.events.insert(event.to_owned(), Before::Absent);
        let made = serde_json::json!([group.value]);
        return Ok(splice::append(text, style, hooks, Some(event), &made));
    };
    let Some(elements) = array.elements() else {
        let what = format!("`hooks.{event}` must be an array of groups, this is {}", array.kind());
        return Err(shape(text, array, what));
    };
    if elements.is_empty() {
        let mut empty = None;
        note_empty(text, array, &mut empty);
        trace.events.insert(event.to_owned(), Before::Empty(empty.unwrap_or_default()));
    }
    Ok(splice::append(text, style, array, None, &group.value))
}

fn note_empty(text: &str, container: &Node, into: &mut Option<String>) {
    let empty = match &container.value {
        Value::Object(members) => members.is_empty(),
        Value::Array(elements) => elements.is_empty(),
        _ => false,
    };
    if empty {
        *into = text.get(splice::interior(container)).map(str::to_owned);
    }
}

fn shape(text: &str, at: &Node, message: String) -> EditError {
    let (line, column) = line_column(text, at.span.start);
    EditError::Shape { line, column, message }
}

/// The value of the only member of that name; two of a name are refused, for the client
/// reads the last and a person may mean the first.
fn only<'n>(text: &str, object: &'n Node, key: &str) -> Result<Option<&'n Node>, EditError> {
    let Some(members) = object.members() else {
        let name = if key == "hooks" { "the settings" } else { "`hooks`" };
        let what = format!("{name} must be an object, this is {}", object.kind());
        return Err(shape(text, object, what));
    };
    let mut found = members.iter().filter(|m| m.key == key);
    let first = found.next();
    if let Some(second) = found.next() {
        let (line, column) = line_column(text, second.key_span.start);
        let message = format!("`{key}` is here a second time; the client reads only the last");
        return Err(EditError::Shape { line, column, message });
    }
    Ok(first.map(|m| &m.value))
}

/// Takes out every hook that `ours` says yes to, with the groups, arrays and the `hooks`
/// object that nothing but ours was in. `None` for the trace: the memory is lost, so what
/// stands empty afterwards is taken to have been made by us.
///
/// # Errors
/// The text isn't strict JSON.
pub fn strip(
    text: &str,
    trace: Option<&Trace>,
    ours: &dyn Fn(&Entry) -> bool,
) -> Result<String, SyntaxError> {
    if syntax::is_blank(text) {
        return Ok(text.to_owned());
    }
    // Which version reads the file makes no difference to which hooks are in it.
    let found = super::hooks::list(text, crate::hosts::claude_code::caps::NEWEST_MEASURED)?;
    let root = syntax::parse(text)?;
    let mut goes = found.entries.iter().map(ours);
    let edits = removal::of(&root, trace, &mut goes);
    let stripped = splice::apply(text, &edits);
    if !edits.is_empty()
        && let Some(blank) = trace.and_then(|t| t.blank.as_ref())
        && syntax::parse(&stripped)?.members().is_some_and(<[_]>::is_empty)
    {
        return Ok(blank.clone());
    }
    Ok(stripped)
}

#[cfg(test)]
#[path = "edit_tests.rs"]
mod tests;
