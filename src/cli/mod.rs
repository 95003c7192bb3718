//! People's commands, one file each: arguments in, printing and exit codes out. No
//! decisions here.

use clap::{Parser, Subcommand};

pub mod exit;
pub mod out;
pub mod scene;

use exit::Exit;

macro_rules! commands {
    ($($(#[$doc:meta])* $variant:ident = $module:ident),+ $(,)?) => {
        $(pub mod $module;)+

        #[derive(Debug, Subcommand)]
        enum Command {
            $($(#[$doc])* $variant($module::Args),)+
        }

        fn dispatch(command: Command) -> Exit {
            match command {
                $(Command::$variant(args) => $module::run(args),)+
            }
        }
    };
}

commands! {
    /// Show a real denial in a throw-away home, prove both channels, leave nothing behind
    Demo = demo,
    /// Put the hooks into agents' settings
    Install = install,
    /// Take the hooks out again, byte for byte
    Uninstall = uninstall,
    /// What is installed, at a glance
    Status = status,
    /// Prove that the hooks work, or say which don't and why
    Doctor = doctor,
    /// What would harness say to this call, and why
    Explain = explain,
    /// Check, show and test the policy
    Policy = policy,
    /// Let a project's policy run code, pinned by content
    Trust = trust,
    /// The audit journal
    Log = log,
    /// Shell completions
    Completions = completions,
}

/// Guards and context for coding agents, and the proof that they work.
#[derive(Debug, Parser)]
#[command(name = "harness", version, about, long_about = None, disable_help_subcommand = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// Runs a person's command.
#[must_use]
pub fn main() -> Exit {
    crate::sys::alloc::leave();
    match Cli::try_parse() {
        Ok(cli) => dispatch(cli.command),
        Err(e) => {
            let usage = e.use_stderr();
            let _ = e.print();
            if e.kind() == clap::error::ErrorKind::UnknownArgument
                && let Some(hint) = explain::hint(std::env::args().skip(1))
            {
                out::note(format!("hint: {hint}"));
            }
            if usage { Exit::Usage } else { Exit::Done }
        }
    }
}
