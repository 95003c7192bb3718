//! Two doors: `hook …` goes straight to the hook, everything else to the commands.

use std::ffi::OsString;
use std::io::IsTerminal;

use harness::{cli, hook};

#[expect(
    clippy::disallowed_methods,
    reason = "the door: the command line, and whether a person is there"
)]
fn main() -> cli::exit::Exit {
    let args: Vec<OsString> = std::env::args_os().skip(1).collect();
    match args.split_first() {
        Some((word, rest)) if word == "hook" => hook::main(rest),
        // A client older than 2.1.139 doesn't know `args` and starts the bare program
        // with an event on standard input.
        None if !std::io::stdin().is_terminal() => {
            cli::out::error(
                "harness was started without a command, so this is stopped",
                Some(
                    "a hook needs `hook HOST EVENT`: `harness install` registers it as this client needs; a person wants `harness --help`",
                ),
            );
            cli::exit::Exit::Usage
        }
        _ => cli::main(),
    }
}
