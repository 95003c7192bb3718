//! `harness policy`

use super::exit::Exit;

/// Arguments of `harness policy`.
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Runs `harness policy`.
pub fn run(_args: Args) -> Exit {
    super::out::error("`harness policy` is not built yet", None);
    Exit::CouldNot
}
