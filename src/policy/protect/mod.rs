//! Self-protection: always on, never excepted. An agent can't switch its guard off by
//! any call that is seen and understood.

mod agents;
mod carried;
mod class;
mod commands;
mod files;
mod git;
mod into;
mod mention;
mod modes;
mod settings;

use harness_core::RuleId;

use super::facts::{Facts, Unit};
use super::model::Say;

/// What starts hooks, relative to a project or a home.
pub const STARTS_HOOKS: &[&str] = class::FILES;

/// A word of self-protection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Objection {
    /// Ask or deny.
    pub say: Say,
    /// The rule.
    pub rule: RuleId,
    /// Why.
    pub why: String,
    /// What would pass.
    pub instead: &'static str,
}

impl Objection {
    fn new(say: Say, rule: &'static str, why: String, instead: &'static str) -> Self {
        Self { say, rule: RuleId::built_in(rule), why, instead }
    }
}

/// What harness itself must know to protect itself.
#[derive(Clone, Debug, Default)]
pub struct Own {
    /// Folders and files of harness, absolute as spelled.
    pub paths: Vec<String>,
    /// A broken policy file that a person is to repair: editing it asks.
    pub repair: Vec<String>,
}

/// Everything self-protection has to say of a call.
#[must_use]
pub fn check(facts: &Facts<'_>, units: &[Unit<'_>], own: &Own) -> Vec<Objection> {
    let known = class::Known::of(facts, own);
    let mut out = Vec::new();
    for unit in units {
        files::check(facts, unit, &known, &mut out);
        if let Some(command) = unit.command {
            commands::check(command, &mut out);
            carried::check(command, &mut out);
            mention::check(facts, unit, command, &known, &mut out);
        }
    }
    agents::check(facts, &mut out);
    mention::opaque(facts, &known, &mut out);
    out
}

/// Every rule of self-protection, for `policy show`: id, what it says, an example that
/// is stopped and one that passes.
pub static RULES: &[(&str, &str, &str, &str)] = &[
    (
        "self-protection/harness",
        "harness's own policy, state, cache and binary are not to be changed by an agent",
        "rm -rf .codex/hooks.json /etc/harness",
        "harness status",
    ),
    (
        "self-protection/settings",
        "settings that start or stop hooks are not to be changed by an agent",
        "echo '{}' > .claude/settings.json",
        "cat .claude/settings.json",
    ),
    (
        "self-protection/project-policy",
        "a project's policy is changed with a person's consent",
        "echo x >> .harness/policy.toml",
        "cat .harness/policy.toml",
    ),
    (
        "self-protection/commands",
        "commands that loosen harness are for people",
        "harness uninstall --yes",
        "harness doctor",
    ),
    (
        "self-protection/agents",
        "an agent may not start another without its hooks",
        "claude --bare -p hi",
        "claude -p hi",
    ),
    (
        "self-protection/process",
        "processes of harness are not to be stopped or watched",
        "pkill harness",
        "pgrep harness",
    ),
    (
        "self-protection/code",
        "code that names a protected file can't be judged by its text",
        "python3 -c \"open('.claude/settings.json','w')\"",
        "git commit -m \"about .claude/settings.json\"",
    ),
];
