//! `harness trust`

use std::path::{Path, PathBuf};

use super::consent::{self, Failed};
use super::exit::Exit;
use super::out;
use super::scene;
use crate::policy::Layer;
use crate::policy::file::File;
use crate::policy::trust::{Ledger, pin};
use crate::policy::{load, parse};
use crate::sys::bounded;

/// Arguments of `harness trust`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The project (default: the one around the current folder)
    dir: Option<PathBuf>,
    /// Take the trust back
    #[arg(long)]
    revoke: bool,
    /// Don't ask
    #[arg(long)]
    yes: bool,
}

/// Runs `harness trust`.
pub fn run(args: Args) -> Exit {
    match trust(&args) {
        Ok(exit) => exit,
        Err((what, exit, hint)) => {
            out::error(what, hint);
            exit
        }
    }
}

fn trust(args: &Args) -> Result<Exit, Failed> {
    let start = scene::folder(args.dir.as_deref()).map_err(|e| (e, Exit::Usage, None))?;
    let root = if args.dir.is_some() { start } else { scene::project_root(&start) };
    let home = scene::home(&root)
        .ok_or_else(|| ("this user has no home folder".to_owned(), Exit::CouldNot, None))?;
    let mut ledger = Ledger::read(&home.state);
    if args.revoke {
        // Taking trust back only tightens: anyone may.
        let was = ledger.revoke(&root);
        if was {
            write(&ledger, &home.state)?;
        }
        let word = if was { "no longer trusted" } else { "was not trusted" };
        out::line(format!("{}: {word}", root.display()));
        return Ok(if was { Exit::Done } else { Exit::No });
    }
    let file = load::project_file(&root);
    if !file.exists() && file.symlink_metadata().is_err() {
        let what = format!("there is nothing to trust: {} has no `.harness/policy.toml`", root.display());
        let hint = "`harness policy init --project` writes a project's first policy";
        return Err((what, Exit::No, Some(hint)));
    }
    let source = bounded::read(&file, parse::BOUND)
        .map_err(|e| (format!("`{}`: {e}", file.display()), Exit::CouldNot, None))?;
    let read = |policy: &File<'_>| (pin(&root, &source, policy), shown(policy));
    let (pin, what) = parse::with_file(&source, Layer::Project, read).map_err(|problems| {
        let first =
            problems.first().map_or_else(String::new, |p| p.located(&file.display().to_string()));
        (first, Exit::No, Some("`harness policy check` lists every mistake"))
    })?;
    if what.is_empty() {
        out::line(format!("{}: nothing in it runs code, so it needs no trust", file.display()));
        return Ok(Exit::Done);
    }
    out::line(format!("{} wants to:", file.display()));
    what.iter().for_each(|line| out::line(format!("  {line}")));
    consent::widening(&home, "trust", "Trust it?", args.yes)?;
    ledger.trust(&root, pin);
    write(&ledger, &home.state)?;
    out::line("trusted as it is now; a change of it, or of a program it names, asks again");
    Ok(Exit::Done)
}

fn write(ledger: &Ledger, state: &Path) -> Result<(), Failed> {
    ledger.write(state).map_err(|e| (format!("`{}`: {e}", state.display()), Exit::CouldNot, None))
}

/// What in it runs code or changes results.
fn shown(policy: &File<'_>) -> Vec<String> {
    let runs = policy.rules.iter().filter_map(|r| {
        r.run.as_ref().map(|run| format!("run `{}` as the guard `{}`", run.argv.join(" "), r.id))
    });
    let posts = policy.posts.iter().map(|p| format!("change results by the rule `{}`", p.id));
    runs.chain(posts).collect()
}
