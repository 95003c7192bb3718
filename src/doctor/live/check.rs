//! [`run`]: both channels of the person's own client, proven or not.

use super::client::Client;
use super::copies::{Keep, Ours, copy};
use super::drive::{Run, drive, version};
use super::mount::PrivateManaged;
use super::nonce;
use super::observe::{Session, ToolResult};
use super::script::{Call, Turn};
use super::stage::{Stage, put};
use crate::doctor::report::{Channel, Evidence, State, Status};
use crate::hosts::claude_code::places;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long a check may take: below half a minute. Five seconds are usual.
pub const LIMIT: Duration = Duration::from_secs(28);

/// What self-protection always denies and what does no harm where nothing denies it: a
/// settings file of the throw-away project. Inside `sh -c`, because the client itself
/// stops plain redirections to its settings (2.1.332, measured), and the control must run.
pub const DENIED: &str =
    r#"sh -c "echo '{\"disableAllHooks\":true}' > .claude/settings.local.json"; touch {canary}"#;

/// The file that the forbidden call leaves behind where nobody stops it.
const CANARY: &str = "canary";

/// Where the client reads the settings in question. None of them need exist.
#[derive(Clone, Debug)]
pub struct Scopes {
    /// The person's file.
    pub user: PathBuf,
    /// The repository's.
    pub project: PathBuf,
    /// The person's for that repository.
    pub local: PathBuf,
    /// The folder of the machine's.
    pub managed: PathBuf,
}

impl Scopes {
    /// The places the client reads from.
    #[must_use]
    pub fn of(roots: &places::Roots<'_>) -> Self {
        Self {
            user: places::user(roots),
            project: places::project(roots),
            local: places::local(roots),
            managed: places::managed_dir(roots.os),
        }
    }
}

/// What to prove.
#[derive(Clone, Copy)]
pub struct LiveRequest<'a> {
    /// The client.
    pub client: &'a Client,
    /// The person's settings.
    pub scopes: &'a Scopes,
    /// Tells our handlers from others'.
    pub ours: Ours<'a>,
    /// Run others' handlers too.
    pub all_hooks: bool,
    /// A shell command that must be denied and, where it isn't, leaves the file
    /// `{canary}` behind and does no other harm. [`DENIED`] needs no rule of the person.
    pub denied: &'a str,
    /// How long all of it may take; [`LIMIT`] for people.
    pub limit: Duration,
    /// Told what is being done, a line at a time.
    pub progress: &'a dyn Fn(&str),
}

/// One thing looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveCheck {
    /// `live-control`, `live-gate`, `live-harmless` or `live-soft`.
    pub id: &'static str,
    /// How it came out.
    pub status: Status,
    /// What was found, in a line.
    pub message: String,
    /// What the model was given, and the like.
    pub evidence: Vec<String>,
}

/// What was proven.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveReport {
    /// The client's version, in its own words.
    pub version: Option<String>,
    /// The hard gate.
    pub gate: Channel,
    /// The soft channel.
    pub soft: Channel,
    /// What the verdicts rest on.
    pub checks: Vec<LiveCheck>,
}

/// Runs the client without our hooks and with them, and compares what the model saw. The two
/// know nothing of each other, and most of a start is waiting: they run side by side.
#[must_use]
pub fn run(request: &LiveRequest<'_>) -> LiveReport {
    let act = |with_ours| Act::prepare(request, with_ours);
    let (control, seen) = match (act(false), act(true)) {
        (Ok(control), Ok(seen)) => (control, seen),
        (Err(e), _) | (_, Err(e)) => return unknown(None, cannot("could not be run", &e)),
    };
    (request.progress)("starting the client, without our hooks and with them");
    let (client, limit) = (request.client, request.limit);
    let (control, seen) = std::thread::scope(|threads| {
        let control = threads.spawn(|| control.play(client, limit));
        let seen = seen.play(client, limit);
        let ended = || Err(io::Error::other("the run without our hooks broke off"));
        (control.join().unwrap_or_else(|_| ended()), seen)
    });
    let said = [&seen, &control].into_iter().flatten().find_map(|s| s.session.version());
    let version = said.or_else(|| asked_version(client, limit));
    let control = control.map_err(|e| cannot("could not be run", &e)).and_then(|c| c.control());
    let control = match control {
        Ok(check) => check,
        Err(check) => return unknown(version, check),
    };
    let seen = match seen {
        Ok(seen) => seen,
        Err(e) => return unknown(version, cannot("could not be run a second time", &e)),
    };
    if seen.denied.is_none() {
        let check = seen.silent("the client never came back with a result");
        return unknown(version, check);
    }
    let (gate, twin, soft) = (seen.gate(), seen.twin(), seen.soft());
    LiveReport {
        version,
        gate: channel(&[&gate, &twin]),
        soft: channel(&[&soft]),
        checks: vec![control, gate, twin, soft],
    }
}

fn channel(checks: &[&LiveCheck]) -> Channel {
    let failed = checks.iter().filter(|c| c.status == Status::Fail);
    let because = failed.map(|c| c.id.to_owned()).collect::<Vec<_>>();
    let state = if because.is_empty() { State::Alive } else { State::Dead };
    Channel { state, evidence: Evidence::Delivered, because }
}

fn unknown(version: Option<String>, check: LiveCheck) -> LiveReport {
    let because = vec![check.id.to_owned()];
    let channel = Channel { state: State::Unknown, evidence: Evidence::Delivered, because };
    LiveReport { version, gate: channel.clone(), soft: channel, checks: vec![check] }
}

fn cannot(what: &str, error: &io::Error) -> LiveCheck {
    let message = format!("the client {what}: {error}");
    LiveCheck { id: "live-control", status: Status::Error, message, evidence: Vec::new() }
}

/// What came of one run.
struct Seen {
    session: Session,
    denied: Option<ToolResult>,
    harmless: Option<ToolResult>,
    canary: bool,
    word: String,
}

impl Seen {
    /// Without our hooks the canary must appear, or its absence with them says nothing.
    fn control(&self) -> Result<LiveCheck, LiveCheck> {
        if !self.canary || !self.unharmed() {
            return Err(self.silent("without our hooks the calls don't run either"));
        }
        let message = "without our hooks the forbidden call runs".to_owned();
        let (id, status, evidence) = ("live-control", Status::Ok, Vec::new());
        Ok(LiveCheck { id, status, message, evidence })
    }

    /// The harmless call's output came through, and nothing else.
    fn unharmed(&self) -> bool {
        let said = format!("unharmed\n{}", self.word);
        self.harmless.as_ref().is_some_and(|r| !r.is_error && r.text.trim_end() == said)
    }

    fn silent(&self, message: &str) -> LiveCheck {
        let ended = &self.session.ended;
        let how = match ended.code {
            _ if ended.timed_out => format!("still running after {:.0?}", ended.took),
            Some(code) => format!("the client exited with {code}"),
            None => "the client was ended by a signal".to_owned(),
        };
        let mut evidence = vec![how];
        evidence
            .extend(self.denied.as_ref().map(|r| format!("the model was given: {}", cut(&r.text))));
        evidence.extend(ended.stderr.lines().take(5).map(cut));
        let message = message.to_owned();
        LiveCheck { id: "live-control", status: Status::Error, message, evidence }
    }

    fn gate(&self) -> LiveCheck {
        let given = self.denied.as_ref();
        let reason = given.filter(|r| r.is_error).map_or("", |r| r.text.trim());
        let (status, message) = match (self.canary, reason) {
            (true, _) => (Status::Fail, "the forbidden call ran"),
            (false, "") => {
                (Status::Fail, "the forbidden call did not run, and the model wasn't told why")
            }
            (false, _) => {
                (Status::Ok, "the forbidden call did not run, and the model was told why")
            }
        };
        let evidence = given.map(|r| format!("the model was given: {}", cut(&r.text)));
        let evidence = evidence.into_iter().collect();
        LiveCheck { id: "live-gate", status, message: message.to_owned(), evidence }
    }

    fn twin(&self) -> LiveCheck {
        let (status, message) = if self.unharmed() {
            (Status::Ok, "a harmless call's output reaches the model unchanged")
        } else {
            (Status::Fail, "a harmless call doesn't come through as it does without our hooks")
        };
        let text = self.harmless.as_ref().map_or("nothing", |r| r.text.as_str());
        let evidence = vec![format!("the model was given: {}", cut(text))];
        LiveCheck { id: "live-harmless", status, message: message.to_owned(), evidence }
    }

    /// SessionStart's status line names the session: only this run's hook can know it.
    fn soft(&self) -> LiveCheck {
        let short = self.session.id.get(..8).unwrap_or_default();
        let heard = self.session.heard(0, "SessionStart");
        // The client may name the session itself, further down.
        let line = heard.iter().filter_map(|text| text.split("\n\n").next());
        let line = line.filter(|text| text.contains(short)).map(cut).next();
        let (status, message) = match line {
            Some(_) => (Status::Ok, "what SessionStart says is in the first request"),
            None => (Status::Fail, "what SessionStart says isn't in the first request"),
        };
        let evidence = line.map(|l| format!("the model was told: {l}")).into_iter().collect();
        LiveCheck { id: "live-soft", status, message: message.to_owned(), evidence }
    }
}

/// One run that is about to be made, with copies of the person's settings, with or without
/// our handlers.
struct Act {
    stage: Stage,
    managed: Option<PrivateManaged>,
    word: String,
    turns: Vec<Turn>,
}

impl Act {
    fn prepare(request: &LiveRequest<'_>, with_ours: bool) -> io::Result<Self> {
        let stage = Stage::new()?;
        let keep = Keep { ours: request.ours, with_ours, with_others: request.all_hooks };
        let managed = set_scopes(&stage, request.scopes, keep)?;
        let word = nonce::hex();
        let denied = request.denied.replace("{canary}", CANARY);
        let turns = vec![
            Turn::call(Call::bash(&denied)),
            Turn::call(Call::bash("echo unharmed; cat word")),
            Turn::text("done"),
        ];
        put(&stage.project.join("word"), &word)?;
        fs::create_dir_all(stage.project.join(".claude"))?;
        Ok(Self { stage, managed, word, turns })
    }

    fn play(self, client: &Client, limit: Duration) -> io::Result<Seen> {
        let mut run = Run::new(client, &self.stage, self.turns);
        run.managed = self.managed.as_ref();
        run.limit = limit;
        let session = drive(run)?;
        let (denied, harmless) = (session.result(0, 0), session.result(1, 0));
        let canary = self.stage.project.join(CANARY).exists();
        Ok(Seen { canary, session, denied, harmless, word: self.word })
    }
}

/// For a client that doesn't say it as it starts.
fn asked_version(client: &Client, limit: Duration) -> Option<String> {
    Stage::new().ok().and_then(|stage| version(client, &stage, limit / 6))
}

fn set_scopes(stage: &Stage, from: &Scopes, keep: Keep<'_>) -> io::Result<Option<PrivateManaged>> {
    let pairs = [
        (&from.user, stage.user_settings()),
        (&from.project, stage.project_settings()),
        (&from.local, stage.local_settings()),
    ];
    for (from, to) in pairs {
        match fs::read_to_string(from) {
            Ok(text) => put(&to, copy(&text, keep)?)?,
            Err(e) if e.kind() == io::ErrorKind::NotFound => {}
            Err(e) => return Err(named(from, &e)),
        }
    }
    set_managed(&from.managed, keep)
}

/// Managed settings are read from their one place: a copy is mounted over it where there
/// is something in it. Where that can't be done the run isn't made: others' hooks would
/// act, and there would be no control.
fn set_managed(from: &Path, keep: Keep<'_>) -> io::Result<Option<PrivateManaged>> {
    if !from.is_dir() {
        return Ok(None);
    }
    let managed = PrivateManaged::new()?;
    for folder in ["", "managed-settings.d"] {
        let Ok(entries) = fs::read_dir(from.join(folder)) else { continue };
        for entry in entries.flatten().filter(|e| e.path().is_file()) {
            let path = entry.path();
            let text = fs::read_to_string(&path).map_err(|e| named(&path, &e))?;
            put(&managed.folder().join(folder).join(entry.file_name()), copy(&text, keep)?)?;
        }
    }
    Ok(Some(managed))
}

fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("`{}`: {error}", path.display()))
}

/// Evidence is for reading: one line of it.
fn cut(text: &str) -> String {
    const MOST: usize = 400;
    let line = text.split('\n').filter(|l| !l.trim().is_empty()).collect::<Vec<_>>().join(" | ");
    let mut cut = line.chars().take(MOST).collect::<String>();
    if cut.len() < line.len() {
        cut.push('…');
    }
    cut
}
