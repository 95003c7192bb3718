//! [`Complete`]: whether a document that is still arriving is whole.

use super::strings::plain_run;

/// Looks at each byte once, however the document is cut up, and remembers a few words of
/// state. It does not judge: of bytes that are no JSON it says where they would end, and
/// [`parse`](super::parse) says what is wrong with them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Complete {
    seen: usize,
    depth: usize,
    state: State,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    /// Before the value.
    #[default]
    Before,
    /// In an array or object, outside of strings.
    Inside,
    /// In a string.
    Text,
    /// In a string, behind a backslash.
    Escape,
    /// In a number or word that is the whole document.
    Bare,
    /// Behind the document's last byte.
    Whole,
}

/// How far a document has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// More has to come.
    Partial,
    /// The document is whole and ends before this byte.
    Whole(usize),
    /// Everything there is, is a number or a word; only the end of the input can say
    /// whether it is whole.
    UntilEnd,
}

impl Complete {
    /// A scanner that has seen nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Looks at what is new. `document` is everything read so far, from the first byte;
    /// what was there last time is not looked at again.
    pub fn look(&mut self, document: &[u8]) -> Progress {
        if self.state == State::Before && self.seen < 3 {
            // A byte-order mark, or as much of it as has come.
            const MARK: &[u8] = b"\xEF\xBB\xBF";
            if document.len() < MARK.len() && MARK.starts_with(document) {
                return Progress::Partial;
            }
            if self.seen == 0 && document.starts_with(MARK) {
                self.seen = MARK.len();
            }
        }
        while self.state != State::Whole
            && let Some(rest) = document.get(self.seen..)
            && let Some(&byte) = rest.first()
        {
            if self.state == State::Text {
                let run = plain_run(rest);
                if run > 0 {
                    self.seen += run;
                    continue;
                }
            }
            self.step(byte);
        }
        match self.state {
            State::Whole => Progress::Whole(self.seen),
            State::Bare => Progress::UntilEnd,
            _ => Progress::Partial,
        }
    }

    fn step(&mut self, byte: u8) {
        self.seen += 1;
        match (self.state, byte) {
            (State::Before, b' ' | b'\t' | b'\n' | b'\r') => {}
            (State::Before | State::Inside, b'"') => self.state = State::Text,
            (State::Before | State::Inside, b'{' | b'[') => {
                self.depth = self.depth.saturating_add(1);
                self.state = State::Inside;
            }
            (State::Before, _) => self.state = State::Bare,
            (State::Inside, b'}' | b']') => self.close(),
            (State::Text, b'\\') => self.state = State::Escape,
            (State::Text, b'"') => self.state = State::Inside.or_whole(self.depth),
            (State::Escape, _) => self.state = State::Text,
            (State::Bare, b' ' | b'\t' | b'\n' | b'\r') => {
                self.seen -= 1;
                self.state = State::Whole;
            }
            (State::Inside | State::Text | State::Bare | State::Whole, _) => {}
        }
    }

    fn close(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        self.state = State::Inside.or_whole(self.depth);
    }
}

impl State {
    fn or_whole(self, depth: usize) -> Self {
        if depth == 0 { Self::Whole } else { self }
    }
}

#[cfg(test)]
mod tests {
    use super::{Complete, Progress};

    #[test]
    fn an_open_pipe_is_not_waited_for() {
        let mut scanner = Complete::new();
        let document = b"\xEF\xBB\xBF {\"a\":\"}\\\"]\",\"b\":[{}]}\n{";
        for end in 0..document.len() - 2 {
            let seen = scanner.look(document.get(..end).unwrap_or_default());
            assert_eq!(seen, Progress::Partial, "{end}");
        }
        assert_eq!(scanner.look(document), Progress::Whole(document.len() - 2));
    }

    #[test]
    fn a_bare_word_ends_with_the_input_or_a_space() {
        let mut scanner = Complete::new();
        assert_eq!(scanner.look(b"tru"), Progress::UntilEnd);
        assert_eq!(scanner.look(b"true"), Progress::UntilEnd);
        assert_eq!(scanner.look(b"true\n"), Progress::Whole(4));
        assert_eq!(Complete::new().look(b"\"x\" y"), Progress::Whole(3));
        assert_eq!(Complete::new().look(b"\xEFx"), Progress::UntilEnd);
    }
}
