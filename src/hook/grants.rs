//! Whether a person granted in advance what a ruling asks.

use harness_core::ToolCall;

use super::limits;
use super::scene::Scene;
use super::seal;
use crate::journal::asks::Grant;
use crate::journal::authority::{self, GRANT_USED};
use crate::journal::hash::Short;
use crate::journal::record::Record;
use crate::journal::redact;
use crate::policy::Ruling;
use crate::policy::grants::{Scope, answering};

/// What marks the one call that a grant is for: its seal, and the folder it runs in.
#[must_use]
pub fn mark(seal: &str, cwd: &str) -> Short {
    Short::of(format!("{seal}\0{}", redact::head(cwd, 1_024)).as_bytes())
}

/// The id of the grant that answers a ruling's question. One that is for a single call is
/// used up by this, and is none where that can't be written down.
#[must_use]
pub fn answer(scene: &Scene, ruling: &Ruling, call: &ToolCall<'_>) -> Option<String> {
    if scene.authority.grants.is_empty() || ruling.verdict.word() != "ask" {
        return None;
    }
    let now = scene.now_ms();
    let id = call.identity().call.as_ref();
    let live: Vec<&Grant> =
        scene.authority.grants.iter().filter(|grant| grant.holds(now, named(id))).collect();
    let scopes: Vec<_> = live.iter().map(|grant| Scope::of(&grant.scope, &grant.of)).collect();
    let mark = mark(&seal::of(call), call.cwd());
    let grant = live.get(answering(&scopes, ruling, call, mark.as_str(), scene.world())?)?;
    let counts = grant.scope != "once" || use_up(scene, grant, id, now);
    counts.then(|| grant.id.clone())
}

fn named(id: &str) -> Option<&str> {
    Some(id).filter(|id| !id.is_empty())
}

/// Uses a grant up for a call, unless another call was quicker.
fn use_up(scene: &Scene, grant: &Grant, call: &str, now: u64) -> bool {
    let used = authority::append_to(&scene.log, limits::AUTHORITY, |standing| {
        let same = standing.grants.iter().find(|other| other.id == grant.id);
        match same {
            Some(same) if same.used.is_some() => (Vec::new(), same.holds(now, named(call))),
            Some(same) if same.holds(now, named(call)) => {
                let record = Record::new(GRANT_USED, now).text("id", &grant.id);
                (vec![record.text("call", redact::head(call, 256))], true)
            }
            _ => (Vec::new(), false),
        }
    });
    used.unwrap_or(false)
}
