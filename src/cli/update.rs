//! `harness update`

use super::consent;
use super::exit::Exit;
use super::install::fail;
use super::out;
use crate::install::{Failure, Surroundings, manifest};
use crate::update::release::Release;
use crate::update::version::Version;
use crate::update::{Source, Swapped, Work, managed};
use serde_json::json;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

/// Arguments of `harness update`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Only say whether there is a newer release; exit code 100 if so
    #[arg(long, conflicts_with_all = ["version", "rollback"])]
    check: bool,
    /// This release instead of the newest; an older one needs a person
    #[arg(long, value_name = "V", value_parser = version)]
    version: Option<Version>,
    /// Back to the program before the last update; needs a person
    #[arg(long, conflicts_with = "version")]
    rollback: bool,
    /// Don't ask
    #[arg(long, short)]
    yes: bool,
    /// Print the outcome as JSON
    #[arg(long)]
    json: bool,
}

fn version(text: &str) -> Result<Version, String> {
    Version::of(text).ok_or_else(|| "a version is three numbers, such as 0.1.0".to_owned())
}

/// Runs `harness update`.
pub fn run(args: Args) -> Exit {
    update(&args).unwrap_or_else(|failure| fail(&failure))
}

fn update(args: &Args) -> Result<Exit, Failure> {
    let here = Version::own();
    if args.check {
        let newest = Release::fetch(&Source::built_in()?, None)?.version();
        let newer = newest > here;
        say(args, &here, &newest, if newer { "available" } else { "newest" });
        return Ok(if newer { Exit::Newer } else { Exit::Done });
    }
    let around = Surroundings::now()?;
    let home = around.harness.clone();
    let target = target(&around)?;
    if args.rollback {
        let work = Work::begin(around, target)?;
        note(work.settle()?);
        let (program, before) = work.previous()?;
        let question = format!("Go back from harness {here} to {before}?");
        if let Err((what, exit, hint)) = consent::widening(&home, "an older harness", &question, args.yes) {
            out::error(what, hint);
            return Ok(exit);
        }
        report(args, &work.put(&program, &before, "rollback")?);
        return Ok(Exit::Done);
    }
    let source = Source::built_in()?;
    let work = Work::begin(around, target)?;
    if let Some(what) = work.settle()? {
        // The program in place may be another than this one now.
        note(Some(what));
        if args.version.is_none() {
            out::note("run `harness update` again to see whether there is more");
            return Ok(Exit::Done);
        }
    }
    let release = Release::fetch(&source, args.version.as_ref())?;
    let to = release.version();
    if to == here || (to < here && args.version.is_none()) {
        say(args, &here, &to, "newest");
        return Ok(Exit::Done);
    }
    if to < here {
        let question = format!("Go back from harness {here} to {to}?");
        if let Err((what, exit, hint)) = consent::widening(&home, "an older harness", &question, args.yes) {
            out::error(what, hint);
            return Ok(exit);
        }
    }
    let mut bar = Bar::of(&to, args.json);
    let program = release.program(&source, &mut |got, all| bar.show(got, all));
    bar.end();
    report(args, &work.put(&program?, &to.to_string(), "signature")?);
    Ok(Exit::Done)
}

/// The program to replace: this one, if it is the one that hooks start and nobody else's.
fn target(around: &Surroundings) -> Result<PathBuf, Failure> {
    let running = std::env::current_exe().and_then(|path| path.canonicalize());
    let running = running
        .map_err(|e| Failure::could_not(format!("the running program can't be found: {e}"), None))?;
    if let Some((who, how)) = managed::by(&running) {
        return Err(Failure::usage(
            format!("{who} looks after this harness, so it doesn't update itself"),
            format!("run `{how}`"),
        ));
    }
    let loaded = manifest::load(&around.harness);
    let registered = loaded.get().map(|m| m.binary.as_path());
    let other = registered.filter(|path| path.canonicalize().is_ok_and(|real| real != running));
    if let Some(other) = other.map(Path::display) {
        return Err(Failure::usage(
            format!("your hooks start {other}, which is another program than this one"),
            format!("run `{other} update`"),
        ));
    }
    Ok(running)
}

fn note(what: Option<String>) {
    if let Some(what) = what {
        out::note(format!("note: {what}"));
    }
}

fn say(args: &Args, here: &Version, newest: &Version, state: &str) {
    if args.json {
        let (here, newest) = (here.to_string(), newest.to_string());
        let text = json!({"schema": 1, "state": state, "version": here, "newest": newest});
        return out::line(text.to_string());
    }
    out::line(match state {
        "available" => format!("harness {newest} is there, this is {here}: `harness update` takes it"),
        _ => format!("harness {here} is the newest"),
    });
}

fn report(args: &Args, done: &Swapped) {
    let Swapped { from, to } = done;
    if args.json {
        let text = json!({"schema": 1, "state": "updated", "version": to, "from": from});
        return out::line(text.to_string());
    }
    out::line(format!("harness {from} -> {to}, proven before and after; `harness update --rollback` goes back"));
}

/// How far a download is, for who looks at a terminal.
struct Bar {
    what: String,
    shown: bool,
    wanted: bool,
}

impl Bar {
    fn of(version: &Version, json: bool) -> Self {
        let wanted = !json && std::io::stderr().is_terminal();
        Self { what: format!("harness {version}"), shown: false, wanted }
    }

    fn show(&mut self, got: u64, all: Option<u64>) {
        if !self.wanted {
            return;
        }
        self.shown = true;
        let _ = write!(std::io::stderr(), "\r{}", drawn(&self.what, got, all));
    }

    fn end(&mut self) {
        if self.shown {
            let _ = writeln!(std::io::stderr());
        }
    }
}

/// `harness 0.2.0  [######..............]  30 %`
fn drawn(what: &str, got: u64, all: Option<u64>) -> String {
    let Some(all) = all.filter(|all| *all > 0) else {
        return format!("{what}  {} KiB", got / 1024);
    };
    let part = |of: u64| usize::try_from((got.min(all) * of) / all).unwrap_or_default();
    let (full, percent) = (part(20), part(100));
    format!("{what}  [{}{}] {percent:>3} %", "#".repeat(full), ".".repeat(20 - full))
}

#[cfg(test)]
mod tests {
    use super::drawn;

    #[test]
    fn the_bar_fills() {
        assert_eq!(drawn("x", 0, Some(200)), "x  [....................]   0 %");
        assert_eq!(drawn("x", 50, Some(200)), "x  [#####...............]  25 %");
        assert_eq!(drawn("x", 900, Some(200)), "x  [####################] 100 %");
        assert_eq!(drawn("x", 4096, None), "x  4 KiB");
    }
}
