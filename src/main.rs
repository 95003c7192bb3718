//! Two doors: `hook …` goes straight to the hook, everything else to the commands.

use harness::cli;

fn main() -> cli::exit::Exit {
    cli::main()
}
