//! `harness log`

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Seek};
use std::path::Path;
use std::time::Duration;

use harness_core::Json;
use harness_core::json::{Limits, parse};

use super::exit::Exit;
use super::{out, scene};
use crate::doctor::render::wrap::width;
use crate::hosts::words;
use crate::journal::{place, probe, segments};
use crate::sys::{append, terminal};

mod verify;

/// How often `--follow` looks for more.
const PACE: Duration = Duration::from_millis(200);

/// Arguments of `harness log`.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Args {
    /// Only this session: its id or the beginning of it
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// The records, one JSON object a line; what a terminal would obey in them is escaped
    #[arg(long)]
    json: bool,
    /// Also what install's and doctor's probes left
    #[arg(long)]
    probes: bool,
    /// Whole lines, however long; by itself a line is cut to the terminal's width
    #[arg(long, conflicts_with = "json")]
    wide: bool,
    /// Only the last N records of those that are asked for
    #[arg(long = "lines", short = 'n', value_name = "N")]
    last: Option<usize>,
    /// Go on as records are written, until interrupted
    #[arg(long, short)]
    follow: bool,
    #[command(subcommand)]
    check: Option<Check>,
}

#[derive(Debug, clap::Subcommand)]
enum Check {
    /// Check that every record links to the one before it, in the journal and in the logs of
    /// knobs, grants and `off`
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
        Some(Check::Verify) => verify::run(&home.state),
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

fn show(file: &Path, args: &Args) -> io::Result<Exit> {
    let mut line = Vec::new();
    let mut view =
        View { args, last: args.last, kept: VecDeque::new(), matched: 0, probes: 0 };
    let parts = segments::aside(file)?;
    for (_, part) in &parts {
        let mut reader = BufReader::new(append::to_read(part)?.0);
        while reader.read_until(b'\n', &mut line)? > 0 && !out::is_over() {
            view.take(&line);
            line.clear();
        }
    }
    let mut reader = loop {
        match append::to_read(file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound && args.follow => {
                std::thread::sleep(PACE);
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound && !parts.is_empty() => {
                return Ok(view.end());
            }
            other => break BufReader::new(other?.0),
        }
    };
    let mut caught_up = false;
    while !out::is_over() {
        let got = reader.read_until(b'\n', &mut line)?;
        if line.last() == Some(&b'\n') || (got == 0 && !line.is_empty() && !args.follow) {
            view.take(&line);
            line.clear();
            continue;
        }
        if got > 0 {
            continue;
        }
        if !args.follow {
            break;
        }
        if !caught_up {
            view.catch_up();
            caught_up = true;
        }
        std::thread::sleep(PACE);
        // A journal that was put aside begins anew.
        let at = reader.stream_position()?;
        if std::fs::metadata(file).is_ok_and(|now| now.len() < at) {
            reader = BufReader::new(append::to_read(file)?.0);
            line.clear();
        }
    }
    Ok(if caught_up { Exit::Done } else { view.end() })
}

/// What of the journal is shown, and what was left out.
struct View<'a> {
    args: &'a Args,
    /// How many of the last lines are wanted; `None`: each at once.
    last: Option<usize>,
    /// Those, while more may come.
    kept: VecDeque<String>,
    /// Records of the session that is asked for.
    matched: u64,
    /// Records of probes.
    probes: u64,
}

impl View<'_> {
    /// Looks at a line of the journal, and prints it if it is asked for.
    fn take(&mut self, line: &[u8]) {
        let line = line.trim_ascii_end();
        let args = self.args;
        let Ok(parsed) = parse(line, Limits::default()) else {
            if !args.json && !line.is_empty() && args.session.is_none() {
                self.show("(a damaged record; `harness log verify` says where)".to_owned());
            }
            return;
        };
        let record = parsed.value;
        if let Some(wanted) = &args.session {
            if !record.str_at("session").is_some_and(|id| id.starts_with(wanted.as_str())) {
                return;
            }
            self.matched += 1;
        }
        let of_probe = || record.str_at("session").is_some_and(|session| probe::is(&session));
        if !args.probes && args.session.is_none() && of_probe() {
            self.probes += 1;
            return;
        }
        self.show(if args.json {
            String::from_utf8_lossy(line).into_owned()
        } else {
            let columns = if args.wide { None } else { terminal::columns() };
            fit(&told(&record), columns)
        });
    }

    fn show(&mut self, line: String) {
        let Some(last) = self.last else { return out::line(line) };
        self.kept.push_back(line);
        if self.kept.len() > last {
            self.kept.pop_front();
        }
    }

    /// Shows what was kept; what comes from now on is shown as it comes.
    fn catch_up(&mut self) {
        self.kept.drain(..).for_each(out::line);
        self.last = None;
    }

    /// All that is written down has been looked at.
    fn end(&mut self) -> Exit {
        self.catch_up();
        if self.probes > 0 {
            let probes = self.probes;
            out::note(format!("{probes} records of harness's own probes are left out (`--probes`)"));
        }
        match &self.args.session {
            Some(session) if self.matched == 0 => {
                let session = words::line(session);
                out::note(format!(
                    "no record is of a session whose id begins with `{session}`; `harness log --json` shows the records with their sessions"
                ));
                Exit::No
            }
            _ => Exit::Done,
        }
    }
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
    let mut parts = vec![when(stamp(record).unwrap_or_default()), text("type").into_owned()];
    for key in ["event", "answer", "tool", "sealed", "source", "file", "mode", "policy", "preset", "scope", "project", "outcome", "by", "grant", "id", "about"] {
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

/// A line within so many columns, with a mark where it was cut. East Asian letters and
/// pictures take two, as terminals show them.
fn fit(line: &str, columns: Option<usize>) -> String {
    let Some(columns) = columns else { return line.to_owned() };
    let mut room = columns;
    let mut kept = 0;
    for (at, c) in line.char_indices() {
        match room.checked_sub(width(c)) {
            Some(less) => room = less,
            None => return format!("{}…", line.get(..kept).unwrap_or_default()),
        }
        if room > 0 {
            kept = at + c.len_utf8();
        }
    }
    line.to_owned()
}

fn stamp(record: &Json<'_>) -> Option<u64> {
    match record.get("ts") {
        Some(Json::Number(ms)) => ms.parse().ok(),
        _ => None,
    }
}

/// A time in the person's own zone, to the second; blank for none.
pub(super) fn when(ms: u64) -> String {
    i64::try_from(ms)
        .ok()
        .filter(|ms| *ms > 0)
        .and_then(|ms| jiff::Timestamp::from_millisecond(ms).ok())
        .map(|at| at.to_zoned_datetime(jiff::tz::TimeZone::system()).strftime("%F %T").to_string())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{fit, told};
    use harness_core::json::{Limits, parse};

    #[test]
    fn a_record_is_told_in_one_line() {
        let line = br#"{"ts":0,"type":"tool/call","tool":"Bash","answer":"deny","rules":["a","b"],"reason":"no","input":{"command":"rm\n-rf \u001b[31m/"}}"#;
        let record = parse(line, Limits::default()).map(|p| p.value).expect("json");
        let text = told(&record);
        assert!(text.ends_with("tool/call  deny  Bash  rm -rf [31m/  [rules a, b]  no"), "{text}");
    }

    #[test]
    fn a_line_fits_the_terminal_and_says_where_it_was_cut() {
        assert_eq!(fit("abcdef", None), "abcdef");
        assert_eq!(fit("abcdef", Some(6)), "abcdef");
        assert_eq!(fit("abcdef", Some(5)), "abcd…");
        assert_eq!(fit("하하하", Some(6)), "하하하");
        assert_eq!(fit("하하하", Some(5)), "하하…");
        assert_eq!(fit("하하하", Some(4)), "하…");
        assert_eq!(fit("x", Some(0)), "…");
    }
}
