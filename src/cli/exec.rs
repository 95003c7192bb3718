//! `harness exec`

use std::cell::Cell;
use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use harness_core::ask::AskOutcome;
use harness_core::ask::service::{AskRequest, Reply, Responder};
use harness_core::execute::Code;
use harness_core::knobs::SandboxMode;
use harness_core::knobs::value::Knob;
use harness_core::{Identity, Json, Reason, RuleId, StationError, Text, ToolCall, Verdict};

use super::exit::Exit;
use super::scene::{self, Scene};
use super::{consent, duration, out};
use crate::exec::backend::{self, Backend, Chosen, Level, Unavailable};
use crate::exec::fence::{Planned, Temp, Wish, plan};
use crate::exec::station::{self, Came, Way};
use crate::journal::record::Record;
use crate::journal::redact;
use crate::sys::body::{Body, Holder, NOT_FOUND, NotRun, Status, die_by};
use crate::sys::{clock, fault, person};

/// It was not run: denied, or what was to hold it isn't there.
const NOT_RUN: Exit = Exit::Own(125);

/// Arguments of `harness exec`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// What it may write: read-only, workspace-write, danger-full-access (default: the sandbox
    /// knob)
    #[arg(long, value_name = "MODE", value_parser = mode)]
    sandbox: Option<SandboxMode>,
    /// Why a wider mode than the session's is needed for this one command
    #[arg(long, value_name = "WHY")]
    because: Option<String>,
    /// Stop it, and all it started, after so long: `90s`, `10m`, `2h`
    #[arg(long, value_name = "D", value_parser = duration::parse)]
    timeout: Option<Duration>,
    /// Try it so many times more when it fails; only for what may be done twice
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=20))]
    retry: u32,
    /// `off`: no network, not even this machine's own (Linux)
    #[arg(long, value_name = "on|off", value_parser = ["on", "off"])]
    network: Option<String>,
    /// `shared`: the system's temp in the place of one that ends with the command
    #[arg(long, value_name = "private|shared", value_parser = ["private", "shared"])]
    temp: Option<String>,
    /// The id of the call that this is the body of
    #[arg(long, value_name = "ID")]
    call: Option<String>,
    /// The program and its arguments
    #[arg(last = true, required = true, value_name = "PROGRAM")]
    words: Vec<OsString>,
}

fn mode(word: &str) -> Result<SandboxMode, String> {
    SandboxMode::from_word(word).ok_or_else(|| {
        format!("`{word}` is no mode: `read-only`, `workspace-write` or `danger-full-access`")
    })
}

/// Runs `harness exec`.
pub fn run(args: Args) -> Exit {
    match exec(&args) {
        Ok(exit) => exit,
        Err((what, exit, hint)) => {
            out::error(what, hint);
            exit
        }
    }
}

type Failed = (String, Exit, Option<&'static str>);

fn exec(args: &Args) -> Result<Exit, Failed> {
    let cwd = scene::folder(None).map_err(|what| (what, NOT_RUN, None))?;
    let scene = Scene::look(&cwd)
        .ok_or_else(|| ("this user has no home folder".to_owned(), NOT_RUN, None))?;
    let standing = scene.ladder().now();
    let wanted = args.sandbox.unwrap_or(standing.sandbox);
    let why = wider(args, wanted, standing.sandbox)?;
    let held = hold(args, &scene, &cwd, wanted)?;
    let call = call(args, &cwd);
    // What the kernel holds needs no question about where the text says that it writes.
    let ruling = scene.decide_in(&call, SandboxMode::DangerFullAccess);
    let verdict = match why {
        None => ruling.verdict.clone(),
        Some(why) => ruling.verdict.clone().tighten(Verdict::ask(Reason::new(
            RuleId::built_in("harness/wider"),
            format!(
                "this one command wants the sandbox `{}` in the place of `{}`: {why}",
                wanted.word(),
                standing.sandbox.word()
            ),
        ))),
    };
    let mut env = held.planned.env.clone();
    if let Some(scratch) = held.chosen.as_ref().and_then(|chosen| chosen.scratch.as_ref()) {
        env.retain(|(name, _)| name != "TMPDIR");
        env.push(("TMPDIR".into(), scratch.path().into()));
    }
    let body = Body { words: args.words.clone(), env };
    let holder = held.chosen.as_ref().map_or(Holder::Nobody, |chosen| chosen.holder.clone());
    if let Err(error) = station::write(&scene.home.state, asked(&call, &ruling, wanted))
        && scene.policy.requires_journal()
    {
        let what = format!("the policy wants every call in the journal, and it can't be written: {error}");
        return Err((what, NOT_RUN, None));
    }
    let line = line(&args.words);
    let person = Sitting { line: &line, asked: Cell::new(false) };
    let way = Way {
        verdict: &verdict,
        approval: standing.approval,
        person: &person,
        world: scene.world(),
        state: &scene.home.state,
        body: &body,
        holder: &holder,
        absent: &held.planned.absent,
        timeout: args.timeout,
        retries: args.retry,
    };
    let came = way.go(&call);
    let receipt = receipt(&call, wanted, &held, &came);
    let _ = station::write(&scene.home.state, receipt);
    if !came.removed.is_empty() {
        let _ = station::write(&scene.home.state, station::alarm(&came.removed));
        out::note(format!(
            "alarm: the command made {}, which decides what runs later; it was taken away",
            came.removed.iter().map(|path| format!("`{path}`")).collect::<Vec<_>>().join(", ")
        ));
    }
    finish(args, wanted, &held, &came)
}

/// The justification of a wider mode. A mode and its reason come together, the mode must be
/// wider than what holds, and no question is put otherwise.
fn wider(
    args: &Args,
    wanted: SandboxMode,
    standing: SandboxMode,
) -> Result<Option<&str>, Failed> {
    let usage = |what: String, hint| Err((what, Exit::Usage, Some(hint)));
    match args.because.as_deref() {
        None if wanted > standing => usage(
            format!(
                "`{}` is wider than this session's sandbox, `{}`",
                wanted.word(),
                standing.word()
            ),
            "say why with `--because`, and a person is asked; or leave `--sandbox` out",
        ),
        None => Ok(None),
        Some(why) if why.trim().is_empty() => {
            usage("`--because` gives no reason".to_owned(), "say what needs the wider mode")
        }
        Some(_) if args.sandbox.is_none() => usage(
            "`--because` needs `--sandbox`, the mode that is wanted".to_owned(),
            "leave it out where the session's own mode will do",
        ),
        Some(_) if wanted <= standing => usage(
            format!("`{}` is no wider than this session's sandbox, `{}`", wanted.word(), standing.word()),
            "leave `--because` out: a narrower mode needs no reason",
        ),
        Some(why) => Ok(Some(why)),
    }
}

/// What holds a command, as planned and chosen.
struct Held {
    planned: Planned,
    chosen: Option<Chosen>,
}

fn hold(args: &Args, scene: &Scene, cwd: &Path, mode: SandboxMode) -> Result<Held, Failed> {
    let network = args.network.as_deref() != Some("off");
    if mode == SandboxMode::DangerFullAccess {
        if !network {
            let what = "`--network off` needs a sandbox to hold it".to_owned();
            return Err((what, Exit::Usage, Some("add `--sandbox workspace-write`")));
        }
        return Ok(Held { planned: Planned::default(), chosen: None });
    }
    let temp = if args.temp.as_deref() == Some("shared") { Temp::Shared } else { Temp::Private };
    let protected = scene.protected();
    let extra: [PathBuf; 0] = [];
    let planned = plan(&Wish {
        mode,
        workspace: &scene.workspace,
        cwd,
        home: scene.person_home(),
        protected: &protected,
        extra: &extra,
        caches: true,
        temp,
        network,
    });
    let only = fault::backend();
    let only = only.and_then(|word| Backend::ALL.into_iter().find(|b| b.word() == word));
    match backend::choose(&scene.home, &planned, only) {
        Ok(chosen) => {
            if !network && chosen.backend == Backend::Landlock {
                let what = "SANDBOX_UNAVAILABLE: the network can't be switched off by Landlock alone, so nothing was run".to_owned();
                return Err((what, NOT_RUN, Some("leave `--network off` out")));
            }
            Ok(Held { planned, chosen: Some(chosen) })
        }
        Err(unavailable) => {
            let record = Record::new("exec/result", clock::now_ms())
                .text("session", "exec")
                .text("sandbox", mode.word())
                .text("code", "SANDBOX_UNAVAILABLE");
            let _ = station::write(&scene.home.state, record);
            Err((told(mode, &unavailable), NOT_RUN, None))
        }
    }
}

fn told(mode: SandboxMode, unavailable: &Unavailable) -> String {
    let mut text = format!(
        "SANDBOX_UNAVAILABLE: nothing on this machine can hold a command to `{}`, so nothing was run",
        mode.word()
    );
    for (backend, why) in &unavailable.tried {
        text.push_str(&format!("\n  {}: {why}", backend.word()));
    }
    text.push_str(&format!("\nhint: {}", unavailable.advice));
    text
}

/// The words as a shell reads them back.
fn line(words: &[OsString]) -> Vec<u8> {
    let mut line = Vec::new();
    for word in words {
        if !line.is_empty() {
            line.push(b' ');
        }
        let bytes = word.as_bytes();
        let plain = |b: &u8| b.is_ascii_alphanumeric() || b"-_./:@%+,".contains(b);
        if !bytes.is_empty() && bytes.iter().all(plain) {
            line.extend_from_slice(bytes);
            continue;
        }
        line.push(b'\'');
        for byte in bytes {
            match byte {
                b'\'' => line.extend_from_slice(b"'\\''"),
                byte => line.push(*byte),
            }
        }
        line.push(b'\'');
    }
    line
}

fn call(args: &Args, cwd: &Path) -> ToolCall<'static> {
    let line = String::from_utf8_lossy(&line(&args.words)).into_owned();
    let identity = Identity {
        session: "exec".into(),
        call: args.call.clone().unwrap_or_else(|| format!("exec-{}", std::process::id())).into(),
        agent: None,
        tool: "Bash".into(),
        cwd: cwd.to_string_lossy().into_owned().into(),
    };
    let command = Json::String(Text::from(line));
    ToolCall::seal(identity, Json::Object(vec![("command".into(), command)]), false)
}

/// Who sits at the terminal.
struct Sitting<'s> {
    line: &'s [u8],
    asked: Cell<bool>,
}

impl Responder for Sitting<'_> {
    fn respond(&self, request: &AskRequest<'_>) -> Result<Reply, StationError> {
        if !consent::answerable() || person::agent_above().is_some() {
            return Ok(Reply::Next);
        }
        self.asked.set(true);
        let shown: String = String::from_utf8_lossy(self.line)
            .chars()
            .flat_map(|c| if c.is_control() { c.escape_default().collect() } else { vec![c] })
            .collect();
        out::note(format!("harness: {}", request.reason.unwrap_or("a rule asks")));
        let yes = consent::ask(&format!("Run `{shown}`?"), false).unwrap_or(false);
        Ok(Reply::Outcome(if yes { AskOutcome::AllowedOnce } else { AskOutcome::Rejected }))
    }
}

fn asked(call: &ToolCall<'_>, ruling: &crate::policy::Ruling, mode: SandboxMode) -> Record {
    Record::new("tool/call", clock::now_ms())
        .text("session", "exec")
        .text("call", &call.identity().call)
        .text("tool", call.tool())
        .text("seal", blake3::hash(&call.canonical()).to_hex().as_str())
        .text("verdict", ruling.verdict.word())
        .text("answer", ruling.verdict.word())
        .list("rules", ruling.votes.iter().take(32).map(|cast| cast.rule.as_str()))
        .text("cwd", redact::head(call.cwd(), 1_024))
        .text("sandbox", mode.word())
        .json("input", &redact::bounded(call.input(), 8 << 10))
}

/// The receipt: what held the command, and what it came to.
fn receipt(call: &ToolCall<'_>, mode: SandboxMode, held: &Held, came: &Came) -> Record {
    let millis = |d: Duration| u64::try_from(d.as_millis()).unwrap_or(u64::MAX);
    let mut record = Record::new("exec/result", clock::now_ms())
        .text("session", "exec")
        .text("call", &call.identity().call)
        .text("sandbox", mode.word())
        .number("attempts", u64::from(came.attempts));
    if let Some(chosen) = &held.chosen {
        record = record.text("backend", chosen.backend.word()).text("level", chosen.level.word());
        if let Level::Partial(gaps) = &chosen.level {
            record = record.list("missing", gaps.iter().take(16).map(String::as_str));
        }
        record = record.flag("offline", !held.planned.fence.network);
    }
    if let Some(ended) = came.ended {
        record = match ended.status {
            Status::Exit(code) => record.number("exit", u64::try_from(code).unwrap_or(0)),
            Status::Signal(signal) => record.number("signal", u64::try_from(signal).unwrap_or(0)),
        };
        record = record
            .number("wall_ms", millis(ended.wall))
            .number("cpu_ms", millis(ended.cpu))
            .number("peak_kib", ended.peak_kib)
            .number("written", ended.written)
            .flag("leaves", ended.leaves);
    }
    let code = came.failure.as_ref().and_then(|failure| failure.code()).map(Code::word);
    let removed = came.removed.iter().take(32).map(String::as_str);
    let record = record.maybe("code", code);
    if came.removed.is_empty() { record } else { record.list("removed", removed) }
}

/// Ends as the command did.
fn finish(args: &Args, mode: SandboxMode, held: &Held, came: &Came) -> Result<Exit, Failed> {
    let program = args.words.first().map(|w| w.to_string_lossy().into_owned()).unwrap_or_default();
    let timed_out = came.failure.as_ref().and_then(|f| f.code()) == Some(&Code::ToolTimeout);
    if timed_out {
        let length = args.timeout.map(duration::words).unwrap_or_default();
        out::error(format!("`{program}` was stopped after {length}, with all it started"), None);
        return Ok(Exit::Own(124));
    }
    match &came.not_run {
        // Whatever else was said: what was to hold the command failed, and not the command.
        Some(NotRun::Holder(step, errno)) => {
            let error = std::io::Error::from_raw_os_error(*errno);
            let what = format!("RUNNER_FAILED: the sandbox couldn't be set up, so nothing was run: {step}: {error}");
            return Err((what, NOT_RUN, Some("`harness exec --sandbox danger-full-access` holds nothing and needs no sandbox")));
        }
        Some(NotRun::Program(errno)) => {
            let error = std::io::Error::from_raw_os_error(*errno);
            let code = if *errno == NOT_FOUND { 127 } else { 126 };
            return Err((format!("`{program}`: {error}"), Exit::Own(code), None));
        }
        None => {}
    }
    let Some(ended) = came.ended else {
        let why = came.failure.as_ref().map_or("it was not run", |failure| failure.message());
        return Err((why.to_owned(), NOT_RUN, None));
    };
    if ended.status != Status::Exit(0) {
        explain(mode, held);
    }
    Ok(match ended.status {
        Status::Exit(code) => Exit::Own(u8::try_from(code).unwrap_or(u8::MAX)),
        Status::Signal(signal) => {
            die_by(signal);
            Exit::Own(u8::try_from(128 + signal).unwrap_or(u8::MAX))
        }
    })
}


/// The mode a command failed under, and how to ask for more: what it was refused looks to it
/// like a broken disk.
fn explain(mode: SandboxMode, held: &Held) {
    let Some(chosen) = &held.chosen else { return };
    let words: Vec<String> =
        chosen.backend.signatures().iter().map(|words| format!("\"{words}\"")).collect();
    out::note(format!(
        "harness: this ran in the sandbox `{}` ({}, {}); if it says {}, that was the sandbox",
        mode.word(),
        chosen.backend.word(),
        chosen.level.word(),
        words.join(" or ")
    ));
    let wider = match mode {
        SandboxMode::ReadOnly => "workspace-write",
        _ => "danger-full-access",
    };
    out::note(format!(
        "harness: once, and only if it was: `harness exec --sandbox {wider} --because WHY -- …` asks a person"
    ));
    if let Level::Partial(gaps) = &chosen.level {
        for gap in gaps {
            out::note(format!("harness: not held here: {gap}"));
        }
    }
}
