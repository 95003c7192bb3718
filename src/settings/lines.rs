//! [`Lines`]: lines and columns of many offsets of one text, in about one pass over it.

use super::syntax::BOM;

/// A place in a text that moves to the offsets asked for: a walk asks for them nearly in
/// order, and counting from the start each time would take a large file's size squared.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lines<'a> {
    text: &'a str,
    at: usize,
    line: usize,
    column: usize,
}

impl<'a> Lines<'a> {
    /// At the start of a text, behind its byte order mark.
    pub(super) fn of(text: &'a str) -> Self {
        Self { text, at: start(text), line: 1, column: 1 }
    }

    /// 1-based line and column (in characters) of an offset.
    pub(super) fn place(&mut self, offset: usize) -> (usize, usize) {
        let offset = offset.max(start(self.text));
        match self.text.get(self.at..offset) {
            Some(between) => self.forward(between),
            None => self.back(offset),
        }
        (self.line, self.column)
    }

    fn forward(&mut self, between: &str) {
        self.at += between.len();
        let newlines = between.bytes().filter(|b| *b == b'\n').count();
        let tail = between.rsplit('\n').next().unwrap_or_default().chars().count();
        self.column = if newlines == 0 { self.column + tail } else { tail + 1 };
        self.line += newlines;
    }

    fn back(&mut self, offset: usize) {
        let Some(between) = self.text.get(offset..self.at) else { return };
        let newlines = between.bytes().filter(|b| *b == b'\n').count();
        if newlines == 0 {
            self.column = self.column.saturating_sub(between.chars().count()).max(1);
        } else {
            let before = self.text.get(..offset).unwrap_or_default();
            let start = before.rfind('\n').map_or(0, |i| i + 1);
            let shown = before.get(start..).unwrap_or_default().trim_start_matches(BOM);
            self.column = shown.chars().count() + 1;
        }
        self.line = self.line.saturating_sub(newlines);
        self.at = offset;
    }
}

const fn start(text: &str) -> usize {
    match text.as_bytes() {
        [0xef, 0xbb, 0xbf, ..] => BOM.len(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::super::syntax::line_column;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_order_gives_what_counting_gives(
            text in "\u{feff}?[a한\n\r ]{0,40}",
            offsets in proptest::collection::vec(0_usize..60, 0..20),
        ) {
            let mut lines = Lines::of(&text);
            for offset in offsets.into_iter().filter(|o| text.is_char_boundary(*o)) {
                prop_assert_eq!(lines.place(offset), line_column(&text, offset), "{:?}", offset);
            }
        }
    }
}
