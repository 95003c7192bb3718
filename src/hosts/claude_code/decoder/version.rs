//! [`Version`]: the client's, and since when it does what.

use std::fmt;

/// A version of the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version(pub u32, pub u32, pub u32);

impl Version {
    /// The newest version whose behaviour was measured.
    pub const NEWEST_MEASURED: Self = Self(2, 1, 332);
    /// The oldest version whose behaviour was measured.
    pub const OLDEST_MEASURED: Self = Self(1, 0, 60);

    /// Reads `2.1.332`, also in front of other words (`2.1.332 (Claude Code)`).
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let word = text.split_whitespace().next()?;
        let word = word.split(['-', '+']).next()?;
        let mut parts = word.split('.').map(|p| p.parse::<u32>().ok());
        let version = Self(parts.next()??, parts.next()??, parts.next()??);
        parts.next().is_none().then_some(version)
    }

    /// Whether this version has what came with `since`.
    #[must_use]
    pub fn has(self, since: Since) -> bool {
        self >= since.version()
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.0, self.1, self.2)
    }
}

macro_rules! since {
    ($($(#[$doc:meta])* $name:ident = ($a:literal, $b:literal, $c:literal)),+ $(,)?) => {
        /// What a version brought. The number is the first version *measured* to have it
        /// where the changelog names none.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Since { $($(#[$doc])* $name),+ }

        impl Since {
            /// The first version that has it.
            #[must_use]
            pub const fn version(self) -> Version {
                match self { $(Self::$name => Version($a, $b, $c)),+ }
            }
        }
    };
}

since! {
    /// SessionStart output reaches the model.
    SessionContext = (1, 0, 128),
    /// A byte-order mark before the settings is skipped.
    SettingsBom = (2, 0, 76),
    /// PreToolUse `additionalContext` reaches the model.
    CallContext = (2, 1, 20),
    /// `async: true` is honoured.
    Async = (2, 1, 20),
    /// An `ask` counts even where an allow rule matches.
    AskBeatsAllow = (2, 1, 100),
    /// `defer` is known.
    Defer = (2, 1, 100),
    /// An unknown event name no longer drops the file.
    UnknownEvent = (2, 1, 101),
    /// `args`: the command is spawned without a shell.
    ExecForm = (2, 1, 139),
    /// Exit 2 counts even beside an `allow` on stdout.
    ExitBeatsAllow = (2, 1, 150),
    /// Commas and spaces separate names in a matcher.
    CommaMatcher = (2, 1, 191),
    /// A hyphen in a matcher doesn't make it a pattern.
    HyphenMatcher = (2, 1, 195),
    /// `settings.local.json` is taken from the git root.
    LocalFromRoot = (2, 1, 211),
    /// Exit 2 counts even beside JSON that fails the schema.
    ExitBeatsInvalid = (2, 1, 240),
    /// A malformed entry of an event that can't stop a call drops only itself.
    EntryDropped = (2, 1, 290),
    /// `onFailure` is honoured.
    OnFailure = (2, 1, 295),
}

#[cfg(test)]
mod tests {
    use super::{Since, Version};

    #[test]
    fn versions_are_read_from_what_clients_print() {
        assert_eq!(Version::parse("2.1.332 (Claude Code)\n"), Some(Version(2, 1, 332)));
        assert_eq!(Version::parse("2.1.100"), Some(Version(2, 1, 100)));
        assert_eq!(Version::parse("2.2.0-beta.1"), Some(Version(2, 2, 0)));
        for bad in ["", "claude", "2.1", "2.1.x", "2.1.3.4", "99999999999.0.0"] {
            assert_eq!(Version::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn what_came_stays() {
        assert!(!Version(2, 1, 294).has(Since::OnFailure));
        assert!(Version(2, 1, 295).has(Since::OnFailure));
        assert!(Version(3, 0, 0).has(Since::OnFailure));
    }
}
