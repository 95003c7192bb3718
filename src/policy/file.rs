//! [`File`]: what one policy file says, borrowed from wherever it was read.

use super::model::{List, Matcher, Rule, Say};
use crate::hosts::EventName;

/// A deployment's default for a knob.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Knob<'a> {
    /// `sandbox` or `approval`.
    pub name: &'a str,
    /// Its value.
    pub value: &'a str,
}

/// A named pair of knobs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preset<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its sandbox mode.
    pub sandbox: &'a str,
    /// Its approval policy.
    pub approval: &'a str,
    /// What it is for.
    pub description: &'a str,
}

/// A person's way out of a pack's rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Except<'a> {
    /// The rule.
    pub rule: &'a str,
    /// Its 1-based line.
    pub line: u32,
    /// Where it holds.
    pub when: Matcher<'a>,
    /// Why.
    pub reason: &'a str,
}

/// Text for the model.
#[derive(Clone, Debug, PartialEq)]
pub struct Context<'a> {
    /// On which event.
    pub event: EventName,
    /// For which tools, on tool events.
    pub tools: List<'a>,
    /// The text.
    pub text: &'a str,
}

/// A word on results.
#[derive(Clone, Debug, PartialEq)]
pub struct Post<'a> {
    /// Its id.
    pub id: &'a str,
    /// Its 1-based line.
    pub line: u32,
    /// For which tools.
    pub tools: List<'a>,
    /// Kinds of secret to take out.
    pub redact: List<'a>,
    /// Literals, any of which it is about; empty for every result.
    pub mentions: List<'a>,
    /// Why the result is not to be used; blank if it only redacts.
    pub block: &'a str,
}

/// All of one file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct File<'a> {
    /// Knob defaults.
    pub knobs: Vec<Knob<'a>>,
    /// Presets in order.
    pub presets: Vec<Preset<'a>>,
    /// Packs switched on.
    pub enable: Vec<&'a str>,
    /// Packs switched off.
    pub disable: Vec<&'a str>,
    /// Rules, in order.
    pub rules: Vec<Rule<'a>>,
    /// Exceptions.
    pub excepts: Vec<Except<'a>>,
    /// Context.
    pub contexts: Vec<Context<'a>>,
    /// Post rules.
    pub posts: Vec<Post<'a>>,
}

impl File<'_> {
    /// Whether something in it runs code or changes results.
    #[must_use]
    pub fn needs_trust(&self) -> bool {
        !self.posts.is_empty() || self.rules.iter().any(|r| r.run.is_some())
    }
}

/// Whether a rule of a project's file would loosen.
#[must_use]
pub fn loosens(rule: &Rule<'_>) -> bool {
    rule.say == Say::Allow
}
