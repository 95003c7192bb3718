//! What the state of the policy and of the session says, whatever the rules say.

use harness_core::{Reason, RuleId};
use harness_shell::{Command, EffectKind, Script};

use super::super::facts::{Facts, Unit};
use super::super::kinds::{EffectSet, Zones};
use super::super::load::Loaded;
use super::super::model::Say;
use super::super::{Layer, Policy, matching, post, tools};
use super::ballot::{Ballot, Entry};
use crate::hosts::claude_code::tools::known;

/// Broken files, a project's rules that nobody trusts yet, cut arguments, an alarm.
pub(super) fn weigh(policy: &Policy, facts: &Facts<'_>, reads: bool, ballot: &mut Ballot<'_>) {
    if facts.call.truncated() && !tools::reads_only(facts.call.tool()) {
        ballot.push(built_in(
            Say::Deny,
            "harness/truncated",
            "the host cut this call's arguments, so no rule can have seen them all",
            "make the call smaller",
        ));
    }
    if let Some(key) = tools::unread(facts.call) {
        let tool = facts.call.tool();
        let text = format!(
            "`{key}` of this `{tool}` call is missing or not of its type, so no rule can tell what it does"
        );
        let reason = Reason::new(RuleId::built_in("harness/input"), text)
            .instead("send the call as the tool describes it");
        ballot.push(Entry::new(Say::Deny, Layer::Managed, None, reason));
    }
    for loaded in &policy.layers {
        let spared = match loaded.layer {
            Layer::Project => reads,
            Layer::Managed | Layer::User => looks_at(loaded, facts),
        };
        if loaded.broken().is_some() && !spared {
            ballot.push(broken(loaded, facts));
        }
        if !loaded.trusted() {
            untrusted_posts(loaded, facts, ballot);
        }
    }
    if let Some(why) = facts.exhausted() {
        let text =
            format!("this can't be read to its end ({why}), so no rule can have seen it all");
        let reason = Reason::new(RuleId::built_in("harness/exhausted"), text)
            .instead("make it smaller, or put it into a script that can be read");
        ballot.push(Entry::new(Say::Ask, Layer::Managed, None, reason));
    }
    if facts.situation.tightened && !reads {
        ballot.push(built_in(
            Say::Ask,
            "harness/tightened",
            "an alarm has tightened this session: all but reading needs a person's consent",
            "a person looks at `harness log` and starts a new session",
        ));
    }
}

/// A tool nobody told harness about: what its arguments do can't be judged, so a person
/// says, once in this session or for good by a listener of their own that allows it.
pub(super) fn unknown_tool(facts: &Facts<'_>, ballot: &mut Ballot<'_>) {
    let tool = facts.call.tool();
    if known(tool) || ballot.a_person_allows() {
        return;
    }
    let name: String = tool.chars().filter(|c| !c.is_control()).take(100).collect();
    let why =
        format!("harness doesn't know the tool `{name}`, so it can't tell what this call does");
    let reason = Reason::new(RuleId::built_in("harness/unknown-tool"), why).instead(format!(
        "use a tool it knows, or a person adds a `[[listener]]` with `tool = \"{name}\"` and `vote = \"allow\"` to their policy"
    ));
    ballot.push(Entry::new(Say::Ask, Layer::Managed, None, reason));
}

fn built_in(say: Say, rule: &'static str, why: &'static str, instead: &'static str) -> Entry {
    Entry::new(say, Layer::Managed, None, Reason::new(RuleId::built_in(rule), why).instead(instead))
}

/// A broken user or managed file denies; a broken project file asks. Editing the broken
/// file asks, so that no state of files is a dead end.
fn broken(loaded: &Loaded, facts: &Facts<'_>) -> Entry {
    let first = loaded.broken().and_then(<[_]>::first);
    let file = loaded.path.display().to_string();
    let what = first.map_or_else(|| file.clone(), |p| p.located(&file));
    let mends = mends(loaded, facts);
    let say = if loaded.layer == Layer::Project || mends { Say::Ask } else { Say::Deny };
    let text = if mends {
        format!("this edits a policy file that is broken: {what}")
    } else {
        format!("the policy can't be relied on: {what}")
    };
    let instead = first.map_or("", |p| p.instead.as_str());
    let reason = Reason::new(RuleId::built_in("harness/broken-policy"), text)
        .instead(format!("{instead}; `harness policy check` lists every mistake"));
    Entry::new(say, loaded.layer, Some((&loaded.path, first.map_or(0, |p| p.line))), reason)
}

/// Whether the call is an edit of exactly this file by a file tool.
fn mends(loaded: &Loaded, facts: &Facts<'_>) -> bool {
    matches!(facts.call.tool(), "Write" | "Edit" | "MultiEdit") && names(loaded, facts)
}

/// Whether the call only reads exactly this file or lists its mistakes, as who mends it
/// must.
fn looks_at(loaded: &Loaded, facts: &Facts<'_>) -> bool {
    let checks = |script: &Script| {
        script.opaque.is_empty()
            && !script.commands.is_empty()
            && script.commands.iter().all(checks)
    };
    (facts.call.tool() == "Read" && names(loaded, facts))
        || facts.script.as_ref().is_some_and(checks)
}

/// `harness policy check`, and nothing around it.
fn checks(command: &Command) -> bool {
    command.program.text == "harness"
        && command.assigns.is_empty()
        && command.redirects.is_empty()
        && command.via.is_empty()
        && matches!(command.args.as_slice(), [a, b, ..] if a.text == "policy" && b.text == "check")
}

fn names(loaded: &Loaded, facts: &Facts<'_>) -> bool {
    let file = loaded.path.to_string_lossy();
    facts.call.input().str_at("file_path").is_some_and(|path| {
        let target = facts.world.resolve(facts.call.cwd(), &path);
        target == file || target == facts.world.resolve("/", &file)
    })
}

/// A project's post rules that nobody trusts are inert; the tools they name ask.
fn untrusted_posts(loaded: &Loaded, facts: &Facts<'_>, ballot: &mut Ballot<'_>) {
    let Some(flat) = loaded.flat() else { return };
    if !flat.has_posts().unwrap_or(false) {
        return;
    }
    let Ok(rest) = flat.rest() else { return };
    for post in &rest.posts {
        if post::names(post, facts.call.tool()) {
            let text = "this project's policy wants to change this tool's results, and nobody has said that it may, as it is now";
            let reason = Reason::new(RuleId::named(post.id.to_owned()), text).instead(
                "a person runs `harness trust` in the project, in a terminal of their own",
            );
            ballot.push(Entry::new(
                Say::Ask,
                loaded.layer,
                Some((&loaded.path, post.line)),
                reason,
            ));
            return;
        }
    }
}

/// Whether the call is known only to read.
pub(super) fn only_reads(facts: &Facts<'_>, units: &[Unit<'_>]) -> bool {
    let Some(script) = &facts.script else { return tools::reads_only(facts.call.tool()) };
    script.opaque.is_empty() && units.iter().all(|unit| unit_reads(facts, unit))
}

fn unit_reads(facts: &Facts<'_>, unit: &Unit<'_>) -> bool {
    let Some(command) = unit.command else { return false };
    let name = command.name();
    let words: Vec<&str> =
        command.args.iter().map(|w| w.text.as_str()).filter(|w| !w.starts_with('-')).collect();
    let known = match name {
        // A bare assignment or redirection.
        "" => command.program.literal || command.program.text.is_empty(),
        "git" => words.first().is_some_and(|w| tools::reading_git(w)) && !has_config(unit),
        "harness" => matches!(
            words.as_slice(),
            ["status" | "doctor" | "explain" | "log" | "why", ..]
                | ["policy", "check" | "show" | "packs" | "test", ..]
                | ["knob" | "preset"]
        ),
        "find" | "fd" => ![
            "-exec",
            "-execdir",
            "-ok",
            "-okdir",
            "-delete",
            "-fprint",
            "-fprintf",
            "-fls",
            "-x",
            "-X",
            "--exec",
            "--exec-batch",
        ]
        .iter()
        .any(|flag| matching::has_flag(flag, &command.args)),
        "sort" | "yq" | "tree" => !matching::has_flag("-o|--output|-i|--inplace", &command.args),
        "printenv" | "less" | "more" => true,
        name => tools::reading_program(name),
    };
    let harmless_env = command.assigns.iter().all(|(n, _)| {
        !matches!(
            n.as_str(),
            "PATH"
                | "LD_PRELOAD"
                | "LD_LIBRARY_PATH"
                | "PAGER"
                | "GIT_PAGER"
                | "LESSOPEN"
                | "BASH_ENV"
                | "ENV"
        ) && !n.starts_with("GIT_")
    });
    // A program with a folder in its name may be any program.
    let by_name = !command.program.text.contains('/')
        || command.program.text.starts_with("/usr/bin/")
        || command.program.text.starts_with("/bin/");
    known && harmless_env && by_name && unit.touches.iter().all(|t| touch_reads(facts, t))
}

/// `git -c alias…` and external diff programs run anything.
fn has_config(unit: &Unit<'_>) -> bool {
    unit.command.is_some_and(|c| {
        matching::has_flag("-c|--ext-diff|--open-files-in-pager|-O|--output|--config-env", &c.args)
    })
}

fn touch_reads(facts: &Facts<'_>, touch: &super::super::facts::Touch<'_>) -> bool {
    let Some(kind) = touch.kind else { return false };
    if kind == EffectKind::Read {
        return true;
    }
    // Output thrown away is not a write.
    EffectSet::of(kind).meets(EffectSet::OVERWRITE.with(EffectSet::CREATE))
        && touch.places(facts).iter().all(|(place, zones)| {
            *zones == Zones::TEMP
                && (place.is("/dev/null") || place.is("/dev/stderr") || place.is("/dev/stdout"))
        })
}
