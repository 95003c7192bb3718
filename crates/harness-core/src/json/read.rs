//! [`parse`]: JSON from bytes, with a stack of its own.

use super::strings;
use super::{Json, JsonError, JsonErrorKind, Limits, Parsed};
use crate::text::Text;
use alloc::borrow::Cow;
use alloc::vec::Vec;

/// Reads one JSON value from the start of `bytes`; a UTF-8 byte-order mark and
/// white space before it are skipped, bytes after it are left alone (see
/// [`Parsed::used`]).
///
/// # Errors
/// [`JsonError`] says where and why; nothing recurses, whatever the input.
pub fn parse(bytes: &[u8], limits: Limits) -> Result<Parsed<'_>, JsonError> {
    Reader { bytes, at: 0, duplicate_key: None }.document(limits)
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    duplicate_key: Option<usize>,
}

enum Open<'a> {
    Array(Vec<Json<'a>>),
    Object(Vec<(Text<'a>, Json<'a>)>, Text<'a>),
}

impl<'a> Reader<'a> {
    fn document(mut self, limits: Limits) -> Result<Parsed<'a>, JsonError> {
        if self.bytes.starts_with(b"\xEF\xBB\xBF") {
            self.at = 3;
        }
        let mut stack: Vec<Open<'a>> = Vec::new();
        'value: loop {
            self.space();
            let mut value = match self.peek()? {
                b'{' => {
                    self.at += 1;
                    self.space();
                    if self.peek()? == b'}' {
                        self.at += 1;
                        Json::Object(Vec::new())
                    } else {
                        self.deeper(&stack, limits)?;
                        let key = self.key(&[])?;
                        stack.push(Open::Object(Vec::new(), key));
                        continue 'value;
                    }
                }
                b'[' => {
                    self.at += 1;
                    self.space();
                    if self.peek()? == b']' {
                        self.at += 1;
                        Json::Array(Vec::new())
                    } else {
                        self.deeper(&stack, limits)?;
                        stack.push(Open::Array(Vec::new()));
                        continue 'value;
                    }
                }
                b'"' => Json::String(self.string()?),
                b't' => self.word(b"true", Json::Bool(true))?,
                b'f' => self.word(b"false", Json::Bool(false))?,
                b'n' => self.word(b"null", Json::Null)?,
                b'-' | b'0'..=b'9' => self.number()?,
                _ => return Err(self.unexpected()),
            };
            loop {
                match stack.pop() {
                    None => {
                        return Ok(self.read(value));
                    }
                    Some(Open::Array(mut items)) => {
                        items.push(value);
                        self.space();
                        match self.peek()? {
                            b',' => {
                                self.at += 1;
                                stack.push(Open::Array(items));
                                continue 'value;
                            }
                            b']' => {
                                self.at += 1;
                                value = Json::Array(items);
                            }
                            _ => return Err(self.unexpected()),
                        }
                    }
                    Some(Open::Object(mut members, key)) => {
                        members.push((key, value));
                        self.space();
                        match self.peek()? {
                            b',' => {
                                self.at += 1;
                                self.space();
                                let key = self.key(&members)?;
                                stack.push(Open::Object(members, key));
                                continue 'value;
                            }
                            b'}' => {
                                self.at += 1;
                                self.check_keys(&members);
                                value = Json::Object(members);
                            }
                            _ => return Err(self.unexpected()),
                        }
                    }
                }
            }
        }
    }

    /// The value with what is to be said of its bytes. Surrogates written as escapes are
    /// WTF-8 in the text and no fault of the bytes; only raw bytes can be invalid, and only
    /// in strings, as outside of them they are no JSON.
    fn read(&self, value: Json<'a>) -> Parsed<'a> {
        let bytes = self.bytes.get(..self.at).unwrap_or_default();
        Parsed {
            value,
            used: self.at,
            duplicate_key: self.duplicate_key,
            invalid_utf8: core::str::from_utf8(bytes).is_err(),
        }
    }

    fn deeper(&self, stack: &[Open<'a>], limits: Limits) -> Result<(), JsonError> {
        if stack.len() >= limits.depth {
            return Err(JsonError { at: self.at, kind: JsonErrorKind::TooDeep });
        }
        Ok(())
    }

    /// A key and its colon. Small objects are searched for an equal key here, where
    /// the place is known; large ones are sorted once in [`Self::check_keys`], so the
    /// cost stays linear.
    fn key(&mut self, members: &[(Text<'a>, Json<'a>)]) -> Result<Text<'a>, JsonError> {
        let at = self.at;
        if self.peek()? != b'"' {
            return Err(self.unexpected());
        }
        let key = self.string()?;
        if members.len() < SMALL_OBJECT && members.iter().any(|(k, _)| *k == key) {
            self.duplicate_key.get_or_insert(at);
        }
        self.space();
        if self.peek()? != b':' {
            return Err(self.unexpected());
        }
        self.at += 1;
        Ok(key)
    }

    fn check_keys(&mut self, members: &[(Text<'a>, Json<'a>)]) {
        if members.len() > SMALL_OBJECT && self.duplicate_key.is_none() && repeats(members) {
            self.duplicate_key = Some(self.at);
        }
    }

    fn peek(&self) -> Result<u8, JsonError> {
        self.bytes
            .get(self.at)
            .copied()
            .ok_or(JsonError { at: self.at, kind: JsonErrorKind::Incomplete })
    }

    const fn unexpected(&self) -> JsonError {
        JsonError { at: self.at, kind: JsonErrorKind::Unexpected }
    }

    fn space(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.bytes.get(self.at) {
            self.at += 1;
        }
    }

    fn word(&mut self, word: &[u8], value: Json<'a>) -> Result<Json<'a>, JsonError> {
        for &byte in word {
            if self.peek()? != byte {
                return Err(self.unexpected());
            }
            self.at += 1;
        }
        Ok(value)
    }

    fn digits(&mut self) -> Result<(), JsonError> {
        if !self.peek()?.is_ascii_digit() {
            return Err(self.unexpected());
        }
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_digit) {
            self.at += 1;
        }
        Ok(())
    }

    fn number(&mut self) -> Result<Json<'a>, JsonError> {
        let start = self.at;
        if self.peek()? == b'-' {
            self.at += 1;
        }
        if self.peek()? == b'0' {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if self.bytes.get(self.at) == Some(&b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.bytes.get(self.at) {
            self.at += 1;
            if let Some(b'+' | b'-') = self.bytes.get(self.at) {
                self.at += 1;
            }
            self.digits()?;
        }
        let spelled = self.bytes.get(start..self.at).unwrap_or_default();
        core::str::from_utf8(spelled)
            .map(|s| Json::Number(Cow::Borrowed(s)))
            .map_err(|_| JsonError { at: start, kind: JsonErrorKind::Unexpected })
    }

    /// A string. Borrowed where it holds no escape; runs of plain bytes are skipped and
    /// copied whole.
    fn string(&mut self) -> Result<Text<'a>, JsonError> {
        self.at += 1;
        let start = self.at;
        let mut owned: Option<Vec<u8>> = None;
        let mut run = start;
        loop {
            self.at += strings::plain_run(self.bytes.get(self.at..).unwrap_or_default());
            match self.peek()? {
                b'"' => {
                    let raw = self.bytes.get(start..self.at).unwrap_or_default();
                    let last = self.bytes.get(run..self.at).unwrap_or_default();
                    self.at += 1;
                    return Ok(match owned {
                        None => Text::borrowed(raw),
                        Some(mut out) => {
                            out.extend_from_slice(last);
                            Text::owned(out)
                        }
                    });
                }
                b'\\' => {
                    let plain = self.bytes.get(run..self.at).unwrap_or_default();
                    let out = owned.get_or_insert_with(|| Vec::with_capacity(plain.len() * 2));
                    out.extend_from_slice(plain);
                    self.at += 1;
                    self.escape(out)?;
                    run = self.at;
                }
                _ => return Err(self.unexpected()),
            }
        }
    }

    fn escape(&mut self, out: &mut Vec<u8>) -> Result<(), JsonError> {
        let simple = match self.peek()? {
            b'"' => b'"',
            b'\\' => b'\\',
            b'/' => b'/',
            b'b' => 8,
            b'f' => 12,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'u' => {
                self.at += 1;
                let mut unit = self.hex4()?;
                if (0xD800..0xDC00).contains(&unit)
                    && self.bytes.get(self.at) == Some(&b'\\')
                    && self.bytes.get(self.at + 1) == Some(&b'u')
                {
                    let back = self.at;
                    self.at += 2;
                    let low = self.hex4()?;
                    if (0xDC00..0xE000).contains(&low) {
                        unit = 0x1_0000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
                    } else {
                        self.at = back;
                    }
                }
                push_code_point(unit, out);
                return Ok(());
            }
            _ => return Err(self.unexpected()),
        };
        out.push(simple);
        self.at += 1;
        Ok(())
    }

    fn hex4(&mut self) -> Result<u32, JsonError> {
        let mut unit = 0;
        for _ in 0..4 {
            let digit = (self.peek()? as char).to_digit(16).ok_or_else(|| self.unexpected())?;
            unit = unit * 16 + digit;
            self.at += 1;
        }
        Ok(unit)
    }
}

/// Whether two members have the same key.
pub(super) fn repeats(members: &[(Text<'_>, Json<'_>)]) -> bool {
    let mut keys: Vec<&Text<'_>> = members.iter().map(|(k, _)| k).collect();
    keys.sort_unstable();
    keys.windows(2).any(|pair| matches!(pair, [a, b] if a == b))
}

/// Whether this is one JSON number and nothing else.
pub(super) fn is_number(spelled: &str) -> bool {
    let mut reader = Reader { bytes: spelled.as_bytes(), at: 0, duplicate_key: None };
    reader.number().is_ok() && reader.at == spelled.len()
}

/// Objects up to this size are searched for equal keys member by member.
const SMALL_OBJECT: usize = 16;

/// Appends a code point, surrogates in their three-byte WTF-8 form.
fn push_code_point(unit: u32, out: &mut Vec<u8>) {
    if let Some(c) = char::from_u32(unit) {
        let mut buf = [0; 4];
        out.extend_from_slice(c.encode_utf8(&mut buf).as_bytes());
    } else {
        let continuation = |bits: u32| 0x80 | u8::try_from(bits & 0x3F).unwrap_or_default();
        out.extend_from_slice(&[0xED, continuation(unit >> 6), continuation(unit)]);
    }
}

#[cfg(test)]
mod tests {
    use super::parse;
    use crate::json::{Json, JsonErrorKind, Limits};
    use alloc::vec::Vec;

    fn round(bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        parse(bytes, Limits::default()).map(|p| p.value.write(&mut out)).ok();
        out
    }

    #[test]
    fn lone_surrogates_survive() {
        assert_eq!(round(br#"{"a":"x\ud83dy"}"#), br#"{"a":"x\ud83dy"}"#);
        assert_eq!(round(br#""\ud83d\ude00""#), "\"😀\"".as_bytes());
    }

    #[test]
    fn invalid_utf8_is_marked_and_kept() {
        let parsed = parse(b"\"a\xffb\"", Limits::default()).ok();
        assert!(parsed.as_ref().is_some_and(|p| p.invalid_utf8));
        assert_eq!(round(b"\"a\xffb\""), b"\"a\xffb\"");
    }

    #[test]
    fn equal_keys_are_reported_even_when_spelled_apart() {
        for doc in [r#"{"a":1,"\u0061":2}"#, r#"{"x":{"b":0,"b":0}}"#] {
            let parsed = parse(doc.as_bytes(), Limits::default()).ok();
            assert!(parsed.is_some_and(|p| p.duplicate_key.is_some()), "{doc}");
        }
        let mut big = Vec::from(*b"{");
        for i in 0..100 {
            big.extend_from_slice(alloc::format!("\"k{}\":{i},", i % 99).as_bytes());
        }
        big.pop();
        big.push(b'}');
        assert!(parse(&big, Limits::default()).is_ok_and(|p| p.duplicate_key.is_some()));
    }

    #[test]
    fn depth_is_bounded_without_recursion() {
        let deep = [b'['; 2_000_000];
        assert_eq!(
            parse(&deep, Limits::default()).map_err(|e| e.kind),
            Err(JsonErrorKind::TooDeep)
        );
    }

    #[test]
    fn half_a_document_is_incomplete_at_every_byte() {
        let doc = br#" {"a":[1,-2.5e+3,true,null],"b":"\u00e9"} "#;
        for cut in 0..doc.len() - 1 {
            let got = parse(doc.get(..cut).unwrap_or_default(), Limits::default());
            assert_eq!(got.map_err(|e| e.kind), Err(JsonErrorKind::Incomplete), "{cut}");
        }
        assert_eq!(parse(doc, Limits::default()).map(|p| p.used), Ok(doc.len() - 1));
    }

    #[test]
    fn a_mark_before_the_document_is_skipped() {
        let got = parse(b"\xEF\xBB\xBF{}", Limits::default()).map(|p| p.value);
        assert_eq!(got, Ok(Json::Object(Vec::new())));
    }

    #[test]
    fn canonical_form_sorts_keys_and_spells_strings_one_way() {
        let mut a = Vec::new();
        let mut b = Vec::new();
        parse(br#"{"b":1,"a":"\u0041"}"#, Limits::default())
            .map(|p| p.value.write_canonical(&mut a))
            .ok();
        parse(br#"{ "a":"A","b":1 }"#, Limits::default())
            .map(|p| p.value.write_canonical(&mut b))
            .ok();
        assert_eq!(a, b);
        assert!(!a.is_empty());
    }
}
