//! `harness replay`

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::PathBuf;

use harness_core::Json;
use harness_core::json::{Limits, parse};
use harness_core::knobs::value::Knob;
use harness_core::knobs::{ApprovalPolicy, Deployment, SandboxMode};
use serde_json::{Value, json};

use super::consent::Failed;
use super::exit::Exit;
use super::redecide::{Bench, Cannot, knobs, outcome};
use super::{log, out, recorded, scene};
use crate::hosts::words;
use crate::journal::{place, probe, segments};

/// Arguments of `harness replay`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A policy file in the place of your own
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
    /// Knobs in the place of those that were in force: `read-only,never`, or one of the two
    #[arg(long, value_name = "VALUES", value_delimiter = ',')]
    knobs: Vec<String>,
    /// Only this session: its id or the beginning of it
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What came of it.
#[derive(Default)]
struct Tally {
    same: usize,
    changed: Vec<Value>,
    stricter: usize,
    redacted: usize,
    unknown: usize,
}

/// Runs `harness replay`.
pub fn run(args: Args) -> Exit {
    match replay(&args) {
        Ok(exit) => exit,
        Err((what, exit, hint)) => {
            out::error(what, hint);
            exit
        }
    }
}

fn replay(args: &Args) -> Result<Exit, Failed> {
    let (sandbox, approval) = asked(&args.knobs)?;
    let cwd = scene::folder(None).map_err(|e| (e, Exit::CouldNot, None))?;
    let home = scene::home(&cwd)
        .ok_or_else(|| ("this user has no home folder".to_owned(), Exit::CouldNot, None))?;
    let journal = place::audit(&home.state);
    let file = args.policy.as_ref().map(std::path::absolute).transpose();
    let file = file.map_err(|e| (e.to_string(), Exit::Usage, None))?;
    let mut bench = Bench::new(home, file.clone());
    if let Some(file) = &file {
        usable(&mut bench, file)?;
    }
    let mut tally = Tally::default();
    let mut each = |record: &Json<'_>| {
        let of = |key: &str| record.str_at(key).unwrap_or_default();
        let wanted = args.session.as_deref().is_none_or(|id| of("session").starts_with(id));
        if &*of("type") == "tool/call" && wanted && !probe::is(&of("session")) {
            let was = knobs(record);
            let knobs = Deployment {
                sandbox: sandbox.unwrap_or(was.sandbox),
                approval: approval.unwrap_or(was.approval),
            };
            one(&mut bench, record, was, knobs, &mut tally);
        }
    };
    let read = segments::aside(&journal).and_then(|parts| {
        for part in parts.iter().map(|(_, part)| part).chain([&journal]) {
            match records(part, &mut each) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                other => other?,
            }
        }
        Ok(())
    });
    read.map_err(|e| (format!("`{}`: {e}", journal.display()), Exit::CouldNot, None))?;
    show(&tally, args.json);
    Ok(if tally.changed.is_empty() { Exit::Done } else { Exit::No })
}

/// The knobs that are asked for.
pub(super) fn asked(words: &[String]) -> Result<(Option<SandboxMode>, Option<ApprovalPolicy>), Failed> {
    let (mut sandbox, mut approval) = (None, None);
    for word in words {
        match (SandboxMode::from_word(word), ApprovalPolicy::from_word(word)) {
            (Some(mode), _) => sandbox = Some(mode),
            (_, Some(policy)) => approval = Some(policy),
            (None, None) => {
                let what = format!("`{word}` is no value of a knob");
                let hint = Some("read-only, workspace-write, danger-full-access; never, ask");
                return Err((what, Exit::Usage, hint));
            }
        }
    }
    Ok((sandbox, approval))
}

/// A file that can't be used would deny everything: that is nobody's question.
fn usable(bench: &mut Bench, file: &std::path::Path) -> Result<(), Failed> {
    let layers = bench.policy("").layers();
    let loaded = layers.iter().find(|loaded| loaded.path == file);
    let name = file.display().to_string();
    match loaded.and_then(|loaded| loaded.broken()).and_then(<[_]>::first) {
        Some(problem) => Err((problem.located(&name), Exit::Usage, Some("`harness policy check FILE` lists every mistake"))),
        None if !file.exists() => Err((format!("`{name}`: there is no such file"), Exit::Usage, None)),
        None => Ok(()),
    }
}

fn records(part: &std::path::Path, each: &mut impl FnMut(&Json<'_>)) -> io::Result<()> {
    let mut reader = BufReader::new(File::open(part)?);
    let mut line = Vec::new();
    while reader.read_until(b'\n', &mut line)? > 0 {
        if let Ok(parsed) = parse(line.trim_ascii_end(), Limits::default()) {
            each(&parsed.value);
        }
        line.clear();
    }
    Ok(())
}

fn one(bench: &mut Bench, record: &Json<'_>, was: Deployment, knobs: Deployment, tally: &mut Tally) {
    let ruling = match bench.decide(record, knobs.sandbox) {
        Ok(ruling) => ruling,
        Err(Cannot::Redacted) => return tally.redacted += 1,
        Err(Cannot::Unknown) => return tally.unknown += 1,
    };
    let text = |key: &str| record.str_at(key).unwrap_or_default().into_owned();
    let before = outcome(&text("verdict"), was.approval);
    let after = outcome(ruling.verdict.word(), knobs.approval);
    if before == after {
        tally.same += 1;
        return;
    }
    let rank = |word: &str| ["none", "ask", "deny"].iter().position(|w| *w == word);
    tally.stricter += usize::from(rank(after) > rank(before));
    let ts = match record.get("ts") {
        Some(Json::Number(ms)) => ms.parse::<u64>().unwrap_or(0),
        _ => 0,
    };
    let spoke = |rule: Option<&str>| rule.map(str::to_owned);
    tally.changed.push(json!({
        "call": text("call"), "session": text("session"), "ts": ts,
        "about": recorded::about(record), "was": before, "would_be": after,
        "rule_then": spoke(recorded::list(record, "rules").first().map(String::as_str)),
        "rule": spoke(ruling.verdict.reason().map(|reason| reason.rule().as_str())),
    }));
}

fn show(tally: &Tally, as_json: bool) {
    let changed = tally.changed.len();
    if as_json {
        out::line(
            json!({
                "schema": 1, "decided": tally.same + changed, "same": tally.same,
                "changed": tally.changed, "stricter": tally.stricter,
                "looser": changed - tally.stricter,
                "not_decidable": {"redacted": tally.redacted, "unknown": tally.unknown},
            })
            .to_string(),
        );
        return;
    }
    for row in &tally.changed {
        let text = |key: &str| row[key].as_str().unwrap_or("-").to_owned();
        let when = log::when(row["ts"].as_u64().unwrap_or(0));
        let (was, after, rule) = (text("was"), text("would_be"), text("rule"));
        let rule = if after == "none" { text("rule_then") } else { rule };
        let (rule, about) = (words::line(&rule), words::line(&text("about")));
        out::line(format!("{when}  {was:<4} -> {after:<4}  {rule:<28}  {about}"));
    }
    out::line(format!(
        "{} calls decided again: {changed} would change ({} stricter, {} looser)",
        tally.same + changed,
        tally.stricter,
        changed - tally.stricter
    ));
    if tally.redacted > 0 {
        out::note(format!("{} can't be: the journal left secrets or long arguments out", tally.redacted));
    }
    if tally.unknown > 0 {
        out::note(format!("{} can't be: they turn on files whose content the record doesn't hold", tally.unknown));
    }
}
