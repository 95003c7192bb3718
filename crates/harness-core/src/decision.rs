//! A decision that came from outside as a document.
//!
//! Anything that is not exactly a well-formed allow or ask is a denial with a reason:
//! an unknown kind, a missing kind, a wrong type, a key nobody knows.

use crate::json::Json;
use crate::reason::{Reason, RuleId};
use crate::vote::Vote;
use alloc::string::{String, ToString};

/// The sentence of a denial that gave no reason of its own.
pub const UNREASONED: &str = "this call was denied without a reason";
/// The sentence of a decision that is neither of the three.
pub const MALFORMED: &str = "this call was stopped: the decision on it was not a decision";
/// The sentence of an ask that gave no reason of its own.
pub const UNREASONED_ASK: &str = "this call needs a person's consent";

impl Vote {
    /// Reads `{"kind":"allow"}`, `{"kind":"ask","reason"?:…}` or
    /// `{"kind":"deny","reason":…}`. Total: what is none of them denies.
    #[must_use]
    pub fn from_document(document: &Json<'_>, rule: &RuleId) -> Self {
        let malformed = || Self::Deny(Reason::new(rule.clone(), MALFORMED));
        let Some(known) = Document::read(document) else { return malformed() };
        match (known.kind.as_str(), known.reason) {
            ("allow", None) => Self::Allow,
            ("ask", reason) => Self::Ask(Reason::new(rule.clone(), or(reason, UNREASONED_ASK))),
            ("deny", reason) => Self::Deny(Reason::new(rule.clone(), or(reason, UNREASONED))),
            _ => malformed(),
        }
    }
}

struct Document {
    kind: String,
    reason: Option<String>,
}

impl Document {
    /// Only an object with a string `kind`, at most a string `reason`, and nothing else,
    /// each once.
    fn read(document: &Json<'_>) -> Option<Self> {
        let Json::Object(members) = document else { return None };
        let mut kind = None;
        let mut reason = None;
        for (key, value) in members {
            let place = match key.as_bytes() {
                b"kind" => &mut kind,
                b"reason" => &mut reason,
                _ => return None,
            };
            let word = value.as_text()?.as_str()?.to_string();
            if place.replace(word).is_some() {
                return None;
            }
        }
        Some(Self { kind: kind?, reason })
    }
}

fn or(reason: Option<String>, default: &'static str) -> String {
    reason.filter(|r| !r.trim().is_empty()).unwrap_or_else(|| default.to_string())
}

#[cfg(test)]
mod tests {
    use super::{MALFORMED, UNREASONED};
    use crate::json::{Limits, parse};
    use crate::reason::RuleId;
    use crate::vote::Vote;

    fn vote(doc: &str) -> Option<Vote> {
        let rule = RuleId::built_in("test/foreign");
        parse(doc.as_bytes(), Limits::default()).ok().map(|p| Vote::from_document(&p.value, &rule))
    }

    fn denied_with(doc: &str) -> Option<alloc::string::String> {
        match vote(doc)? {
            Vote::Deny(reason) => Some(reason.sentence().into()),
            _ => None,
        }
    }

    #[test]
    fn only_an_exact_allow_allows() {
        assert_eq!(vote(r#"{"kind":"allow"}"#), Some(Vote::Allow));
        for doc in [
            r#"{"kind":"Allow"}"#,
            r#"{"kind":"allow","reason":"x"}"#,
            r#"{"kind":"allow","extra":1}"#,
            r#"{"kind":"deny","kind":"allow"}"#,
            r#"{"kind":["allow"]}"#,
            r#"{"kind":null}"#,
            "{}",
            "null",
            "\"allow\"",
            "true",
        ] {
            assert_eq!(denied_with(doc).as_deref(), Some(MALFORMED), "{doc}");
        }
    }

    #[test]
    fn a_denial_without_a_reason_gets_one() {
        assert_eq!(denied_with(r#"{"kind":"deny"}"#).as_deref(), Some(UNREASONED));
        assert_eq!(denied_with(r#"{"kind":"deny","reason":" "}"#).as_deref(), Some(UNREASONED));
        assert_eq!(denied_with(r#"{"kind":"deny","reason":"no"}"#).as_deref(), Some("no"));
    }
}
