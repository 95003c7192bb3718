//! `harness uninstall`

use super::exit::Exit;

/// Arguments of `harness uninstall`.
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Runs `harness uninstall`.
pub fn run(_args: Args) -> Exit {
    super::out::error("`harness uninstall` is not built yet", None);
    Exit::CouldNot
}
