//! [`drive`]: one headless run of the client, bounded, ended whole.

use super::client::Client;
use super::mount::PrivateManaged;
use super::nonce;
use super::observe::Session;
use super::script::Turn;
use super::server::Server;
use super::stage::Stage;
use crate::sys::{interrupt, tree};
use std::ffi::OsString;
use std::io::{self, Read};
use std::process::{Child, Command, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// What is kept of each of the client's outputs.
const MAX_OUTPUT: u64 = 8 * 1024 * 1024;
/// In the client's environment, and so in everything it starts.
const MARK: &str = "HARNESS_LIVE_RUN";

/// How to run the client once.
#[derive(Debug)]
pub struct Run<'a> {
    /// The client.
    pub client: &'a Client,
    /// Its home and project.
    pub stage: &'a Stage,
    /// What the model says.
    pub turns: Vec<Turn>,
    /// The tools that need no permission, as `--allowedTools` takes them.
    pub allowed: &'a str,
    /// More arguments for the client.
    pub args: Vec<OsString>,
    /// More environment; wins over the stage's.
    pub env: Vec<(OsString, OsString)>,
    /// Managed settings only this run sees.
    pub managed: Option<&'a PrivateManaged>,
    /// After this long it is ended.
    pub limit: Duration,
}

impl<'a> Run<'a> {
    /// A run with nothing special.
    #[must_use]
    pub const fn new(client: &'a Client, stage: &'a Stage, turns: Vec<Turn>) -> Self {
        Self {
            client,
            stage,
            turns,
            allowed: "Bash",
            args: Vec::new(),
            env: Vec::new(),
            managed: None,
            limit: Duration::from_secs(20),
        }
    }
}

/// Starts the client with a prompt, plays the script to it and gives back what it asked
/// the model.
///
/// # Errors
/// The server or the client can't be started.
pub fn drive(run: Run<'_>) -> io::Result<Session> {
    let server = Server::start(run.turns, run.limit + Duration::from_secs(5))?;
    let id = nonce::uuid();
    let (program, mut args) = (run.client.program.clone(), run.client.leading.clone());
    let headless = ["-p", "Run the check.", "--output-format", "stream-json", "--verbose"];
    args.extend(headless.map(OsString::from));
    args.extend(["--allowedTools", run.allowed, "--session-id", &id].map(OsString::from));
    args.extend(run.args);
    let mut command = match run.managed {
        Some(managed) => managed.wrap(&program, &args),
        None => {
            let mut command = Command::new(program);
            command.args(args);
            command
        }
    };
    let mark = nonce::hex();
    command
        .env_clear()
        .envs(run.stage.environment(&server.url(), server.key()))
        .envs(run.env)
        .env(MARK, &mark)
        .current_dir(&run.stage.project);
    let ended = bounded(&mut command, run.limit, &format!("{MARK}={mark}"))?;
    Ok(Session { id, requests: server.requests(), ended })
}

/// How a client's process ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// Its exit code; none if it was ended by a signal or by us.
    pub code: Option<i32>,
    /// It was still running at the limit.
    pub timed_out: bool,
    /// Standard output, up to a limit.
    pub stdout: String,
    /// Standard error, up to a limit.
    pub stderr: String,
    /// How long it took.
    pub took: Duration,
}

/// The client's own word for its version.
#[must_use]
pub fn version(client: &Client, stage: &Stage, limit: Duration) -> Option<String> {
    let mark = nonce::hex();
    let mut command = Command::new(&client.program);
    command
        .args(&client.leading)
        .arg("--version")
        .env_clear()
        .envs(stage.environment("http://127.0.0.1:9", "none"))
        .env(MARK, &mark)
        .current_dir(&stage.project);
    let ended = bounded(&mut command, limit, &format!("{MARK}={mark}")).ok()?;
    let first = ended.stdout.split_whitespace().next()?;
    first.starts_with(|c: char| c.is_ascii_digit()).then(|| first.to_owned())
}

/// Runs a command to its end or to the limit; nothing it started outlives the call.
fn bounded(command: &mut Command, limit: Duration, mark: &str) -> io::Result<Ended> {
    let began = Instant::now();
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    tree::apart(command);
    let mut child = command.spawn()?;
    let stdout = child.stdout.take().map(collect);
    let stderr = child.stderr.take().map(collect);
    let code = wait(&mut child, began + limit)?;
    match code {
        Some(_) => tree::sweep(child.id(), mark),
        None => tree::end(&mut child, mark)?,
    }
    Ok(Ended {
        code: code.flatten(),
        timed_out: code.is_none(),
        stdout: text(stdout),
        stderr: text(stderr),
        took: began.elapsed(),
    })
}

/// The exit code, or nothing at the deadline or after an interrupt.
fn wait(child: &mut Child, until: Instant) -> io::Result<Option<Option<i32>>> {
    while Instant::now() < until && !interrupt::came() {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status.code()));
        }
        thread::sleep(Duration::from_millis(5));
    }
    Ok(None)
}

fn collect(mut from: impl Read + Send + 'static) -> JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut kept = Vec::new();
        // What was read before an error is what there is.
        let _ = from.by_ref().take(MAX_OUTPUT).read_to_end(&mut kept);
        let _ = io::copy(&mut from, &mut io::sink());
        kept
    })
}

fn text(from: Option<JoinHandle<Vec<u8>>>) -> String {
    let bytes = from.and_then(|thread| thread.join().ok()).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}
