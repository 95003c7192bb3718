//! [`Session`]: what a transcript of Claude Code holds of hooks and calls. Its shapes are
//! those that 2.1.332 was seen to write; a line of another shape is passed over.

use crate::sys::append;
use serde_json::Value;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// The most transcripts that are read.
const MOST: usize = 12;
/// The most folders and files that are looked at for the newest.
const LOOKED: usize = 5_000;
/// How much of a transcript's beginning is read.
const HEAD: u64 = 256 << 10;
/// How much of its end.
const TAIL: u64 = 1 << 20;
/// The most transcripts of a session's subagents.
const AGENTS: usize = 4;

/// A session, as far as it was read.
#[derive(Clone, Debug, Default)]
pub(super) struct Session {
    /// Its id.
    pub(super) id: String,
    /// Its transcript.
    pub(super) file: PathBuf,
    /// When it began, in milliseconds.
    pub(super) began: Option<u64>,
    /// When it last called a tool.
    pub(super) last_use: Option<u64>,
    /// When one of its subagents last did.
    pub(super) last_agent_use: Option<u64>,
    /// What is written down of hooks.
    pub(super) hooks: Vec<Hook>,
    /// The context of its start that reached the model.
    pub(super) context: Vec<String>,
}

/// One hook that the client ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hook {
    pub(super) at: u64,
    pub(super) event: String,
    pub(super) command: String,
    pub(super) outcome: Outcome,
}

/// How it came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Well; what it printed.
    Well(String),
    /// With an error that the client went on from.
    Failed { code: i64, stderr: String },
    /// Not in time: its limit in milliseconds.
    Late(u64),
}

/// The client's name for a folder among its transcripts.
pub(super) fn slug(folder: &Path) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    folder.to_string_lossy().chars().map(plain).collect()
}

/// The newest sessions that were written to after a time, newest first; of one folder's,
/// if one is named.
pub(super) fn newest(projects: &Path, only: Option<String>, since: u64) -> Vec<Session> {
    let folders: Vec<PathBuf> = match only {
        Some(name) => vec![projects.join(name)],
        None => listed(projects).into_iter().map(|(_, path)| path).collect(),
    };
    let mut files: Vec<(SystemTime, PathBuf)> =
        folders.iter().flat_map(|f| jsonl(f)).take(LOOKED).collect();
    files.retain(|(at, _)| {
        at.duration_since(UNIX_EPOCH).is_ok_and(|d| d.as_millis() >= u128::from(since))
    });
    files.sort_by(|a, b| b.cmp(a));
    files.truncate(MOST);
    files.iter().map(|(_, file)| session(file)).collect()
}

fn listed(folder: &Path) -> Vec<(SystemTime, PathBuf)> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().take(LOOKED);
    let timed = entries.filter_map(|e| Some((e.metadata().ok()?.modified().ok()?, e.path())));
    timed.collect()
}

/// Only plain files: a pipe would never end.
fn jsonl(folder: &Path) -> Vec<(SystemTime, PathBuf)> {
    let mut files = listed(folder);
    files.retain(|(_, p)| {
        p.extension().is_some_and(|e| e == "jsonl")
            && std::fs::metadata(p).is_ok_and(|m| m.is_file())
    });
    files
}

fn session(file: &Path) -> Session {
    let id = file.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
    let mut session = Session { id, file: file.to_path_buf(), ..Session::default() };
    for line in lines(file) {
        take(&line, &mut session);
    }
    let mut agents = jsonl(&file.with_extension("").join("subagents"));
    agents.sort_by(|a, b| b.cmp(a));
    for (_, file) in agents.iter().take(AGENTS) {
        let mut agent = Session::default();
        for line in lines(file) {
            take(&line, &mut agent);
        }
        session.last_agent_use = session.last_agent_use.max(agent.last_use);
        session.hooks.extend(agent.hooks);
    }
    session
}

/// The lines of a file's beginning and end that can matter here.
fn lines(file: &Path) -> Vec<Value> {
    let read = || -> std::io::Result<Vec<u8>> {
        let (mut open, size) = append::to_read(file)?;
        if size <= HEAD + TAIL {
            let mut all = Vec::new();
            open.read_to_end(&mut all)?;
            return Ok(all);
        }
        let mut head = Vec::new();
        (&mut open).take(HEAD).read_to_end(&mut head)?;
        // What was cut stands between two line ends, so it spoils nothing else.
        head.push(b'\n');
        head.extend(append::tail(&open, size, TAIL)?);
        Ok(head)
    };
    let bytes = read().unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let matters =
        |line: &&str| ["\"hook_", "tool_use", "\"timestamp\""].iter().any(|w| line.contains(w));
    text.lines().filter(matters).filter_map(|l| serde_json::from_str(l).ok()).collect()
}

fn take(line: &Value, session: &mut Session) {
    let Some(at) = stamp(line) else { return };
    session.began = session.began.or(Some(at));
    let content = line["message"]["content"].as_array();
    let uses = line["type"] == "tool_use"
        || content.is_some_and(|parts| parts.iter().any(|p| p["type"] == "tool_use"));
    if uses {
        session.last_use = session.last_use.max(Some(at));
    }
    let told = &line["attachment"];
    let word = |key: &str| told[key].as_str().unwrap_or_default().to_owned();
    let outcome = match told["type"].as_str() {
        Some("hook_success") => Outcome::Well(word("stdout")),
        Some("hook_non_blocking_error" | "hook_error_during_execution") => Outcome::Failed {
            code: told["exitCode"].as_i64().unwrap_or_default(),
            stderr: word("stderr"),
        },
        Some("hook_cancelled") if told["timedOut"] == true => {
            Outcome::Late(told["timeoutMs"].as_u64().unwrap_or_default())
        }
        Some("hook_additional_context") if told["hookEvent"] == "SessionStart" => {
            let texts = told["content"].as_array().into_iter().flatten();
            session.context.extend(texts.filter_map(|t| t.as_str().map(str::to_owned)));
            return;
        }
        _ => return,
    };
    session.hooks.push(Hook { at, event: word("hookEvent"), command: word("command"), outcome });
}

fn stamp(line: &Value) -> Option<u64> {
    let at: jiff::Timestamp = line["timestamp"].as_str()?.parse().ok()?;
    u64::try_from(at.as_millisecond()).ok()
}
