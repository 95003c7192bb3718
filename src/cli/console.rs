//! `harness console`

use std::io::IsTerminal;
use std::path::PathBuf;

use super::consent::Failed;
use super::exit::Exit;
use super::knobs::Whose;
use super::{out, replay};

mod board;
mod draw;
mod html;
mod keys;
mod plain;
mod screen;
mod walk;

use board::Board;

/// Arguments of `harness console`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A call: a command line, or a tool's name and its command, path or input. Its way is
    /// shown in words, once
    #[arg(value_name = "CALL")]
    words: Vec<String>,
    #[command(flatten)]
    whose: Whose,
    /// Knobs to begin with in the place of those in force: `read-only,never`, or one of the
    /// two; nothing is written
    #[arg(long, value_name = "VALUES", value_delimiter = ',')]
    knobs: Vec<String>,
    /// The folder calls are made in (default: the current one)
    #[arg(long, value_name = "DIR")]
    cwd: Option<PathBuf>,
    /// Words and lines instead of a screen: for screen readers and pipes
    #[arg(long)]
    plain: bool,
    /// Write a page to this file (`-`: standard output)
    #[arg(long, value_name = "FILE", conflicts_with = "plain")]
    html: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long, conflicts_with_all = ["plain", "html"])]
    json: bool,
}

/// Runs `harness console`.
pub fn run(args: Args) -> Exit {
    match console(&args) {
        Ok(exit) => exit,
        Err((what, exit, hint)) => {
            out::error(what, hint);
            exit
        }
    }
}

fn console(args: &Args) -> Result<Exit, Failed> {
    let (sandbox, approval) = replay::asked(&args.knobs)?;
    let mut board = Board::open(&args.whose, args.cwd.as_deref())?;
    if let Some(mode) = sandbox {
        board.sandbox(mode);
    }
    if let Some(policy) = approval {
        board.approval(policy);
    }
    let line = match args.words.as_slice() {
        [] => None,
        [tool, rest @ ..] if super::explain::is_tool(tool) => Some(format!("{tool} {}", rest.join(" "))),
        words => Some(super::explain::line(words)),
    };
    if let Some(file) = &args.html {
        return html::write(&mut board, line.as_deref(), file);
    }
    if let Some(line) = line {
        let walk = board.play(&line).map_err(|what| (what, Exit::Usage, None))?;
        if args.json {
            out::line(walk.json().to_string());
        } else {
            plain::walk(&walk);
        }
        return Ok(Exit::Done);
    }
    if args.json {
        out::line(plain::json(&board).to_string());
        return Ok(Exit::Done);
    }
    let dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb" || term.is_empty());
    let terminal = std::io::stdout().is_terminal() && std::io::stdin().is_terminal();
    if args.plain || !terminal || dumb {
        return Ok(plain::run(&mut board, &args.whose));
    }
    screen::run(&mut board, &args.whose)
}
