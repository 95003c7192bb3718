//! Here-documents.

use alloc::string::String;
use alloc::vec::Vec;

use super::ast::{Part, RawWord};
use super::cursor::Cursor;

/// A here-document whose body has not been reached.
#[derive(Debug)]
pub(super) struct Pending {
    pub(super) delimiter: String,
    /// `<<-`: leading tabs don't count.
    pub(super) strip: bool,
    /// The delimiter was quoted: the body is plain text.
    pub(super) plain: bool,
    /// Where its body goes in [`Cursor::heredocs`].
    pub(super) slot: usize,
    pub(super) at: usize,
}

impl Cursor<'_> {
    /// Reads the bodies that start here, after a newline.
    pub(super) fn read_heredocs(&mut self) {
        for pending in core::mem::take(&mut self.pending) {
            let from = self.pos;
            let (body, closed) = self.body(&pending);
            if !closed {
                self.opaque_at(pending.at, self.pos, "here-document without its end");
            }
            let word = if pending.plain {
                RawWord {
                    parts: [Part::Text { text: body, quoted: true }].into(),
                    at: self.at(from),
                    brace: false,
                }
            } else {
                self.expandable(&body, from)
            };
            if let Some(slot) = self.heredocs.get_mut(pending.slot) {
                *slot = word;
            }
        }
    }

    fn body(&mut self, pending: &Pending) -> (String, bool) {
        let mut body = String::new();
        while !self.is_end() {
            let line = self.run(|byte| byte != b'\n');
            self.step();
            let line = if pending.strip { line.trim_start_matches('\t') } else { line };
            if line.strip_suffix('\r').unwrap_or(line) == pending.delimiter {
                return (body, true);
            }
            body.push_str(line);
            body.push('\n');
        }
        (body, false)
    }

    /// The body of a here-document whose delimiter was not quoted.
    fn expandable(&mut self, body: &str, from: usize) -> RawWord {
        let at = self.at(from);
        let parts = self.within(body, at, |inner| {
            let mut parts = Vec::new();
            inner.quoted_until(&mut parts, None);
            parts
        });
        RawWord { parts, at, brace: false }
    }
}
