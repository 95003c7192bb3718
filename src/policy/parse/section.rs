//! [`Section`]: typed access to one table, collecting mistakes.

use std::borrow::Cow;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::super::model::List;
use super::problem::{Lines, Problem, nearest};

/// One table of the file.
pub(super) struct Section<'t, 'p, 's> {
    table: &'t DeTable<'t>,
    span: Range<usize>,
    name: String,
    lines: &'p Lines<'s>,
    problems: &'p mut Vec<Problem>,
}

impl<'t, 'p, 's> Section<'t, 'p, 's> {
    pub(super) fn new(
        table: &'t DeTable<'t>,
        span: Range<usize>,
        name: String,
        lines: &'p Lines<'s>,
        problems: &'p mut Vec<Problem>,
    ) -> Self {
        Self { table, span, name, lines, problems }
    }

    /// The 1-based line it starts in.
    pub(super) fn line(&self) -> u32 {
        self.lines.line(self.span.start)
    }

    /// Where mistakes go.
    pub(super) fn problems(&mut self) -> &mut Vec<Problem> {
        self.problems
    }

    fn path(&self, key: &str) -> String {
        if self.name.is_empty() { key.to_owned() } else { format!("{}.{key}", self.name) }
    }

    fn get(&self, key: &str) -> Option<&'t Spanned<DeValue<'t>>> {
        self.table.get(key)
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// Reports a mistake in a key that is there, at its value.
    pub(super) fn wrong(&mut self, key: &str, what: impl Into<String>, instead: impl Into<String>) {
        let span = self.get(key).map_or_else(|| self.span.clone(), Spanned::span);
        let key = self.path(key);
        self.problems.push(self.lines.problem(&span, key, what.into(), instead.into()));
    }

    /// Reports a mistake of the table as a whole.
    pub(super) fn wrong_whole(&mut self, what: impl Into<String>, instead: impl Into<String>) {
        let (span, name) = (self.span.clone(), self.name.clone());
        self.problems.push(self.lines.problem(&span, name, what.into(), instead.into()));
    }

    /// Reports a key that may not be in this file at all, at the key.
    pub(super) fn forbidden(&mut self, key: &str, what: &str, instead: &str) {
        if let Some((name, _)) = self.table.get_key_value(key) {
            let problem = self.lines.problem(
                &name.span(),
                self.path(key),
                what.to_owned(),
                instead.to_owned(),
            );
            self.problems.push(problem);
        }
    }

    /// Reports every key that isn't one of these.
    pub(super) fn known(&mut self, keys: &[&str]) {
        for (key, _) in self.table {
            let word: &str = key.get_ref();
            if !keys.contains(&word) {
                let instead = match nearest(word, keys) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("take it out; known here: {}", keys.join(", ")),
                };
                let path = self.path(word);
                let problem =
                    self.lines.problem(&key.span(), path, "unknown key".to_owned(), instead);
                self.problems.push(problem);
            }
        }
    }

    /// A text, if the key is there.
    pub(super) fn text(&mut self, key: &str) -> Option<&'t str> {
        let value = self.get(key)?.get_ref();
        if let Some(text) = value.as_str() {
            return Some(text);
        }
        let what = format!("it is {} {}", article(value), value.type_str());
        self.wrong(key, what, format!("write a text: `{key} = \"…\"`"));
        None
    }

    /// A text that must be there and not be blank.
    pub(super) fn required(&mut self, key: &str, example: &str) -> &'t str {
        match self.text(key) {
            Some(text) if !text.trim().is_empty() => text,
            Some(_) => {
                self.wrong(key, "it is blank", format!("write `{key} = {example}`"));
                ""
            }
            None => {
                if !self.has(key) {
                    self.wrong_whole(
                        format!("`{key}` is missing"),
                        format!("add `{key} = {example}`"),
                    );
                }
                ""
            }
        }
    }

    /// A flag; false if it isn't there.
    pub(super) fn flag(&mut self, key: &str) -> bool {
        let Some(value) = self.get(key) else { return false };
        value.get_ref().as_bool().unwrap_or_else(|| {
            self.wrong(key, "it is not true or false", format!("write `{key} = true`"));
            false
        })
    }

    /// An integer.
    pub(super) fn integer(&self, key: &str) -> Option<i64> {
        let value = self.get(key)?.get_ref().as_integer()?;
        i64::from_str_radix(value.as_str(), value.radix()).ok()
    }

    /// One text or an array of texts, none of them blank; empty if the key isn't there.
    pub(super) fn list(&mut self, key: &str) -> List<'t> {
        let Some(value) = self.get(key) else { return Cow::Borrowed(&[]) };
        let values: Vec<&Spanned<DeValue<'t>>> = match value.get_ref() {
            DeValue::Array(items) => items.iter().collect(),
            _ => vec![value],
        };
        if values.is_empty() {
            self.wrong(key, "it is an empty list, which would match nothing", "take the key out");
        }
        let mut out = Vec::with_capacity(values.len());
        for item in values {
            match item.get_ref().as_str() {
                Some(text) if !text.is_empty() => out.push(text),
                other => {
                    let what = if other.is_some() { "a blank text" } else { "not a text" };
                    let problem = self.lines.problem(
                        &item.span(),
                        self.path(key),
                        format!("{what} in the list"),
                        format!("write texts: `{key} = [\"…\", \"…\"]`"),
                    );
                    self.problems.push(problem);
                }
            }
        }
        Cow::Owned(out)
    }

    /// Visits a sub-table, if it is there.
    pub(super) fn table(&mut self, key: &str, visit: impl FnOnce(&mut Section<'t, '_, 's>)) {
        let Some(value) = self.get(key) else { return };
        let Some(table) = value.get_ref().as_table() else {
            self.wrong(key, "it is not a table", format!("write `[{key}]` and its keys below"));
            return;
        };
        let name = self.path(key);
        visit(&mut Section::new(table, value.span(), name, self.lines, self.problems));
    }

    /// Visits every named sub-table, in the order of the file.
    pub(super) fn tables(&mut self, mut visit: impl FnMut(&'t str, &mut Section<'t, '_, 's>)) {
        let mut entries: Vec<_> = self.table.iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        for (key, value) in entries {
            let name: &'t str = key.get_ref();
            match value.get_ref().as_table() {
                Some(table) => {
                    let path = self.path(name);
                    let span = key.span();
                    visit(name, &mut Section::new(table, span, path, self.lines, self.problems));
                }
                None => self.wrong(name, "it is not a table", "write it as a table of its own"),
            }
        }
    }

    /// Visits each table of an array of tables, if it is there.
    pub(super) fn each(&mut self, key: &str, mut visit: impl FnMut(&mut Section<'t, '_, 's>)) {
        let Some(value) = self.get(key) else { return };
        let Some(items) = value.get_ref().as_array() else {
            let what = format!("it is {} {}", article(value.get_ref()), value.get_ref().type_str());
            self.wrong(key, what, format!("write `[[{key}]]`, with two brackets"));
            return;
        };
        for (item, number) in items.iter().zip(1..) {
            let name = format!("{key}[{number}]");
            match item.get_ref().as_table() {
                Some(table) => {
                    visit(&mut Section::new(table, item.span(), name, self.lines, self.problems))
                }
                None => {
                    let problem = self.lines.problem(
                        &item.span(),
                        name,
                        "it is not a table".to_owned(),
                        format!("write `[[{key}]]` and its keys below"),
                    );
                    self.problems.push(problem);
                }
            }
        }
    }
}

fn article(value: &DeValue<'_>) -> &'static str {
    if matches!(value, DeValue::Array(_) | DeValue::Integer(_)) { "an" } else { "a" }
}
