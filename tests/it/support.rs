//! What the end-to-end tests share: a private home, a cleared environment, the built
//! binary, and a stand-in for the client.
//!
//! ```text
//! let sandbox = Sandbox::new();
//! sandbox.stub_claude("2.1.332");
//! let ran = sandbox.run(["status", "--json"]).ok();
//! assert!(ran.stdout.contains("claude-code"));
//! ```
//!
//! Nothing here touches the real home: every run starts from an empty environment.
//! `HARNESS_TEST_BIN` names another build of the binary to test (the musl one that
//! ships); without it the one cargo just built is taken.

mod machine;
pub(crate) mod release;
mod screen;
pub(crate) mod server;
mod session;

pub(crate) use machine::Machine;
pub(crate) use screen::Screen;
pub(crate) use session::World;

use std::ffi::{OsStr, OsString};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// No run of the binary takes longer in a test; one that does is ended and fails.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// The user and group id of `nobody`, for what must fail for an ordinary user.
const NOBODY: u32 = 65_534;

/// The binary under test.
pub(crate) fn binary() -> PathBuf {
    std::env::var_os("HARNESS_TEST_BIN")
        .map_or_else(|| PathBuf::from(env!("CARGO_BIN_EXE_harness")), PathBuf::from)
}

/// The root of the repository.
pub(crate) fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Whether the tests run as root, for whom file permissions do not hold.
pub(crate) fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata("/proc/self").is_ok_and(|m| m.uid() == 0)
}

/// Whether the long form of a test is wanted, as in `ci/test --full`.
pub(crate) fn is_long() -> bool {
    std::env::var_os("HARNESS_TEST_LONG").is_some()
}

/// A throw-away world: `home/`, `project/` (the default folder of a run) and `bin/`
/// (first on the search path). Gone when dropped.
#[derive(Debug)]
pub(crate) struct Sandbox {
    root: PathBuf,
    _folder: tempfile::TempDir,
}

impl Sandbox {
    /// A world below the build folder: not the system's temp, which rules treat apart.
    pub(crate) fn new() -> Self {
        Self::below(Path::new(env!("CARGO_TARGET_TMPDIR")))
    }

    /// A world below the system's temp, where any user may go: for runs as `nobody`.
    pub(crate) fn in_temp() -> Self {
        Self::below(&std::env::temp_dir())
    }

    fn below(base: &Path) -> Self {
        std::fs::create_dir_all(base).expect("the base folder can be made");
        let folder = tempfile::Builder::new().prefix("sandbox-").tempdir_in(base);
        let folder = folder.expect("a throw-away folder can be made");
        let root = folder.path().canonicalize().expect("it is there");
        // The project is a repository: some settings are looked for at its root, and that
        // of harness itself, which this folder may lie in, must not be found.
        for part in ["home", "project", "project/.git", "bin"] {
            std::fs::create_dir(root.join(part)).expect("it is empty");
        }
        std::fs::write(root.join("project/.git/HEAD"), "ref: refs/heads/main\n").expect("written");
        Self { root, _folder: folder }
    }

    /// The world's root, absolute and without symlinks.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// `$HOME` of every run.
    pub(crate) fn home(&self) -> PathBuf {
        self.root.join("home")
    }

    /// The folder runs start in.
    pub(crate) fn project(&self) -> PathBuf {
        self.root.join("project")
    }

    /// First on the search path of every run.
    pub(crate) fn bin(&self) -> PathBuf {
        self.root.join("bin")
    }

    /// Claude Code's settings of the person.
    pub(crate) fn user_settings(&self) -> PathBuf {
        self.home().join(".claude/settings.json")
    }

    /// The person's policy in the default layout.
    pub(crate) fn user_policy(&self) -> PathBuf {
        self.home().join(".config/harness/policy.toml")
    }

    /// Writes a file below the root (parents are made) and returns its path.
    pub(crate) fn write(&self, path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.root.join(path);
        let parent = path.parent().expect("a file has a folder");
        std::fs::create_dir_all(parent).expect("the folder can be made");
        std::fs::write(&path, bytes).expect("the file can be written");
        path
    }

    /// The text of a file below the root; fails the test if there is none.
    pub(crate) fn read(&self, path: impl AsRef<Path>) -> String {
        let path = self.root.join(path);
        std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    }

    /// Writes an executable file below the root and returns its path.
    pub(crate) fn script(&self, path: impl AsRef<Path>, text: &str) -> PathBuf {
        use std::os::unix::fs::PermissionsExt;
        let path = self.write(path, text);
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(&path, mode).expect("we own it");
        path
    }

    /// Puts a stand-in for Claude Code of this version on the search path. It answers
    /// `--version` and writes the arguments of each call to `bin/claude.log`.
    pub(crate) fn stub_claude(&self, version: &str) -> PathBuf {
        let text = format!(
            "#!/bin/sh\n\
             printf '%s\\n' \"$*\" >> '{}'\n\
             case \"$1\" in --version|-v) echo '{version} (Claude Code)';; esac\n",
            self.bin().join("claude.log").display(),
        );
        self.script("bin/claude", &text)
    }

    /// A view of the machine whose folders and home are this world's; `None` where this
    /// user may not make one.
    pub(crate) fn machine(&self) -> Option<Machine> {
        Machine::below(&self.root, &self.home())
    }

    /// The binary with these arguments, in a view of the machine.
    pub(crate) fn run_on<I>(&self, machine: &Machine, args: I) -> Run<'_>
    where
        I: IntoIterator,
        I::Item: AsRef<OsStr>,
    {
        let (program, args) = machine.wrap(binary(), args);
        self.program(program, args)
    }

    /// The binary with these arguments, yet to run.
    pub(crate) fn run<I>(&self, args: I) -> Run<'_>
    where
        I: IntoIterator,
        I::Item: AsRef<OsStr>,
    {
        self.program(binary(), args)
    }

    /// Another program in the same world.
    pub(crate) fn program<I>(&self, program: impl Into<PathBuf>, args: I) -> Run<'_>
    where
        I: IntoIterator,
        I::Item: AsRef<OsStr>,
    {
        Run {
            sandbox: self,
            program: program.into(),
            args: args.into_iter().map(|a| a.as_ref().to_owned()).collect(),
            stdin: Vec::new(),
            hold: false,
            nobody: false,
            cwd: self.project(),
            env: self.environment(),
        }
    }

    fn environment(&self) -> Vec<(OsString, OsString)> {
        let mut path = self.bin().into_os_string();
        path.push(":/usr/bin:/bin");
        vec![
            ("HOME".into(), self.home().into()),
            ("PATH".into(), path),
            ("LANG".into(), "C.UTF-8".into()),
            ("TERM".into(), "dumb".into()),
        ]
    }
}

/// A run to be: consumed by [`Run::go`] or one of its stricter forms.
#[must_use = "a run does nothing until `go`, `ok` or `code`"]
#[derive(Debug)]
pub(crate) struct Run<'a> {
    sandbox: &'a Sandbox,
    program: PathBuf,
    args: Vec<OsString>,
    stdin: Vec<u8>,
    hold: bool,
    nobody: bool,
    cwd: PathBuf,
    env: Vec<(OsString, OsString)>,
}

impl Run<'_> {
    /// What it reads on standard input; nothing else, then the end.
    pub(crate) fn stdin(mut self, bytes: impl AsRef<[u8]>) -> Self {
        self.stdin = bytes.as_ref().to_vec();
        self
    }

    /// Leaves standard input open after the bytes, as some hosts do.
    pub(crate) fn hold_stdin(mut self) -> Self {
        self.hold = true;
        self
    }

    /// Adds a variable to the few that are set.
    pub(crate) fn env(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        let name = name.as_ref();
        self.env.retain(|(n, _)| n != name);
        self.env.push((name.to_owned(), value.as_ref().to_owned()));
        self
    }

    /// Starts in this folder instead of the project.
    pub(crate) fn cwd(mut self, folder: impl AsRef<Path>) -> Self {
        self.cwd = self.sandbox.root.join(folder);
        self
    }

    /// Runs as an ordinary user: what must fail for one is not seen by root. The world
    /// becomes that user's, and the binary is copied into it. Needs [`Sandbox::in_temp`].
    #[expect(clippy::wrong_self_convention, reason = "it reads as a sentence: run … as nobody")]
    pub(crate) fn as_nobody(mut self) -> Self {
        self.nobody = is_root();
        self
    }

    /// Runs it to its end.
    pub(crate) fn go(self) -> Ran {
        let mut child = self.command().spawn().unwrap_or_else(|e| {
            panic!("cannot start {}: {e}", self.program.display());
        });
        let mut stdin = child.stdin.take().expect("piped");
        let out = drain(child.stdout.take().expect("piped"));
        let err = drain(child.stderr.take().expect("piped"));
        let (bytes, hold) = (self.stdin, self.hold);
        let (free, held) = std::sync::mpsc::channel::<()>();
        let feed = std::thread::spawn(move || {
            let _ = stdin.write_all(&bytes);
            if hold {
                let _ = held.recv();
            }
        });
        let status = wait(&mut child);
        drop(free);
        feed.join().expect("the feeder does not panic");
        Ran {
            status: status.unwrap_or_else(|| panic!("still running after {PATIENCE:?}")),
            stdout: out.join().expect("the reader does not panic"),
            stderr: err.join().expect("the reader does not panic"),
        }
    }

    /// Runs it and expects this exit code.
    pub(crate) fn code(self, code: i32) -> Ran {
        let told = format!("{} {:?}", self.program.display(), self.args);
        let ran = self.go();
        assert_eq!(
            ran.status.code(),
            Some(code),
            "{told}\n{}\n--- stdout\n{}\n--- stderr\n{}",
            ran.status,
            ran.stdout,
            ran.stderr
        );
        ran
    }

    /// Runs it and expects exit code 0.
    pub(crate) fn ok(self) -> Ran {
        self.code(0)
    }

    fn command(&self) -> Command {
        let mut command =
            if self.nobody { self.as_other_user() } else { Command::new(&self.program) };
        command
            .args(&self.args)
            .current_dir(&self.cwd)
            .env_clear()
            .envs(self.env.iter().map(|(n, v)| (n, v)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    fn as_other_user(&self) -> Command {
        let copy = self.sandbox.root.join("program");
        if !copy.exists() {
            std::fs::copy(&self.program, &copy).expect("the binary can be copied");
        }
        give(&self.sandbox.root);
        let mut command = Command::new("/usr/bin/setpriv");
        command.args([format!("--reuid={NOBODY}"), format!("--regid={NOBODY}")]);
        command.arg("--clear-groups").arg("--").arg(copy);
        command
    }
}

/// How a run ended.
#[derive(Debug)]
pub(crate) struct Ran {
    /// Exit code or signal.
    pub(crate) status: ExitStatus,
    /// Standard output; bytes that are not UTF-8 are shown as U+FFFD.
    pub(crate) stdout: String,
    /// Standard error, likewise.
    pub(crate) stderr: String,
}

impl Ran {
    /// Standard output as one JSON document, with nothing before or after it.
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|e| panic!("not JSON: {e}\n{}\n{}", self.stdout, self.stderr))
    }

    /// Whether the hook stopped the call, as Claude Code reads it: exit code 2, a JSON
    /// deny on standard output, and the reason on standard error. Returns the reason.
    pub(crate) fn denied(&self) -> Option<String> {
        let answer: serde_json::Value = serde_json::from_str(&self.stdout).ok()?;
        let specific = answer.get("hookSpecificOutput")?;
        let reason = specific.get("permissionDecisionReason")?.as_str()?;
        let denies = specific.get("permissionDecision")?.as_str()? == "deny";
        let said = !self.stderr.trim().is_empty();
        (denies && said && self.status.code() == Some(2)).then(|| reason.to_owned())
    }
}

/// The payload Claude Code sends before a tool runs.
pub(crate) fn pre_tool_use(cwd: &Path, tool: &str, input: &serde_json::Value) -> String {
    serde_json::json!({
        "session_id": "4f6a1c52-0f0e-4c11-9a53-7f1f5f3c9b10",
        "transcript_path": cwd.join("transcript.jsonl"),
        "cwd": cwd,
        "permission_mode": "default",
        "hook_event_name": "PreToolUse",
        "tool_name": tool,
        "tool_input": input,
        "tool_use_id": "toolu_01Rq5vXnWb3t8mYkC2dEfGhJ",
    })
    .to_string()
}

fn drain(mut from: impl Read + Send + 'static) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = from.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// Waits, and ends what does not end by itself.
fn wait(child: &mut Child) -> Option<ExitStatus> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("our own child") {
            return Some(status);
        }
        if start.elapsed() > PATIENCE {
            let _ = child.kill();
            let _ = child.wait();
            return None;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Makes everything below a folder belong to `nobody`.
fn give(folder: &Path) {
    std::os::unix::fs::lchown(folder, Some(NOBODY), Some(NOBODY)).expect("root may");
    for entry in std::fs::read_dir(folder).expect("it is there") {
        let entry = entry.expect("it is there");
        if entry.file_type().expect("it is there").is_dir() {
            give(&entry.path());
        } else {
            std::os::unix::fs::lchown(entry.path(), Some(NOBODY), Some(NOBODY)).expect("root may");
        }
    }
}

#[test]
fn a_run_sees_its_own_home_and_nothing_of_ours() {
    let sandbox = Sandbox::new();
    let ran = sandbox.program("/usr/bin/env", ["-0"]).env("ADDED", "yes").ok();
    let mut seen: Vec<&str> = ran.stdout.split_terminator('\0').collect();
    seen.sort_unstable();
    let home = format!("HOME={}", sandbox.home().display());
    let path = format!("PATH={}:/usr/bin:/bin", sandbox.bin().display());
    assert_eq!(seen, ["ADDED=yes", &home, "LANG=C.UTF-8", &path, "TERM=dumb"]);
}

#[test]
fn files_input_and_exit_codes_arrive() {
    let sandbox = Sandbox::new();
    let script = sandbox.script("bin/tell", "#!/bin/sh\npwd; cat; echo no >&2; exit 7\n");
    let ran = sandbox.program(&script, [""; 0]).stdin("한글").cwd("home").code(7);
    assert_eq!(ran.stdout, format!("{}\n한글", sandbox.home().display()));
    assert_eq!(ran.stderr, "no\n");
    assert_eq!(sandbox.read("bin/tell"), std::fs::read_to_string(&script).expect("it is there"));
    assert!(sandbox.user_settings().starts_with(sandbox.root()));
    assert!(sandbox.user_policy().starts_with(sandbox.root()));
    assert!(repository().join("Cargo.toml").is_file());
}

#[test]
fn a_held_pipe_stays_open_until_the_program_ends() {
    let sandbox = Sandbox::new();
    let script = sandbox.script("bin/line", "#!/bin/sh\nread -r line; echo \"$line\"\n");
    let ran = sandbox.program(script, [""; 0]).stdin("{\"a\":1}\n").hold_stdin().ok();
    assert_eq!(ran.json(), serde_json::json!({"a": 1}));
}

#[test]
fn the_stub_answers_as_a_client_does() {
    let sandbox = Sandbox::new();
    let stub = sandbox.stub_claude("2.1.100");
    assert_eq!(sandbox.program(stub, ["--version"]).ok().stdout, "2.1.100 (Claude Code)\n");
    assert_eq!(sandbox.read("bin/claude.log"), "--version\n");
}

#[test]
fn an_ordinary_user_is_held_by_permissions() {
    let sandbox = Sandbox::in_temp();
    let user = sandbox.program("/usr/bin/id", ["-u"]).as_nobody().ok();
    assert_ne!(user.stdout.trim(), "0");
}

#[test]
fn the_binary_is_there_and_says_its_version() {
    let ran = Sandbox::new().run(["--version"]).ok();
    assert_eq!(ran.stdout, format!("harness {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn a_denial_is_all_three_signs_or_none() {
    let sandbox = Sandbox::new();
    let payload = pre_tool_use(&sandbox.project(), "Bash", &serde_json::json!({"command": "ls"}));
    assert!(payload.contains("\"tool_name\":\"Bash\""));
    let deny =
        r#"{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"no"}}"#;
    let answer = |err: &str, code: i32| {
        let text = format!("#!/bin/sh\necho '{deny}'; printf '{err}' >&2; exit {code}\n");
        sandbox.program(sandbox.script("bin/answer", &text), [""; 0]).stdin(&payload).go()
    };
    assert_eq!(answer("no", 2).denied().as_deref(), Some("no"));
    assert_eq!(answer("no", 0).denied(), None);
    assert_eq!(answer("", 2).denied(), None);
}
