//! `harness approve`

use std::time::Duration;

use harness_core::Json;

use super::consent::{self, Failed};
use super::exit::Exit;
use super::{duration, out, recorded, scene};
use crate::hook::grants::mark;
use crate::hosts::words;
use crate::journal::authority::{self, GRANT_MADE};
use crate::journal::hash::Short;
use crate::journal::record::Record;
use crate::journal::{audit, place, redact};
use crate::policy::grants::may_be_granted;
use crate::policy::paths;
use crate::sys::world::Machine;
use harness_core::World;

/// How long a grant for one call waits for it.
const ONCE: Duration = Duration::from_secs(600);

/// Arguments of `harness approve`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The call: its id or the beginning of it (default: the last one that asked)
    call: Option<String>,
    /// For the session: whatever the rules ask that asked about this call
    #[arg(long, conflicts_with_all = ["path", "prefix"])]
    rule: bool,
    /// For the session: file tools at this path and below it
    #[arg(long, value_name = "PATH", conflicts_with = "prefix")]
    path: Option<String>,
    /// For the session: lines whose every command begins with these words
    #[arg(long, value_name = "WORDS")]
    prefix: Option<String>,
    /// How long it holds (default: ten minutes for one call, else until the session ends)
    #[arg(long = "for", value_name = "DURATION", value_parser = duration::parse)]
    length: Option<Duration>,
    /// Don't ask
    #[arg(long, short)]
    yes: bool,
}

/// Runs `harness approve`.
pub fn run(args: Args) -> Exit {
    match approve(&args) {
        Ok(exit) => exit,
        Err((what, exit, hint)) => {
            out::error(what, hint);
            exit
        }
    }
}

fn approve(args: &Args) -> Result<Exit, Failed> {
    let cwd = scene::folder(None).map_err(|e| (e, Exit::CouldNot, None))?;
    let home = scene::home(&cwd)
        .ok_or_else(|| ("this user has no home folder".to_owned(), Exit::CouldNot, None))?;
    let wanted = args.call.as_deref();
    let asked = |record: &Json<'_>| wanted.is_some() || still_asks(record);
    let record = recorded::find(&home.state, wanted, asked)?;
    let text = |key: &str| record.str_at(key).unwrap_or_default().into_owned();
    may_be(&record)?;
    let rules = recorded::list(&record, "asks");
    let scopes = scopes(args, &record, &rules)?;
    show(&record);
    let session = text("session");
    let now = Machine::new("").now_ms();
    let length = args.length.or_else(|| scopes.iter().any(|(word, _)| *word == "once").then_some(ONCE));
    let until = length.map(|d| now.saturating_add(u64::try_from(d.as_millis()).unwrap_or(u64::MAX)));
    let question = format!("Allow {}?", told(&scopes, length));
    consent::widening(&home, "a grant", &question, args.yes)?;
    let about = redact::head(&recorded::about(&record), 200).to_owned();
    let made: Vec<(String, Record)> = scopes
        .iter()
        .map(|(word, of)| {
            let id = fresh(&session, word, of, now);
            let record = Record::new(GRANT_MADE, now)
                .text("id", &id)
                .text("scope", word)
                .text("of", of)
                .text("session", &session)
                .text("about", &about)
                .text("by", "person");
            (id, until.map_or(record.clone(), |until| record.number("until", until)))
        })
        .collect();
    let log = place::session(&home.state, &session);
    let records = || made.iter().map(|(_, record)| record.clone());
    authority::append(&log, records()).map_err(|e| {
        (format!("`{}`: {e}", log.display()), Exit::CouldNot, Some("nothing was granted"))
    })?;
    let _ = audit::append(&place::audit(&home.state), records());
    for (id, _) in &made {
        out::line(format!("granted {id}: {}", told(&scopes, length)));
    }
    out::note("tell the agent to try again; `harness grants` shows what holds, `harness grants --revoke ID` takes it back");
    Ok(Exit::Done)
}

/// Whether it asked, and nothing has let it pass: no grant, no silence.
fn still_asks(record: &Json<'_>) -> bool {
    let silenced = matches!(record.get("off"), Some(Json::Bool(true)));
    let passed = silenced || record.get("grant").is_some();
    record.str_at("verdict").as_deref() == Some("ask") && !passed
}

/// Whether a grant can help this call at all.
fn may_be(record: &Json<'_>) -> Result<(), Failed> {
    let text = |key: &str| record.str_at(key).unwrap_or_default();
    match &*text("verdict") {
        "ask" => {}
        "deny" => {
            let what = format!(
                "a rule denied this call ({}), and no grant lifts a denial",
                recorded::list(record, "rules").first().cloned().unwrap_or_default()
            );
            return Err((what, Exit::No, Some("`harness why` says which rule and where it stands")));
        }
        _ => return Err(("nothing asked about this call".to_owned(), Exit::No, None)),
    }
    if record.get("agent").is_some() {
        let what = "this is a subagent's call, and subagents inherit no grant".to_owned();
        return Err((what, Exit::No, Some("the main agent may make it, once you have approved its call")));
    }
    if &*text("approval") == "never" {
        let what = "the approval policy of this session is `never`, which no grant lifts".to_owned();
        return Err((what, Exit::No, Some("`harness knob approval ask --session ID` first")));
    }
    Ok(())
}

/// What is granted: word and value of each.
fn scopes(args: &Args, record: &Json<'_>, rules: &[String]) -> Result<Vec<(&'static str, String)>, Failed> {
    let text = |key: &str| record.str_at(key).unwrap_or_default().into_owned();
    let cwd = text("cwd");
    let scopes = if args.rule {
        rules.iter().map(|rule| ("rule", rule.clone())).collect()
    } else if let Some(path) = &args.path {
        let here = std::env::current_dir().unwrap_or_default();
        vec![("path", paths::normal(&here.to_string_lossy(), path))]
    } else if let Some(prefix) = &args.prefix {
        vec![("prefix", prefix.split_whitespace().collect::<Vec<_>>().join(" "))]
    } else {
        return Ok(vec![("once", mark(&text("seal"), &cwd).to_string())]);
    };
    if scopes.iter().any(|(_, of): &(_, String)| of.is_empty()) || scopes.is_empty() {
        return Err(("there is nothing to grant".to_owned(), Exit::Usage, None));
    }
    if let Some(rule) = rules.iter().find(|rule| !may_be_granted(rule)) {
        let what = format!("`{rule}` asks each time: it guards harness itself");
        return Err((what, Exit::Usage, Some("approve the one call, without `--rule`, `--path` or `--prefix`")));
    }
    Ok(scopes)
}

fn told(scopes: &[(&str, String)], length: Option<Duration>) -> String {
    let what: Vec<String> = scopes
        .iter()
        .map(|(word, of)| match *word {
            "once" => "this one call".to_owned(),
            "rule" => format!("what the rule `{of}` asks"),
            "path" => format!("file tools at `{of}` and below"),
            _ => format!("lines of nothing but `{of} …`"),
        })
        .collect();
    let long = match length {
        None => "until the session ends".to_owned(),
        Some(length) => format!("within {}", duration::words(length)),
    };
    words::line(&format!("{} {long}", what.join(" and ")))
}

/// The whole call, escaped.
fn show(record: &Json<'_>) {
    let text = |key: &str| record.str_at(key).unwrap_or_default();
    for key in ["tool", "cwd", "session", "reason"] {
        out::line(format!("{key:<8} {}", words::line(&text(key))));
    }
    let mut input = Vec::new();
    record.get("input").unwrap_or(&Json::Null).write(&mut input);
    out::line(format!("{:<8} {}", "input", words::line(&String::from_utf8_lossy(&input))));
    if !recorded::is_whole(record) {
        out::note("note: the journal leaves secrets and long arguments out; the grant is for the very call they belong to");
    }
}

fn fresh(session: &str, word: &str, of: &str, now: u64) -> String {
    let hash = Short::of(format!("{session}\0{word}\0{of}\0{now}").as_bytes());
    redact::head(hash.as_str(), 12).to_owned()
}
