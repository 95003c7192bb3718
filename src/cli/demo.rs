//! `harness demo`

use super::exit::Exit;

/// Arguments of `harness demo`.
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Runs `harness demo`.
pub fn run(_args: Args) -> Exit {
    super::out::error("`harness demo` is not built yet", None);
    Exit::CouldNot
}
