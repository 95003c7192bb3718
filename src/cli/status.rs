//! `harness status`

use super::exit::Exit;

/// Arguments of `harness status`.
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Runs `harness status`.
pub fn run(_args: Args) -> Exit {
    super::out::error("`harness status` is not built yet", None);
    Exit::CouldNot
}
