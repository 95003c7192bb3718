//! [`Execution`]: one run of one call, as wrappers, post listeners and observers see it.

use crate::call::ToolCall;
use core::cell::Cell;

/// Names one execution. Minted by the pipeline; nobody can choose one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Token(u64);

/// Where tokens come from.
#[derive(Debug, Default)]
pub(crate) struct Mint(Cell<u64>);

impl Mint {
    pub(crate) fn token(&self) -> Token {
        let token = self.0.get();
        self.0.set(token.wrapping_add(1));
        Token(token)
    }
}

/// One run of one call.
#[derive(Clone, Copy, Debug)]
pub struct Execution<'x> {
    pub(crate) call: &'x ToolCall<'x>,
    pub(crate) token: Token,
    pub(crate) parent: Option<Token>,
    pub(crate) root: &'x str,
    pub(crate) depth: usize,
}

impl<'x> Execution<'x> {
    /// The sealed call.
    #[must_use]
    pub const fn call(&self) -> &'x ToolCall<'x> {
        self.call
    }

    /// This execution's token.
    #[must_use]
    pub const fn token(&self) -> Token {
        self.token
    }

    /// The token of the execution whose body made this call, if one did.
    #[must_use]
    pub const fn parent(&self) -> Option<Token> {
        self.parent
    }

    /// The id of the outermost call.
    #[must_use]
    pub const fn root(&self) -> &'x str {
        self.root
    }

    /// Whether a body made this call.
    #[must_use]
    pub const fn nested(&self) -> bool {
        self.parent.is_some()
    }
}
