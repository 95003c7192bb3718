//! `harness install`

use super::beside::{self, Manner, Report, worse};
use super::choices;
use super::consent;
use super::diff;
use super::exit::Exit;
use super::out;
use super::uninstall::refuse;
use crate::hosts::HostId;
use crate::hosts::claude_code::places::Scope;
use crate::install::status::{OffSwitch, switched_off};
use crate::install::{self, Done, Draft, Failure, Kind, Prepared, Surroundings, words};
use serde_json::{Value, json};

/// Arguments of `harness install`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The agent to install into, as often as there are some; Claude Code, if not given
    #[arg(long = "host", value_name = "HOST", value_parser = choices::host())]
    hosts: Vec<HostId>,
    /// Whose settings the hooks go into
    #[arg(long, value_name = "SCOPE", value_parser = choices::scope(), default_value = "user")]
    scope: Scope,
    /// Don't ask
    #[arg(long, short)]
    yes: bool,
    /// Show what would change and change nothing; exit code 1 if something would
    #[arg(long)]
    dry_run: bool,
    /// Scope `project` only: stop those who lack harness instead of telling them
    #[arg(long)]
    require: bool,
    /// Print the outcome as JSON
    #[arg(long)]
    json: bool,
}

/// How to see what would change.
pub(super) const LOOK: &str = "`--dry-run` to see what would change";

/// Runs `harness install`.
pub fn run(args: Args) -> Exit {
    match install(&args) {
        Ok(exit) => exit,
        Err(failure) => fail(&failure),
    }
}

/// Prints a failure and names its exit code.
pub(super) fn fail(failure: &Failure) -> Exit {
    out::error(&failure.message, failure.hint.as_deref());
    match failure.kind {
        Kind::Usage => Exit::Usage,
        Kind::Unproven => Exit::No,
        Kind::CouldNot => Exit::CouldNot,
    }
}

fn install(args: &Args) -> Result<Exit, Failure> {
    if !args.dry_run {
        must_be_answerable(args.yes, args.json, LOOK)?;
    }
    if args.require && args.scope != Scope::Project {
        return Err(Failure::usage(
            "`--require` is for `--scope project`",
            "leave it out: in every other scope the gate closes by itself where the client can",
        ));
    }
    let around = Surroundings::now()?;
    let others = beside::others(&args.hosts);
    if !others.is_empty() && args.scope != Scope::User {
        return Err(Failure::usage(
            "only Claude Code's hooks can go anywhere but into your own settings",
            "leave `--scope` out, or name `--host claude-code` alone",
        ));
    }
    let report = if args.json { Report::Json } else { Report::Text };
    let manner = Manner { yes: args.yes, dry_run: args.dry_run, report };
    if !beside::names_claude_code(&args.hosts) {
        return beside::install(&around, &others, manner);
    }
    let exit = into_claude_code(args, around.clone(), &others)?;
    if args.json || (exit == Exit::Usage && !args.dry_run) {
        return Ok(exit);
    }
    if args.hosts.is_empty() {
        beside::offer(&around);
        return Ok(exit);
    }
    Ok(worse(exit, beside::install(&around, &others, manner)?))
}

fn into_claude_code(
    args: &Args,
    around: Surroundings,
    others: &[HostId],
) -> Result<Exit, Failure> {
    if args.json && !others.is_empty() {
        return Err(Failure::usage(
            "`--json` speaks of Claude Code or of the others, not of both at once",
            "run it once for `--host claude-code` and once for the others",
        ));
    }
    let first = install::prepare(around, args.scope, args.require)?;
    let older = first.outdated_elsewhere();
    let drafts = |all: Vec<Prepared>| {
        let pairs = all.into_iter().map(|p| p.draft().map(|draft| (p, draft)));
        pairs.collect::<Result<Vec<_>, Failure>>()
    };
    let drafts = drafts(std::iter::once(first).chain(older).collect())?;
    if args.dry_run {
        return Ok(show_dry_run(args, &drafts));
    }
    if !args.yes && drafts.iter().any(|(_, draft)| draft.changes()) {
        drafts.iter().for_each(|(prepared, draft)| summarise(prepared, draft));
        if !confirm("Install?")? {
            out::note("nothing was changed");
            return Ok(Exit::Usage);
        }
    }
    if let Some((first, _)) = drafts.iter().find(|(_, draft)| draft.changes())
        && let Err(failed) = consent::passphrases_in_force(&first.around, &first.around.harness)
    {
        return Ok(refuse(failed));
    }
    let mut all = Vec::new();
    let mut exit = Exit::Done;
    for (prepared, _) in drafts {
        let done = prepared.apply()?;
        let off = switched_off(&prepared.around, prepared.scope);
        if !off.is_empty() || done.draft.ignored.is_some() {
            exit = Exit::No;
        }
        if !args.json {
            report(&prepared, &done, &off);
        }
        all.push((prepared, done, off));
    }
    if args.json {
        let hosts = all.iter().map(|(p, done, off)| json(p, &done.draft, Some(done), off)).collect();
        let changed = all.iter().any(|(_, done, _)| done.draft.changes());
        out::line(json_of(hosts, changed, changed));
    }
    Ok(exit)
}

/// Nobody can answer a question that no terminal shows; `look` is how to only look.
pub(super) fn must_be_answerable(yes: bool, json: bool, look: &str) -> Result<(), Failure> {
    if yes || (consent::answerable() && !json) {
        return Ok(());
    }
    Err(Failure::usage(
        "refusing to change settings without confirmation",
        format!("pass `--yes`, or {look}"),
    ))
}

/// Asks a person.
pub(super) fn confirm(question: &str) -> Result<bool, Failure> {
    consent::ask(question, true)
        .map_err(|e| Failure::could_not(format!("no answer: {e}"), Some("pass `--yes`".into())))
}

fn show_dry_run(args: &Args, drafts: &[(Prepared, Draft)]) -> Exit {
    let changes = drafts.iter().any(|(_, draft)| draft.changes());
    if args.json {
        let off = |p: &Prepared| switched_off(&p.around, p.scope);
        let hosts = drafts.iter().map(|(p, draft)| json(p, draft, None, &off(p))).collect();
        out::line(json_of(hosts, false, changes));
        return if changes { Exit::No } else { Exit::Done };
    }
    for (prepared, draft) in drafts {
        for note in &draft.notes {
            out::note(format!("note: {note}"));
        }
        for switch in switched_off(&prepared.around, prepared.scope) {
            out::note(format!("note: {}", switch.told()));
        }
        let name = prepared.file.display().to_string();
        print_diff(&name, draft.old.as_deref(), Some(&draft.preview()));
    }
    if !changes {
        out::note("nothing would change");
    }
    if changes { Exit::No } else { Exit::Done }
}

/// Prints what would change in a file.
pub(super) fn print_diff(name: &str, old: Option<&str>, new: Option<&str>) {
    let text = diff::unified(name, old, new);
    if !text.is_empty() {
        out::line(text.trim_end_matches('\n'));
    }
}

fn summarise(prepared: &Prepared, draft: &Draft) {
    let around = &prepared.around;
    out::note(format!("harness will change one file:\n\n  {}", around.shown(&prepared.file)));
    for entry in &draft.entries {
        let closes = if entry.on_failure.is_some() { ", closes if the hook can't answer" } else { "" };
        out::note(format!("    + {:<20} timeout {} s{closes}", entry.event, entry.timeout));
    }
    out::note(format!("\n  the hooks start {}", around.shown(&prepared.program.path)));
    for note in &draft.notes {
        out::note(format!("  note: {note}"));
    }
    for switch in switched_off(around, prepared.scope) {
        out::note(format!("  note: {}", switch.told()));
    }
    say_weaknesses(prepared.scope, "  ");
    out::note("  undo at any time: harness uninstall\n");
}

/// Says what a scope can't hold.
pub(super) fn say_weaknesses(scope: Scope, indent: &str) {
    let weak = words::weaknesses(scope);
    if weak.is_empty() {
        return;
    }
    out::note(format!("{indent}scope `{scope}` can't hold everything:"));
    for word in weak {
        out::note(format!("{indent}  - {word}"));
    }
    out::note(format!("{indent}  {}", words::STRONGER));
}

fn report(prepared: &Prepared, done: &Done, off: &[OffSwitch]) {
    let around = &prepared.around;
    let file = around.shown(&prepared.file);
    let host = HostId::ClaudeCode.as_str();
    for note in &done.draft.notes {
        out::note(format!("note: {note}"));
    }
    if done.draft.changes() {
        let backup = done.backup.as_ref().map(|b| format!(" (backup {})", around.shown(b)));
        let (count, backup) = (done.draft.entries.len(), backup.unwrap_or_default());
        out::line(format!("{host}: {count} hooks are in {file}{backup}"));
    } else {
        out::line(format!("{host}: already installed in {file}, nothing changed"));
    }
    let ms = done.proof.answered_in.as_millis();
    // What the client doesn't start stops nothing, however well it answers us.
    let how = match (off, &done.draft.ignored) {
        ([], None) => "proven",
        ([], Some(_)) => "ignored by the client, though it works",
        _ => "switched off, though it works",
    };
    out::line(format!("{host}: {how}: the hook denied a test call in {ms} ms and let its harmless twin pass"));
    for switch in off {
        out::line(format!("{host}: {}", switch.told()));
    }
    if let Some(why) = &done.draft.ignored {
        out::line(format!("{host}: {why}; mend that line"));
    }
    say_weaknesses(prepared.scope, "");
}

fn json_of(hosts: Vec<Value>, changed: bool, would_change: bool) -> String {
    json!({ "schema": 1, "changed": changed, "would_change": would_change, "hosts": hosts })
        .to_string()
}

fn json(prepared: &Prepared, draft: &Draft, done: Option<&Done>, off: &[OffSwitch]) -> Value {
    let events: Vec<&str> = draft.entries.iter().map(|e| e.event.as_str()).collect();
    json!({
        "id": HostId::ClaudeCode.as_str(),
        "scope": prepared.scope,
        "file": prepared.file,
        "client": prepared.clients.lowest().map(|v| v.to_string()),
        "binary": prepared.program.path,
        "events": events,
        "backup": done.and_then(|d| d.backup.as_ref()),
        "proven": done.is_some() && off.is_empty() && draft.ignored.is_none(),
        "ignored": draft.ignored,
        "off_switches": off,
        "notes": draft.notes,
        "weaknesses": words::weaknesses(prepared.scope),
    })
}
