//! Strict JSON with the place of everything in it. Strict as the client is: it drops a
//! whole file over one comment, so a text with one is an error here too.

use std::ops::Range;

/// Where in a text something is wrong, and what.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub struct SyntaxError {
    /// 1-based.
    pub line: usize,
    /// 1-based, in characters.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

/// A value and the bytes it stands in.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Byte range in the text.
    pub span: Range<usize>,
    /// What it is.
    pub value: Value,
}

/// What a [`Node`] is. Numbers stay as written: their text is in the span.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `null`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// A number.
    Number,
    /// A string, unescaped; a lone surrogate reads as U+FFFD.
    String(String),
    /// An array.
    Array(Vec<Node>),
    /// An object: members in their order, duplicates included.
    Object(Vec<Member>),
}

/// A member of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// The key, unescaped.
    pub key: String,
    /// Byte range of the key, quotes included.
    pub key_span: Range<usize>,
    /// The value.
    pub value: Node,
}

impl Member {
    /// Byte range of key and value.
    #[must_use]
    pub fn span(&self) -> Range<usize> {
        self.key_span.start..self.value.span.end
    }
}

impl Node {
    /// The members, if it is an object.
    #[must_use]
    pub fn members(&self) -> Option<&[Member]> {
        match &self.value {
            Value::Object(members) => Some(members),
            _ => None,
        }
    }

    /// The elements, if it is an array.
    #[must_use]
    pub fn elements(&self) -> Option<&[Self]> {
        match &self.value {
            Value::Array(elements) => Some(elements),
            _ => None,
        }
    }

    /// The text, if it is a string.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// The member the client would read: the last of that name.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Member> {
        self.members()?.iter().rev().find(|m| m.key == key)
    }

    /// The value as plain JSON, the last of duplicate keys kept; `text` is what it was
    /// parsed from.
    #[must_use]
    pub fn to_json(&self, text: &str) -> serde_json::Value {
        match &self.value {
            Value::Null => serde_json::Value::Null,
            Value::Bool(b) => (*b).into(),
            Value::Number => text
                .get(self.span.clone())
                .and_then(|t| serde_json::from_str(t).ok())
                .unwrap_or(serde_json::Value::Null),
            Value::String(s) => s.as_str().into(),
            Value::Array(elements) => elements.iter().map(|e| e.to_json(text)).collect(),
            Value::Object(members) => serde_json::Value::Object(
                members.iter().map(|m| (m.key.clone(), m.value.to_json(text))).collect(),
            ),
        }
    }

    /// What kind of value it is, for messages.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match &self.value {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Number => "a number",
            Value::String(_) => "a string",
            Value::Array(_) => "an array",
            Value::Object(_) => "an object",
        }
    }
}

/// The byte order mark some editors put in front.
pub const BOM: &str = "\u{feff}";

/// Deeper nesting than any settings file has; the bound keeps the reader's stack bounded.
const MAX_DEPTH: usize = 256;

/// 1-based line and column (in characters) of a byte offset.
#[must_use]
pub fn line_column(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset.min(text.len())).unwrap_or(text);
    let start = before.rfind('\n').map_or(0, |i| i + 1);
    let line = before.bytes().filter(|b| *b == b'\n').count() + 1;
    let shown = before.get(start..).unwrap_or_default().trim_start_matches(BOM);
    (line, shown.chars().count() + 1)
}

/// Whether there is nothing in a text but white space (and perhaps a byte order mark).
#[must_use]
pub fn is_blank(text: &str) -> bool {
    text.trim_start_matches(BOM).bytes().all(is_space)
}

/// Parses a whole text.
///
/// # Errors
/// The first place that isn't strict JSON.
pub fn parse(text: &str) -> Result<Node, SyntaxError> {
    let at = if text.starts_with(BOM) { BOM.len() } else { 0 };
    let mut parser = Parser { text, at, depth: 0 };
    parser.space();
    let node = parser.value()?;
    parser.space();
    if parser.at < text.len() {
        return Err(parser.wrong("there is more after the end of the JSON value"));
    }
    Ok(node)
}

/// Parses the one value that starts at an offset of a text.
///
/// # Errors
/// The first place that isn't strict JSON.
pub(super) fn parse_at(text: &str, at: usize) -> Result<Node, SyntaxError> {
    Parser { text, at, depth: 1 }.value()
}

const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn space(&mut self) {
        while self.peek().is_some_and(is_space) {
            self.at += 1;
        }
    }

    fn wrong(&self, what: &str) -> SyntaxError {
        let message = match self.peek() {
            None => "the text ends too early".to_owned(),
            Some(b'/' | b'#') => {
                "a comment: the client ignores a settings file that has one".to_owned()
            }
            Some(_) => what.to_owned(),
        };
        self.wrong_at(self.at, message)
    }

    fn wrong_at(&self, at: usize, message: impl Into<String>) -> SyntaxError {
        let (line, column) = line_column(self.text, at);
        SyntaxError { line, column, message: message.into() }
    }

    fn value(&mut self) -> Result<Node, SyntaxError> {
        let start = self.at;
        let value = match self.peek() {
            Some(b'{') => self.nested(Self::object)?,
            Some(b'[') => self.nested(Self::array)?,
            Some(b'"') => Value::String(self.string()?),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(b't') => self.word("true", Value::Bool(true))?,
            Some(b'f') => self.word("false", Value::Bool(false))?,
            Some(b'n') => self.word("null", Value::Null)?,
            _ => return Err(self.wrong("a JSON value was expected")),
        };
        Ok(Node { span: start..self.at, value })
    }

    fn nested(
        &mut self,
        body: fn(&mut Self) -> Result<Value, SyntaxError>,
    ) -> Result<Value, SyntaxError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.wrong("nested too deeply"));
        }
        self.at += 1;
        let value = body(self)?;
        self.depth -= 1;
        Ok(value)
    }

    fn object(&mut self) -> Result<Value, SyntaxError> {
        let mut members = Vec::new();
        self.space();
        if self.ends(b'}') {
            return Ok(Value::Object(members));
        }
        loop {
            let start = self.at;
            if self.peek() != Some(b'"') {
                return Err(self.wrong("a key in double quotes was expected"));
            }
            let key = self.string()?;
            let key_span = start..self.at;
            self.space();
            if !self.ends(b':') {
                return Err(self.wrong("`:` was expected after the key"));
            }
            self.space();
            members.push(Member { key, key_span, value: self.value()? });
            if self.list_ends(b'}', "`,` or `}` was expected")? {
                return Ok(Value::Object(members));
            }
        }
    }

    fn array(&mut self) -> Result<Value, SyntaxError> {
        let mut elements = Vec::new();
        self.space();
        if self.ends(b']') {
            return Ok(Value::Array(elements));
        }
        loop {
            elements.push(self.value()?);
            if self.list_ends(b']', "`,` or `]` was expected")? {
                return Ok(Value::Array(elements));
            }
        }
    }

    fn ends(&mut self, byte: u8) -> bool {
        let is = self.peek() == Some(byte);
        self.at += usize::from(is);
        is
    }

    /// Past one item: true at the closing bracket, false at the next item.
    fn list_ends(&mut self, close: u8, expected: &str) -> Result<bool, SyntaxError> {
        self.space();
        if self.ends(close) {
            return Ok(true);
        }
        let comma = self.at;
        if !self.ends(b',') {
            return Err(self.wrong(expected));
        }
        self.space();
        if self.peek() == Some(close) {
            return Err(self.wrong_at(
                comma,
                "a comma before the closing bracket: the client ignores a settings file that has one",
            ));
        }
        Ok(false)
    }

    fn word(&mut self, word: &str, value: Value) -> Result<Value, SyntaxError> {
        if self.text.get(self.at..).is_some_and(|rest| rest.starts_with(word)) {
            self.at += word.len();
            return Ok(value);
        }
        Err(self.wrong("a JSON value was expected"))
    }

    fn digits(&mut self) -> Result<(), SyntaxError> {
        let start = self.at;
        while self.peek().is_some_and(|b| b.is_ascii_digit()) {
            self.at += 1;
        }
        if self.at == start { Err(self.wrong("a digit was expected")) } else { Ok(()) }
    }

    fn number(&mut self) -> Result<Value, SyntaxError> {
        self.ends(b'-');
        if !self.ends(b'0') {
            self.digits()?;
        }
        if self.ends(b'.') {
            self.digits()?;
        }
        if self.ends(b'e') || self.ends(b'E') {
            let _ = self.ends(b'+') || self.ends(b'-');
            self.digits()?;
        }
        Ok(Value::Number)
    }

    fn string(&mut self) -> Result<String, SyntaxError> {
        let mut out = String::new();
        self.at += 1;
        loop {
            let Some(rest) = self.text.get(self.at..) else {
                return Err(self.wrong("a string was expected"));
            };
            let plain = rest.bytes().position(|b| matches!(b, b'"' | b'\\' | 0..b' '));
            let Some(plain) = plain else {
                self.at = self.text.len();
                return Err(self.wrong("the string has no end"));
            };
            out.push_str(rest.get(..plain).unwrap_or_default());
            self.at += plain;
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(out);
                }
                Some(b'\\') => out.push(self.escape()?),
                _ => return Err(self.wrong("a control character in a string")),
            }
        }
    }

    fn escape(&mut self) -> Result<char, SyntaxError> {
        self.at += 1;
        let c = match self.peek() {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode(),
            None => return Err(self.wrong("the string has no end")),
            Some(_) => return Err(self.wrong_at(self.at, "an unknown escape in a string")),
        };
        self.at += 1;
        Ok(c)
    }

    fn unicode(&mut self) -> Result<char, SyntaxError> {
        let first = self.hex4()?;
        if !(0xd800..0xdc00).contains(&first) {
            return Ok(char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        let resume = self.at;
        if self.text.get(self.at..).is_some_and(|rest| rest.starts_with("\\u")) {
            self.at += 1;
            let second = self.hex4()?;
            if (0xdc00..0xe000).contains(&second) {
                let code = 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
                return Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            self.at = resume;
        }
        Ok(char::REPLACEMENT_CHARACTER)
    }

    /// At the `u` of an escape: reads its four digits.
    fn hex4(&mut self) -> Result<u32, SyntaxError> {
        let digits = self
            .text
            .get(self.at + 1..self.at + 5)
            .filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()));
        let Some(code) = digits.and_then(|d| u32::from_str_radix(d, 16).ok()) else {
            return Err(self.wrong_at(self.at, "`\\u` needs four hex digits"));
        };
        self.at += 5;
        Ok(code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn spans_cut_out_what_was_written() {
        let text = "\u{feff}{ \"a\" : [1e3, \"\\u00e9\\ud83d\"],\r\n\t\"b\":{}}";
        let root = parse(text).unwrap();
        let a = root.get("a").unwrap();
        assert_eq!(&text[a.span()], "\"a\" : [1e3, \"\\u00e9\\ud83d\"]");
        assert_eq!(a.value.elements().unwrap()[1].text(), Some("é\u{fffd}"));
        assert_eq!(&text[root.get("b").unwrap().value.span.clone()], "{}");
    }

    #[test]
    fn what_the_client_drops_is_an_error_with_its_place() {
        for (text, line, column, word) in [
            ("", 1, 1, "ends too early"),
            ("{\n  // x\n}", 2, 3, "comment"),
            ("{\"a\": /* x */ 1}", 1, 7, "comment"),
            ("{\"a\":1,}", 1, 7, "comma"),
            ("[1,\n 2,\n]", 2, 3, "comma"),
            ("{\"a\":01}", 1, 7, "`,` or `}`"),
            ("{'a':1}", 1, 2, "double quotes"),
            ("{\"é\":x}", 1, 6, "value"),
            ("{\"a\":\"\n\"}", 1, 7, "control"),
            ("{\"a\":\"\\x\"}", 1, 8, "escape"),
            ("{}{}", 1, 3, "more after"),
            ("\u{feff}?", 1, 1, "value"),
            ("{\"a\":\"b", 1, 8, "ends too early"),
        ] {
            let e = parse(text).unwrap_err();
            assert_eq!((e.line, e.column), (line, column), "{text:?}: {e}");
            assert!(e.message.contains(word), "{text:?}: {e}");
        }
        assert!(parse(&"[".repeat(100_000)).unwrap_err().message.contains("deeply"));
    }

    proptest! {
        #[test]
        fn reads_what_serde_reads(text in "[\\[\\]{}:,\"a\\\\u0189de .eE+-]{0,24}") {
            let ours = parse(&text).map(|n| n.to_json(&text));
            let theirs = serde_json::from_str::<serde_json::Value>(&text);
            // serde_json alone refuses lone surrogates and numbers beyond f64.
            if let Ok(theirs) = theirs {
                prop_assert_eq!(ours.unwrap(), theirs);
            } else if ours.is_ok() {
                prop_assert!(text.contains("\\u") || text.contains(['e', 'E']), "{}", text);
            }
        }
    }
}
