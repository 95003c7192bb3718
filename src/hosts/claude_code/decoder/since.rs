//! [`Since`]: what a version of the client brought, of what decides about answers.

use super::super::caps::{self, Version};

macro_rules! since {
    ($($(#[$doc:meta])* $name:ident = $version:expr),+ $(,)?) => {
        /// What a version brought. The number is the first version *measured* to have it
        /// where the changelog names none.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Since { $($(#[$doc])* $name),+ }

        impl Since {
            /// The first version that has it.
            #[must_use]
            pub const fn version(self) -> Version {
                match self { $(Self::$name => $version),+ }
            }

            /// Whether a version has it.
            #[must_use]
            pub fn held_by(self, version: Version) -> bool {
                version >= self.version()
            }
        }
    };
}

since! {
    /// SessionStart output reaches the model.
    SessionContext = Version::new(1, 0, 128),
    /// PreToolUse `additionalContext` reaches the model.
    CallContext = Version::new(2, 1, 20),
    /// `async: true` is honoured.
    Async = Version::new(2, 1, 20),
    /// An `ask` counts even where an allow rule matches.
    AskBeatsAllow = Version::new(2, 1, 100),
    /// Hooks of two plugins that are the same words but for the plugin's folder are two
    /// (measured: 2.1.20 and 2.1.63 start one of them).
    PluginsApart = Version::new(2, 1, 100),
    /// Plugins of a marketplace that is a folder run where they lie in it, not as copies
    /// (measured: 2.1.100 runs the copy).
    PluginsInPlace = Version::new(2, 1, 332),
    /// `defer` is known.
    Defer = Version::new(2, 1, 100),
    /// `args`: the command is spawned without a shell.
    ExecForm = caps::EXEC_FORM,
    /// Exit 2 counts even beside an `allow` on standard output.
    ExitBeatsAllow = Version::new(2, 1, 150),
    /// Commas and spaces separate names in a matcher.
    CommaMatcher = caps::COMMA_MATCHER,
    /// A hyphen in a matcher doesn't make it a pattern.
    HyphenMatcher = Version::new(2, 1, 195),
    /// Exit 2 counts even beside JSON that fails the schema.
    ExitBeatsInvalid = Version::new(2, 1, 240),
    /// `onFailure` is honoured.
    OnFailure = caps::ON_FAILURE,
}
