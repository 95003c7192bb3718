//! `harness grants`

use serde_json::json;

use super::consent::Failed;
use super::exit::Exit;
use super::{log, out, scene};
use crate::hook::limits;
use crate::hosts::words;
use crate::journal::asks::{self, Grant};
use crate::journal::authority::{self, GRANT_REVOKED};
use crate::journal::record::Record;
use crate::journal::{audit, place};
use crate::sys::person;
use crate::sys::world::Machine;
use harness_core::World;
use std::path::{Path, PathBuf};

/// Arguments of `harness grants`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Take a grant back, by its id; `all` for all
    #[arg(long, value_name = "ID")]
    revoke: Option<String>,
    /// Only this session's: its id or the beginning of it
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// Print one JSON object
    #[arg(long, conflicts_with = "revoke")]
    json: bool,
}

/// Runs `harness grants`.
pub fn run(args: Args) -> Exit {
    match grants(&args) {
        Ok(exit) => exit,
        Err((what, exit, hint)) => {
            out::error(what, hint);
            exit
        }
    }
}

fn grants(args: &Args) -> Result<Exit, Failed> {
    let cwd = scene::folder(None).map_err(|e| (e, Exit::CouldNot, None))?;
    let home = scene::home(&cwd)
        .ok_or_else(|| ("this user has no home folder".to_owned(), Exit::CouldNot, None))?;
    let now = Machine::new("").now_ms();
    let live = live(&home.state, args.session.as_deref(), now)?;
    match &args.revoke {
        Some(id) => revoke(&home.state, id, &live, now),
        None => {
            show(&live, args.json);
            Ok(Exit::Done)
        }
    }
}

/// Every grant that holds, with its log.
fn live(state: &Path, session: Option<&str>, now: u64) -> Result<Vec<(PathBuf, Grant)>, Failed> {
    let logs = place::authority(state)
        .map_err(|e| (format!("`{}`: {e}", state.display()), Exit::CouldNot, None))?;
    let mut live = Vec::new();
    for log in logs {
        // A log that can't be read grants nothing.
        let Ok(Some(lines)) = authority::read(&log, limits::AUTHORITY) else { continue };
        for grant in asks::grants(&lines) {
            let wanted = session.is_none_or(|id| grant.session.starts_with(id));
            if wanted && grant.used.is_none() && grant.holds(now, None) {
                live.push((log.clone(), grant));
            }
        }
    }
    Ok(live)
}

fn show(live: &[(PathBuf, Grant)], as_json: bool) {
    if as_json {
        let rows: Vec<_> = live
            .iter()
            .map(|(_, grant)| {
                json!({
                    "id": grant.id, "scope": grant.scope, "of": grant.of, "until": grant.until,
                    "session": grant.session, "about": grant.about, "ts": grant.ts,
                })
            })
            .collect();
        out::line(json!({"schema": 1, "grants": rows}).to_string());
        return;
    }
    if live.is_empty() {
        out::note("nothing is granted");
    }
    for (_, grant) in live {
        let what = match grant.scope.as_str() {
            "once" => grant.about.as_str(),
            _ => grant.of.as_str(),
        };
        let until = grant.until.map_or_else(|| "the session's end".to_owned(), log::when);
        out::line(words::line(&format!(
            "{}  {:<6}  {what}  until {until}  session {}",
            grant.id, grant.scope, grant.session
        )));
    }
}

/// Taking back only tightens: anyone may.
fn revoke(state: &Path, id: &str, live: &[(PathBuf, Grant)], now: u64) -> Result<Exit, Failed> {
    let chosen: Vec<_> = live.iter().filter(|(_, g)| id == "all" || g.id == id).collect();
    if chosen.is_empty() {
        let hint = Some("`harness grants` lists what is granted");
        return Err((format!("there is no grant `{id}`"), Exit::No, hint));
    }
    let by = if person::agent_above().is_some() { "agent" } else { "person" };
    for (log, grant) in chosen {
        let record = Record::new(GRANT_REVOKED, now).text("id", &grant.id).text("by", by);
        authority::append(log, [record.clone()])
            .map_err(|e| (format!("`{}`: {e}", log.display()), Exit::CouldNot, None))?;
        let told = record.text("session", &grant.session);
        let _ = audit::append(&place::audit(state), [told]);
        out::line(format!("{}: taken back", grant.id));
    }
    Ok(Exit::Done)
}
