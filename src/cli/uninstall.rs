//! `harness uninstall`

use super::beside::{self, Manner, Report, worse};
use super::choices;
use super::consent::{self, Failed};
use super::exit::Exit;
use super::install::{LOOK, confirm, fail, must_be_answerable, print_diff};
use super::out;
use crate::hosts::HostId;
use crate::hosts::claude_code::places::Scope;
use crate::install::remove::{self, Removal, Removals};
use crate::install::{Failure, Surroundings, sessions};
use std::path::PathBuf;

/// Arguments of `harness uninstall`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The agent to take the hooks out of; every one, if not given
    #[arg(long = "host", value_name = "HOST", value_parser = choices::host())]
    hosts: Vec<HostId>,
    /// Whose settings to take them out of; every one they were put into, if not given
    #[arg(long = "scope", value_name = "SCOPE", value_parser = choices::scope())]
    scopes: Vec<Scope>,
    /// Don't ask
    #[arg(long, short)]
    yes: bool,
    /// Show what would change and change nothing; exit code 1 if something would
    #[arg(long)]
    dry_run: bool,
    /// Print the outcome as JSON
    #[arg(long)]
    json: bool,
}

/// Runs `harness uninstall`.
pub fn run(args: Args) -> Exit {
    match uninstall(&args) {
        Ok(exit) => exit,
        Err(failure) => fail(&failure),
    }
}

fn uninstall(args: &Args) -> Result<Exit, Failure> {
    if !args.dry_run {
        // An agent must not take its own guard off. A scrubbed environment gets past this; the
        // shell rules and the host's own prompt are what stands before it.
        if let Err(failed) = consent::person("taking its hooks out") {
            return Ok(refuse(failed));
        }
        must_be_answerable(args.yes, args.json, LOOK)?;
    }
    let around = Surroundings::now()?;
    let others = if args.hosts.is_empty() && args.scopes.is_empty() {
        beside::installed(&around)
    } else {
        beside::others(&args.hosts)
    };
    let report = if args.json { Report::Json } else { Report::Text };
    let manner = Manner { yes: args.yes, dry_run: args.dry_run, report };
    if !beside::names_claude_code(&args.hosts) {
        if !args.dry_run && let Err(failed) = consent::passphrase(&around.harness) {
            return Ok(refuse(failed));
        }
        return beside::uninstall(&around, &others, manner);
    }
    let exit = out_of_claude_code(args, &around)?;
    if others.is_empty() || (exit == Exit::Usage && !args.dry_run) {
        return Ok(exit);
    }
    // What is printed as JSON is one document.
    let report = if args.json { Report::None } else { Report::Text };
    let manner = Manner { report, ..manner };
    Ok(worse(exit, beside::uninstall(&around, &others, manner)?))
}

fn out_of_claude_code(args: &Args, around: &Surroundings) -> Result<Exit, Failure> {
    if args.dry_run || !args.yes {
        let draft = remove::draft(around, &args.scopes);
        if args.dry_run {
            return Ok(show_dry_run(args, draft));
        }
        if draft.failures.is_empty() && draft.files.iter().any(Removal::changes) {
            for found in draft.files.iter().filter(|f| f.changes()) {
                let file = around.shown(&found.file);
                out::note(format!("harness will take {} hooks out of {file}", found.entries));
            }
            if !confirm("Uninstall?")? {
                out::note("nothing was changed");
                return Ok(Exit::Usage);
            }
        }
    }
    let asked = consent::passphrase(&around.harness)
        .and_then(|()| consent::passphrases_in_force(around, &around.harness));
    if let Err(failed) = asked {
        return Ok(refuse(failed));
    }
    let done = remove::apply(around, &args.scopes)?;
    let open = wait_for_sessions(around, &done);
    if args.json { out::line(json(&done, &open)) } else { report(around, &done) }
    let exits: Vec<Exit> = done.failures.iter().map(fail).collect();
    Ok(exits.first().copied().unwrap_or(Exit::Done))
}

/// A session asks the hooks it has read whether it may take a change of its settings. Were
/// the program gone by then, the answer of a client that closes on failure would be no, for
/// good: whoever removes the program next must find the sessions done with it.
fn wait_for_sessions(around: &Surroundings, done: &Removals) -> Vec<u32> {
    let changed = done.changed();
    if changed.is_empty() {
        return Vec::new();
    }
    let open = sessions::open(&changed);
    let program = done.program.clone().unwrap_or_else(|| PathBuf::from("harness"));
    if let Some(said) = sessions::said(around, open.as_deref(), &program) {
        out::note(format!("note: {said}"));
    }
    let open = open.unwrap_or_default();
    if !open.is_empty() {
        sessions::wait(&open, &changed);
    }
    open
}

/// Says why a person's word is missing.
pub(super) fn refuse((what, exit, hint): Failed) -> Exit {
    out::error(what, hint);
    exit
}

fn show_dry_run(args: &Args, draft: Removals) -> Exit {
    if args.json {
        out::line(json(&draft, &[]));
    } else {
        for found in &draft.files {
            let name = found.file.display().to_string();
            print_diff(&name, found.old.as_deref(), found.new.as_deref());
        }
        if draft.failures.is_empty() && !draft.files.iter().any(Removal::changes) {
            out::note("nothing would change");
        }
    }
    if let Some(failure) = draft.failures.first() {
        return fail(failure);
    }
    if draft.files.iter().any(Removal::changes) { Exit::No } else { Exit::Done }
}

fn report(around: &Surroundings, done: &Removals) {
    let host = HostId::ClaudeCode.as_str();
    let mut any = false;
    for found in done.files.iter().filter(|f| f.changes()) {
        any = true;
        let file = around.shown(&found.file);
        let end = if found.new.is_none() { ", which was made for them and is gone too" } else { "" };
        out::line(format!("{host}: {} hooks are out of {file}{end}", found.entries));
    }
    for note in &done.notes {
        out::note(format!("note: {note}"));
    }
    for found in &done.files {
        for line in &found.mixed {
            let file = around.shown(&found.file);
            out::note(format!(
                "note: {file}:{line}: this hook starts harness among other programs and is left as it is: take `harness hook` out of that line"
            ));
        }
    }
    if any {
        out::line(format!("{host}: sessions that are open fall silent; logs and policy are kept"));
    } else if done.failures.is_empty() {
        out::line(format!("{host}: nothing of harness is installed, nothing changed"));
    }
}

fn json(done: &Removals, open: &[u32]) -> String {
    let files: Vec<_> = done
        .files
        .iter()
        .map(|f| {
            serde_json::json!({
                "id": HostId::ClaudeCode.as_str(),
                "scope": f.scope,
                "file": f.file,
                "entries": f.entries,
                "changes": f.changes(),
                "left_on_lines": f.mixed,
                "file_goes": f.old.is_some() && f.new.is_none(),
            })
        })
        .collect();
    let failures: Vec<&str> = done.failures.iter().map(|f| f.message.as_str()).collect();
    serde_json::json!({ "schema": 1, "files": files, "notes": done.notes, "open_sessions": open, "failures": failures }).to_string()
}
