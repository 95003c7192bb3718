//! `harness doctor`

use super::exit::Exit;

/// Arguments of `harness doctor`.
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Runs `harness doctor`.
pub fn run(_args: Args) -> Exit {
    super::out::error("`harness doctor` is not built yet", None);
    Exit::CouldNot
}
