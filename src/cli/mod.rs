//! People's commands, one file each: arguments in, printing and exit codes out. No
//! decisions here.

use clap::{Parser, Subcommand};

mod beside;
pub mod choices;
pub mod consent;
mod diff;
pub mod duration;
pub mod exit;
mod habits;
mod help;
pub mod knobs;
pub mod out;
pub mod recorded;
pub mod redecide;
mod reports;
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
    #[command(after_help = help::DEMO)]
    Demo = demo,
    /// Put the hooks into agents' settings
    #[command(after_help = help::INSTALL)]
    Install = install,
    /// Take the hooks out again, byte for byte
    #[command(after_help = help::UNINSTALL)]
    Uninstall = uninstall,
    /// What is installed, at a glance
    #[command(after_help = help::STATUS)]
    Status = status,
    /// Prove that the hooks work, or say which don't and why
    #[command(after_help = help::DOCTOR)]
    Doctor = doctor,
    /// Let the system check every day that the hooks work
    #[command(after_help = help::SCHEDULE)]
    Schedule = schedule,
    /// What would harness say to this call, and why
    #[command(after_help = help::EXPLAIN)]
    Explain = explain,
    /// Check, show and test the policy
    #[command(after_help = help::POLICY)]
    Policy = policy,
    /// Let a project's policy run code, pinned by content
    #[command(after_help = help::TRUST)]
    Trust = trust,
    /// The two knobs, sandbox and approval: show them, set one, replay how they came to be
    #[command(after_help = help::KNOB)]
    Knob = knob,
    /// Both knobs at once, by a name
    #[command(after_help = help::PRESET)]
    Preset = preset,
    /// Allow a call that asks, once; or for a session what a rule asks, a path, a command
    #[command(after_help = help::APPROVE)]
    Approve = approve,
    /// What is granted, and taking it back
    #[command(after_help = help::GRANTS)]
    Grants = grants,
    /// Silence every rule but self-protection for a while: the way on when one is in it
    #[command(after_help = help::OFF)]
    Off = off,
    /// Let what widens ask for a passphrase too
    #[command(after_help = help::PASSPHRASE)]
    Passphrase = passphrase,
    /// One recorded call: what was said of it, why, and what became of it
    #[command(after_help = help::WHY)]
    Why = why,
    /// Decide the recorded calls again, under another policy or other knobs
    #[command(after_help = help::REPLAY)]
    Replay = replay,
    /// Play a call through the stations: a screen, `--plain` words, or a page
    #[command(after_help = help::CONSOLE)]
    Console = console,
    /// Run a command through every station, held by the kernel: sandbox, timeout, retries
    #[command(after_help = help::EXEC)]
    Exec = exec,
    /// The audit journal
    #[command(after_help = help::LOG)]
    Log = log,
    /// Take a newer release: signed, proven before and after, taken back if it isn't
    #[command(after_help = help::UPDATE)]
    Update = update,
    /// Shell completions
    #[command(after_help = help::COMPLETIONS)]
    Completions = completions,
}

/// Guards and context for coding agents, and the proof that they work.
#[derive(Debug, Parser)]
#[command(name = "harness", version, about, long_about = None, disable_help_subcommand = true, after_help = help::HARNESS)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// Runs a person's command.
#[must_use]
pub fn main() -> Exit {
    out::finish(commanded())
}

fn commanded() -> Exit {
    crate::sys::alloc::leave();
    let argv = habits::meant(std::env::args_os());
    match Cli::try_parse_from(&argv) {
        Ok(cli) => dispatch(cli.command),
        Err(mut e) => {
            let usage = e.use_stderr();
            habits::advise(&mut e, &argv);
            let printed = e.print();
            if !usage {
                out::mind(printed);
            }
            if let Some(hint) = habits::hint(&e, &argv) {
                out::note(format!("hint: {hint}"));
            }
            if usage { Exit::Usage } else { Exit::Done }
        }
    }
}
