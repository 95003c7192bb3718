//! `harness explain`

use super::exit::Exit;

/// Arguments of `harness explain`.
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Runs `harness explain`.
pub fn run(_args: Args) -> Exit {
    super::out::error("`harness explain` is not built yet", None);
    Exit::CouldNot
}
