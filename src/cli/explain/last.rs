//! `harness explain --last`: the last call that the journal holds, decided again.

use std::path::Path;

use harness_core::Json;
use serde_json::{Value, json};

use super::{Args, Failed, asked, exit, render};
use crate::cli::exit::Exit;
use crate::cli::out;
use crate::cli::scene::Scene;
use crate::journal::{audit, place, probe, redact};
use crate::sys::paths;

/// How much of the journal's end is searched.
const TAIL: usize = 16 << 20;

/// What the journal holds of a call.
#[derive(Debug)]
struct Written {
    tool: String,
    cwd: String,
    input: Json<'static>,
    verdict: String,
    answer: String,
    rules: Vec<String>,
    at_ms: String,
}

impl Written {
    fn of(record: &Json<'_>, session: &str) -> Option<Self> {
        let text = |key: &str| record.str_at(key).map(std::borrow::Cow::into_owned);
        let of = text("session").unwrap_or_default();
        // Probes are calls of ours, and of nobody's agent, unless their session is named.
        let wanted = of.starts_with(session) && !(session.is_empty() && probe::is(&of));
        if text("type").as_deref() != Some("tool/call") || !wanted {
            return None;
        }
        let rules = match record.get("rules") {
            Some(Json::Array(rules)) => {
                rules.iter().filter_map(Json::as_str).map(std::borrow::Cow::into_owned).collect()
            }
            _ => Vec::new(),
        };
        let at_ms = match record.get("ts") {
            Some(Json::Number(ms)) => ms.to_string(),
            _ => String::new(),
        };
        Some(Self {
            tool: text("tool")?,
            cwd: text("cwd").unwrap_or_default(),
            input: record.get("input").map_or(Json::Null, |input| input.clone().into_owned()),
            verdict: text("verdict").unwrap_or_default(),
            answer: text("answer").unwrap_or_default(),
            rules,
            at_ms,
        })
    }

    /// Whether the journal left something of the arguments out.
    fn is_partial(&self) -> bool {
        let mut bytes = Vec::new();
        self.input.write(&mut bytes);
        let text = String::from_utf8_lossy(&bytes);
        text.contains(redact::MARK) || text.contains(" bytes in all]") || text.contains("\"…\"")
    }

    fn json(&self) -> Value {
        json!({
            "verdict": self.verdict, "answer": self.answer, "rules": self.rules,
            "ts": self.at_ms.parse::<u64>().ok(), "whole": !self.is_partial(),
        })
    }
}

pub(super) fn explain(args: &Args, cwd: &Path) -> Result<Exit, Failed> {
    let home = paths::home_for_cli()
        .ok_or_else(|| Failed::could_not("this user has no home folder"))?;
    let journal = place::audit(&home.state);
    let session = args.session.as_deref().unwrap_or_default();
    let read = |record: &Json<'_>| Written::of(record, session);
    let Some(written) = audit::search(&journal, TAIL, "\"type\":\"tool/call\"", read) else {
        let of = if session.is_empty() { String::new() } else { format!(" of session `{session}`") };
        return Err(Failed {
            what: format!("no call{of} is written down in `{}`", journal.display()),
            hint: Some(
                "`harness log` shows what is; `harness status` says whether the hooks are installed"
                    .to_owned(),
            ),
            exit: Exit::No,
        });
    };
    let folder = if args.cwd.is_some() || written.cwd.is_empty() {
        cwd.to_string_lossy().into_owned()
    } else {
        written.cwd.clone()
    };
    // A folder that is gone has no project; the call is decided where it would be.
    let scene = Scene::look(Path::new(&folder))
        .ok_or_else(|| Failed::could_not("this user has no home folder"))?;
    let call = asked::made(written.tool.clone(), written.input.clone(), folder);
    let ruling = scene.decide(&call);
    if args.json {
        out::line(render::json_with(&ruling, Some(("recorded", written.json()))));
    } else {
        render::words(&ruling, &call, &scene.workspace);
        said_then(&written);
    }
    Ok(if args.exit_code { exit(&ruling) } else { Exit::Done })
}

fn said_then(written: &Written) {
    let rules = if written.rules.is_empty() {
        "no rule spoke".to_owned()
    } else {
        written.rules.join(", ")
    };
    out::line(format!("then       {} ({rules}); the agent was told: {}", written.verdict, written.answer));
    if written.is_partial() {
        out::note("note: the journal leaves secrets and long arguments out; this explains what is left of them");
    }
}
