//! `[[listener]]` and `[[guard]]`.

use super::super::file::File;
use super::super::kinds::{Access, EffectSet, Letters, Zones};
use super::super::model::{List, Matcher, Rule, Run, Say, Station};
use super::section::Section;

const CONDITIONS: &[&str] = &[
    "tool",
    "command",
    "flags",
    "without",
    "args",
    "paths",
    "path",
    "access",
    "effects",
    "zones",
    "recursive",
    "forced",
    "mentions",
];

/// The longest an external guard may take: well below the hook's own deadline.
pub(super) const MAX_TIMEOUT_MS: u32 = 8_000;
const DEFAULT_TIMEOUT_MS: u32 = 2_000;

/// Reads every listener.
pub(super) fn listeners<'t>(root: &mut Section<'t, '_, '_>, file: &mut File<'t>, project: bool) {
    root.each("listener", |s| {
        s.known(&known(&["id", "vote", "reason", "instead", "examples"]));
        let say = vote(s, project);
        let mut rule = common(s, Station::Listener, say);
        if say != Say::Allow {
            rule.reason = s.required("reason", "\"why, in a sentence\"");
        } else {
            rule.reason = s.text("reason").unwrap_or("");
        }
        file.rules.push(rule);
    });
}

/// Reads every guard.
pub(super) fn guards<'t>(root: &mut Section<'t, '_, '_>, file: &mut File<'t>) {
    root.each("guard", |s| {
        s.known(&known(&["id", "deny", "instead", "examples", "run", "timeout"]));
        if s.has("vote") {
            s.wrong("vote", "a guard can only deny", "use `deny = \"why\"`, or a `[[listener]]`");
        }
        let mut rule = common(s, Station::Guard, Say::Deny);
        rule.run = run(s);
        if rule.run.is_some() {
            rule.reason = s.text("deny").unwrap_or("");
        } else if s.has("deny") || !s.has("run") {
            rule.reason = s.required("deny", "\"why, in a sentence\"");
        }
        file.rules.push(rule);
    });
}

fn known(own: &[&'static str]) -> Vec<&'static str> {
    own.iter().chain(CONDITIONS).copied().collect()
}

fn vote(s: &mut Section<'_, '_, '_>, project: bool) -> Say {
    match s.required("vote", "\"ask\"") {
        // Read on as an allow, so that this is the only mistake that is reported.
        "allow" if project => {
            s.wrong(
                "vote",
                "a project's file can't allow: it may only tighten",
                "use \"ask\" or \"deny\", or move the rule to your own policy file",
            );
            Say::Allow
        }
        "allow" => Say::Allow,
        "ask" | "" => Say::Ask,
        "deny" => Say::Deny,
        other => {
            let what = format!("there is no vote `{other}`");
            s.wrong("vote", what, "write \"allow\", \"ask\" or \"deny\"");
            Say::Deny
        }
    }
}

fn common<'t>(s: &mut Section<'t, '_, '_>, station: Station, say: Say) -> Rule<'t> {
    let when = conditions(s);
    if when == Matcher::ANY {
        s.wrong_whole(
            "it has no condition, so it would match every call",
            "add `tool`, `command`, `paths`, `mentions` or `effects`; `tool = \"*\"` if every call is meant",
        );
    }
    let (mut matches, mut passes): (List<'t>, List<'t>) = (List::default(), List::default());
    s.table("examples", |e| {
        e.known(&["match", "pass"]);
        matches = e.list("match");
        passes = e.list("pass");
    });
    Rule {
        id: id(s),
        line: s.line(),
        station,
        say,
        reason: "",
        instead: s.text("instead").unwrap_or(""),
        when,
        run: None,
        matches,
        passes,
    }
}

/// A person's own id: no slash, since that is how packs' rules are told apart.
pub(super) fn id<'t>(s: &mut Section<'t, '_, '_>) -> &'t str {
    let id = s.required("id", "\"a-name\"");
    let fits = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    if !id.is_empty() && (!id.chars().all(fits) || id.len() > 80) {
        s.wrong(
            "id",
            "an id is at most 80 letters, digits, `-`, `_` and `.`",
            "choose another; `pack/rule` names are the packs'",
        );
    }
    id
}

/// Reads conditions, for rules and for `when`.
pub(super) fn conditions<'t>(s: &mut Section<'t, '_, '_>) -> Matcher<'t> {
    if s.has("path") && s.has("paths") {
        s.wrong("path", "both `path` and `paths` are given", "use `paths` alone");
    }
    let path_key = if s.has("paths") { "paths" } else { "path" };
    Matcher {
        letters: Letters::NONE,
        tools: s.list("tool"),
        command: s.list("command"),
        flags: s.list("flags"),
        without: s.list("without"),
        args: s.list("args"),
        paths: s.list(path_key),
        access: access(s),
        effects: words(s, "effects", EffectSet::WORDS, EffectSet::with),
        zones: words(s, "zones", Zones::WORDS, Zones::with),
        recursive: s.flag("recursive"),
        forced: s.flag("forced"),
        mentions: s.list("mentions"),
        branch: List::default(),
    }
}

fn access(s: &mut Section<'_, '_, '_>) -> Access {
    match s.text("access") {
        None => Access::Any,
        Some("read") => Access::Read,
        Some("write") => Access::Write,
        Some("any") => Access::Any,
        Some(other) => {
            let what = format!("there is no access `{other}`");
            s.wrong("access", what, "write \"read\", \"write\" or \"any\"");
            Access::Any
        }
    }
}

fn words<T: Copy + Default>(
    s: &mut Section<'_, '_, '_>,
    key: &str,
    table: &[(&'static str, T)],
    with: impl Fn(T, T) -> T,
) -> T {
    let mut out = T::default();
    for word in s.list(key).iter() {
        match table.iter().find(|(w, _)| w == word) {
            Some((_, value)) => out = with(out, *value),
            None => {
                let all: Vec<&str> = table.iter().map(|(w, _)| *w).collect();
                s.wrong(key, format!("there is no `{word}`"), format!("one of {}", all.join(", ")));
            }
        }
    }
    out
}

fn run<'t>(s: &mut Section<'t, '_, '_>) -> Option<Run<'t>> {
    if !s.has("run") {
        if s.has("timeout") {
            s.wrong("timeout", "only an external guard has one", "add `run`, or take it out");
        }
        return None;
    }
    let argv = s.list("run");
    let timeout_ms = match s.text("timeout") {
        None => DEFAULT_TIMEOUT_MS,
        Some(text) => {
            duration(text).filter(|ms| (1..=MAX_TIMEOUT_MS).contains(ms)).unwrap_or_else(|| {
                s.wrong(
                    "timeout",
                    "it is not a time between 1ms and 8s",
                    "write `timeout = \"2s\"`",
                );
                DEFAULT_TIMEOUT_MS
            })
        }
    };
    (!argv.is_empty()).then_some(Run { argv, timeout_ms })
}

fn duration(text: &str) -> Option<u32> {
    if let Some(ms) = text.strip_suffix("ms") {
        return ms.trim().parse().ok();
    }
    text.strip_suffix('s')?.trim().parse::<u32>().ok()?.checked_mul(1000)
}
