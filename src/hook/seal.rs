//! The seal of a call: what was decided is what must run.

use harness_core::ToolCall;

use super::limits;
use crate::home::Home;
use crate::hosts::Inbound;
use crate::journal::record::Record;
use crate::journal::{audit, place, redact};

/// The seal of a call: the hash of its tool and arguments in canonical form.
#[must_use]
pub fn of(call: &ToolCall<'_>) -> String {
    blake3::hash(&call.canonical()).to_hex().to_string()
}

/// What the journal says of a call when it was decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sealed {
    /// Its seal.
    pub seal: String,
    /// What the host was told: `none`, `ask` or `deny`.
    pub answer: String,
}

/// Adds to a record what it is about: session, call, tool, seal.
#[must_use]
pub fn about(record: Record, inbound: &Inbound<'_>, call: &ToolCall<'_>) -> Record {
    let identity = call.identity();
    record
        .text("session", redact::head(&inbound.session, 256))
        .text("call", redact::head(&identity.call, 256))
        .maybe("agent", identity.agent.as_deref().map(|agent| redact::head(agent, 256)))
        .text("tool", redact::head(&identity.tool, 256))
        .text("seal", &of(call))
}

/// Whether the journal's end holds a record of this kind about this very call. Some hosts
/// read Claude Code's settings beside their own, and then one call is brought twice.
#[must_use]
pub fn is_recorded(home: &Home, kind: &str, session: &str, call: &ToolCall<'_>) -> bool {
    let seal = of(call);
    let (session, id) = (redact::head(session, 256), redact::head(&call.identity().call, 256));
    let needle = format!("\"seal\":\"{seal}\"");
    let same = |record: &harness_core::Json<'_>| {
        let is = |key: &str, value: &str| record.str_at(key).is_some_and(|got| got == value);
        is("type", kind) && is("session", session) && is("call", id)
    };
    audit::search(&place::audit(&home.state), limits::TAIL, &needle, |record| {
        same(record).then_some(())
    })
    .is_some()
}

/// Finds the decision on a call in the journal's end. `None`: there is none, or it lies
/// too far back; then the call is decided again.
#[must_use]
pub fn find(home: &Home, session: &str, call: &str) -> Option<Sealed> {
    if call.is_empty() {
        return None;
    }
    let (session, call) = (redact::head(session, 256), redact::head(call, 256));
    let mut quoted = Vec::new();
    harness_core::json::write_string(&harness_core::Text::from(call), &mut quoted);
    let needle = format!("\"call\":{}", String::from_utf8_lossy(&quoted));
    audit::search(&place::audit(&home.state), limits::TAIL, &needle, |record| {
        let is = |key: &str, value: &str| record.str_at(key).is_some_and(|got| got == value);
        if !(is("type", "tool/call") && is("session", session) && is("call", call)) {
            return None;
        }
        let seal = record.str_at("seal")?.into_owned();
        Some(Sealed { seal, answer: record.str_at("answer")?.into_owned() })
    })
}
