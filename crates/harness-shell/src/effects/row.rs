//! A row of the tables of effects.

use crate::options::Spec;
use crate::script::EffectKind;

/// Which arguments an effect concerns.
#[derive(Clone, Copy, Debug)]
pub(super) enum Pick {
    None,
    All,
    First,
    Rest,
    /// All but the first, which is a pattern or a program unless an option gave it.
    RestUnless(&'static [&'static str]),
    /// The last, if it is not the only one.
    Last,
    AllButLast,
    /// The values of these options.
    Option(&'static [&'static str]),
}

/// One effect of one program.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) name: &'static str,
    /// Leading operands that name a subcommand.
    pub(super) sub: &'static [&'static str],
    /// Options of which one must be given.
    pub(super) any: &'static [&'static str],
    /// Options that make it harmless.
    pub(super) unless: &'static [&'static str],
    pub(super) kind: EffectKind,
    pub(super) target: Pick,
    pub(super) recursive: &'static [&'static str],
    pub(super) always_recursive: bool,
    pub(super) forced: &'static [&'static str],
    /// What the target's name ends in, beside the operand.
    pub(super) named: &'static str,
    /// Has the effect even if it names no target.
    pub(super) bare: bool,
    /// How the program's options are read: the first row of a program says it.
    pub(super) spec: Spec,
}

/// A program's effect on some of its operands.
pub(super) const fn row(name: &'static str, kind: EffectKind, target: Pick) -> Row {
    Row {
        name,
        sub: &[],
        any: &[],
        unless: &[],
        kind,
        target,
        recursive: &[],
        always_recursive: false,
        forced: &[],
        named: "",
        bare: false,
        spec: Spec::PLAIN,
    }
}

/// A program's effect, whether or not it names a target.
pub(super) const fn act(name: &'static str, kind: EffectKind, target: Pick) -> Row {
    Row { bare: true, ..row(name, kind, target) }
}

impl Row {
    pub(super) const fn sub(self, sub: &'static [&'static str]) -> Self {
        Self { sub, ..self }
    }

    pub(super) const fn any(self, any: &'static [&'static str]) -> Self {
        Self { any, ..self }
    }

    pub(super) const fn unless(self, unless: &'static [&'static str]) -> Self {
        Self { unless, ..self }
    }

    pub(super) const fn recursive(self, recursive: &'static [&'static str]) -> Self {
        Self { recursive, ..self }
    }

    pub(super) const fn deep(self) -> Self {
        Self { always_recursive: true, ..self }
    }

    pub(super) const fn forced(self, forced: &'static [&'static str]) -> Self {
        Self { forced, ..self }
    }

    pub(super) const fn values(self, letters: &'static str, long: &'static [&'static str]) -> Self {
        Self { spec: Spec::values(letters, long), ..self }
    }

    /// The effect is on a file of the operand's name with this end.
    pub(super) const fn named(self, named: &'static str) -> Self {
        Self { named, ..self }
    }

    pub(super) const fn spec(self, spec: Spec) -> Self {
        Self { spec, ..self }
    }

    pub(super) const fn single_dash(self) -> Self {
        Self { spec: Spec::single_dash("", &[]), ..self }
    }
}
