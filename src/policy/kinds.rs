//! The small vocabularies of rules: effects, zones, access.

use harness_shell::EffectKind;

macro_rules! bits {
    ($(#[$doc:meta])* $name:ident($int:ty) { $($(#[$item_doc:meta])* $item:ident = $bit:literal, $word:literal;)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct $name($int);

        impl $name {
            /// None of them.
            pub const EMPTY: Self = Self(0);
            $($(#[$item_doc])* pub const $item: Self = Self(1 << $bit);)+
            /// Each with its word in policy files.
            pub const WORDS: &'static [(&'static str, Self)] = &[$(($word, Self::$item)),+];

            /// Every one.
            pub const ALL: Self = Self(<$int>::MAX);

            /// Both.
            #[must_use]
            pub const fn with(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }

            /// Whether they share one.
            #[must_use]
            pub const fn meets(self, other: Self) -> bool {
                self.0 & other.0 != 0
            }

            /// Whether there are none.
            #[must_use]
            pub const fn is_empty(self) -> bool {
                self.0 == 0
            }

            /// As a number, for a snapshot.
            #[must_use]
            pub const fn bits(self) -> $int {
                self.0
            }

            /// From a snapshot's number.
            #[must_use]
            pub const fn from_bits(bits: $int) -> Self {
                Self(bits)
            }

            /// The one of a word.
            #[must_use]
            pub fn of_word(word: &str) -> Option<Self> {
                Self::WORDS.iter().find(|(w, _)| *w == word).map(|(_, v)| *v)
            }

            /// Their words.
            pub fn words(self) -> impl Iterator<Item = &'static str> {
                Self::WORDS.iter().filter(move |(_, v)| self.meets(*v)).map(|(w, _)| *w)
            }
        }
    };
}

bits! {
    /// Kinds of effect, as a set.
    EffectSet(u32) {
        /// Removes files.
        DELETE = 0, "delete";
        /// Replaces what is there.
        OVERWRITE = 1, "overwrite";
        /// Makes something new, or appends.
        CREATE = 2, "create";
        /// Reads a file.
        READ = 3, "read";
        /// Talks to the network.
        NETWORK = 4, "network";
        /// Runs code that can't be seen.
        EXECUTE_UNKNOWN = 5, "execute-unknown";
        /// Changes permissions or ownership.
        PERMISSIONS = 6, "permissions";
        /// Publishes a package.
        PUBLISH = 7, "publish";
        /// Discards history or uncommitted work.
        REWRITE_HISTORY = 8, "rewrite-history";
        /// Changes a remote system.
        REMOTE_STATE = 9, "remote-state";
        /// Writes to a raw device.
        DEVICE = 10, "device";
        /// Ends processes or the system.
        STOP = 11, "stop";
        /// Switches off a protection.
        DISABLE_PROTECTION = 12, "disable-protection";
        /// Sends what a file holds to somewhere else.
        SEND = 13, "send";
        /// Takes files away to another place; also a `delete` of where they were.
        MOVE = 14, "move";
        /// Starts itself or others over and over.
        MULTIPLY = 15, "multiply";
        /// Makes something run later by itself.
        PERSIST = 16, "persist";
    }
}

impl EffectSet {
    /// What changes files.
    pub const WRITES: Self = Self::DELETE
        .with(Self::OVERWRITE)
        .with(Self::CREATE)
        .with(Self::PERMISSIONS)
        .with(Self::DEVICE);

    /// The set of one kind.
    #[must_use]
    pub const fn of(kind: EffectKind) -> Self {
        match kind {
            EffectKind::Delete => Self::DELETE,
            EffectKind::Overwrite => Self::OVERWRITE,
            EffectKind::Create => Self::CREATE,
            EffectKind::Read => Self::READ,
            EffectKind::Network => Self::NETWORK,
            EffectKind::ExecuteUnknown => Self::EXECUTE_UNKNOWN,
            EffectKind::Permissions => Self::PERMISSIONS,
            EffectKind::Publish => Self::PUBLISH,
            EffectKind::RewriteHistory => Self::REWRITE_HISTORY,
            EffectKind::RemoteState => Self::REMOTE_STATE,
            EffectKind::Device => Self::DEVICE,
            EffectKind::Stop => Self::STOP,
            EffectKind::DisableProtection => Self::DISABLE_PROTECTION,
            EffectKind::Send => Self::SEND,
            EffectKind::Move => Self::MOVE.with(Self::DELETE),
            EffectKind::Multiply => Self::MULTIPLY,
            EffectKind::Persist => Self::PERSIST,
        }
    }
}

bits! {
    /// Where a path lies, as a set.
    Zones(u16) {
        /// The root of the file system.
        ROOT = 0, "root";
        /// A folder the system can't do without, or one that holds such.
        SYSTEM = 1, "system";
        /// Somewhere below a system folder.
        SYSTEM_FILE = 2, "system-file";
        /// A home folder, or one that holds it, or everything in it.
        HOME = 3, "home";
        /// The workspace itself, or a folder that holds it.
        WORKSPACE = 4, "workspace";
        /// Everything in the workspace, but not the folder.
        WORKSPACE_CONTENTS = 5, "workspace-contents";
        /// Below the workspace.
        INSIDE = 6, "inside";
        /// Below a folder for scratch files.
        TEMP = 7, "temp";
        /// Neither in the workspace nor in temp.
        OUTSIDE = 8, "outside";
        /// A raw device.
        DEVICE = 9, "device";
        /// Can't be known from the text.
        UNKNOWN = 10, "unknown";
        /// The repository's own history (`.git` of the workspace).
        GIT_DIR = 11, "git-dir";
    }
}

/// First letters of programs, as a set: most rules are about programs that a line has
/// nothing like, and this says so at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Letters(u32);

impl Letters {
    /// None.
    pub const NONE: Self = Self(0);
    /// Every one, and what is no letter.
    pub const ALL: Self = Self(u32::MAX);

    /// Those of a rule's `command`, whose first word is `a|b`, each with globs perhaps.
    #[must_use]
    pub const fn of(command: &[&str]) -> Self {
        let [program, ..] = command else { return Self::NONE };
        let mut rest = program.as_bytes();
        let mut found = 0;
        let mut first = true;
        let mut class = false;
        while let [byte, tail @ ..] = rest {
            match *byte {
                b'|' => first = true,
                b'*' | b'?' if first => return Self::ALL,
                b'[' if first => class = true,
                b']' if class => {
                    class = false;
                    first = false;
                }
                byte if first => {
                    found |= bit(byte);
                    first = class;
                }
                _ => {}
            }
            rest = tail;
        }
        Self(found)
    }

    /// That of a program's name.
    #[must_use]
    pub fn first(name: &str) -> Self {
        Self(name.bytes().next().map_or(u32::MAX, bit))
    }

    /// Both.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether there are none, or they share one.
    #[must_use]
    pub const fn may_be(self, names: Self) -> bool {
        self.0 == 0 || self.0 & names.0 != 0
    }
}

const fn bit(byte: u8) -> u32 {
    let letter = byte | 0x20;
    if letter.is_ascii_lowercase() { 1 << (letter - b'a') } else { 1 << 26 }
}

/// Which touches of a path a rule is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Access {
    /// Both.
    #[default]
    Any,
    /// Reading.
    Read,
    /// Changing in any way.
    Write,
}

impl Access {
    /// Whether a touch of this kind counts. A touch of unknown kind counts as both.
    #[must_use]
    pub const fn admits(self, kind: Option<EffectKind>) -> bool {
        let Some(kind) = kind else { return true };
        let set = EffectSet::of(kind);
        match self {
            Self::Any => true,
            Self::Read => set.meets(EffectSet::READ.with(EffectSet::SEND)),
            Self::Write => set.meets(EffectSet::WRITES),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Letters;

    #[test]
    fn first_letters() {
        let rule = Letters::of(&["[Ss]top-x|mv|7z", "y"]);
        for name in ["stop-x", "Stop-x", "mv", "7z", "MV"] {
            assert!(rule.may_be(Letters::first(name)), "{name}");
        }
        for name in ["top-x", "x", "y", "git"] {
            assert!(!rule.may_be(Letters::first(name)), "{name}");
        }
        assert!(Letters::of(&["*.sh"]).may_be(Letters::first("x")));
        assert!(Letters::of(&[]).may_be(Letters::first("x")));
        assert!(rule.may_be(Letters::first("")));
    }
}
