//! Reads one JSON document from a descriptor without waiting for its end, since a host
//! may leave the pipe open behind the document.

use std::os::fd::RawFd;

use harness_core::json::{Complete, Progress};

use crate::sys::fd;

/// What came through a descriptor.
#[derive(Debug, PartialEq, Eq)]
pub enum Received {
    /// One whole document, JSON or not: the bytes up to and with its last one are the first
    /// number; what else had already arrived stands behind it.
    Whole(Vec<u8>, usize),
    /// The descriptor ended inside the document, or what came is a bare word.
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
    let mut complete = Complete::new();
    loop {
        let from = bytes.len();
        let room = if from < first { first - from } else { from.min(1 << 20) };
        match fd::read_some(fd, &mut bytes, room) {
            Ok(0) if bytes.iter().all(u8::is_ascii_whitespace) => return Received::Empty,
            Ok(0) => return Received::Partial(bytes),
            Ok(_) => {}
            Err(error) => return Received::Failed(error.to_string()),
        }
        match complete.look(&bytes) {
            Progress::Whole(end) => {
                bytes.shrink_to_fit();
                return Received::Whole(bytes, end);
            }
            // No host sends a bare word or number: there is nothing to wait for.
            Progress::UntilEnd => return Received::Partial(bytes),
            Progress::Partial if bytes.len() > most => return Received::TooLarge,
            Progress::Partial => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Received, receive};
    use std::io::Write;
    use std::os::fd::AsRawFd;

    /// What is received of these bytes while the other end stays open.
    fn open_ended(parts: &[&[u8]]) -> Received {
        let (reader, mut writer) = std::io::pipe().expect("a pipe");
        for part in parts {
            writer.write_all(part).expect("written");
        }
        let got = receive(reader.as_raw_fd(), 8, 64);
        drop(writer);
        got
    }

    #[test]
    fn a_whole_document_is_not_waited_behind() {
        let doc = b"\xEF\xBB\xBF\r\n {\"a\":\"}\\\"\",\"b\":[{}]}";
        let Received::Whole(bytes, end) = open_ended(&[doc, b"\n"]) else {
            panic!("not whole");
        };
        assert_eq!(bytes.get(..end), Some(&doc[..]));
    }

    #[test]
    fn what_is_no_document_is_not_waited_for() {
        assert!(matches!(open_ended(&[b"rm -rf /"]), Received::Whole(_, 2)));
        assert!(matches!(open_ended(&[b"null"]), Received::Partial(_)));
        assert_eq!(open_ended(&[b"[", &[b' '; 200]]), Received::TooLarge);
    }

    #[test]
    fn the_end_is_an_answer_too() {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(writer);
        assert_eq!(receive(reader.as_raw_fd(), 8, 64), Received::Empty);
        let (reader, mut writer) = std::io::pipe().expect("a pipe");
        writer.write_all(b" {\"a\":").expect("written");
        drop(writer);
        assert!(matches!(receive(reader.as_raw_fd(), 8, 64), Received::Partial(_)));
    }
}
