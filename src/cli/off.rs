//! `harness off`

use std::time::Duration;

use harness_core::World;
use serde_json::json;

use super::consent::{self, Failed};
use super::exit::Exit;
use super::{duration, log, out, scene};
use crate::home::Home;
use crate::hook::off::{MOST_MS, until};
use crate::journal::authority::{self, OFF_ENDED, OFF_UNTIL};
use crate::journal::record::Record;
use crate::journal::{audit, place};
use crate::sys::person;
use crate::sys::world::Machine;

/// Arguments of `harness off`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// How long: `90s`, `10m`, `2h`; at most eight hours
    #[arg(long = "for", value_name = "DURATION", value_parser = duration::parse)]
    length: Option<Duration>,
    /// End it now
    #[arg(long, conflicts_with = "length")]
    end: bool,
    /// Don't ask
    #[arg(long, short, requires = "length")]
    yes: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Runs `harness off`.
pub fn run(args: Args) -> Exit {
    match off(&args) {
        Ok(exit) => exit,
        Err((what, exit, hint)) => {
            out::error(what, hint);
            exit
        }
    }
}

fn off(args: &Args) -> Result<Exit, Failed> {
    let cwd = scene::folder(None).map_err(|e| (e, Exit::CouldNot, None))?;
    let home = scene::home(&cwd)
        .ok_or_else(|| ("this user has no home folder".to_owned(), Exit::CouldNot, None))?;
    let now = Machine::new("").now_ms();
    if let Some(length) = args.length {
        let ms = u64::try_from(length.as_millis()).unwrap_or(u64::MAX);
        if ms > MOST_MS {
            let what = "eight hours are the most".to_owned();
            return Err((what, Exit::Usage, Some("say it again when they are over")));
        }
        let question =
            format!("Silence every rule but self-protection for {}?", duration::words(length));
        consent::widening(&home, "silence", &question, args.yes)?;
        write(&home, Record::new(OFF_UNTIL, now).number("until", now + ms))?;
    } else if args.end && until(&home, now).is_some() {
        // Ending it only tightens: anyone may.
        write(&home, Record::new(OFF_ENDED, now))?;
    }
    show(until(&home, Machine::new("").now_ms()), args.json);
    Ok(Exit::Done)
}

fn write(home: &Home, record: Record) -> Result<(), Failed> {
    let by = if person::agent_above().is_some() { "agent" } else { "person" };
    let record = record.text("by", by);
    let file = place::off(&home.state);
    authority::append(&file, [record.clone()]).map_err(|e| {
        (format!("`{}`: {e}", file.display()), Exit::CouldNot, Some("nothing was changed"))
    })?;
    let _ = audit::append(&place::audit(&home.state), [record]);
    Ok(())
}

fn show(until: Option<u64>, as_json: bool) {
    if as_json {
        return out::line(json!({"schema": 1, "off": until.is_some(), "until": until}).to_string());
    }
    out::line(match until {
        Some(until) => format!("off until {}; self-protection stays   harness off --end", log::when(until)),
        None => "on: nothing is silenced   harness off --for 10m".to_owned(),
    });
}
