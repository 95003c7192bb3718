//! `harness explain`

use std::path::{Path, PathBuf};

use harness_core::json::{self, Limits};
use harness_core::verdict::VerdictView;
use harness_core::{Identity, Json, ToolCall};

use super::exit::Exit;
use super::out;
use super::scene::{self, Scene};
use crate::hosts::EventName;
use crate::policy::Ruling;
use crate::sys::bounded;

mod render;

/// Arguments of `harness explain`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A command line, as the Bash tool would get it
    #[arg(required_unless_present_any = ["tool", "event"], conflicts_with_all = ["tool", "event"])]
    command: Option<String>,
    /// A tool, by the host's name for it
    #[arg(long, value_name = "NAME", requires = "input")]
    tool: Option<String>,
    /// The tool's input, as JSON
    #[arg(long, value_name = "JSON", requires = "tool")]
    input: Option<String>,
    /// A file with a PreToolUse payload, as the host sends it
    #[arg(long, value_name = "FILE", conflicts_with = "tool")]
    event: Option<PathBuf>,
    /// The folder the call runs in (default: the current one)
    #[arg(long, value_name = "DIR")]
    cwd: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Exit with 0 for no objection, 10 for ask, 11 for deny
    #[arg(long)]
    exit_code: bool,
}

/// Runs `harness explain`.
pub fn run(args: Args) -> Exit {
    match explain(&args) {
        Ok(exit) => exit,
        Err((what, exit)) => {
            out::error(what, None);
            exit
        }
    }
}

type Failed = (String, Exit);

fn explain(args: &Args) -> Result<Exit, Failed> {
    let cwd = scene::folder(args.cwd.as_deref()).map_err(|e| (e, Exit::Usage))?;
    let bytes = source(args)?;
    let call = call(args, &bytes, &cwd)?;
    let Some(scene) = Scene::look(&cwd) else {
        return Err(("this user has no home folder".to_owned(), Exit::CouldNot));
    };
    let ruling = scene.decide(&call);
    if args.json {
        out::line(render::json(&ruling));
    } else {
        render::words(&ruling, &call, &scene.workspace);
    }
    Ok(if args.exit_code { exit(&ruling) } else { Exit::Done })
}

fn exit(ruling: &Ruling) -> Exit {
    match ruling.verdict.view() {
        VerdictView::NoObjection => Exit::Done,
        VerdictView::Ask(_) => Exit::Asks,
        VerdictView::Deny(_) => Exit::Denies,
    }
}

/// The bytes the call is made of.
fn source(args: &Args) -> Result<Vec<u8>, Failed> {
    match (&args.event, &args.input) {
        (Some(file), _) => bounded::read(file, 64 << 20)
            .map_err(|e| (format!("`{}`: {e}", file.display()), Exit::CouldNot)),
        (None, Some(input)) => Ok(input.clone().into_bytes()),
        (None, None) => Ok(args.command.clone().unwrap_or_default().into_bytes()),
    }
}

fn call<'b>(args: &Args, bytes: &'b [u8], cwd: &Path) -> Result<ToolCall<'b>, Failed> {
    let cwd = cwd.to_string_lossy().into_owned();
    if args.event.is_some() {
        return of_event(bytes, args.cwd.is_some().then_some(cwd.as_str()));
    }
    let input = if args.tool.is_some() {
        parsed(bytes)?
    } else {
        Json::Object(vec![("command".into(), Json::String(harness_core::Text::borrowed(bytes)))])
    };
    let tool = args.tool.clone().unwrap_or_else(|| "Bash".to_owned());
    Ok(made(tool, input, cwd))
}

/// A call of no session.
#[must_use]
pub fn made(tool: String, input: Json<'_>, cwd: String) -> ToolCall<'_> {
    let identity = Identity {
        session: "".into(),
        call: "".into(),
        agent: None,
        tool: tool.into(),
        cwd: cwd.into(),
    };
    ToolCall::seal(identity, input, false)
}

fn parsed(bytes: &[u8]) -> Result<Json<'_>, Failed> {
    let usage = |what: String| (what, Exit::Usage);
    let doc = json::parse(bytes, Limits::default())
        .map_err(|e| usage(format!("the input is not JSON: byte {}: {:?}", e.at, e.kind)))?;
    if doc.duplicate_key.is_some() {
        return Err(usage("the input has the same key twice".to_owned()));
    }
    Ok(doc.value)
}

fn of_event<'b>(bytes: &'b [u8], cwd: Option<&str>) -> Result<ToolCall<'b>, Failed> {
    let value = parsed(bytes)?;
    let text = |key: &str| value.str_at(key).map(std::borrow::Cow::into_owned);
    let name = text("hook_event_name").unwrap_or_default();
    if EventName::parse(&name) != Some(EventName::PreToolUse) {
        let what = format!("only a PreToolUse event is decided, and this one is `{name}`");
        return Err((what, Exit::Usage));
    }
    let tool = text("tool_name").unwrap_or_default();
    let folder = cwd.map(str::to_owned).or_else(|| text("cwd")).unwrap_or_default();
    let input = value.get("tool_input").cloned().unwrap_or(Json::Null);
    Ok(made(tool, input, folder))
}
