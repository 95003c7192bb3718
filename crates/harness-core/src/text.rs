//! [`Text`]: a string as JSON may carry it, which is more than `str` can hold.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

/// The bytes of a JSON string: UTF-8, or UTF-8 with the two things that real
/// hosts send beside it.
///
/// A lone surrogate (`\ud83d` without its other half; Claude Code 2.1.332 passes
/// them through) is kept as its three-byte WTF-8 form and written back as the same
/// escape. A byte that is not UTF-8 at all is kept as it is. Nothing is replaced,
/// so what is sealed is what was sent; [`Text::to_str`] gives the view that rules
/// match on.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Text<'a>(Cow<'a, [u8]>);

impl<'a> Text<'a> {
    /// Text over borrowed bytes.
    #[must_use]
    pub const fn borrowed(bytes: &'a [u8]) -> Self {
        Self(Cow::Borrowed(bytes))
    }

    /// Text that owns its bytes.
    #[must_use]
    pub const fn owned(bytes: Vec<u8>) -> Self {
        Self(Cow::Owned(bytes))
    }

    /// The bytes, exactly.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The text if it is plain UTF-8.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        core::str::from_utf8(&self.0).ok()
    }

    /// The text with U+FFFD where it is not UTF-8. Borrowed whenever it can be.
    #[must_use]
    pub fn to_str(&self) -> Cow<'_, str> {
        // Far faster than the lossy way, where nothing is lost.
        self.as_str().map_or_else(|| String::from_utf8_lossy(&self.0), Cow::Borrowed)
    }

    /// The same text, owning its bytes.
    #[must_use]
    pub fn into_owned(self) -> Text<'static> {
        Text(Cow::Owned(self.0.into_owned()))
    }
}

impl<'a> From<&'a str> for Text<'a> {
    fn from(s: &'a str) -> Self {
        Self(Cow::Borrowed(s.as_bytes()))
    }
}

impl From<String> for Text<'_> {
    fn from(s: String) -> Self {
        Self(Cow::Owned(s.into_bytes()))
    }
}

impl PartialEq<str> for Text<'_> {
    fn eq(&self, other: &str) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl core::fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        core::fmt::Debug::fmt(&self.to_str(), f)
    }
}
