//! Arguments that are one of a few words: `--help` lists them, completions offer them,
//! anything else is refused with the list.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::hosts::HostId;
use crate::hosts::claude_code::places::Scope;
use crate::install::schedule::{Every, Kind};

/// A scope's name.
#[must_use]
pub fn scope() -> impl TypedValueParser<Value = Scope> {
    let named = |scope: &Scope| {
        PossibleValue::new(scope.as_str()).help(match scope {
            Scope::User => "yours, in every project",
            Scope::Project => "the repository's, for everybody who works in it",
            Scope::Local => "yours, in this project only",
            Scope::Managed => "the machine's: the only one a repository can't switch off",
        })
    };
    PossibleValuesParser::new(Scope::ALL.iter().map(named))
        .try_map(|name| one_of(Scope::ALL, &name, |scope| scope.as_str()))
}

/// A host's id.
#[must_use]
pub fn host() -> impl TypedValueParser<Value = HostId> {
    hosts(HostId::INSTALLED)
}

/// A host that doctor can examine.
#[must_use]
pub fn examined() -> impl TypedValueParser<Value = HostId> {
    hosts(&[HostId::ClaudeCode])
}

fn hosts(all: &'static [HostId]) -> impl TypedValueParser<Value = HostId> {
    PossibleValuesParser::new(all.iter().map(|host| host.as_str()))
        .try_map(|id| HostId::parse(&id).ok_or("no such host"))
}

/// How often something is started.
#[must_use]
pub fn every() -> impl TypedValueParser<Value = Every> {
    named(Every::ALL)
}

/// A system's scheduler.
#[must_use]
pub fn scheduler() -> impl TypedValueParser<Value = Kind> {
    named(Kind::ALL)
}

fn named<T: Copy + Send + Sync + 'static>(
    all: &'static [(&'static str, T)],
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(all.iter().map(|(name, _)| *name)).try_map(move |name| {
        all.iter().find(|(word, _)| *word == name).map(|(_, value)| *value).ok_or("no such word")
    })
}

fn one_of<T: Copy>(
    all: &[T],
    name: &str,
    word: impl Fn(&T) -> &'static str,
) -> Result<T, &'static str> {
    all.iter().copied().find(|value| word(value) == name).ok_or("no such word")
}
