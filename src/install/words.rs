//! What a scope can't hold, in the same words wherever it is said.

use crate::hosts::claude_code::places::Scope;

/// What the entries of a scope can't hold against; empty where nothing below the machine's
/// administrator can switch them off.
#[must_use]
pub const fn weaknesses(scope: Scope) -> &'static [&'static str] {
    match scope {
        Scope::User => &[
            "a repository's settings can switch these hooks off (`disableAllHooks`)",
            "so can whoever starts the client (`--bare`, `--safe-mode`, `--setting-sources`)",
        ],
        Scope::Project => &[
            "only sessions started in this very folder read them",
            "whoever can edit the repository can take them out",
            "a client whose search path lacks `harness` goes on without them, unless they were installed with `--require` and it knows `onFailure`",
            "local settings can switch these hooks off (`disableAllHooks`)",
            "so can whoever starts the client (`--bare`, `--safe-mode`, `--setting-sources`)",
        ],
        Scope::Local => &[
            "only sessions in this repository read them",
            "whoever starts the client can leave them out (`--bare`, `--safe-mode`, `--setting-sources`)",
        ],
        Scope::Managed => &[],
    }
}

/// Where to go for more.
pub const STRONGER: &str = "`harness install --scope managed` (as administrator) closes that";
