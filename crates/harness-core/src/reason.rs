//! [`Reason`] and [`RuleId`]: why a call was stopped, in words, and by what.

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt;

/// The name of a rule: `pack/rule` for built-in rules, the person's own id for
/// rules of a policy file, `harness/…` for what the pipeline itself says.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RuleId(Cow<'static, str>);

impl RuleId {
    /// A rule known when harness was built.
    #[must_use]
    pub const fn built_in(id: &'static str) -> Self {
        Self(Cow::Borrowed(id))
    }

    /// A rule of a policy file.
    #[must_use]
    pub const fn named(id: String) -> Self {
        Self(Cow::Owned(id))
    }

    /// The id as written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RuleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Why a call is asked about or denied: a sentence, the rule behind it, and what
/// would pass instead.
///
/// The sentence is never empty: [`Reason::new`] puts a default in the place of a
/// blank one, since more than one host lets a call through when the reason is
/// empty (Codex 0.171.0, measured).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    rule: RuleId,
    sentence: Cow<'static, str>,
    instead: Option<Cow<'static, str>>,
}

/// The sentence used where a rule gave none.
pub const DEFAULT_SENTENCE: &str = "harness stopped this call and was given no reason for it";

impl Reason {
    /// A reason; a blank sentence becomes [`DEFAULT_SENTENCE`].
    #[must_use]
    pub fn new(rule: RuleId, sentence: impl Into<Cow<'static, str>>) -> Self {
        let sentence = sentence.into();
        let sentence =
            if sentence.trim().is_empty() { Cow::Borrowed(DEFAULT_SENTENCE) } else { sentence };
        Self { rule, sentence, instead: None }
    }

    /// The same reason with a proposal of what would pass.
    #[must_use]
    pub fn instead(mut self, instead: impl Into<Cow<'static, str>>) -> Self {
        let instead = instead.into();
        self.instead = (!instead.trim().is_empty()).then_some(instead);
        self
    }

    /// The rule that speaks.
    #[must_use]
    pub const fn rule(&self) -> &RuleId {
        &self.rule
    }

    /// The sentence, never blank.
    #[must_use]
    pub fn sentence(&self) -> &str {
        &self.sentence
    }

    /// What would pass instead, if the rule says.
    #[must_use]
    pub fn alternative(&self) -> Option<&str> {
        self.instead.as_deref()
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [rule {}]", self.sentence, self.rule)?;
        if let Some(instead) = &self.instead {
            write!(f, " Instead: {instead}")?;
        }
        Ok(())
    }
}
