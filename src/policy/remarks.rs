//! What is right but weak in a policy: rules that nothing proves, a switched-off core,
//! guards whose programs are lost.

use super::Policy;
use super::load::Loaded;
use super::model::Rule;
use super::{external, glob, packs};
use crate::hosts::claude_code::tools::{known, spelled_like};

/// Something a person should know of their policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// `core-off`, `guard-lost`, `no-such-tool` or `no-examples`.
    pub kind: &'static str,
    /// What is so, for a person.
    pub what: String,
    /// What to do about it.
    pub instead: &'static str,
    /// The file.
    pub file: String,
    /// The 1-based line; 0 for a whole file.
    pub line: u32,
    /// The rule, if it is one's.
    pub rule: Option<String>,
}

impl Remark {
    /// Where it is, for a person.
    #[must_use]
    pub fn place(&self) -> String {
        if self.line > 0 { format!("{}:{}", self.file, self.line) } else { self.file.clone() }
    }
}

/// The rules of the files, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// All of them.
    pub rules: usize,
    /// Those with an example that must match and one that must pass.
    pub with_examples: usize,
}

/// All that is to be said of a policy.
#[must_use]
pub fn of(policy: &Policy) -> (Vec<Remark>, Count) {
    let mut remarks = core_off(policy);
    let mut count = Count::default();
    for loaded in policy.layers() {
        let Some(Ok(file)) = loaded.flat().map(super::flat::Flat::all) else { continue };
        for rule in &file.rules {
            count.rules += 1;
            remarks.extend(guard_lost(policy, loaded, rule));
            remarks.extend(no_such_tool(loaded, rule));
            match missing(rule) {
                None => count.with_examples += 1,
                Some(what) => remarks.push(no_examples(loaded, rule, what)),
            }
        }
    }
    (remarks, count)
}

/// The built-in pack that stops what is beyond repair is off, and by whom.
fn core_off(policy: &Policy) -> Vec<Remark> {
    let is_on = |pack: &packs::Pack| policy.packs().iter().any(|on| on.name == pack.name);
    packs::ALL
        .iter()
        .filter(|pack| pack.default && !is_on(pack))
        .map(|pack| Remark {
            kind: "core-off",
            what: format!(
                "the pack `{}` is switched off: no rule of it stops {}",
                pack.name, pack.about
            ),
            instead: "take it out of `disable`, and make an `[[except]]` for the rule that is in the way",
            file: culprit(policy, pack.name),
            line: 0,
            rule: None,
        })
        .collect()
}

fn culprit(policy: &Policy, pack: &str) -> String {
    let disables = |loaded: &&Loaded| {
        let rest = loaded.flat().map(|flat| flat.rest());
        rest.is_some_and(|rest| rest.is_ok_and(|rest| rest.disable.contains(&pack)))
    };
    let found = policy.layers().iter().find(disables);
    found.map_or_else(String::new, |loaded| loaded.path.display().to_string())
}

fn missing(rule: &Rule<'_>) -> Option<&'static str> {
    match (rule.matches.is_empty(), rule.passes.is_empty()) {
        (true, true) => Some("has no examples"),
        (true, false) => Some("has no example that it must match"),
        (false, true) => Some("has no example that it must let pass"),
        (false, false) => None,
    }
}

/// A guard whose program can't be started denies all that it is asked about. A project's
/// program that nobody trusts isn't asked.
fn guard_lost(policy: &Policy, loaded: &Loaded, rule: &Rule<'_>) -> Option<Remark> {
    let run = rule.run.as_ref().filter(|_| loaded.trusted())?;
    let why = external::trouble(run, &policy.folder(loaded))?;
    Some(Remark {
        kind: "guard-lost",
        what: format!(
            "the guard `{}` can't be started, so every call that it is for is denied: `{}`: {why}",
            rule.id,
            run.argv.first().copied().unwrap_or_default(),
        ),
        instead: "put its program there, executable (`chmod +x`), or take the guard out of the file",
        file: loaded.path.display().to_string(),
        line: rule.line,
        rule: Some(rule.id.to_owned()),
    })
}

/// A rule for a tool that no client has, though one of nearly its name is there: it would
/// stand by while that one runs.
fn no_such_tool(loaded: &Loaded, rule: &Rule<'_>) -> Option<Remark> {
    let tools = &rule.when.tools;
    let near = tools.iter().find_map(|tool| {
        let like = spelled_like(tool).filter(|_| !known(tool) && !glob::is_glob(tool))?;
        let meant = tools.iter().any(|other| glob::name(other, like));
        (!meant).then_some((tool, like))
    });
    let (tool, like) = near?;
    Some(Remark {
        kind: "no-such-tool",
        what: format!(
            "rule `{}` is for a tool `{tool}`, which no client has; did you mean `{like}`?",
            rule.id
        ),
        instead: "write the tool's name as the client does, letter case and all",
        file: loaded.path.display().to_string(),
        line: rule.line,
        rule: Some(rule.id.to_owned()),
    })
}

fn no_examples(loaded: &Loaded, rule: &Rule<'_>, what: &str) -> Remark {
    Remark {
        kind: "no-examples",
        what: format!("rule `{}` {what}, so nothing shows that it does what it is for", rule.id),
        instead: "add `examples.match = [\"…\"]` and `examples.pass = [\"…\"]` to it",
        file: loaded.path.display().to_string(),
        line: rule.line,
        rule: Some(rule.id.to_owned()),
    }
}
