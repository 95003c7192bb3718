//! [`Version`]: a host's version, as far as behaviour hangs on it.

use std::fmt;

/// Three numbers, compared in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version(pub u32, pub u32, pub u32);

impl Version {
    /// Older than every version: what is assumed of a client nobody named.
    pub const OLDEST: Self = Self(0, 0, 0);

    /// Reads `2.1.332`, also with words behind it (`2.1.332 (Claude Code)`, `2.1.3-rc.1`).
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let end = text.find(|c: char| c != '.' && !c.is_ascii_digit()).unwrap_or(text.len());
        let mut parts = text.get(..end)?.split('.').map(str::parse);
        let mut next = || parts.next().and_then(Result::ok);
        let version = Self(next()?, next()?, next()?);
        parts.next().is_none().then_some(version)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.0, self.1, self.2)
    }
}

#[cfg(test)]
mod tests {
    use super::Version;

    #[test]
    fn versions_are_read_as_clients_print_them() {
        assert_eq!(Version::parse("2.1.332 (Claude Code)"), Some(Version(2, 1, 332)));
        assert_eq!(Version::parse("2.1.100"), Some(Version(2, 1, 100)));
        assert_eq!(Version::parse("1.0.60-beta"), Some(Version(1, 0, 60)));
        for bad in ["", "2", "2.1", "2.1.x", "v2.1.3", "2.1.3.4", "99999999999.0.0"] {
            assert_eq!(Version::parse(bad), None, "{bad}");
        }
        assert!(Version(2, 1, 99) < Version(2, 1, 100));
    }
}
