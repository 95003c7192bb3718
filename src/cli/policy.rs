//! `harness policy`

use std::path::PathBuf;

use super::exit::Exit;
use super::out;
use super::scene::{self, Scene};

pub(crate) mod check;
mod init;
mod packs;
mod show;
mod test;

/// Arguments of `harness policy`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
    /// The folder whose policy is meant (default: the current one)
    #[arg(long, value_name = "DIR", global = true)]
    cwd: Option<PathBuf>,
    /// Print JSON
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Write a first policy file, with everything in it explained
    Init {
        /// The project's file instead of your own
        #[arg(long)]
        project: bool,
    },
    /// Check every file and every rule's examples
    Check {
        /// Exit with 1 for warnings, too
        #[arg(long)]
        strict: bool,
    },
    /// Show the rules in force, or one of them
    Show {
        /// A rule's id, or a pack's name
        id: Option<String>,
    },
    /// List the built-in packs
    Packs,
    /// Try calls from a file of JSON Lines: tool, input, cwd (optional), expect
    Test {
        /// JSON Lines files
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
}

/// Runs `harness policy`.
pub fn run(args: Args) -> Exit {
    let cwd = match scene::folder(args.cwd.as_deref()) {
        Ok(cwd) => cwd,
        Err(what) => {
            out::error(what, None);
            return Exit::Usage;
        }
    };
    let Some(scene) = Scene::look(&cwd) else {
        out::error("this user has no home folder", None);
        return Exit::CouldNot;
    };
    match args.command {
        Command::Init { project } => init::run(&scene, &cwd, project, args.json),
        Command::Check { strict } => check::run(&scene, strict, args.json),
        Command::Show { id } => show::run(&scene, id.as_deref(), args.json),
        Command::Packs => packs::run(&scene, args.json),
        Command::Test { files } => test::run(&scene, &cwd, &files, args.json),
    }
}
