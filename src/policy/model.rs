//! [`Rule`]: one rule as it is matched, whether from a pack's table, a snapshot or a
//! file just parsed. It only borrows.

use std::borrow::Cow;

use super::kinds::{Access, EffectSet, Letters, Zones};

/// Words of a rule: a table's, or a decoded record's.
pub type List<'a> = Cow<'a, [&'a str]>;

/// Where in the pipeline a rule stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Station {
    /// Ordered; the first vote settles its layer.
    Listener,
    /// Unordered; a denial or silence.
    Guard,
}

/// What a rule says when it matches. The order is the fold's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Say {
    /// No objection, and its layer is settled.
    Allow,
    /// A person must agree.
    Ask,
    /// Not this call.
    Deny,
}

impl Say {
    /// The word in every output.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }
}

/// One rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule<'a> {
    /// Its id: `pack/rule`, or the person's own.
    pub id: &'a str,
    /// Its 1-based line; 0 for built-in rules.
    pub line: u32,
    /// Listener or guard.
    pub station: Station,
    /// Its word.
    pub say: Say,
    /// Why, for the model and the person; blank for the default.
    pub reason: &'a str,
    /// What would pass; blank for none.
    pub instead: &'a str,
    /// What it matches.
    pub when: Matcher<'a>,
    /// A program to ask instead of matching alone.
    pub run: Option<Run<'a>>,
    /// Calls it must match.
    pub matches: List<'a>,
    /// Calls it must let pass.
    pub passes: List<'a>,
}

/// An external guard's program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run<'a> {
    /// Program and arguments, started without a shell.
    pub argv: List<'a>,
    /// When it is killed.
    pub timeout_ms: u32,
}

/// Conditions; all that are present must hold, for one command or one file together.
#[derive(Clone, Debug, PartialEq)]
pub struct Matcher<'a> {
    /// Tool names or globs; empty for every tool.
    pub tools: List<'a>,
    /// Program, then words that must come first among its arguments. `a|b` is either.
    pub command: List<'a>,
    /// First letters of the programs that `command` names; empty where nobody worked them
    /// out.
    pub letters: Letters,
    /// Flags that must all be given; `-f|--force` is either spelling.
    pub flags: List<'a>,
    /// Flags none of which may be given.
    pub without: List<'a>,
    /// Words one of which must be an argument, wherever it stands.
    pub args: List<'a>,
    /// Path globs, any of them.
    pub paths: List<'a>,
    /// Which touches of a path count.
    pub access: Access,
    /// Kinds of effect, any of them.
    pub effects: EffectSet,
    /// Zones, any of them.
    pub zones: Zones,
    /// Whether the effect must go down folders.
    pub recursive: bool,
    /// Whether the effect must be forced.
    pub forced: bool,
    /// Literals anywhere in the input's text, any of them.
    pub mentions: List<'a>,
    /// Branch globs that every branch concerned must match.
    pub branch: List<'a>,
}

impl Matcher<'_> {
    /// Matches everything.
    pub const ANY: Self = Self {
        tools: Cow::Borrowed(&[]),
        command: Cow::Borrowed(&[]),
        letters: Letters::NONE,
        flags: Cow::Borrowed(&[]),
        without: Cow::Borrowed(&[]),
        args: Cow::Borrowed(&[]),
        paths: Cow::Borrowed(&[]),
        access: Access::Any,
        effects: EffectSet::EMPTY,
        zones: Zones::EMPTY,
        recursive: false,
        forced: false,
        mentions: Cow::Borrowed(&[]),
        branch: Cow::Borrowed(&[]),
    };

    /// Whether a simple command of a line is concerned.
    #[must_use]
    pub fn reads_command(&self) -> bool {
        !(self.command.is_empty()
            && self.flags.is_empty()
            && self.without.is_empty()
            && self.args.is_empty()
            && self.branch.is_empty())
    }

    /// Whether a touch of the world is concerned.
    #[must_use]
    pub fn reads_touch(&self) -> bool {
        !(self.paths.is_empty() && self.effects.is_empty() && self.zones.is_empty())
            || self.recursive
            || self.forced
    }
}
