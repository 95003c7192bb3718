//! `harness install`

use super::exit::Exit;

/// Arguments of `harness install`.
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Runs `harness install`.
pub fn run(_args: Args) -> Exit {
    super::out::error("`harness install` is not built yet", None);
    Exit::CouldNot
}
