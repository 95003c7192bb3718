//! `harness passphrase`

pub(super) mod kept;

use harness_core::World;
use serde_json::json;

use super::consent::{self, Failed};
use super::exit::Exit;
use super::{out, scene};
use crate::home::Home;
use crate::journal::record::Record;
use crate::journal::{audit, place};
use crate::sys::world::Machine;
use kept::Kept;

/// The shortest that is taken, in characters.
const SHORTEST: usize = 8;

/// Arguments of `harness passphrase`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Set one, or another than the one that is set
    #[arg(long)]
    set: bool,
    /// Ask for none any more
    #[arg(long, conflicts_with = "set")]
    remove: bool,
    /// Print one JSON object
    #[arg(long, conflicts_with_all = ["set", "remove"])]
    json: bool,
}

/// Runs `harness passphrase`.
pub fn run(args: Args) -> Exit {
    match passphrase(&args) {
        Ok(exit) => exit,
        Err((what, exit, hint)) => {
            out::error(what, hint);
            exit
        }
    }
}

fn passphrase(args: &Args) -> Result<Exit, Failed> {
    let cwd = scene::folder(None).map_err(|e| (e, Exit::CouldNot, None))?;
    let home = scene::home(&cwd)
        .ok_or_else(|| ("this user has no home folder".to_owned(), Exit::CouldNot, None))?;
    if args.set {
        return set(&home);
    }
    if args.remove {
        return remove(&home);
    }
    let kept = Kept::read(&home.state).map_err(|why| consent::unreadable(&home, &why))?;
    if args.json {
        out::line(json!({"schema": 1, "set": kept.is_some()}).to_string());
    } else if kept.is_some() {
        out::line("set: what widens asks for it   harness passphrase --remove");
    } else {
        out::line("none is set   harness passphrase --set");
    }
    Ok(Exit::Done)
}

/// A person alone sets it, or an agent could lock them out of widening.
fn set(home: &Home) -> Result<Exit, Failed> {
    consent::person("the passphrase")?;
    consent::passphrase(home)?;
    let new = consent::hidden("New passphrase: ")?;
    if String::from_utf8_lossy(&new).chars().count() < SHORTEST {
        let what = format!("it is shorter than {SHORTEST} characters; nothing was changed");
        return Err((what, Exit::Usage, Some("a few words in a row are easy to keep and hard to guess")));
    }
    if consent::hidden("The same again: ")? != new {
        let what = "the two differ; nothing was changed".to_owned();
        return Err((what, Exit::Usage, None));
    }
    let could_not = |why: String| (why, Exit::CouldNot, Some("nothing was changed"));
    let kept = Kept::of(&new).map_err(could_not)?;
    kept.write(&home.state).map_err(could_not)?;
    tell(home, "passphrase/set");
    out::line("set: widening a knob, `approve`, `off`, `trust` and `uninstall` ask for it from now on");
    out::note(format!(
        "note: only its hash is kept, in {}; should you forget it, remove that file by hand",
        kept::file(&home.state).display()
    ));
    Ok(Exit::Done)
}

fn remove(home: &Home) -> Result<Exit, Failed> {
    consent::person("the passphrase")?;
    let file = kept::file(&home.state);
    if Kept::read(&home.state).map_err(|why| consent::unreadable(home, &why))?.is_none() {
        return Err(("none is set".to_owned(), Exit::No, None));
    }
    consent::passphrase(home)?;
    std::fs::remove_file(&file)
        .map_err(|e| (format!("`{}`: {e}", file.display()), Exit::CouldNot, None))?;
    tell(home, "passphrase/removed");
    out::line("removed: what widens asks for none");
    Ok(Exit::Done)
}

fn tell(home: &Home, what: &'static str) {
    let record = Record::new(what, Machine::new("").now_ms()).text("by", "person");
    let _ = audit::append(&place::audit(&home.state), [record]);
}
