//! The homes a hook is measured in: installed, journal running, with so many rules.

use crate::installed;
use crate::spawn::Program;
use std::fmt::Write;
use std::fs;
use std::io::{Error, Result};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

/// The call that is measured: an ordinary one.
const ORDINARY: &str = "cargo test --workspace --all-features 2>&1 | tail -n 40";
/// A call that must be denied, or nothing worth measuring is measured.
const FORBIDDEN: &str = "rm -rf /";

/// How long a file must lie untouched before its times tell it from the next one.
const REST: Duration = Duration::from_secs(5);

const OWNER: &str = "0123456789abcdef0123456789abcdef";

/// One home and the project beside it. Removed when dropped.
#[derive(Debug)]
pub struct Scene {
    root: PathBuf,
    binary: PathBuf,
}

impl Scene {
    /// Makes a home with this many rules below a folder, opens a session in it, and
    /// checks that the hook there lets the ordinary call pass and stops the forbidden one.
    ///
    /// # Errors
    ///
    /// If files can't be written, or the hook answers otherwise.
    pub fn new(below: &Path, binary: &Path, rules: usize) -> Result<Self> {
        let root = below.join(format!("rules-{rules}-{}", std::process::id()));
        let binary = installed::put(binary, &root.join("bin"))?;
        let scene = Self { root, binary };
        fs::create_dir_all(scene.project())?;
        fs::create_dir_all(scene.home().join("state"))?;
        fs::write(scene.home().join("policy.toml"), policy(rules))?;
        fs::write(scene.home().join("state/owner"), format!("{OWNER}\n"))?;
        scene.expect("SessionStart", &scene.session_start(), 0)?;
        scene.expect("PreToolUse", &scene.bash(FORBIDDEN), 2)?;
        scene.expect("PreToolUse", &scene.bash(ORDINARY), 0)?;
        Ok(scene)
    }

    /// Waits until the policy files of homes lie at rest, as they do on a machine in use,
    /// and lets each hook see it: from now on no call reads them anew.
    ///
    /// # Errors
    ///
    /// If a hook answers otherwise than before.
    pub fn rest(scenes: &[&Self]) -> Result<()> {
        std::thread::sleep(REST);
        scenes.iter().try_for_each(|scene| scene.expect("PreToolUse", &scene.bash(ORDINARY), 0))
    }

    /// The program that is measured.
    #[must_use]
    pub fn binary(&self) -> &Path {
        &self.binary
    }

    /// The ordinary call, ready to be measured.
    ///
    /// # Errors
    ///
    /// If a path holds a NUL byte.
    pub fn program(&self) -> Result<Program> {
        Program::new(&self.binary, &self.args("PreToolUse"), self.payload().as_bytes())
    }

    /// The ordinary call's payload.
    #[must_use]
    pub fn payload(&self) -> String {
        self.bash(ORDINARY)
    }

    /// Every event of a session with an ordinary payload, the commonest first.
    #[must_use]
    pub fn events(&self) -> Vec<(&'static str, String)> {
        let project = self.project().display().to_string();
        let text = "Please look at the tests of the whole workspace";
        let file = format!("{project}/src/main.rs");
        vec![
            ("PreToolUse", self.payload()),
            ("PreToolUse", self.tool(r#""Read""#, &format!(r#"{{"file_path":"{file}"}}"#), "")),
            (
                "PreToolUse",
                self.tool(
                    r#""Write""#,
                    &format!(r#"{{"file_path":"{file}","content":"{text}"}}"#),
                    "",
                ),
            ),
            (
                "PostToolUse",
                self.tool(
                    r#""Bash""#,
                    &format!(r#"{{"command":"{ORDINARY}"}}"#),
                    &format!(
                        r#","tool_response":{{"stdout":"{text}","stderr":"","interrupted":false}}"#
                    ),
                ),
            ),
            ("UserPromptSubmit", self.event("UserPromptSubmit", &format!(r#","prompt":"{text}""#))),
            ("SessionStart", self.session_start()),
        ]
    }

    fn tool(&self, name: &str, input: &str, more: &str) -> String {
        let event = if more.is_empty() { "PreToolUse" } else { "PostToolUse" };
        self.event(
            event,
            &format!(r#","tool_name":{name},"tool_input":{input},"tool_use_id":"toolu_01B"{more}"#),
        )
    }

    fn event(&self, name: &str, more: &str) -> String {
        let project = self.project().display().to_string();
        format!(
            r#"{{"session_id":"7b0c6c1e-7d5e-4d0c-8a55-3f1d0a4f9a11","transcript_path":"{project}/transcript.jsonl","cwd":"{project}","permission_mode":"default","hook_event_name":"{name}"{more}}}"#
        )
    }

    /// The registered command's arguments.
    #[must_use]
    pub fn args(&self, event: &str) -> Vec<String> {
        let home = self.home().display().to_string();
        let client = "2.1.332";
        ["hook", "claude-code", event, "--owner", OWNER, "--home", &home, "--client", client]
            .map(str::to_owned)
            .to_vec()
    }

    /// The payload of a Bash call, as Claude Code sends it.
    fn bash(&self, command: &str) -> String {
        let project = self.project().display().to_string();
        format!(
            r#"{{"session_id":"7b0c6c1e-7d5e-4d0c-8a55-3f1d0a4f9a11","transcript_path":"{project}/transcript.jsonl","cwd":"{project}","permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{{"command":"{command}","description":"Run the tests of the whole workspace and show the end of what they print","timeout":120000}},"tool_use_id":"toolu_01A09q90qw90lq917835lq9"}}"#
        )
    }

    fn session_start(&self) -> String {
        let project = self.project().display().to_string();
        format!(
            r#"{{"session_id":"7b0c6c1e-7d5e-4d0c-8a55-3f1d0a4f9a11","transcript_path":"{project}/transcript.jsonl","cwd":"{project}","hook_event_name":"SessionStart","source":"startup"}}"#
        )
    }

    fn home(&self) -> PathBuf {
        self.root.join("home")
    }

    fn project(&self) -> PathBuf {
        self.root.join("project")
    }

    fn expect(&self, event: &str, payload: &str, code: i32) -> Result<()> {
        let output = self.answer(event, payload)?;
        if output.status.code() == Some(code) {
            return Ok(());
        }
        Err(Error::other(format!(
            "{event} ended with {}, not {code}\n{payload}\n{}{}",
            output.status,
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        )))
    }

    fn answer(&self, event: &str, payload: &str) -> Result<Output> {
        let mut command = Command::new(&self.binary);
        command.args(self.args(event)).env_clear().current_dir(self.project());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        if let Some(mut stdin) = child.stdin.take() {
            std::io::Write::write_all(&mut stdin, payload.as_bytes())?;
        }
        child.wait_with_output()
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.root));
    }
}

/// A policy of so many rules, of the kinds people write: by program, by what is
/// mentioned, by path.
fn policy(rules: usize) -> String {
    let mut text = String::from("version = 1\n");
    for n in 0..rules {
        let done = match n % 3 {
            0 => write!(
                text,
                "\n[[listener]]\nid = \"ask-{n}\"\ntool = \"Bash\"\ncommand = [\"tool-{n}\", \"publish\"]\nvote = \"ask\"\nreason = \"Publishing is for people\"\nexamples.match = [\"tool-{n} publish --now\"]\nexamples.pass = [\"tool-{n} build\"]\n"
            ),
            1 => write!(
                text,
                "\n[[guard]]\nid = \"host-{n}\"\ntool = \"Bash\"\nmentions = [\"db-{n}.internal\"]\ndeny = \"That database is off limits\"\nexamples.match = [\"psql -h db-{n}.internal\"]\nexamples.pass = [\"psql -h dev.internal\"]\n"
            ),
            _ => write!(
                text,
                "\n[[guard]]\nid = \"program-{n}\"\ntool = \"Bash\"\ncommand = [\"wipe-{n}\"]\ndeny = \"It can't be undone\"\nexamples.match = [\"wipe-{n} --all\"]\nexamples.pass = [\"ls wipe-{n}\"]\n"
            ),
        };
        debug_assert!(done.is_ok(), "a string takes all");
    }
    text
}
