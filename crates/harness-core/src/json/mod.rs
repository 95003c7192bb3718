//! [`Json`]: JSON without loss, read without recursion.
//!
//! A guard must see what was sent. `serde_json` refuses lone surrogates, takes the
//! last of two equal keys without a word and recurses into depth; here surrogates
//! are kept, equal keys are reported and depth is bounded by a number.

mod complete;
mod read;
mod strings;
mod write;

pub use complete::{Complete, Progress};
pub use read::parse;
pub use write::write_string;

use crate::text::Text;
use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::fmt;

/// A JSON value that borrows from the bytes it was read from.
#[derive(Clone, Debug, PartialEq)]
pub enum Json<'a> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number as spelled: digits are never lost to a float.
    Number(Cow<'a, str>),
    /// A string.
    String(Text<'a>),
    /// An array.
    Array(Vec<Json<'a>>),
    /// An object, keys in the order sent.
    Object(Vec<(Text<'a>, Json<'a>)>),
}

/// Bounds on what is read.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// How deep arrays and objects may nest.
    pub depth: usize,
}

impl Default for Limits {
    /// 128 levels: five times what any host was seen to send.
    fn default() -> Self {
        Self { depth: 128 }
    }
}

/// A value, how far it reached, and what was odd about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Parsed<'a> {
    /// The value.
    pub value: Json<'a>,
    /// Bytes read, the document's last byte included.
    pub used: usize,
    /// Where the second of two equal keys of one object stands, if any do.
    pub duplicate_key: Option<usize>,
    /// Whether some string held bytes that are not UTF-8.
    pub invalid_utf8: bool,
}

/// Why bytes are not JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonErrorKind {
    /// The document ends too early.
    Incomplete,
    /// A byte that may not stand there.
    Unexpected,
    /// Nested deeper than [`Limits::depth`].
    TooDeep,
}

/// Where and why bytes are not JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JsonError {
    /// Byte offset.
    pub at: usize,
    /// What was wrong.
    pub kind: JsonErrorKind,
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.kind {
            JsonErrorKind::Incomplete => "the document ends too early",
            JsonErrorKind::Unexpected => "unexpected byte",
            JsonErrorKind::TooDeep => "nested too deep",
        };
        write!(f, "{what} at byte {}", self.at)
    }
}

impl core::error::Error for JsonError {}

impl<'a> Json<'a> {
    /// The value of a key of an object. Of equal keys the last, as hosts do.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Json<'a>> {
        match self {
            Self::Object(members) => {
                members.iter().rev().find(|(k, _)| k.as_bytes() == key.as_bytes()).map(|(_, v)| v)
            }
            _ => None,
        }
    }

    /// The text of a string.
    #[must_use]
    pub const fn as_text(&self) -> Option<&Text<'a>> {
        match self {
            Self::String(t) => Some(t),
            _ => None,
        }
    }

    /// The string, with U+FFFD where it is not UTF-8.
    #[must_use]
    pub fn as_str(&self) -> Option<Cow<'_, str>> {
        self.as_text().map(Text::to_str)
    }

    /// The string under a key.
    #[must_use]
    pub fn str_at(&self, key: &str) -> Option<Cow<'_, str>> {
        self.get(key).and_then(Self::as_str)
    }

    /// Writes compact JSON, keys in the order held.
    pub fn write(&self, out: &mut Vec<u8>) {
        write::write_value(self, out, false);
    }

    /// Writes compact JSON with keys sorted by bytes.
    pub fn write_canonical(&self, out: &mut Vec<u8>) {
        write::write_value(self, out, true);
    }

    /// Whether the value, which somebody may have built by hand, is one that [`parse`]
    /// gives: numbers spelled as JSON spells them, no key twice, within the bounds.
    #[must_use]
    pub fn is_lossless(&self, limits: Limits) -> bool {
        let mut todo = Vec::from([(self, 0usize)]);
        while let Some((value, depth)) = todo.pop() {
            let inner = depth.saturating_add(1);
            let sound = match value {
                Self::Null | Self::Bool(_) | Self::String(_) => true,
                Self::Number(spelled) => read::is_number(spelled),
                Self::Array(items) => {
                    todo.extend(items.iter().map(|item| (item, inner)));
                    items.is_empty() || inner <= limits.depth
                }
                Self::Object(members) => {
                    todo.extend(members.iter().map(|(_, item)| (item, inner)));
                    (members.is_empty() || inner <= limits.depth) && !read::repeats(members)
                }
            };
            if !sound {
                return false;
            }
        }
        true
    }

    /// The same value, owning its bytes.
    #[must_use]
    pub fn into_owned(self) -> Json<'static> {
        match self {
            Self::Null => Json::Null,
            Self::Bool(b) => Json::Bool(b),
            Self::Number(n) => Json::Number(Cow::Owned(n.into_owned())),
            Self::String(t) => Json::String(t.into_owned()),
            Self::Array(items) => Json::Array(items.into_iter().map(Json::into_owned).collect()),
            Self::Object(members) => Json::Object(
                members.into_iter().map(|(k, v)| (k.into_owned(), v.into_owned())).collect(),
            ),
        }
    }
}
