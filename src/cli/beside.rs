//! Installing into the agents beside Claude Code, and taking it out of them.

use super::exit::Exit;
use super::install::{confirm, print_diff};
use super::out;
use crate::hosts::HostId;
use crate::install::beside::{self, Change, Prepared};
use crate::install::{Failure, Surroundings, manifest};
use serde_json::{Value, json};

/// How it is done.
#[derive(Clone, Copy, Debug)]
pub(super) struct Manner {
    /// Without asking.
    pub(super) yes: bool,
    /// Only shown.
    pub(super) dry_run: bool,
    /// What is printed.
    pub(super) report: Report,
}

/// What is printed of what was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Report {
    /// Lines for people.
    Text,
    /// One document.
    Json,
    /// Nothing: another document is printed.
    None,
}

/// The stricter of two outcomes.
pub(super) fn worse(one: Exit, other: Exit) -> Exit {
    if one.code() >= other.code() { one } else { other }
}

/// Those named that aren't Claude Code, each once.
pub(super) fn others(hosts: &[HostId]) -> Vec<HostId> {
    let named = HostId::INSTALLED.iter().copied();
    named.filter(|h| *h != HostId::ClaudeCode && hosts.contains(h)).collect()
}

/// Whether Claude Code is among them: it is if nobody is named.
pub(super) fn names_claude_code(hosts: &[HostId]) -> bool {
    hosts.is_empty() || hosts.contains(&HostId::ClaudeCode)
}

/// Those that harness is installed in, by its own memory.
pub(super) fn installed(around: &Surroundings) -> Vec<HostId> {
    let loaded = manifest::load(&around.harness);
    let beside = loaded.get().map(|m| m.beside.as_slice()).unwrap_or_default();
    beside.iter().filter_map(|b| HostId::parse(&b.host)).collect()
}

/// Names the agents found here that harness isn't installed in.
pub(super) fn offer(around: &Surroundings) {
    let there = installed(around);
    for host in beside::found(around).iter().filter(|host| !there.contains(host)) {
        let host = host.as_str();
        out::note(format!("note: {host} is here too: `harness install --host {host}` guards it"));
    }
}

/// Installs into each.
pub(super) fn install(
    around: &Surroundings,
    hosts: &[HostId],
    manner: Manner,
) -> Result<Exit, Failure> {
    let prepared = hosts.iter().map(|host| beside::prepare(around.clone(), *host));
    let prepared = prepared.collect::<Result<Vec<Prepared>, Failure>>()?;
    let drafts = prepared.iter().map(Prepared::draft).collect::<Result<Vec<Change>, Failure>>()?;
    if manner.dry_run {
        return Ok(preview(&drafts, manner.report));
    }
    if !manner.yes && drafts.iter().any(Change::changes) {
        for (draft, prepared) in drafts.iter().zip(&prepared).filter(|(d, _)| d.changes()) {
            let (file, program) = (around.shown(&draft.file), around.shown(prepared.program()));
            let count = draft.events.len();
            out::note(format!("harness will put {count} hooks that start {program} into {file}"));
        }
        if !confirm("Install?")? {
            out::note("nothing was changed");
            return Ok(Exit::Usage);
        }
    }
    let mut done = Vec::new();
    for prepared in &prepared {
        let change = prepared.apply()?;
        if manner.report == Report::Text {
            let (host, file) = (change.host.as_str(), around.shown(&change.file));
            let count = change.events.len();
            out::line(if change.changes() {
                format!("{host}: {count} hooks are in {file}")
            } else {
                format!("{host}: already installed in {file}, nothing changed")
            });
            out::line(format!(
                "{host}: the hook denied a test call, as {host} reads its answer, and let a harmless one pass"
            ));
            if let Some(todo) = change.todo {
                out::line(format!("{host}: {todo}"));
            }
        }
        done.push(change);
    }
    if manner.report == Report::Json {
        out::line(json_of(&done, true));
    }
    Ok(Exit::Done)
}

/// Takes the hooks out of each.
pub(super) fn uninstall(
    around: &Surroundings,
    hosts: &[HostId],
    manner: Manner,
) -> Result<Exit, Failure> {
    let drafts = hosts.iter().map(|host| beside::removal(around, *host));
    let drafts = drafts.collect::<Result<Vec<_>, Failure>>()?;
    let drafts: Vec<Change> = drafts.into_iter().flatten().collect();
    if manner.dry_run {
        return Ok(preview(&drafts, manner.report));
    }
    if !manner.yes && drafts.iter().any(Change::changes) {
        for draft in drafts.iter().filter(|d| d.changes()) {
            out::note(format!("harness will take its hooks out of {}", around.shown(&draft.file)));
        }
        if !confirm("Uninstall?")? {
            out::note("nothing was changed");
            return Ok(Exit::Usage);
        }
    }
    let mut done = Vec::new();
    for host in hosts {
        let change = beside::remove(around, *host)?;
        let name = host.as_str();
        let said = match &change {
            Some(change) => {
                let end = if change.new.is_none() { ", which is gone too" } else { "" };
                format!("{name}: the hooks are out of {}{end}", around.shown(&change.file))
            }
            None => format!("{name}: nothing of harness is installed, nothing changed"),
        };
        if manner.report == Report::Text {
            out::line(said);
        }
        done.extend(change);
    }
    if manner.report == Report::Json {
        out::line(json_of(&done, true));
    }
    Ok(Exit::Done)
}

fn preview(drafts: &[Change], report: Report) -> Exit {
    let changes = drafts.iter().any(Change::changes);
    match report {
        Report::Json => out::line(json_of(drafts, false)),
        Report::None => {}
        Report::Text => {
            for draft in drafts {
                let name = draft.file.display().to_string();
                print_diff(&name, draft.old.as_deref(), draft.new.as_deref());
            }
            if !changes {
                out::note("nothing would change");
            }
        }
    }
    if changes { Exit::No } else { Exit::Done }
}

fn json_of(changes: &[Change], done: bool) -> String {
    let row = |change: &Change| -> Value {
        json!({
            "id": change.host.as_str(),
            "scope": "user",
            "file": change.file,
            "events": change.events,
            "changes": change.changes(),
            "file_goes": change.old.is_some() && change.new.is_none(),
            "todo": change.todo,
        })
    };
    let any = changes.iter().any(Change::changes);
    let rows: Vec<Value> = changes.iter().map(row).collect();
    json!({ "schema": 1, "changed": done && any, "would_change": any, "hosts": rows }).to_string()
}
