//! One report, many renderers. Each is a function from a report to text, without effects;
//! who prints or keeps that is elsewhere.

pub mod annotations;
pub mod junit;
pub mod plain;
pub mod quality;
pub mod sarif;
pub mod summary;
pub mod text;
pub mod wrap;

use super::report::{Channel, Check, Evidence, HostReport, Report, State, Status};
use crate::hosts::words;

/// A line of a file that a finding is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file, as the evidence names it.
    pub file: String,
    /// 1-based.
    pub line: usize,
}

/// The id and kind of a check, as the fault catalogue writes it.
#[must_use]
pub fn name(check: &Check) -> String {
    check.kind.as_ref().map_or_else(|| check.id.clone(), |k| format!("{}/{k}", check.id))
}

/// Whether a check found something that is to be told wherever there is little room.
#[must_use]
pub const fn is_finding(check: &Check) -> bool {
    matches!(check.status, Status::Warn | Status::Fail | Status::Error)
}

/// The first place that a check's evidence names: an absolute path, a colon, a number.
#[must_use]
pub fn place(check: &Check) -> Option<Place> {
    check.evidence.iter().find_map(|line| place_in(line))
}

fn place_in(line: &str) -> Option<Place> {
    let mut from = 0;
    while let Some(at) = line.get(from..)?.find(':') {
        let colon = from + at;
        let after = line.get(colon + 1..)?;
        let digits = after.len() - after.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let number = after.get(..digits)?.parse().ok().filter(|n| *n > 0);
        let file = line.get(..colon)?;
        let drive = file.as_bytes().get(1) == Some(&b':');
        if let Some(line) = number
            && (file.starts_with(['/', '~']) || drive)
        {
            return Some(Place { file: file.to_owned(), line });
        }
        from = colon + 1;
    }
    None
}

/// A file as a repository names it: relative to `base` where it lies below.
#[must_use]
pub fn relative<'a>(file: &'a str, base: &str) -> &'a str {
    let below = file.strip_prefix(base).and_then(|rest| rest.strip_prefix('/'));
    below.filter(|rest| !rest.is_empty() && !base.is_empty()).unwrap_or(file)
}

/// Foreign text without what a terminal would obey, which no output may carry out.
#[must_use]
pub fn clean(text: &str) -> String {
    text.chars().map(|c| if words::obeyed(c) { '\u{fffd}' } else { c }).collect()
}

/// The two verdicts of a host, by name.
#[must_use]
pub fn channels(host: &HostReport) -> [(&'static str, &'static str, &Channel); 2] {
    [
        ("gate", "a denial stops the call", &host.gate),
        ("soft", "context reaches the model", &host.soft),
    ]
}

/// The verdicts that are not alive: the host's id, the channel's name, the channel.
pub fn unproven(report: &Report) -> impl Iterator<Item = (&str, &'static str, &Channel)> {
    report.hosts.iter().flat_map(|host| {
        let bad = channels(host).into_iter().filter(|(_, _, c)| c.state != State::Alive);
        bad.map(|(name, _, channel)| (host.id.as_str(), name, channel))
    })
}

/// A state in a word.
#[must_use]
pub const fn state(state: State) -> &'static str {
    match state {
        State::Alive => "alive",
        State::Dead => "dead",
        State::Unknown => "unknown",
    }
}

/// How a verdict is known, and by which checks.
#[must_use]
pub fn known(channel: &Channel) -> String {
    let how = match channel.evidence {
        Evidence::Static => "as the files look",
        Evidence::Executed => "as run by doctor",
        Evidence::Delivered => "as the client did it",
    };
    if channel.because.is_empty() {
        return how.to_owned();
    }
    format!("{how}, because of {}", channel.because.join(", "))
}

/// A verdict in a line: `gate is dead, as run by doctor, because of fails-open`.
#[must_use]
pub fn verdict(name: &str, channel: &Channel) -> String {
    format!("{name} is {}, {}", state(channel.state), known(channel))
}

/// What a check found, what it saw and what to do, a line each.
#[must_use]
pub fn details(check: &Check) -> Vec<String> {
    let evidence = check.evidence.iter().map(|line| clean(line));
    let fix = check.fix.iter().map(|fix| format!("Fix: {}", clean(fix)));
    evidence.chain(fix).chain([format!("Why: {}", check.doc)]).collect()
}

/// How many checks came out so.
#[must_use]
pub fn count(report: &Report, status: Status) -> usize {
    report.checks.iter().filter(|c| c.status == status).count()
}

#[cfg(test)]
mod tests;
