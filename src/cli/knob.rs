//! `harness knob`

use harness_core::knobs::value::Knob;
use harness_core::knobs::{ApprovalPolicy, KnobEvent, SandboxMode};
use serde_json::{Value, json};

use super::consent::Failed;
use super::exit::Exit;
use super::knobs::{Desk, Target, Whose};
use super::{log, out};
use crate::hook::knobs::name_of;
use crate::hosts::words;
use crate::journal::authority;

/// Arguments of `harness knob`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The knob; both, if not given
    #[arg(value_parser = ["sandbox", "approval"])]
    name: Option<String>,
    /// What to set it to: `read-only`, `workspace-write`, `danger-full-access`; `never`, `ask`
    value: Option<String>,
    #[command(flatten)]
    whose: Whose,
    /// Show every event with what held after it
    #[arg(long, conflicts_with = "value")]
    history: bool,
    /// With `--history`: only up to this event
    #[arg(long, value_name = "N", requires = "history")]
    at: Option<usize>,
    /// Don't ask before widening
    #[arg(long, short)]
    yes: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Runs `harness knob`.
pub fn run(args: Args) -> Exit {
    match knob(&args) {
        Ok(exit) => exit,
        Err((what, exit, hint)) => {
            out::error(what, hint);
            exit
        }
    }
}

fn knob(args: &Args) -> Result<Exit, Failed> {
    let chosen = match (args.name.as_deref(), args.value.as_deref()) {
        (Some("sandbox"), Some(word)) => Some(KnobEvent::Sandbox(value(word)?)),
        (Some(_), Some(word)) => Some(KnobEvent::Approval(value(word)?)),
        _ => None,
    };
    let Some(event) = chosen.filter(|_| !args.history) else {
        if args.history {
            history(&Desk::of(&args.whose)?, args);
        } else {
            show(&Desk::to_show(&args.whose)?, args.name.as_deref(), args.json);
        }
        return Ok(Exit::Done);
    };
    let desk = Desk::of(&args.whose)?;
    let own = desk.own();
    let holds = match &event {
        KnobEvent::Sandbox(mode) => {
            own.sandbox == Some(*mode) && !own.doubts(SandboxMode::EVENT)
        }
        KnobEvent::Approval(policy) => {
            own.approval == Some(*policy) && !own.doubts(ApprovalPolicy::EVENT)
        }
        KnobEvent::Preset(_) => false,
    };
    // An alarm holds the sandbox too: choosing read-only then is a choice.
    let alarmed = desk.lines.last().is_some_and(authority::Line::alarms);
    if !holds || alarmed {
        desk.choose(&[event], args.yes)?;
    }
    set(&desk.again()?, args.json);
    Ok(Exit::Done)
}

/// Prints what holds after a change, and where it doesn't hold here.
pub(super) fn set(desk: &Desk, as_json: bool) {
    show(desk, None, as_json);
    if let Some(other) = desk.overridden() {
        out::note(format!("note: {other}"));
    }
}

fn value<K: Knob>(word: &str) -> Result<K, Failed> {
    K::from_word(word).ok_or_else(|| {
        let all: Vec<&str> = K::ALL.iter().map(|value| value.word()).collect();
        let what = format!("`{}` is one of {}, not `{word}`", name_of(K::EVENT), all.join(", "));
        (what, Exit::Usage, None)
    })
}

/// Prints what holds and who says so.
pub(super) fn show(desk: &Desk, only: Option<&str>, as_json: bool) {
    let ladder = &desk.ladder;
    let now = ladder.now();
    let presets = desk.scene.policy.presets();
    let preset = ladder.preset(&presets);
    if as_json {
        let mut value = whose(desk);
        value["sandbox"] = json!({"value": now.sandbox.word(), "from": ladder.sandbox_from().word()});
        value["approval"] = json!({"value": now.approval.word(), "from": ladder.approval_from().word()});
        value["preset"] = json!(preset);
        out::line(value.to_string());
        return;
    }
    let rows = [
        ("sandbox", now.sandbox.word(), ladder.sandbox_from().word()),
        ("approval", now.approval.word(), ladder.approval_from().word()),
    ];
    if only.is_none() {
        out::line(words::line(&desk.name()));
    }
    for (name, value, from) in rows.iter().filter(|row| only.is_none_or(|o| o == row.0)) {
        out::line(format!("  {name:<10} {value:<20} {from}"));
    }
    if only.is_none() {
        out::line(format!("  {:<10} {}", "preset", words::line(preset)));
    }
}

fn whose(desk: &Desk) -> Value {
    let (scope, key, value) = match &desk.target {
        Target::Session(id) => ("session", "session", Some(id)),
        Target::Project(root) => ("project", "project", Some(root)),
        Target::Default => ("default", "", None),
        Target::Here(root) => ("here", "project", Some(root)),
    };
    let mut object = json!({"schema": 1, "scope": scope});
    if let Some(value) = value {
        object[key] = json!(value);
    }
    object
}

/// Folds the log again from its beginning, event by event.
fn history(desk: &Desk, args: &Args) {
    let below = desk.below();
    let presets = desk.scene.policy.presets();
    let mut events = Vec::new();
    let most = args.at.unwrap_or(usize::MAX);
    for (at, line) in desk.lines.iter().enumerate().take(most) {
        let folded = authority::knobs(desk.lines.iter().take(at + 1));
        let knobs = desk.ladder.declared.limit(folded.effective(below));
        let kind = line.kind.unwrap_or("(not to be read)");
        let said = line.value.as_deref().unwrap_or_default();
        let preset = presets.derive(&folded, below);
        if args.json {
            events.push(json!({
                "n": at + 1, "ts": line.ts, "type": line.kind, "value": line.value,
                "sandbox": knobs.sandbox.word(), "approval": knobs.approval.word(),
                "preset": preset,
            }));
        } else {
            let when = log::when(line.ts);
            let said = words::line(&format!("{kind} {said}"));
            let held = format!("{}, {}", knobs.sandbox.word(), knobs.approval.word());
            let preset = words::line(preset);
            out::line(format!("{:>4}  {when}  {said:<36}  {held:<26}  {preset}", at + 1));
        }
    }
    if args.json {
        let mut value = whose(desk);
        value["events"] = json!(events);
        out::line(value.to_string());
    } else if desk.lines.is_empty() {
        out::note(format!("nobody has set a knob of {}", desk.name()));
    }
}
