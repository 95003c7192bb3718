//! [`Short`]: a hash as the logs spell it.

use std::fmt;

/// The first 32 hex digits of a blake3 hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Short([u8; 32]);

impl Short {
    /// What stands for the line before the first.
    pub const NONE: Self = Self([b'0'; 32]);

    /// The hash of `bytes`.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        let hex = blake3::hash(bytes).to_hex();
        let mut short = Self::NONE;
        for (to, from) in short.0.iter_mut().zip(hex.as_bytes()) {
            *to = *from;
        }
        short
    }

    /// The digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

impl fmt::Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
