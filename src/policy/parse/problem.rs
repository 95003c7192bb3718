//! [`Problem`]: one mistake in a policy file.

use std::ops::Range;

/// A mistake, its place, and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// 1-based line; 0 if it is about the file as a whole.
    pub line: u32,
    /// 1-based column, in characters; 0 if it is about the file as a whole.
    pub column: u32,
    /// The key concerned, with its tables: `guard[2].deny`; blank if there is none.
    pub key: String,
    /// What is wrong.
    pub what: String,
    /// What to do instead.
    pub instead: String,
}

impl Problem {
    /// About the file as a whole.
    #[must_use]
    pub fn whole(what: impl Into<String>, instead: impl Into<String>) -> Self {
        Self { line: 0, column: 0, key: String::new(), what: what.into(), instead: instead.into() }
    }

    pub(super) fn at_line(line: usize, what: &str, instead: &str) -> Self {
        let line = u32::try_from(line).unwrap_or(u32::MAX);
        Self { line, column: 1, ..Self::whole(what, instead) }
    }

    /// `file:line:column: `key`: what`.
    #[must_use]
    pub fn located(&self, file: &str) -> String {
        let mut out = file.to_owned();
        if self.line > 0 {
            out += &format!(":{}:{}", self.line, self.column);
        }
        if !self.key.is_empty() {
            out += &format!(": `{}`", self.key);
        }
        out + ": " + &self.what
    }
}

pub(super) fn sorted(mut problems: Vec<Problem>) -> Vec<Problem> {
    problems.sort_by_key(|p| (p.line, p.column));
    problems.dedup();
    problems
}

/// Turns byte offsets into lines and columns.
#[derive(Debug)]
pub struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    /// Of a text.
    #[must_use]
    pub fn of(text: &'t str) -> Self {
        let after = text.bytes().zip(1..).filter(|(b, _)| *b == b'\n').map(|(_, at)| at);
        Self { text, starts: std::iter::once(0).chain(after).collect() }
    }

    /// The 1-based line of an offset.
    #[must_use]
    pub fn line(&self, at: usize) -> u32 {
        u32::try_from(self.starts.partition_point(|s| *s <= at)).unwrap_or(u32::MAX)
    }

    fn column(&self, at: usize) -> u32 {
        let line = self.line(at) as usize;
        let start = self.starts.get(line.saturating_sub(1)).copied().unwrap_or(0);
        let chars = self.text.get(start..at).map_or(0, |t| t.chars().count());
        u32::try_from(chars + 1).unwrap_or(u32::MAX)
    }

    pub(super) fn problem(
        &self,
        span: &Range<usize>,
        key: String,
        what: String,
        instead: String,
    ) -> Problem {
        let (line, column) = (self.line(span.start), self.column(span.start));
        Problem { line, column, key, what, instead }
    }

    pub(super) fn syntax(&self, e: &toml::de::Error) -> Problem {
        let span = e.span().unwrap_or(0..0);
        let what = e.message().lines().collect::<Vec<_>>().join("; ");
        self.problem(&span, String::new(), what, "make it valid TOML".to_owned())
    }
}

/// The candidate closest to a misspelt word, if one is close.
#[must_use]
pub fn nearest<'a>(word: &str, candidates: &[&'a str]) -> Option<&'a str> {
    candidates
        .iter()
        .map(|c| (distance(word, c), *c))
        .filter(|(d, c)| *d <= 1 + c.len() / 4)
        .min()
        .map(|(_, c)| c)
}

fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = i;
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
        for (j, y) in b.iter().enumerate() {
            let (Some(left), Some(above)) = (row.get(j).copied(), row.get(j + 1).copied()) else {
                break;
            };
            let cost = (diagonal + usize::from(x != *y)).min(left + 1).min(above + 1);
            diagonal = above;
            if let Some(cell) = row.get_mut(j + 1) {
                *cell = cost;
            }
        }
    }
    row.last().copied().unwrap_or(usize::MAX)
}

#[cfg(test)]
mod unit {
    use super::{distance, nearest};

    #[test]
    fn near() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(nearest("mention", &["mentions", "deny"]), Some("mentions"));
        assert_eq!(nearest("zzz", &["mentions", "deny"]), None);
    }
}
