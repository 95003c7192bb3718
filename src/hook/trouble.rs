//! [`Trouble`]: a station failed. On a gate it is a denial, elsewhere silence; in the
//! journal it is written down either way.

use crate::hosts::{Decision, EventName, Outbound};
use crate::sys::fault;

/// What went wrong and which rule says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// `harness/…`
    pub rule: &'static str,
    /// A sentence, what to do next included.
    pub sentence: String,
    /// The session it happened in, where that could be told.
    pub session: Option<String>,
}

impl Trouble {
    /// A failure.
    #[must_use]
    pub fn new(rule: &'static str, sentence: impl Into<String>) -> Self {
        Self { rule, sentence: sentence.into(), session: None }
    }

    /// Names the session, also of a payload that can't be read further than that.
    #[must_use]
    pub fn within(mut self, payload: &[u8]) -> Self {
        const KEY: &[u8] = b"\"session_id\":\"";
        let head = payload.get(..payload.len().min(512)).unwrap_or_default();
        let at = head.windows(KEY.len()).position(|w| w == KEY).map(|at| at + KEY.len());
        let rest = at.and_then(|at| head.get(at..)).unwrap_or_default();
        let plain = |b: &&u8| b.is_ascii_alphanumeric() || **b == b'-';
        let id: Vec<u8> = rest.iter().take(64).take_while(plain).copied().collect();
        self.session = String::from_utf8(id).ok().filter(|id| !id.is_empty());
        self
    }

    /// The reason as the model reads it.
    #[must_use]
    pub fn reason(&self) -> String {
        format!("{} [rule {}]", self.sentence, self.rule)
    }

    /// The answer to an event; `None` is an event nobody could name, which may be a gate.
    #[must_use]
    pub fn answer(&self, event: Option<EventName>) -> Outbound {
        let decision = match event {
            Some(event) if !event.gates() => Decision::Silence,
            _ => Decision::Deny(self.reason()),
        };
        Outbound { decision, context: String::new() }
    }
}

/// A fault point: see [`fault::point`].
///
/// # Errors
/// Only in test builds, on demand.
pub fn station(name: &'static str) -> Result<(), Trouble> {
    fault::point(name).map_err(|_| {
        Trouble::new("harness/station", format!("the station `{name}` failed, so this is stopped"))
    })
}
