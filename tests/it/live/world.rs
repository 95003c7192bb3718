//! A throw-away home in which harness is installed for a real client.

use super::clients;
use crate::support::Machine;
use harness::doctor::live::client::Client;
use harness::doctor::live::drive::{Run, drive};
use harness::doctor::live::observe::{Session, ToolResult};
use harness::doctor::live::script::{Call, Turn};
use harness::doctor::live::stage::{Stage, put, put_json};
use serde_json::{Value, json};
use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

/// The person's policy in every world: a rule of each kind that these tests need.
const POLICY: &str = r#"
version = 1

[[guard]]
id = "cage"
tool = "Bash"
mentions = ["touch canary"]
deny = "The canary stays in its cage"
examples.match = ["touch canary"]
examples.pass = ["touch feather"]

[[listener]]
id = "publish"
tool = "Bash"
command = ["touch", "published"]
vote = "ask"
reason = "Publishing is for people"
examples.match = ["touch published"]
examples.pass = ["touch draft"]

[[guard]]
id = "killer"
tool = "Bash"
mentions = ["end-the-hook"]
run = ["sh", "-c", "kill -9 $PPID"]

[[context]]
event = "SessionStart"
text = "Word of the session: marmalade"

[[context]]
event = "UserPromptSubmit"
text = "Word of the prompt: gooseberry"

[[context]]
event = "PreToolUse"
tool = "Bash"
text = "Word before the tool: quince"

[[context]]
event = "PostToolUse"
tool = "Bash"
text = "Word after the tool: damson"
"#;

/// What the policy denies.
pub(super) const FORBIDDEN: &str = "touch canary";
/// Why, in the policy's words.
pub(super) const REASON: &str = "The canary stays in its cage";

/// A home, a project and a client.
pub(super) struct World {
    pub(super) client: Client,
    pub(super) stage: Stage,
    machine: Option<Machine>,
    bin: PathBuf,
}

impl World {
    /// A home with the policy and the client on its path; harness isn't installed.
    pub(super) fn bare(client: Client) -> Self {
        // Not the system's temp folder, of which rules think apart.
        let base = Path::new(env!("CARGO_TARGET_TMPDIR"));
        std::fs::create_dir_all(base).unwrap();
        let stage = Stage::below(base).unwrap();
        let bin = stage.home.join("bin");
        put(&stage.home.join(".config/harness/policy.toml"), POLICY).unwrap();
        let world = Self { client, stage, machine: None, bin };
        world.put_client(&world.bin.join("claude"), &world.client);
        world
    }

    fn put_client(&self, wrapper: &Path, client: &Client) {
        let words = std::iter::once(client.program.as_os_str());
        let words = words.chain(client.leading.iter().map(OsString::as_os_str));
        let words = words.map(|w| format!("'{}'", w.to_str().unwrap())).collect::<Vec<_>>();
        put(wrapper, format!("#!/bin/sh\nexec {} \"$@\"\n", words.join(" "))).unwrap();
        std::fs::set_permissions(wrapper, PermissionsExt::from_mode(0o755)).unwrap();
    }

    /// The same home with another client in the place of the one it had.
    pub(super) fn with(mut self, client: Client) -> Self {
        self.put_client(&self.bin.join("claude"), &client);
        self.client = client;
        self
    }

    /// The same home with another client beside the one it has.
    pub(super) fn beside(self, client: &Client) -> Self {
        self.put_client(&self.stage.home.join(".local/bin/claude"), client);
        self
    }

    /// The same with `harness install --yes` done.
    pub(super) fn installed(client: Client) -> Self {
        let world = Self::bare(client);
        world.must(&["install", "--yes"]);
        world
    }

    /// The same with the hooks in managed settings only this world sees.
    pub(super) fn managed(client: Client) -> Self {
        let mut world = Self::bare(client);
        let root = world.stage.home.parent().unwrap();
        let machine = Machine::below(root, &world.stage.home).unwrap();
        (world.client.program, world.client.leading) =
            machine.wrap(&world.client.program, &world.client.leading);
        world.machine = Some(machine);
        world.must(&["install", "--scope", "managed", "--yes"]);
        world
    }

    /// A command of harness, in this world.
    pub(super) fn harness(&self, args: &[&str]) -> Output {
        let program = crate::support::binary();
        let (program, args) = match &self.machine {
            Some(machine) => machine.wrap(program, args),
            None => (program, args.iter().map(OsString::from).collect()),
        };
        let path = format!("{}:/usr/local/bin:/usr/bin:/bin", self.bin.display());
        let pairs =
            [("HOME", self.stage.home.to_str().unwrap()), ("PATH", &path), ("LANG", "C.UTF-8")];
        let mut command = Command::new(program);
        let command = command.args(args).env_clear().envs(pairs).current_dir(&self.stage.project);
        command.stdin(Stdio::null()).output().unwrap()
    }

    pub(super) fn must(&self, args: &[&str]) {
        let ran = self.harness(args);
        let said = [&ran.stdout, &ran.stderr].map(|b| String::from_utf8_lossy(b).into_owned());
        assert!(ran.status.success(), "{args:?}: {}\n{}", ran.status, said.join("\n"));
    }

    /// Doctor's own words on this world.
    pub(super) fn doctor(&self) -> Value {
        let ran = self.harness(&["doctor", "--json"]);
        serde_json::from_slice(&ran.stdout).unwrap_or_else(|e| panic!("{e}: {ran:?}"))
    }

    /// Plays a script to the client, with its closing word.
    pub(super) fn play(&self, mut turns: Vec<Turn>) -> Session {
        turns.push(Turn::text("done"));
        let mut run = Run::new(&self.client, &self.stage, turns);
        // A busy machine is slow, not broken.
        run.limit = Duration::from_secs(90);
        let _place = clients::place();
        drive(run).unwrap()
    }

    /// Plays one shell command a turn.
    pub(super) fn bash(&self, commands: &[&str]) -> Session {
        self.play(commands.iter().map(|c| Turn::call(Call::bash(c))).collect())
    }

    /// Whether a file is in the project.
    pub(super) fn has(&self, name: &str) -> bool {
        self.stage.project.join(name).exists()
    }

    /// Writes the project's shared settings.
    pub(super) fn project_settings(&self, settings: &Value) {
        put_json(&self.stage.project_settings(), settings).unwrap();
    }

    /// The person's settings as they are now.
    pub(super) fn user_settings(&self) -> Value {
        serde_json::from_slice(&std::fs::read(self.stage.user_settings()).unwrap()).unwrap()
    }

    /// Our handler of an event as install wrote it.
    pub(super) fn handler(&self, event: &str) -> Value {
        let settings = self.user_settings();
        let handler = settings["hooks"][event][0]["hooks"][0].clone();
        assert!(handler.is_object(), "no handler of {event} in {settings}");
        handler
    }

    /// The program install registered.
    pub(super) fn registered(&self) -> PathBuf {
        let command = self.handler("PreToolUse")["command"].as_str().unwrap().to_owned();
        // Shell form quotes it; exec form is the bare path.
        let path = match command.strip_prefix('\'') {
            Some(rest) => rest.split('\'').next().unwrap(),
            None if Path::new(&command).exists() => &command,
            None => command.split(' ').next().unwrap(),
        };
        let path = PathBuf::from(path);
        assert!(path.starts_with(&self.stage.home), "not this world's: {}", path.display());
        path
    }
}

/// A handler of a shell command.
pub(super) fn handler(command: &str) -> Value {
    json!({ "type": "command", "command": command })
}

/// The result of the one call of a turn.
pub(super) fn result(session: &Session, turn: usize) -> ToolResult {
    session.result(turn, 0).unwrap_or_else(|| {
        let ended = &session.ended;
        panic!("no result of turn {turn}: {:?} {} {}", ended.code, ended.stderr, ended.stdout)
    })
}

/// A host's verdict on a channel, as doctor prints it.
pub(super) fn state<'a>(report: &'a Value, channel: &str) -> &'a str {
    let host = &report["hosts"][0];
    host[channel]["state"].as_str().unwrap_or_else(|| panic!("no {channel} in {report:#}"))
}
