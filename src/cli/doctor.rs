//! `harness doctor`

use super::choices;
use super::exit::Exit;
use super::install::{confirm, fail, must_be_answerable, print_diff};
use super::reports::{self, Outputs};
use super::out;
use crate::doctor::render::{plain, text};
use crate::doctor::report::{Report, Status};
use crate::doctor::verdict::{self, Ending};
use crate::doctor::{Request, examine, table};
use crate::hosts::HostId;
use crate::install::manifest::{self, Loaded};
use crate::install::{self, Failure, Surroundings};
use crate::policy::parse::nearest;
use std::collections::BTreeSet;

/// Arguments of `harness doctor`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Show these checks only (their ids are in every report)
    #[arg(value_name = "ID", value_parser = id)]
    ids: Vec<String>,
    /// The agent to examine; every one harness knows, if not given
    #[arg(long = "host", value_name = "HOST", value_parser = choices::host())]
    hosts: Vec<HostId>,
    /// Drive your own client too, on a model of harness's own: no account, no network
    #[arg(long)]
    live: bool,
    /// With `--live`: run the hooks that are not ours as well
    #[arg(long, requires = "live")]
    all_hooks: bool,
    /// Repair what is ours, after showing what changes
    #[arg(long)]
    fix: bool,
    /// Don't ask before repairing
    #[arg(long, short, requires = "fix")]
    yes: bool,
    /// Warnings make the exit code 1
    #[arg(long)]
    strict: bool,
    /// For pipelines: what is unknown is an annotation, not a failure
    #[arg(long)]
    ci: bool,
    /// Say it in sentences, without signs or columns: for screen readers
    #[arg(long, conflicts_with = "json")]
    plain: bool,
    /// List the checks that found nothing too
    #[arg(long, short)]
    verbose: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    outputs: Outputs,
}

fn id(word: &str) -> Result<String, String> {
    if table::row(word).is_some() {
        return Ok(word.to_owned());
    }
    let known: Vec<&str> = table::rows().iter().map(|r| r.id.as_str()).collect();
    Err(match nearest(word, &known) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`harness doctor --verbose --json` lists the checks with their ids".to_owned(),
    })
}

/// Runs `harness doctor`.
pub fn run(args: Args) -> Exit {
    // Claude Code is the only host there is so far: any list of hosts means it.
    let _ = &args.hosts;
    match doctor(&args) {
        Ok(exit) => exit,
        Err(failure) => fail(&failure),
    }
}

fn doctor(args: &Args) -> Result<Exit, Failure> {
    args.outputs.check(args.json)?;
    let around = Surroundings::now()?;
    let mut request = Request::here(around);
    request.live = args.live;
    request.all_hooks = args.all_hooks;
    let progress = |line: &str| {
        if !args.json {
            out::note(format!("{line} …"));
        }
    };
    let mut report = examine(&request, &progress);
    if args.fix && repair(args, &request, &report)? {
        report = examine(&request, &progress);
    }
    narrow(&mut report, &args.ids);
    let silent = args.json || args.outputs.take_stdout();
    let pipeline = args.ci.then(|| reports::Pipeline::here(&request.around));
    if args.json {
        out::line(serde_json::to_string(&report).unwrap_or_default());
    } else if !silent {
        let words = words(args, &report);
        out::line(pipeline.as_ref().map_or_else(|| words.clone(), |p| p.fenced(&words)));
    }
    let exit = match verdict::ending(&report, args.strict, args.ci) {
        Ending::Well => Exit::Done,
        Ending::Ill => Exit::No,
        Ending::Unknown => Exit::Unknown,
    };
    if let Some(pipeline) = &pipeline {
        pipeline.annotate(&report, silent)?;
    }
    args.outputs.write(&report, args.strict, &reports::base(&request.around))?;
    Ok(exit)
}

fn words(args: &Args, report: &Report) -> String {
    let verbose = args.verbose || !args.ids.is_empty();
    if args.plain {
        return plain::render(report, verbose);
    }
    text::render(report, text::Style { verbose, ..text::Style::here() })
}

/// With ids given, they alone are shown and they alone make the exit code.
fn narrow(report: &mut Report, ids: &[String]) {
    if ids.is_empty() {
        return;
    }
    report.checks.retain(|c| ids.contains(&c.id));
    report.hosts.clear();
    report.ok = !report.checks.iter().any(|c| matches!(c.status, Status::Fail | Status::Error));
}

/// Writes our entries again where they are gone or changed. Nothing of others is
/// touched, and nothing is loosened: it is the install a person already made.
fn repair(args: &Args, request: &Request, report: &Report) -> Result<bool, Failure> {
    const REPAIRABLE: &[&str] = &[
        "own-entry-lost", "entries-outdated", "target-missing", "not-startable", "matcher-dead",
        "duplicate-entry", "unquoted-path", "backslash-eaten", "fragile-path", "version-skew",
    ];
    let broken = |id: &str| {
        REPAIRABLE.contains(&id) && (args.ids.is_empty() || args.ids.iter().any(|i| i == id))
    };
    let needed = report.checks.iter().any(|c| {
        broken(&c.id) && matches!(c.status, Status::Fail | Status::Warn)
    });
    let Loaded::Is(manifest) = manifest::load(&request.around.harness) else {
        out::note("nothing to repair: harness is not installed; run `harness install`");
        return Ok(false);
    };
    if !needed {
        out::note("nothing to repair");
        return Ok(false);
    }
    must_be_answerable(args.yes, args.json, "`harness install --dry-run` to see what would change")?;
    let scopes: BTreeSet<_> = manifest.entries.iter().map(|e| e.scope).collect();
    let mut changed = false;
    for scope in scopes {
        // What was installed to block keeps blocking: a repair never loosens.
        let require = manifest
            .entries
            .iter()
            .any(|e| e.scope == scope && e.on_failure.as_deref() == Some("block"));
        let prepared = install::prepare(request.around.clone(), scope, require)?;
        let draft = prepared.draft()?;
        if !args.json {
            let name = prepared.file.display().to_string();
            print_diff(&name, draft.old.as_deref(), Some(&draft.new));
        }
        if !args.yes && !confirm("Repair?")? {
            out::note("nothing was changed");
            continue;
        }
        prepared.apply()?;
        changed = true;
    }
    Ok(changed)
}
