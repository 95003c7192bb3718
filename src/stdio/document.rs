//! Reads one JSON document from a descriptor without waiting for its end, since a host
//! may leave the pipe open behind the document.

use std::os::fd::RawFd;

use crate::sys::fd;

/// What came through a descriptor.
#[derive(Debug, PartialEq, Eq)]
pub enum Received {
    /// One whole object or array: the bytes up to and with its last one are the first
    /// number; what else had already arrived stands behind it.
    Whole(Vec<u8>, usize),
    /// The descriptor ended inside the document, or what came can't be one.
    Partial(Vec<u8>),
    /// Nothing but white space came.
    Empty,
    /// More than the bound came.
    TooLarge,
    /// The system's word on a failed read.
    Failed(String),
}

/// Reads from `fd` until a document is whole, `most` bytes have come, or the end.
#[must_use]
pub fn receive(fd: RawFd, first: usize, most: usize) -> Received {
    let mut bytes = Vec::with_capacity(first);
    let mut scan = Scan::default();
    loop {
        let from = bytes.len();
        let room = if from < first { first - from } else { from.min(1 << 20) };
        match fd::read_some(fd, &mut bytes, room) {
            Ok(0) if scan.started => return Received::Partial(bytes),
            Ok(0) => return Received::Empty,
            Ok(_) => {}
            Err(error) => return Received::Failed(error.to_string()),
        }
        match scan.feed(bytes.get(from..).unwrap_or_default()) {
            Step::End(at) => return Received::Whole(bytes, from + at),
            Step::Never => return Received::Partial(bytes),
            Step::More if bytes.len() > most => return Received::TooLarge,
            Step::More => {}
        }
    }
}

/// Follows brackets and strings, nothing else: whether the document is JSON is the
/// parser's to say.
#[derive(Debug, Default)]
pub struct Scan {
    started: bool,
    mark: u8,
    depth: usize,
    in_string: bool,
    escaped: bool,
}

/// How far a scan has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The document ends before this offset of the bytes just fed.
    End(usize),
    /// It goes on.
    More,
    /// It is no object and no array.
    Never,
}

/// The byte-order mark of UTF-8.
const MARK: [u8; 3] = [0xEF, 0xBB, 0xBF];

impl Scan {
    /// Takes the next bytes.
    pub fn feed(&mut self, bytes: &[u8]) -> Step {
        for (at, &byte) in bytes.iter().enumerate() {
            if !self.started {
                match self.begin(byte) {
                    Step::More => continue,
                    Step::Never => return Step::Never,
                    Step::End(_) => {}
                }
            }
            if self.in_string {
                match byte {
                    _ if self.escaped => self.escaped = false,
                    b'\\' => self.escaped = true,
                    b'"' => self.in_string = false,
                    _ => {}
                }
                continue;
            }
            match byte {
                b'"' => self.in_string = true,
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => {
                    self.depth = self.depth.saturating_sub(1);
                    if self.depth == 0 {
                        return Step::End(at + 1);
                    }
                }
                _ => {}
            }
        }
        Step::More
    }

    /// Before the document: a mark and white space. [`Step::End`] is its first byte.
    fn begin(&mut self, byte: u8) -> Step {
        if MARK.get(usize::from(self.mark)) == Some(&byte) {
            self.mark += 1;
            return Step::More;
        }
        match byte {
            b' ' | b'\t' | b'\r' | b'\n' => Step::More,
            b'{' | b'[' => {
                self.started = true;
                Step::End(0)
            }
            _ => {
                self.started = true;
                Step::Never
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Scan, Step};

    #[test]
    fn the_end_is_found_wherever_the_bytes_are_cut() {
        let doc = b"\xEF\xBB\xBF\r\n {\"a\":\"}\\\"]\\\\\",\"b\":[{},[\"{\"]]} {\"next\":1}";
        let end = doc.len() - b" {\"next\":1}".len();
        for cut in 0..end {
            let (head, tail) = doc.split_at(cut);
            let mut scan = Scan::default();
            assert_eq!(scan.feed(head), Step::More, "{cut}");
            assert_eq!(scan.feed(tail), Step::End(end - cut), "{cut}");
        }
    }

    #[test]
    fn what_is_no_object_is_not_waited_for() {
        for bytes in [&b"rm -rf /"[..], b"\"text\"", b"12", b"null", b"\xEF\xBB}"] {
            assert_eq!(Scan::default().feed(bytes), Step::Never, "{bytes:?}");
        }
    }
}
