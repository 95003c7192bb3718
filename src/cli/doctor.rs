//! `harness doctor`

use super::{choices, consent};
use super::exit::Exit;
use super::install::{confirm, fail, must_be_answerable, print_diff};
use super::reports::{self, Outputs};
use super::out;
use crate::doctor::render::{plain, text};
use crate::doctor::report::{Report, Status};
use crate::doctor::verdict::{self, Ending};
use crate::doctor::{Request, examined, table};
use crate::hosts::HostId;
use crate::hosts::claude_code::places::Scope;
use crate::install::manifest::{self, Loaded};
use crate::install::status::status;
use crate::install::{self, Failure, Surroundings, in_force, owner};
use crate::policy::parse::nearest;
use crate::sys::interrupt;
use crate::doctor::{foreign, scene::Scene};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Arguments of `harness doctor`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Show these checks only (their ids are in every report)
    #[arg(value_name = "ID", value_parser = id)]
    ids: Vec<String>,
    /// The agent to examine; every one harness knows, if not given
    #[arg(long = "host", value_name = "HOST", value_parser = choices::examined())]
    hosts: Vec<HostId>,
    /// Drive your own client too, on a model of harness's own: no account, no network
    #[arg(long)]
    live: bool,
    /// Run the hooks that are not ours as well, after showing every command and asking
    #[arg(long)]
    all_hooks: bool,
    /// With `--all-hooks`: calls and what those hooks should say to them (TOML, JSON, JSON Lines)
    #[arg(long, value_name = "FILE", requires = "all_hooks")]
    expect: Option<PathBuf>,
    /// Repair what is ours, after showing what changes
    #[arg(long)]
    fix: bool,
    /// Don't ask before repairing, or before running the hooks of others
    #[arg(long, short)]
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
    if let Some(file) = &args.expect {
        request.expected = expectations(file)?;
    }
    request.all_hooks = args.all_hooks && may_run_others(args, &request)?;
    let progress = |line: &str| {
        if !args.json {
            out::note(format!("{line} …"));
        }
    };
    let Some((mut report, mut met)) = whole(&request, &progress) else {
        return Ok(Exit::Interrupted);
    };
    if args.fix && repair(args, &request, &report)? {
        // What the first run found new is new still: nobody was shown it.
        let Some(again) = whole(&request, &progress) else { return Ok(Exit::Interrupted) };
        (report, met) = again;
    }
    narrow(&mut report, &args.ids);
    let silent = args.json || args.outputs.take_stdout();
    let pipeline = args.ci.then(|| reports::Pipeline::here(&request.around));
    if args.json {
        out::line(serde_json::to_string(&report).unwrap_or_default());
    } else if !silent {
        let words = words(args, &report);
        out::styled(pipeline.as_ref().map_or_else(|| words.clone(), |p| p.fenced(&words)));
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
    if report.checks.iter().any(|c| c.id == "foreign-new") {
        met.keep(&request.around.harness);
    }
    Ok(exit)
}

/// What was examined, if nobody interrupted it: half an examination is none, and says
/// nothing. Whatever was started has ended by then, and its folders are gone.
fn whole(request: &Request, progress: &dyn Fn(&str)) -> Option<(Report, foreign::met::Met)> {
    let noting = interrupt::Noting::begin();
    let examined = examined(request, progress);
    drop(noting);
    (!interrupt::came()).then_some(examined)
}

fn expectations(file: &Path) -> Result<Vec<foreign::expect::Call>, Failure> {
    let name = file.display();
    let text = std::fs::read_to_string(file).map_err(|e| {
        Failure::could_not(format!("`{name}` can't be read: {e}"), None)
    })?;
    let hint = "see `foreign-gate` in docs/doctor.md for an example";
    foreign::expect::read(file, &text).map_err(|e| Failure::usage(format!("`{name}`: {e}"), hint))
}

/// Shows what would be started, and asks. A no leaves the rest of the run.
fn may_run_others(args: &Args, request: &Request) -> Result<bool, Failure> {
    let scene = Scene::look(request);
    let others = scene.foreign_active();
    let commands: Vec<_> = others.into_iter().filter(|h| h.kind == "command").collect();
    if commands.is_empty() {
        return Ok(true);
    }
    out::note("these hooks are not harness's, and will be run as your agent runs them:\n");
    for handler in &commands {
        out::note(format!("  {}", foreign::consent(handler, &request.around)));
    }
    out::note("");
    if !args.yes && (args.json || !consent::answerable()) {
        let what = "hooks of others are run after a yes only, and nobody can be asked";
        return Err(Failure::usage(what, "pass `--yes` if those above may be run"));
    }
    if args.yes || confirm("Run them?")? {
        return Ok(true);
    }
    out::note("they are not run");
    Ok(false)
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

/// The scopes that hold entries of ours: by the record of installs, and where there is no
/// readable one by what the settings hold.
fn installed_scopes(around: &Surroundings, loaded: &Loaded) -> BTreeSet<Scope> {
    match loaded.get() {
        Some(manifest) => manifest.entries.iter().map(|e| e.scope).collect(),
        None => status(around).hosts.iter().flat_map(|h| &h.scopes).map(|s| s.scope).collect(),
    }
}

/// Entries for this person alone. Others may be somebody else's work: an administrator's, or
/// that of whoever put them into the repository.
const fn is_a_persons(scope: Scope) -> bool {
    matches!(scope, Scope::User | Scope::Local)
}

/// What was installed to block keeps blocking: a repair never loosens.
fn blocks(around: &Surroundings, loaded: &Loaded, scope: Scope) -> bool {
    match loaded.get() {
        Some(manifest) => manifest
            .entries
            .iter()
            .any(|e| e.scope == scope && e.on_failure.as_deref() == Some("block")),
        None => in_force::gates(&around.file(scope))
            .iter()
            .any(|e| e.text("onFailure") == Some("block")),
    }
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
    let around = &request.around;
    let loaded = manifest::load(&around.harness);
    let scopes = installed_scopes(around, &loaded);
    if scopes.is_empty() {
        out::note("nothing to repair: harness is not installed; run `harness install`");
        return Ok(false);
    }
    // What the entries stand on, and no check of theirs looks at.
    let base_is_lost = args.ids.is_empty()
        && scopes.iter().any(|scope| is_a_persons(*scope))
        && (loaded.get().is_none() || owner::current(&around.harness)?.is_none());
    if !base_is_lost && (!needed || loaded.get().is_none()) {
        out::note("nothing to repair");
        return Ok(false);
    }
    must_be_answerable(args.yes, args.json, "`harness install --dry-run` to see what would change")?;
    let mut changed = false;
    for scope in scopes {
        if loaded.get().is_none() && !is_a_persons(scope) {
            continue;
        }
        let require = blocks(around, &loaded, scope);
        let prepared = install::prepare(around.clone(), scope, require)?;
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
