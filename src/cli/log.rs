//! `harness log`

use super::exit::Exit;

/// Arguments of `harness log`.
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Runs `harness log`.
pub fn run(_args: Args) -> Exit {
    super::out::error("`harness log` is not built yet", None);
    Exit::CouldNot
}
