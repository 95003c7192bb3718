//! `harness explain`

use std::path::PathBuf;

use harness_core::verdict::VerdictView;

use super::exit::Exit;
use super::out;
use super::scene::{self, Scene};
use crate::policy::Ruling;

mod asked;
mod last;
mod render;

pub use asked::{is_tool, line, made, typed};
use asked::Asked;

/// Arguments of `harness explain`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A command line, as the Bash tool would get it; or a tool's name and its command or
    /// path
    #[arg(value_name = "COMMAND", conflicts_with_all = ["tool", "event", "last"])]
    words: Vec<String>,
    /// A tool, by the host's name for it
    #[arg(long, value_name = "NAME")]
    tool: Option<String>,
    /// The tool's input, as JSON
    #[arg(long, value_name = "JSON")]
    input: Option<String>,
    /// A file with a PreToolUse payload, as the host sends it
    #[arg(long, value_name = "FILE", conflicts_with = "tool")]
    event: Option<PathBuf>,
    /// The last call that the journal holds, decided again
    #[arg(long, conflicts_with_all = ["tool", "event"])]
    last: bool,
    /// With `--last`: only of this session, by its id or the beginning of it
    #[arg(long, value_name = "ID", requires = "last")]
    session: Option<String>,
    /// The folder the call runs in (default: the current one)
    #[arg(long, value_name = "DIR")]
    cwd: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Exit with 0 for no objection, 10 for ask, 11 for deny
    #[arg(long)]
    exit_code: bool,
}

/// Why it can't be explained: what is wrong, what to type instead, and the exit code.
#[derive(Debug)]
struct Failed {
    what: String,
    hint: Option<String>,
    exit: Exit,
}

impl Failed {
    fn usage(what: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { what: what.into(), hint: Some(hint.into()), exit: Exit::Usage }
    }

    fn could_not(what: impl Into<String>) -> Self {
        Self { what: what.into(), hint: None, exit: Exit::CouldNot }
    }
}

/// What to type where a command's own options were taken for ours.
#[must_use]
pub fn hint(mut argv: impl Iterator<Item = String>) -> Option<String> {
    let command = argv.next()?;
    if !matches!(command.as_str(), "explain" | "console") {
        return None;
    }
    let words: Vec<String> = argv.collect();
    let line = asked::line(&words).replace('\'', "'\\''");
    Some(format!("quote the command, so that its options are its own: `harness {command} '{line}'`"))
}

/// Runs `harness explain`.
pub fn run(args: Args) -> Exit {
    match explain(&args) {
        Ok(exit) => exit,
        Err(failed) => {
            out::error(failed.what, failed.hint.as_deref());
            failed.exit
        }
    }
}

fn explain(args: &Args) -> Result<Exit, Failed> {
    let cwd = scene::folder(args.cwd.as_deref())
        .map_err(|what| Failed { what, hint: None, exit: Exit::Usage })?;
    if args.last {
        return last::explain(args, &cwd);
    }
    let asked = Asked::of(args)?;
    let call = asked.call(&cwd, args.cwd.is_some())?;
    let scene = Scene::look(&cwd)
        .ok_or_else(|| Failed::could_not("this user has no home folder"))?;
    let ruling = scene.decide(&call);
    if args.json {
        out::line(render::json(&ruling));
    } else {
        render::words(&ruling, &call, &scene.workspace);
        asked.note(&call);
    }
    Ok(if args.exit_code { exit(&ruling) } else { Exit::Done })
}

fn exit(ruling: &Ruling) -> Exit {
    match ruling.verdict.view() {
        VerdictView::NoObjection => Exit::Done,
        VerdictView::Ask(_) => Exit::Asks,
        VerdictView::Deny(_) => Exit::Denies,
    }
}
