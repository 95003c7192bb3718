//! Proves right after the write that what was written works: the registered commands are
//! started as the client starts them, one call must be denied, its twin must not.

use super::manifest::Registered;
use super::run::{Output, bounded};
use super::surroundings::Surroundings;
use crate::home::Home;
use crate::hosts::EventName;
use crate::hosts::claude_code::places::Scope;
use crate::journal::{place, probe};
use crate::sys::{fault, ordinary, paths};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// The hook answers within its own deadline; beyond that it's dead.
const PATIENCE: Duration = Duration::from_secs(12);

/// What the proof showed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    /// How long the denial took.
    pub answered_in: Duration,
}

/// Runs the proof. The error says what didn't work.
///
/// # Errors
/// A command didn't start, didn't answer, or answered wrongly.
pub fn prove(entries: &[Registered], scope: Scope, around: &Surroundings) -> Result<Proof, String> {
    let scratch = tempfile::tempdir().map_err(|e| format!("no scratch folder: {e}"))?;
    let home = home(entries, around);
    let probe = Probe { entries, home, folder: scratch.path(), ordinary: false };
    let started = Instant::now();
    probe.must_deny()?;
    let answered_in = started.elapsed();
    probe.must_pass()?;
    probe.must_greet()?;
    if scope == Scope::Managed {
        probe.must_hold_for_everyone(&around.file(scope))?;
    }
    Ok(Proof { answered_in })
}

/// Where the hook finds harness's own files: entries that say nothing of it (shared ones)
/// leave it to the operating system, not to `HOME`.
fn home(entries: &[Registered], around: &Surroundings) -> Home {
    let says = |e: &Registered| {
        let word = |w: &str| w == "--home" || w == "--state";
        e.args
            .as_ref()
            .map_or_else(|| e.command.split(' ').any(word), |a| a.iter().any(|a| word(a)))
    };
    if entries.iter().any(says) {
        return around.harness.clone();
    }
    paths::home_for_hook().unwrap_or_else(|| around.harness.clone())
}

struct Probe<'a> {
    entries: &'a [Registered],
    home: Home,
    folder: &'a Path,
    /// As a user who has nothing here, with nothing of the administrator's environment.
    ordinary: bool,
}

impl Probe<'_> {
    /// A write to harness's own policy: self-protection needs no rule of a person's.
    fn must_deny(&self) -> Result<(), String> {
        let ran = self.tool("Write", &self.home.policy())?;
        if denies(&ran) {
            return Ok(());
        }
        Err(format!("a write to harness's own policy was not denied ({})", told(&ran)))
    }

    fn must_pass(&self) -> Result<(), String> {
        let harmless = self.folder.join("harmless.txt");
        let ran = self.tool("Write", &harmless)?;
        if !denies(&ran) && succeeded(&ran) {
            return Ok(());
        }
        // A person's own rules may well forbid all writing; reading is the second twin.
        let read = self.tool("Read", &harmless)?;
        if !denies(&read) && succeeded(&read) {
            return Ok(());
        }
        Err(format!("a harmless call was denied too ({})", told(&ran)))
    }

    /// The machine's hooks run as whoever starts the client.
    fn must_hold_for_everyone(&self, settings: &Path) -> Result<(), String> {
        let entry =
            self.entry(EventName::PreToolUse).ok_or("no entry for PreToolUse was written")?;
        let program = super::own::started_by(entry).ok_or("its entry starts no program")?;
        if let Some(why) = ordinary::cannot_start(Path::new(&program)) {
            return Err(format!("ordinary users can't start the program: {why}"));
        }
        if !ordinary::can_become_one() {
            return Ok(());
        }
        // A folder that everybody gets to.
        let probe =
            Probe { folder: Path::new("/"), ordinary: true, home: self.home.clone(), ..*self };
        let said = |ran: &Output| format!("for an ordinary user, {}", told(ran));
        let ran = probe.tool("Write", settings)?;
        if !denies(&ran) {
            return Err(format!("a write to these very settings was not denied ({})", said(&ran)));
        }
        let ran = probe.tool("Read", Path::new("/etc/hostname"))?;
        if denies(&ran) || !succeeded(&ran) {
            return Err(format!("a harmless call was denied ({})", said(&ran)));
        }
        Ok(())
    }

    fn must_greet(&self) -> Result<(), String> {
        let Some(entry) = self.entry(EventName::SessionStart) else { return Ok(()) };
        let nonce = probe::session(&super::owner::fresh());
        let mut payload = self.payload(EventName::SessionStart, &nonce);
        payload["source"] = "startup".into();
        let ran = self.start(entry, &payload);
        let _ = fault::point("install-proof");
        self.forget(&nonce);
        let ran = ran?;
        let short = nonce.get(..8).unwrap_or_default();
        if succeeded(&ran) && String::from_utf8_lossy(&ran.stdout).contains(short) {
            return Ok(());
        }
        Err(format!("the start of a session was not greeted ({})", told(&ran)))
    }

    fn tool(&self, tool: &str, path: &Path) -> Result<Output, String> {
        let entry =
            self.entry(EventName::PreToolUse).ok_or("no entry for PreToolUse was written")?;
        let session = probe::session(&super::owner::fresh());
        let mut payload = self.payload(EventName::PreToolUse, &session);
        payload["permission_mode"] = "default".into();
        payload["tool_name"] = tool.into();
        payload["tool_use_id"] = format!("toolu_{}", super::owner::fresh()).into();
        payload["tool_input"] = match tool {
            "Write" => json!({ "file_path": path, "content": "probe\n" }),
            _ => json!({ "file_path": path }),
        };
        let ran = self.start(entry, &payload);
        self.forget(&session);
        ran
    }

    fn payload(&self, event: EventName, session: &str) -> Value {
        json!({
            "session_id": session,
            "transcript_path": self.folder.join("transcript.jsonl"),
            "cwd": self.folder,
            "hook_event_name": event.as_str(),
        })
    }

    fn entry(&self, event: EventName) -> Option<&Registered> {
        self.entries.iter().find(|e| e.event == event.as_str())
    }

    /// In the exact form written: with arguments directly, without through a shell.
    fn start(&self, entry: &Registered, payload: &Value) -> Result<Output, String> {
        let mut command = if let Some(args) = &entry.args {
            let mut command = Command::new(&entry.command);
            command.args(args);
            command
        } else {
            let mut command = Command::new("/bin/sh");
            command.args(["-c", &entry.command]);
            command
        };
        if self.ordinary {
            command.env_clear().env("PATH", "/usr/local/bin:/usr/bin:/bin");
            ordinary::become_one(&mut command);
        }
        command.current_dir(self.folder).env("CLAUDE_PROJECT_DIR", self.folder);
        let ran = bounded(command, format!("{payload}\n").as_bytes(), PATIENCE);
        let ran = ran.map_err(|e| format!("`{}` did not start: {e}", entry.command))?;
        if ran.status.is_none() {
            return Err(format!("the hook gave no answer within {} s", PATIENCE.as_secs()));
        }
        Ok(ran)
    }

    /// A probe's session is no session: its log goes.
    fn forget(&self, session: &str) {
        let _ = std::fs::remove_file(place::session(&self.home.state, session));
    }
}

fn code(ran: &Output) -> Option<i32> {
    ran.status.and_then(|s| s.code())
}

fn succeeded(ran: &Output) -> bool {
    code(ran) == Some(0)
}

/// What every client version takes for a denial: exit 2 with a denial, or nothing, on
/// standard output, and a reason.
fn denies(ran: &Output) -> bool {
    let says = serde_json::from_slice::<Value>(&ran.stdout).is_ok_and(|v| {
        v.pointer("/hookSpecificOutput/permissionDecision").and_then(Value::as_str) == Some("deny")
    });
    code(ran) == Some(2) && says
}

fn told(ran: &Output) -> String {
    let end = match code(ran) {
        Some(code) => format!("exit {code}"),
        None => "ended by a signal".to_owned(),
    };
    let said = if ran.stderr.is_empty() { &ran.stdout } else { &ran.stderr };
    let said = String::from_utf8_lossy(said);
    let said: String = said.lines().next().unwrap_or_default().chars().take(200).collect();
    if said.is_empty() { format!("{end}, nothing said") } else { format!("{end}: {said}") }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::process::ExitStatusExt;
    use std::process::ExitStatus;

    fn ran(code: i32, stdout: &str) -> Output {
        Output {
            status: Some(ExitStatus::from_raw(code << 8)),
            stdout: stdout.into(),
            stderr: Vec::new(),
        }
    }

    #[test]
    fn only_a_denial_that_every_version_understands_counts() {
        let deny =
            r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}"#;
        assert!(denies(&ran(2, deny)));
        assert!(!denies(&ran(0, deny)));
        assert!(!denies(&ran(2, "")));
        assert!(!denies(&ran(2, &format!("noise\n{deny}"))));
        assert!(!denies(&ran(1, "")));
    }
}
