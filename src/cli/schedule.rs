//! `harness schedule`

use super::exit::Exit;
use super::install::{confirm, fail, must_be_answerable, print_diff};
use super::{choices, log, out};
use crate::hosts::claude_code::places::Os;
use crate::install::manifest::{self, Loaded};
use crate::install::schedule::{self, Every, Job, Kind, Plan, Standing};
use crate::install::{Failure, Surroundings};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// Arguments of `harness schedule`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Option<Command>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Let the system's scheduler start `harness doctor --ci`
    Add {
        /// How often
        #[arg(long, value_name = "WHEN", default_value = "daily", value_parser = choices::every())]
        every: Every,
        /// Print the files and commands, and change nothing
        #[arg(long)]
        print: bool,
        /// With `--print`: another system's scheduler
        #[arg(long = "for", value_name = "SCHEDULER", requires = "print", value_parser = choices::scheduler())]
        kind: Option<Kind>,
        /// Show what would change; exit 1 if anything would
        #[arg(long, conflicts_with = "print")]
        dry_run: bool,
        /// Don't ask
        #[arg(long, short)]
        yes: bool,
    },
    /// Take it out of the scheduler again
    Remove {
        /// Show what would change; exit 1 if anything would
        #[arg(long)]
        dry_run: bool,
        /// Don't ask
        #[arg(long, short)]
        yes: bool,
    },
}

/// Runs `harness schedule`.
pub fn run(args: Args) -> Exit {
    let done = match args.command {
        None => status(args.json),
        Some(Command::Add { every, print: true, kind, .. }) => print(every, kind),
        Some(Command::Add { every, dry_run, yes, .. }) => add(every, dry_run, yes),
        Some(Command::Remove { dry_run, yes }) => remove(dry_run, yes),
    };
    done.unwrap_or_else(|failure| fail(&failure))
}

/// The scheduler of this system.
const fn here(os: Os) -> Kind {
    match os {
        Os::Linux => Kind::Systemd,
        Os::MacOs => Kind::Launchd,
        Os::Windows => Kind::TaskScheduler,
    }
}

fn receipt(around: &Surroundings) -> PathBuf {
    around.harness.state.join("doctor.json")
}

fn job(around: &Surroundings, every: Every) -> Result<Job, Failure> {
    let Loaded::Is(manifest) = manifest::load(&around.harness) else {
        return Err(Failure::usage(
            "harness is not installed, so there is nothing to check every day",
            "run `harness install` first",
        ));
    };
    Ok(of(around, every, manifest.binary))
}

fn of(around: &Surroundings, every: Every, program: PathBuf) -> Job {
    let said = |name, folder: &Option<PathBuf>| {
        folder.as_ref().map(|f| (name, f.to_string_lossy().into_owned()))
    };
    let folders = [("HARNESS_HOME", &around.one_folder), ("CLAUDE_CONFIG_DIR", &around.config_dir)];
    let own = around.harness.config.parent().filter(|_| around.one_folder.is_none());
    Job {
        program,
        home: around.home.clone(),
        config: own.map_or_else(|| around.home.join(".config"), Path::to_path_buf),
        receipt: receipt(around),
        variables: folders.into_iter().filter_map(|(name, folder)| said(name, folder)).collect(),
        every,
        user: crate::sys::own::user(),
    }
}

fn print(every: Every, kind: Option<Kind>) -> Result<Exit, Failure> {
    let around = Surroundings::now()?;
    let plan = schedule::plan(kind.unwrap_or(here(around.os)), &job(&around, every)?);
    for file in &plan.files {
        out::line(format!("# {}\n{}", file.path.display(), file.text.trim_end()));
    }
    for command in &plan.start {
        out::line(format!("# then: {}", shown(command)));
    }
    say(&plan);
    Ok(Exit::Done)
}

fn shown(command: &[String]) -> String {
    let word = |w: &String| if w.contains(' ') { format!("'{w}'") } else { w.clone() };
    command.iter().map(word).collect::<Vec<_>>().join(" ")
}

fn say(plan: &Plan) {
    for note in &plan.notes {
        out::note(format!("note: {note}"));
    }
}

/// Prints what adding or removing changes; whether it changes anything.
fn differs(plan: &Plan, adds: bool) -> bool {
    let mut differs = false;
    for file in &plan.files {
        let there = std::fs::read(&file.path).ok();
        let new = adds.then_some(&file.bytes);
        if there.as_ref() == new {
            continue;
        }
        differs = true;
        let old = there.map(|bytes| {
            if bytes == file.bytes { file.text.clone() } else { String::from_utf8_lossy(&bytes).into_owned() }
        });
        let name = file.path.display().to_string();
        print_diff(&name, old.as_deref(), adds.then_some(file.text.as_str()));
    }
    differs
}

fn add(every: Every, dry_run: bool, yes: bool) -> Result<Exit, Failure> {
    let around = Surroundings::now()?;
    let plan = schedule::plan(here(around.os), &job(&around, every)?);
    if !dry_run {
        must_be_answerable(yes, false, "`harness schedule add --dry-run` to see what would change")?;
    }
    let differs = differs(&plan, true);
    if dry_run {
        return Ok(if differs { Exit::No } else { Exit::Done });
    }
    for command in &plan.start {
        out::note(format!("then: {}", shown(command)));
    }
    if !yes && !confirm("Schedule it?")? {
        out::note("nothing was changed");
        return Ok(Exit::Usage);
    }
    schedule::add(&plan, &around.home)?;
    let report = around.shown(&receipt(&around));
    out::line(format!("scheduled: `harness doctor --ci`; the report is kept in {report}"));
    say(&plan);
    Ok(Exit::Done)
}

fn remove(dry_run: bool, yes: bool) -> Result<Exit, Failure> {
    let around = Surroundings::now()?;
    // What goes has the same names whatever it starts.
    let plan = schedule::plan(here(around.os), &of(&around, Every::Day, PathBuf::new()));
    let written = plan.files.iter().any(|f| f.path.exists());
    if !written && schedule::standing(&plan, &around.home) != Standing::Known {
        out::line("nothing is scheduled");
        return Ok(Exit::Done);
    }
    if !dry_run {
        must_be_answerable(yes, false, "`harness schedule remove --dry-run` to see what would change")?;
    }
    if !differs(&plan, false) {
        out::note("nothing is written, and the scheduler knows the job: it is told to forget it");
    }
    if dry_run {
        return Ok(Exit::No);
    }
    if !yes && !confirm("Remove it?")? {
        out::note("nothing was changed");
        return Ok(Exit::Usage);
    }
    match schedule::remove(&plan, &around.home)? {
        Standing::Absent => out::line("no longer scheduled"),
        Standing::Known => {
            let stop: Vec<String> = plan.stop.iter().map(|command| shown(command)).collect();
            return Err(Failure::could_not(
                "the files are gone, and the scheduler still knows the job",
                Some(format!("run `{}` and see what it says", stop.join("; "))),
            ));
        }
        Standing::Silent(why) => {
            out::line("the files are gone");
            out::note(format!(
                "note: whether the scheduler has forgotten the job is not known: {why}"
            ));
        }
    }
    Ok(Exit::Done)
}

/// Which of the files are there, whether they start what is installed, and what the last
/// run said.
fn status(as_json: bool) -> Result<Exit, Failure> {
    let around = Surroundings::now()?;
    let program = manifest::load(&around.harness).get().map(|m| m.binary.clone());
    let plans = Every::ALL.iter().map(|(name, every)| {
        (*name, schedule::plan(here(around.os), &of(&around, *every, program.clone().unwrap_or_default())))
    });
    let plans: Vec<(&str, Plan)> = plans.collect();
    let is = |plan: &Plan| {
        plan.files.iter().all(|f| std::fs::read(&f.path).is_ok_and(|there| there == f.bytes))
    };
    let every = plans.iter().find(|(_, plan)| is(plan)).map(|(name, _)| *name);
    let files: Vec<&Path> = plans.first().map_or_else(Vec::new, |(_, plan)| {
        plan.files.iter().map(|f| f.path.as_path()).filter(|p| p.exists()).collect()
    });
    let last = last(&receipt(&around));
    if as_json {
        let report = json!({
            "schema": 1, "scheduled": every.is_some(), "every": every, "files": files, "last": last,
        });
        out::line(report.to_string());
    } else {
        out::line(match (every, files.first()) {
            (Some(every), _) => format!("scheduled: {every}"),
            (None, Some(file)) => format!(
                "changed: {} is not what `harness schedule add` writes for what is installed now",
                around.shown(file)
            ),
            (None, None) => "nothing is scheduled   harness schedule add".to_owned(),
        });
        if let Some(last) = &last {
            let at = log::when(last["at_ms"].as_u64().unwrap_or_default());
            let word = |channel: &str| last[channel].as_str().unwrap_or("?").to_owned();
            out::line(format!("last run {at}: gate {}, soft {}", word("gate"), word("soft")));
        }
    }
    Ok(if every.is_some() { Exit::Done } else { Exit::No })
}

fn last(receipt: &Path) -> Option<Value> {
    let at = std::fs::metadata(receipt).ok()?.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    let report: Value = serde_json::from_slice(&std::fs::read(receipt).ok()?).ok()?;
    let state = |channel: &str| report["hosts"][0][channel]["state"].clone();
    let at_ms = u64::try_from(at.as_millis()).ok()?;
    Some(json!({ "at_ms": at_ms, "ok": report["ok"], "gate": state("gate"), "soft": state("soft") }))
}
