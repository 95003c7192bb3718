//! A call as the journal holds it.

use std::path::Path;

use harness_core::{Identity, Json, Text, ToolCall};

use super::consent::Failed;
use super::exit::Exit;
use crate::hook::seal;
use crate::hosts::words;
use crate::journal::{audit, place, probe};

/// How much of the journal's end is searched for a call.
const TAIL: usize = 64 << 20;

/// How many more ids that begin alike are shown.
const SHOWN: usize = 4;

/// The last recorded call of this id (or the one id that begins so) that `fits`; without an
/// id, the last one that is no probe's.
///
/// # Errors
/// There is none, or several ids begin so.
pub fn find(
    state: &Path,
    id: Option<&str>,
    fits: impl Fn(&Json<'_>) -> bool,
) -> Result<Json<'static>, Failed> {
    let journal = place::audit(state);
    let mut found: Option<Json<'static>> = None;
    let mut others: Vec<String> = Vec::new();
    let whole = audit::search(&journal, TAIL, "\"type\":\"tool/call\"", |record| {
        let Some(id) = id else {
            let probe = record.str_at("session").is_some_and(|session| probe::is(&session));
            return (!probe && fits(record)).then(|| record.clone().into_owned());
        };
        let call = record.str_at("call")?;
        if !call.starts_with(id) || !fits(record) {
            return None;
        }
        if *call == *id {
            return Some(record.clone().into_owned());
        }
        let first = found.get_or_insert_with(|| record.clone().into_owned());
        if first.str_at("call").as_deref() != Some(&*call) && !others.iter().any(|o| *o == *call) {
            others.push(call.into_owned());
        }
        None
    });
    if whole.is_none() && !others.is_empty() {
        let last = found.as_ref().and_then(|record| record.str_at("call")).unwrap_or_default();
        let id = id.unwrap_or_default();
        let more = if others.len() > SHOWN { ", …" } else { "" };
        others.truncate(SHOWN);
        let what = format!("several calls begin with `{id}`: {last}, {}{more}", others.join(", "));
        return Err((words::line(&what), Exit::Usage, Some("write more of the id")));
    }
    whole.or(found).ok_or_else(|| {
        let of = id.map_or_else(|| "such a call".to_owned(), |id| format!("a call `{id}`"));
        let what = format!("`{}` holds no record of {of}", journal.display());
        (what, Exit::No, Some("`harness log --json` shows the calls with their ids"))
    })
}

/// The strings of a list in a record.
#[must_use]
pub fn list(record: &Json<'_>, key: &str) -> Vec<String> {
    match record.get(key) {
        Some(Json::Array(items)) => {
            items.iter().filter_map(Json::as_str).map(std::borrow::Cow::into_owned).collect()
        }
        _ => Vec::new(),
    }
}

/// What the call is about, in a few words.
#[must_use]
pub fn about(record: &Json<'_>) -> String {
    named(&record.str_at("tool").unwrap_or_default(), record.get("input"))
}

/// A tool with what its input is first of all about.
#[must_use]
pub fn named(tool: &str, input: Option<&Json<'_>>) -> String {
    let keys = ["command", "file_path", "notebook_path", "url", "pattern", "path"];
    match input.and_then(|input| keys.iter().find_map(|key| input.str_at(key))) {
        Some(first) => format!("{tool} {first}"),
        None => tool.to_owned(),
    }
}

/// The call, sealed again; the seal tells whether it is the whole one.
#[must_use]
pub fn call(record: &Json<'_>) -> ToolCall<'static> {
    let text = |key: &str| record.str_at(key).unwrap_or_default().into_owned();
    let identity = Identity {
        session: text("session").into(),
        call: text("call").into(),
        agent: record.str_at("agent").map(|agent| agent.into_owned().into()),
        tool: text("tool").into(),
        cwd: text("cwd").into(),
    };
    let input = record.get("input").cloned().unwrap_or(Json::Object(Vec::<(Text<'_>, _)>::new()));
    let cut = matches!(record.get("truncated"), Some(Json::Bool(true)));
    ToolCall::seal(identity, input.into_owned(), cut)
}

/// Whether nothing of the arguments was redacted or cut.
#[must_use]
pub fn is_whole(record: &Json<'_>) -> bool {
    record.str_at("seal").is_some_and(|sealed| sealed == seal::of(&call(record)))
}
