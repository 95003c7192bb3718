//! `harness preset`

use harness_core::knobs::apply;
use harness_core::knobs::value::Knob;
use serde_json::json;

use super::consent::Failed;
use super::exit::Exit;
use super::knobs::{Desk, Whose};
use super::{knob, out};
use crate::hosts::words;

/// Arguments of `harness preset`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The preset to choose; without it the table is shown
    name: Option<String>,
    #[command(flatten)]
    whose: Whose,
    /// Don't ask before widening
    #[arg(long, short)]
    yes: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Runs `harness preset`.
pub fn run(args: Args) -> Exit {
    match preset(&args) {
        Ok(exit) => exit,
        Err((what, exit, hint)) => {
            out::error(what, hint);
            exit
        }
    }
}

fn preset(args: &Args) -> Result<Exit, Failed> {
    let Some(name) = &args.name else {
        table(&Desk::to_show(&args.whose)?, args.json);
        return Ok(Exit::Done);
    };
    let desk = Desk::of(&args.whose)?;
    let presets = desk.scene.policy.presets();
    let events = apply(&presets, name, desk.own(), desk.below())
        .map_err(|error| (error.to_string(), Exit::Usage, None))?;
    if !events.is_empty() {
        desk.choose(&events, args.yes)?;
    }
    knob::set(&desk.again()?, args.json);
    Ok(Exit::Done)
}

fn table(desk: &Desk, as_json: bool) {
    let presets = desk.scene.policy.presets();
    let current = desk.ladder.preset(&presets);
    if as_json {
        let rows: Vec<_> = presets
            .rows()
            .iter()
            .map(|row| {
                json!({
                    "name": row.name,
                    "sandbox": row.sandbox.word(),
                    "approval": row.approval.word(),
                    "description": row.description,
                    "current": row.name == current,
                })
            })
            .collect();
        out::line(json!({"schema": 1, "current": current, "presets": rows}).to_string());
        return;
    }
    out::line(words::line(&desk.name()));
    for row in presets.rows() {
        let mark = if row.name == current { '*' } else { ' ' };
        let knobs = format!("{}, {}", row.sandbox.word(), row.approval.word());
        let about = row.description.as_deref().unwrap_or_default();
        let about = if about.is_empty() { String::new() } else { words::line(about) };
        out::line(format!("{mark} {:<20} {knobs:<26} {about}", words::line(&row.name)));
    }
    if current == harness_core::knobs::CUSTOM {
        let now = desk.ladder.now();
        let knobs = format!("{}, {}", now.sandbox.word(), now.approval.word());
        out::line(format!("* {current:<20} {knobs:<26} no preset describes this"));
    }
}
