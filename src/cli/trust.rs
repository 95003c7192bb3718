//! `harness trust`

use super::exit::Exit;

/// Arguments of `harness trust`.
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Runs `harness trust`.
pub fn run(_args: Args) -> Exit {
    super::out::error("`harness trust` is not built yet", None);
    Exit::CouldNot
}
