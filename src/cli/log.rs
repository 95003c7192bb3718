//! `harness log`

use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek};
use std::path::Path;
use std::time::Duration;

use harness_core::Json;
use harness_core::json::{Limits, parse};

use super::exit::Exit;
use super::{out, scene};
use crate::hosts::words;
use crate::journal::{place, probe};
use crate::journal::verify::{Finding, verify};

/// How often `--follow` looks for more.
const PACE: Duration = Duration::from_millis(200);

/// Arguments of `harness log`.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Args {
    /// Only this session: its id or the beginning of it
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// The records as they are, one JSON object a line
    #[arg(long)]
    json: bool,
    /// Also what install's and doctor's probes left
    #[arg(long)]
    probes: bool,
    /// Go on as records are written, until interrupted
    #[arg(long)]
    follow: bool,
    #[command(subcommand)]
    check: Option<Check>,
}

#[derive(Debug, clap::Subcommand)]
enum Check {
    /// Check that every record links to the one before it
    Verify,
}

/// Runs `harness log`.
pub fn run(args: Args) -> Exit {
    let here = std::env::current_dir().unwrap_or_default();
    let Some(home) = scene::home(&here) else {
        out::error("there is no home folder to look in", Some("set `HARNESS_HOME`"));
        return Exit::CouldNot;
    };
    let file = place::audit(&home.state);
    let done = match args.check {
        Some(Check::Verify) => check(&file),
        None => show(&file, &args),
    };
    match done {
        Ok(exit) => exit,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            out::note(format!("nothing is written down yet: {} does not exist", file.display()));
            Exit::Done
        }
        Err(error) => {
            out::error(format!("{}: {error}", file.display()), None);
            Exit::CouldNot
        }
    }
}

fn check(file: &Path) -> io::Result<Exit> {
    let verified = verify(file)?;
    let Some(first) = verified.findings.first() else {
        out::line(format!(
            "{} records, every one linked to the one before it; head {}",
            verified.lines, verified.head
        ));
        return Ok(Exit::Done);
    };
    for finding in verified.findings.iter().take(20) {
        out::line(match finding {
            Finding::Broken(line) => format!(
                "{}:{line}: does not link to the line before it: one of the two was changed, or lines between them are gone",
                file.display()
            ),
            Finding::Damaged(line) => format!(
                "{}:{line}: is no whole record: a process was killed as it wrote, or something else wrote there",
                file.display()
            ),
        });
    }
    let (Finding::Broken(line) | Finding::Damaged(line)) = first;
    let count = verified.findings.len();
    out::note(format!("error: {count} of {} lines are not sound, the first is {line}", verified.lines));
    Ok(Exit::No)
}

fn show(file: &Path, args: &Args) -> io::Result<Exit> {
    let mut reader = loop {
        match File::open(file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound && args.follow => {
                std::thread::sleep(PACE);
            }
            other => break BufReader::new(other?),
        }
    };
    let (mut line, mut probes) = (Vec::new(), 0_u64);
    loop {
        let got = reader.read_until(b'\n', &mut line)?;
        if line.last() == Some(&b'\n') || (got == 0 && !line.is_empty() && !args.follow) {
            probes += u64::from(print(&line, args));
            line.clear();
            continue;
        }
        if got > 0 {
            continue;
        }
        if !args.follow {
            if probes > 0 {
                out::note(format!("{probes} records of harness's own probes are left out (`--probes`)"));
            }
            return Ok(Exit::Done);
        }
        std::thread::sleep(PACE);
        // A journal that was put aside begins anew.
        let at = reader.stream_position()?;
        if std::fs::metadata(file).is_ok_and(|now| now.len() < at) {
            reader = BufReader::new(File::open(file)?);
            line.clear();
        }
    }
}

/// Prints a record that is asked for; whether it was left out as a probe's.
fn print(line: &[u8], args: &Args) -> bool {
    let line = line.trim_ascii_end();
    let Ok(parsed) = parse(line, Limits::default()) else {
        if !args.json && !line.is_empty() && args.session.is_none() {
            out::line("(a damaged record; `harness log verify` says where)");
        }
        return false;
    };
    let record = parsed.value;
    if let Some(wanted) = &args.session
        && !record.str_at("session").is_some_and(|session| session.starts_with(wanted.as_str()))
    {
        return false;
    }
    let of_probe = || record.str_at("session").is_some_and(|session| probe::is(&session));
    if !args.probes && args.session.is_none() && of_probe() {
        return true;
    }
    if args.json {
        out::line(String::from_utf8_lossy(line));
    } else {
        out::line(told(&record));
    }
    false
}

/// A record as a line for a person.
fn told(record: &Json<'_>) -> String {
    let text = |key: &str| record.str_at(key).unwrap_or_default();
    let list = |key: &str| match record.get(key) {
        Some(Json::Array(items)) => {
            items.iter().filter_map(Json::as_str).collect::<Vec<_>>().join(", ")
        }
        _ => String::new(),
    };
    let mut parts = vec![when(record), text("type").into_owned()];
    for key in ["event", "answer", "tool", "sealed", "source", "file"] {
        parts.push(text(key).into_owned());
    }
    if let Some(input) = record.get("input") {
        let shown = ["command", "file_path", "url", "pattern", "description"];
        let first = shown.iter().find_map(|key| input.str_at(key));
        parts.push(first.unwrap_or_default().into_owned());
    }
    for (mark, value) in [("rules ", list("rules")), ("found ", list("found"))] {
        if !value.is_empty() {
            parts.push(format!("[{mark}{value}]"));
        }
    }
    for key in ["alarm", "reason"] {
        parts.push(text(key).into_owned());
    }
    parts.retain(|part| !part.is_empty());
    let clean: Vec<String> = parts.iter().map(|part| words::line(part)).collect();
    clean.join("  ")
}

fn when(record: &Json<'_>) -> String {
    let stamp = match record.get("ts") {
        Some(Json::Number(ms)) => ms.parse().ok(),
        _ => None,
    };
    stamp
        .and_then(|ms| jiff::Timestamp::from_millisecond(ms).ok())
        .map(|at| at.to_zoned_datetime(jiff::tz::TimeZone::system()).strftime("%F %T").to_string())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::told;
    use harness_core::json::{Limits, parse};

    #[test]
    fn a_record_is_told_in_one_line() {
        let line = br#"{"ts":0,"type":"tool/call","tool":"Bash","answer":"deny","rules":["a","b"],"reason":"no","input":{"command":"rm\n-rf \u001b[31m/"}}"#;
        let record = parse(line, Limits::default()).map(|p| p.value).expect("json");
        let text = told(&record);
        assert!(text.ends_with("tool/call  deny  Bash  rm -rf [31m/  [rules a, b]  no"), "{text}");
    }
}
