//! `harness completions`

use super::exit::Exit;

/// Arguments of `harness completions`.
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Runs `harness completions`.
pub fn run(_args: Args) -> Exit {
    super::out::error("`harness completions` is not built yet", None);
    Exit::CouldNot
}
