//! `harness why`

use harness_core::Json;
use serde_json::{Value, json};

use super::consent::Failed;
use super::exit::Exit;
use super::redecide::{Bench, Cannot, knobs};
use super::{log, out, recorded, scene};
use crate::hosts::words;
use crate::journal::{audit, place};

/// How much of the journal's end is searched for what became of a call.
const TAIL: usize = 64 << 20;

/// Arguments of `harness why`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The call: its id or the beginning of it (default: the last one)
    #[arg(conflicts_with = "last")]
    call: Option<String>,
    /// The last one, as without an id
    #[arg(long)]
    last: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Runs `harness why`.
pub fn run(args: Args) -> Exit {
    match why(&args) {
        Ok(exit) => exit,
        Err((what, exit, hint)) => {
            out::error(what, hint);
            exit
        }
    }
}

fn why(args: &Args) -> Result<Exit, Failed> {
    let cwd = scene::folder(None).map_err(|e| (e, Exit::CouldNot, None))?;
    let home = scene::home(&cwd)
        .ok_or_else(|| ("this user has no home folder".to_owned(), Exit::CouldNot, None))?;
    let record = recorded::find(&home.state, args.call.as_deref(), |_| true)?;
    let id = record.str_at("call").unwrap_or_default().into_owned();
    let mut later = Vec::new();
    let needle = format!("\"call\":{}", json!(id));
    audit::search(&place::audit(&home.state), TAIL, &needle, |found| {
        let same = found.str_at("session") == record.str_at("session");
        let kind = found.str_at("type").unwrap_or_default().into_owned();
        if same && kind != "tool/call" {
            later.push(found.clone().into_owned());
        }
        None::<()>
    });
    later.reverse();
    let again = Bench::new(home, None).decide(&record, knobs(&record).sandbox);
    let now = match &again {
        Ok(ruling) => {
            let rule = ruling.verdict.reason().map(|reason| reason.rule().to_string());
            json!({"verdict": ruling.verdict.word(), "rule": rule})
        }
        Err(Cannot::Redacted) => json!({"verdict": null, "because": "the journal left arguments out"}),
        Err(Cannot::Unknown) => json!({"verdict": null, "because": "it turns on a file whose content the record doesn't hold"}),
    };
    if args.json {
        let later: Vec<Value> = later.iter().map(value).collect();
        out::line(json!({"schema": 1, "record": value(&record), "later": later, "now": now}).to_string());
    } else {
        show(&record, &later, &now);
    }
    Ok(Exit::Done)
}

fn value(json: &Json<'_>) -> Value {
    let mut bytes = Vec::new();
    json.write(&mut bytes);
    serde_json::from_slice(&bytes).unwrap_or_default()
}

fn show(record: &Json<'_>, later: &[Json<'_>], now: &Value) {
    let record_value = value(record);
    let say = |label: &str, text: &str| {
        if !text.is_empty() {
            out::line(format!("{label:<10} {}", words::line(text)));
        }
    };
    let text = |key: &str| record.str_at(key).unwrap_or_default().into_owned();
    say("call", &format!("{} in {} (workspace {})", recorded::about(record), text("cwd"), text("workspace")));
    say("when", &format!("{}, session {}", log::when(record_value["ts"].as_u64().unwrap_or(0)), text("session")));
    say("verdict", &format!("{}; the agent was told: {}", text("verdict"), text("answer")));
    say("why", &text("reason"));
    say("rules", &recorded::list(record, "rules").join(", "));
    say("knobs", &format!("sandbox {}, approval {}", text("sandbox"), text("approval")));
    say("grant", &text("grant"));
    if record_value["off"] == true {
        say("off", "harness was silenced by a person");
    }
    for event in later {
        let of = |key: &str| event.str_at(key).unwrap_or_default();
        let parts = [of("type"), of("outcome"), of("by"), of("sealed"), of("alarm")];
        let parts: Vec<&str> = parts.iter().map(AsRef::as_ref).filter(|p: &&str| !p.is_empty()).collect();
        say("then", &parts.join("  "));
    }
    let word = |key: &str| now[key].as_str().unwrap_or_default().to_owned();
    match now["verdict"].as_str() {
        Some(verdict) if verdict == text("verdict") => say("now", "the policy says the same"),
        Some(verdict) => say("now", &format!("the policy says {verdict} {}", word("rule"))),
        None => say("now", &format!("can't be decided again: {}", word("because"))),
    }
}
