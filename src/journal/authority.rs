//! Authority logs: small, appended to rarely, read before a decision. One is a session's,
//! one holds what a person chose for new sessions. What can't be read of them folds to
//! the strictest.

use std::borrow::Cow;
use std::io;
use std::path::Path;

use harness_core::Json;
use harness_core::json::{Limits, parse};
use harness_core::knobs::fold::{ALARM_EVENT, PRESET_EVENT};
use harness_core::knobs::value::Knob;
use harness_core::knobs::{ApprovalPolicy, Folded, LoggedEvent, SandboxMode, SessionLog, fold};

use super::asks::{self, Ask, Grant};
use super::chain::End;
use super::lock;
use super::record::Record;
use crate::sys::append;
use crate::sys::bounded::{self, Unreadable};

/// The type of a session's first event.
pub const START: &str = "session/start";
/// A question was put to a person.
pub const ASKED: &str = "approval/asked";
/// A question ended.
pub const DECIDED: &str = "approval/decided";
/// An end that was only inferred turned out to be another.
pub const CORRECTED: &str = "approval/corrected";
/// A person granted something in advance.
pub const GRANT_MADE: &str = "grant/made";
/// A grant was used up.
pub const GRANT_USED: &str = "grant/used";
/// A grant was taken back.
pub const GRANT_REVOKED: &str = "grant/revoked";
/// harness is silent until then.
pub const OFF_UNTIL: &str = "off/until";
/// It is so no longer.
pub const OFF_ENDED: &str = "off/ended";

/// One line of a log, as far as it could be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Milliseconds since the epoch; 0 where it can't be read.
    pub ts: u64,
    /// The event's type; `None` is a line that is no record, or of no known type.
    pub kind: Option<&'static str>,
    /// What it says: mode, policy, preset, workspace, or why the alarm.
    pub value: Option<String>,
    /// The project it is about; `None` for all.
    pub project: Option<String>,
    /// The id of the question or grant it is about.
    pub id: Option<String>,
    /// The terms of a grant, or of an `off`.
    pub terms: Option<Box<Terms>>,
}

/// The terms of what a person granted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    /// The rule, path, prefix or call.
    pub of: String,
    /// When it ends. What is no number ended long ago.
    pub until: Option<u64>,
    /// What it is about, for a person.
    pub about: String,
    /// The host's id of the session.
    pub session: String,
}

/// Types with the key of their value.
const TYPES: &[(&str, &str)] = &[
    (START, "workspace"),
    (SandboxMode::EVENT, "mode"),
    (ApprovalPolicy::EVENT, "policy"),
    (PRESET_EVENT, "preset"),
    (ALARM_EVENT, "why"),
    (ASKED, "call"),
    (DECIDED, "outcome"),
    (CORRECTED, "outcome"),
    (GRANT_MADE, "scope"),
    (GRANT_USED, "call"),
    (GRANT_REVOKED, "by"),
    (OFF_UNTIL, "by"),
    (OFF_ENDED, "by"),
];

/// The key under which an event of this type holds its value.
#[must_use]
pub fn key_of(kind: &str) -> &'static str {
    TYPES.iter().find(|(known, _)| *known == kind).map_or("value", |(_, key)| key)
}

impl Line {
    fn of(bytes: &[u8]) -> Self {
        let unread = Self { ts: 0, kind: None, value: None, project: None, id: None, terms: None };
        let Ok(parsed) = parse(bytes, Limits::default()) else { return unread };
        let record = parsed.value;
        let text = |key: &str| record.str_at(key).map(Cow::into_owned);
        let ts = match record.get("ts") {
            Some(Json::Number(ms)) => ms.parse().unwrap_or(0),
            _ => 0,
        };
        let named = record.str_at("type");
        let row = TYPES.iter().find(|(kind, _)| Some(*kind) == named.as_deref());
        // Bytes behind the record, or a project that is no text: nobody wrote that.
        let odd = parsed.used != bytes.len()
            || record.get("project").is_some_and(|project| project.as_str().is_none());
        match row {
            Some((kind, key)) if !odd => Self {
                ts,
                kind: Some(kind),
                value: text(key),
                project: text("project"),
                id: text("id"),
                terms: matches!(*kind, GRANT_MADE | OFF_UNTIL)
                    .then(|| Box::new(Terms::of(&record))),
            },
            _ => Self { ts, ..unread },
        }
    }

    /// Whether it is what can't be read, or an alarm.
    #[must_use]
    pub fn alarms(&self) -> bool {
        matches!(self.kind, None | Some(ALARM_EVENT))
    }
}

impl Terms {
    fn of(record: &Json<'_>) -> Self {
        let text = |key: &str| record.str_at(key).map(Cow::into_owned).unwrap_or_default();
        let until = record.get("until").map(|until| match until {
            Json::Number(ms) => ms.parse().unwrap_or(0),
            _ => 0,
        });
        Self { of: text("of"), until, about: text("about"), session: text("session") }
    }
}

/// The lines of a log. `Ok(None)`: there is none.
///
/// # Errors
/// It is there and can't be read, or is larger than `most`.
pub fn read(file: &Path, most: u64) -> Result<Option<Vec<Line>>, Unreadable> {
    match content(file, most) {
        Ok(bytes) => Ok(Some(lines(&bytes))),
        Err(Unreadable::Missing) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The bytes of a log. A name that leads nowhere is no log that was never begun: something
/// was there.
fn content(file: &Path, most: u64) -> Result<Vec<u8>, Unreadable> {
    bounded::read(file, most).map_err(|error| match error {
        Unreadable::Missing if file.is_symlink() => {
            Unreadable::Refused("it is a link that leads nowhere".to_owned())
        }
        error => error,
    })
}

/// What of a log can't be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The 1-based line that is the first of them; 0 for the whole file.
    pub line: usize,
    /// Why, for a person.
    pub why: String,
    /// Whether it still counts: no line behind it says both knobs anew, for everywhere.
    pub counts: bool,
}

impl Damage {
    /// Where it is, for a person who is shown this name of the file.
    #[must_use]
    pub fn place(&self, file: &str) -> String {
        if self.line > 0 { format!("{file}:{}", self.line) } else { file.to_owned() }
    }
}

/// What of a log can't be read, if anything; a log that isn't there has no damage.
#[must_use]
pub fn damage(file: &Path, most: u64) -> Option<Damage> {
    let bytes = match content(file, most) {
        Ok(bytes) => bytes,
        Err(Unreadable::Missing) => return None,
        Err(error) => return Some(Damage { line: 0, why: error.to_string(), counts: true }),
    };
    let numbered = bytes.split(|b| *b == b'\n').zip(1..).filter(|(line, _)| !line.is_empty());
    let all: Vec<(Line, usize)> = numbered.map(|(line, n)| (Line::of(line), n)).collect();
    let (_, line) = all.iter().find(|(line, _)| line.kind.is_none())?;
    let behind = all.iter().rev().map(|(line, _)| line).take_while(|line| line.kind.is_some());
    let anew: Vec<_> = behind.filter(|l| l.project.is_none()).filter_map(|l| l.kind).collect();
    let counts = ![SandboxMode::EVENT, ApprovalPolicy::EVENT].iter().all(|k| anew.contains(k));
    Some(Damage { line: *line, why: "it is no whole record".to_owned(), counts })
}

fn lines(bytes: &[u8]) -> Vec<Line> {
    bytes.split(|b| *b == b'\n').filter(|line| !line.is_empty()).map(Line::of).collect()
}

/// The knobs of these lines. One that can't be read may have been any event: until a
/// knob is set anew it holds the strictest value.
#[must_use]
pub fn knobs<'l>(lines: impl IntoIterator<Item = &'l Line>) -> Folded {
    let mut events = Vec::new();
    for line in lines {
        match line.kind {
            Some(START) => {}
            Some(kind) => events.push(LoggedEvent { kind, value: line.value.as_deref() }),
            None => {
                events.push(LoggedEvent { kind: SandboxMode::EVENT, value: None });
                events.push(LoggedEvent { kind: ApprovalPolicy::EVENT, value: None });
            }
        }
    }
    fold(SessionLog::Events(&events))
}

/// The knobs of a log that is gone or can't be read.
#[must_use]
pub fn lost() -> Folded {
    fold(SessionLog::Lost)
}

/// The knobs of a log with nothing in it.
#[must_use]
pub fn fresh() -> Folded {
    fold(SessionLog::Fresh)
}

/// How a session stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Authority {
    /// Whether the log says that the session began.
    pub began: bool,
    /// The workspace pinned at its beginning; empty where none may be trusted.
    pub workspace: Option<String>,
    /// The session's own word on the knobs.
    pub knobs: Folded,
    /// An alarm, or what can't be read, holds the sandbox at read-only.
    pub alarmed: bool,
    /// The questions that were put to a person.
    pub asks: Vec<Ask>,
    /// What a person granted in advance and nobody took back.
    pub grants: Vec<Grant>,
}

impl Default for Authority {
    fn default() -> Self {
        Self::of(&[])
    }
}

impl Authority {
    /// How a session stands whose log is gone or can't be read.
    #[must_use]
    pub fn strictest() -> Self {
        Self { began: true, workspace: None, knobs: lost(), alarmed: true, ..Self::default() }
    }

    /// Folds the lines of a session's log.
    #[must_use]
    pub fn of(lines: &[Line]) -> Self {
        // The first beginning counts: a later one can't move the workspace.
        let start = lines.iter().find(|line| line.kind == Some(START));
        let sandbox = |line: &&Line| line.alarms() || line.kind == Some(SandboxMode::EVENT);
        Self {
            began: start.is_some(),
            workspace: start.and_then(|line| line.value.clone()),
            knobs: knobs(lines),
            alarmed: lines.iter().rev().find(sandbox).is_some_and(Line::alarms),
            asks: asks::asks(lines),
            grants: asks::grants(lines),
        }
    }

    /// The questions that nobody has answered, as far as is known.
    pub fn open(&self) -> impl Iterator<Item = &Ask> {
        self.asks.iter().filter(|ask| ask.outcome.is_none())
    }
}

/// Folds a session's log. `None`: there is no log.
///
/// A log that is there and can't be read, or is larger than `most`, is the strictest.
#[must_use]
pub fn session(file: &Path, most: u64) -> Option<Authority> {
    match read(file, most) {
        Ok(lines) => lines.map(|lines| Authority::of(&lines)),
        Err(_) => Some(Authority::strictest()),
    }
}

/// Appends records, all of them or none, each linked to the line before it. A damaged end
/// is closed with a line end, so that it spoils nothing behind it.
///
/// # Errors
/// What the system says.
pub fn append(file: &Path, records: impl IntoIterator<Item = Record>) -> io::Result<()> {
    let log = append::open(file)?;
    lock::take(&log)?;
    let size = log.metadata()?.len();
    append::whole(&log, size, &End::of(&log, size)?.then(records))
}

/// Appends what is made of the log as it stands, nobody else writing meanwhile. Nothing is
/// made of a log that can't be read.
///
/// # Errors
/// What the system says, and that the log can't be read.
pub fn append_to<T>(
    file: &Path,
    most: u64,
    make: impl FnOnce(&Authority) -> (Vec<Record>, T),
) -> io::Result<T> {
    let log = append::open(file)?;
    lock::take(&log)?;
    let size = log.metadata()?.len();
    if size > most {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    let (records, made) = make(&Authority::of(&lines(&append::tail(&log, size, size)?)));
    if !records.is_empty() {
        append::whole(&log, size, &End::of(&log, size)?.then(records))?;
    }
    Ok(made)
}

#[cfg(test)]
mod tests {
    use super::{Authority, append, damage, session};
    use crate::journal::record::Record;
    use harness_core::knobs::{ApprovalPolicy, SandboxMode};

    fn folded(lines: &str) -> Authority {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("s.jsonl");
        std::fs::write(&file, lines).expect("written");
        session(&file, 1 << 20).expect("it is there")
    }

    #[test]
    fn the_first_beginning_pins_the_workspace() {
        let got = folded(concat!(
            "{\"type\":\"session/start\",\"workspace\":\"/a\"}\n",
            "{\"type\":\"session/start\",\"workspace\":\"/b\"}\n",
        ));
        assert_eq!((got.began, got.workspace.as_deref()), (true, Some("/a")));
        assert_eq!((got.knobs.sandbox, got.alarmed), (None, false));
    }

    #[test]
    fn what_is_unknown_is_the_strictest_until_it_is_set_anew() {
        let wide = "{\"type\":\"sandbox/mode\",\"mode\":\"danger-full-access\"}\n";
        let ask = "{\"type\":\"approval/policy\",\"policy\":\"ask\"}\n";
        for unread in ["{\"type\":\"new/thing\"}\n", "{\"type\":\"alarm/tight\n", "[]\n", "{} x\n"]
        {
            let got = folded(&format!("{wide}{ask}{unread}"));
            assert!(got.alarmed, "{unread}");
            assert_eq!(got.knobs.sandbox, Some(SandboxMode::ReadOnly), "{unread}");
            assert_eq!(got.knobs.approval, Some(ApprovalPolicy::Never), "{unread}");
            let anew = folded(&format!("{unread}{wide}{ask}"));
            assert!(!anew.alarmed, "{unread}");
            assert_eq!(anew.knobs.sandbox, Some(SandboxMode::DangerFullAccess), "{unread}");
            assert_eq!(anew.knobs.approval, Some(ApprovalPolicy::Ask), "{unread}");
        }
        let loose = folded("{\"type\":\"sandbox/mode\",\"mode\":\"loose\"}\n");
        assert_eq!(loose.knobs.sandbox, Some(SandboxMode::ReadOnly));
        let maybe = folded("{\"type\":\"approval/policy\",\"policy\":\"maybe\"}\n");
        assert_eq!(maybe.knobs.approval, Some(ApprovalPolicy::Never));
    }

    #[test]
    fn damage_is_found_by_its_line_and_counts_until_both_knobs_are_set_anew() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("knobs.jsonl");
        let found = |text: &str| {
            std::fs::write(&file, text).expect("written");
            damage(&file, 1 << 20).map(|d| (d.line, d.counts))
        };
        let sandbox = "{\"type\":\"sandbox/mode\",\"mode\":\"read-only\"}\n";
        let approval = "{\"type\":\"approval/policy\",\"policy\":\"ask\"}\n";
        let project = approval.replace("{", "{\"project\":\"/p\",");
        assert_eq!(damage(&folder.path().join("none"), 9), None);
        assert_eq!(found(sandbox), None);
        assert_eq!(found(&format!("{sandbox}\n{{\"ty")), Some((3, true)));
        assert_eq!(found(&format!("x\n{sandbox}")), Some((1, true)));
        assert_eq!(found(&format!("x\n{sandbox}{project}")), Some((1, true)));
        assert_eq!(found(&format!("x\n{sandbox}{approval}")), Some((1, false)));
        assert_eq!(found(&format!("x\n{sandbox}{approval}x\n")), Some((1, true)));
        assert_eq!(damage(folder.path(), 9).map(|d| d.line), Some(0));
    }

    #[test]
    fn an_alarm_holds_the_sandbox_and_leaves_asking_alone() {
        let got = folded(concat!(
            "{\"type\":\"sandbox/mode\",\"mode\":\"workspace-write\"}\n",
            "{\"type\":\"approval/policy\",\"policy\":\"ask\"}\n",
            "{\"type\":\"alarm/tightened\",\"why\":\"x\"}\n",
        ));
        assert_eq!((got.alarmed, got.knobs.sandbox), (true, Some(SandboxMode::ReadOnly)));
        assert_eq!(got.knobs.approval, Some(ApprovalPolicy::Ask));
    }

    #[test]
    fn a_log_that_is_no_file_is_the_strictest() {
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(session(folder.path(), 1 << 20), Some(Authority::strictest()));
        assert_eq!(session(&folder.path().join("none"), 1 << 20), None);
        let link = folder.path().join("link");
        std::os::unix::fs::symlink("nowhere", &link).expect("made");
        assert_eq!(session(&link, 1 << 20), Some(Authority::strictest()));
        assert_eq!(damage(&link, 1 << 20).map(|d| (d.line, d.counts)), Some((0, true)));
    }

    #[test]
    fn p86_cut_at_any_byte_the_log_folds_to_before_or_to_the_strictest_and_goes_on() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("s.jsonl");
        let mode = |word| [Record::new("sandbox/mode", 2).text("mode", word)];
        append(&file, [Record::new("session/start", 1).text("workspace", "/w")]).expect("written");
        let before = std::fs::read(&file).expect("there");
        append(&file, mode("danger-full-access")).expect("written");
        let after = std::fs::read(&file).expect("there");
        for cut in before.len()..=after.len() {
            std::fs::write(&file, after.get(..cut).expect("within")).expect("written");
            let got = session(&file, 1 << 20).expect("there");
            let want = match cut {
                at if at == before.len() => None,
                // Only the line end is missing: the record is whole.
                at if at + 1 >= after.len() => Some(SandboxMode::DangerFullAccess),
                _ => Some(SandboxMode::ReadOnly),
            };
            assert_eq!(got.knobs.sandbox, want, "{cut}");
            append(&file, mode("workspace-write")).expect("written");
            let got = session(&file, 1 << 20).expect("there");
            assert_eq!(got.knobs.sandbox, Some(SandboxMode::WorkspaceWrite), "{cut}");
        }
    }
}
