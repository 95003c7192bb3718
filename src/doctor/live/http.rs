//! As much of HTTP/1.1 as a model server on loopback needs: requests with a counted body,
//! answers with a counted body, connections that are kept.

use std::io::{self, BufRead, Read, Write};

/// A request's head, at most.
const MAX_HEAD: usize = 64 * 1024;
/// A request's body, at most: a session's whole conversation goes out with each request.
const MAX_BODY: usize = 64 * 1024 * 1024;
const MAX_HEADERS: usize = 128;

/// A request as it came in.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Incoming {
    pub(super) method: String,
    pub(super) path: String,
    pub(super) key: String,
    pub(super) body: Vec<u8>,
    pub(super) keep: bool,
}

struct Head {
    incoming: Incoming,
    length: usize,
}

/// Reads one request; nothing when the other side closed between two requests.
pub(super) fn read(from: &mut impl BufRead) -> io::Result<Option<Incoming>> {
    let Some(head) = read_head(from)? else { return Ok(None) };
    let Head { mut incoming, length } = parse_head(&head)?;
    if length > MAX_BODY {
        return Err(bad("the body is too long"));
    }
    incoming.body = vec![0; length];
    from.read_exact(&mut incoming.body)?;
    Ok(Some(incoming))
}

fn read_head(from: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut head = Vec::new();
    loop {
        let room = MAX_HEAD.saturating_sub(head.len());
        let mut line = Vec::new();
        let got = from.by_ref().take(room as u64).read_until(b'\n', &mut line)?;
        match (got, head.is_empty()) {
            (0, true) => return Ok(None),
            (0, false) => return Err(bad("the head is cut short or too long")),
            _ => head.extend_from_slice(&line),
        }
        if line == b"\r\n" || line == b"\n" {
            return Ok(Some(head));
        }
    }
}

fn parse_head(head: &[u8]) -> io::Result<Head> {
    let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut request = httparse::Request::new(&mut headers);
    let status = request.parse(head).map_err(|e| bad(&e.to_string()))?;
    if status.is_partial() {
        return Err(bad("the head is not whole"));
    }
    let (Some(method), Some(path)) = (request.method, request.path) else {
        return Err(bad("no method or path"));
    };
    let field = |name: &str| {
        request
            .headers
            .iter()
            .find(|h| h.name.eq_ignore_ascii_case(name))
            .and_then(|h| std::str::from_utf8(h.value).ok())
            .map(str::trim)
    };
    if field("transfer-encoding").is_some() {
        return Err(bad("a body without a length"));
    }
    let length = match field("content-length") {
        Some(n) => n.parse().map_err(|_| bad("a length that is no number"))?,
        None => 0,
    };
    let incoming = Incoming {
        method: method.into(),
        path: path.into(),
        key: field("x-api-key").unwrap_or_default().into(),
        body: Vec::new(),
        keep: !field("connection").is_some_and(|c| c.eq_ignore_ascii_case("close")),
    };
    Ok(Head { incoming, length })
}

/// What goes back.
pub(super) struct Outgoing {
    pub(super) status: &'static str,
    pub(super) kind: &'static str,
    pub(super) body: String,
}

impl Outgoing {
    pub(super) const fn json(status: &'static str, body: String) -> Self {
        Self { status, kind: "application/json", body }
    }
}

/// Writes one answer; the answer to `HEAD` has no body.
pub(super) fn write(to: &mut impl Write, answer: &Outgoing, method: &str) -> io::Result<()> {
    let head = format!(
        "HTTP/1.1 {}\r\ncontent-type: {}\r\nrequest-id: req_live\r\ncontent-length: {}\r\n\r\n",
        answer.status,
        answer.kind,
        answer.body.len()
    );
    let mut bytes = head.into_bytes();
    if method != "HEAD" {
        bytes.extend_from_slice(answer.body.as_bytes());
    }
    to.write_all(&bytes)?;
    to.flush()
}

fn bad(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{Outgoing, read, write};

    fn request(text: &str) -> std::io::Result<Option<super::Incoming>> {
        read(&mut text.as_bytes())
    }

    #[test]
    fn a_request_is_read_whole_and_no_further() {
        let text = "POST /v1/messages?beta=true HTTP/1.1\r\nX-Api-Key: k\r\nContent-Length: 2\r\n\r\n{}GET";
        let mut rest = text.as_bytes();
        let got = read(&mut rest).unwrap().unwrap();
        assert_eq!((got.method.as_str(), got.key.as_str()), ("POST", "k"));
        assert_eq!(
            (got.path.as_str(), got.body.as_slice()),
            ("/v1/messages?beta=true", &b"{}"[..])
        );
        assert!(got.keep);
        assert_eq!(rest, b"GET");
    }

    #[test]
    fn a_closed_connection_is_an_end_and_half_a_request_an_error() {
        assert_eq!(request("").unwrap(), None);
        assert!(request("POST / HTTP/1.1\r\n").is_err());
        assert!(request("POST / HTTP/1.1\r\ncontent-length: 5\r\n\r\nab").is_err());
    }

    #[test]
    fn what_has_no_length_or_too_much_of_it_is_refused() {
        assert!(request("POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n").is_err());
        assert!(request("POST / HTTP/1.1\r\ncontent-length: 99999999999\r\n\r\n").is_err());
        assert!(request(&format!("GET /{} HTTP/1.1\r\n\r\n", "a".repeat(70_000))).is_err());
    }

    #[test]
    fn the_answer_to_head_has_no_body() {
        let mut bytes = Vec::new();
        write(&mut bytes, &Outgoing::json("200 OK", "{}".into()), "HEAD").unwrap();
        let text = String::from_utf8(bytes).unwrap();
        assert!(text.contains("content-length: 2\r\n") && text.ends_with("\r\n\r\n"), "{text}");
    }
}
