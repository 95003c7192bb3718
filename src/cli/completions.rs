//! `harness completions`: generated from the commands themselves.

use clap::CommandFactory;
use clap_complete::Shell;

use super::exit::Exit;

/// Arguments of `harness completions`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The shell to complete in
    shell: Shell,
}

/// Runs `harness completions`.
pub fn run(args: Args) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut super::Cli::command(), "harness", &mut script);
    super::out::line(String::from_utf8_lossy(&script).trim_end());
    Exit::Done
}
