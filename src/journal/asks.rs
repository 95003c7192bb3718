//! Questions to a person and what they granted, as a session's log folds to them.

use super::authority::{ASKED, CORRECTED, DECIDED, GRANT_MADE, GRANT_REVOKED, GRANT_USED, Line};

/// A question that was put to a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ask {
    /// Its own id.
    pub id: String,
    /// The call it is about, by the host's id.
    pub call: String,
    /// How it ended; `None` while it is open.
    pub outcome: Option<String>,
}

/// What a person granted in advance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// Its id.
    pub id: String,
    /// What kind of scope it has, by its word.
    pub scope: String,
    /// The rule, path, prefix or call it is for.
    pub of: String,
    /// When it ends, in milliseconds since the epoch; `None`: with the session.
    pub until: Option<u64>,
    /// The call that used it up, for one that can be.
    pub used: Option<String>,
    /// What it is about, for a person.
    pub about: String,
    /// The host's id of the session.
    pub session: String,
    /// When it was made.
    pub ts: u64,
}

impl Grant {
    /// Whether it is still worth something for a call of this id, at this time. The very
    /// call that used it up may come by twice.
    #[must_use]
    pub fn holds(&self, now_ms: u64, call: Option<&str>) -> bool {
        let in_time = self.ts <= now_ms && self.until.is_none_or(|until| now_ms < until);
        let unused = self.used.as_deref().is_none_or(|by| call == Some(by));
        in_time && unused
    }
}

/// The questions of these lines, in order.
#[must_use]
pub fn asks(lines: &[Line]) -> Vec<Ask> {
    let mut asks: Vec<Ask> = Vec::new();
    for line in lines {
        let (Some(kind), Some(id)) = (line.kind, &line.id) else { continue };
        match kind {
            ASKED => asks.push(Ask {
                id: id.clone(),
                call: line.value.clone().unwrap_or_default(),
                outcome: None,
            }),
            DECIDED | CORRECTED => {
                if let Some(ask) = asks.iter_mut().find(|ask| ask.id == *id) {
                    ask.outcome.clone_from(&line.value);
                }
            }
            _ => {}
        }
    }
    asks
}

/// The grants of these lines that nobody revoked, in order.
#[must_use]
pub fn grants(lines: &[Line]) -> Vec<Grant> {
    let mut grants: Vec<Grant> = Vec::new();
    for line in lines {
        let (Some(kind), Some(id)) = (line.kind, &line.id) else { continue };
        match kind {
            GRANT_MADE => {
                let Some(terms) = &line.terms else { continue };
                grants.push(Grant {
                    id: id.clone(),
                    scope: line.value.clone().unwrap_or_default(),
                    of: terms.of.clone(),
                    until: terms.until,
                    used: None,
                    about: terms.about.clone(),
                    session: terms.session.clone(),
                    ts: line.ts,
                });
            }
            GRANT_USED => {
                if let Some(grant) = grants.iter_mut().find(|grant| grant.id == *id) {
                    // The first use counts; without a call it was used by one unknown.
                    grant.used.get_or_insert_with(|| line.value.clone().unwrap_or_default());
                }
            }
            GRANT_REVOKED => grants.retain(|grant| grant.id != *id),
            _ => {}
        }
    }
    grants
}

#[cfg(test)]
mod tests {
    use super::{asks, grants};
    use crate::journal::authority::{Line, read};

    fn lines(text: &str) -> Vec<Line> {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("s.jsonl");
        std::fs::write(&file, text).expect("written");
        read(&file, 1 << 20).expect("read").expect("there")
    }

    #[test]
    fn a_question_is_open_until_its_own_end() {
        let got = asks(&lines(concat!(
            "{\"ts\":1,\"type\":\"approval/asked\",\"id\":\"a\",\"call\":\"c1\"}\n",
            "{\"ts\":2,\"type\":\"approval/asked\",\"id\":\"b\",\"call\":\"c2\"}\n",
            "{\"ts\":3,\"type\":\"approval/decided\",\"id\":\"b\",\"outcome\":\"rejected\"}\n",
            "{\"ts\":4,\"type\":\"approval/decided\",\"id\":\"z\",\"outcome\":\"rejected\"}\n",
        )));
        let ends: Vec<_> = got.iter().map(|a| (a.id.as_str(), a.outcome.as_deref())).collect();
        assert_eq!(ends, [("a", None), ("b", Some("rejected"))]);
    }

    #[test]
    fn a_grant_ends_by_use_by_time_and_by_a_person() {
        let made = |id: &str, until: &str| {
            format!(
                "{{\"ts\":10,\"type\":\"grant/made\",\"id\":\"{id}\",\"scope\":\"once\",\"of\":\"m\"{until},\"session\":\"s\",\"about\":\"x\"}}\n"
            )
        };
        let text = made("a", ",\"until\":20") + &made("b", "") + &made("c", "");
        let got = grants(&lines(&text));
        assert_eq!(got.len(), 3);
        let a = got.first().expect("three");
        assert!(!a.holds(9, None) && a.holds(10, None) && a.holds(19, None) && !a.holds(20, None));
        let used =
            text.clone() + "{\"ts\":11,\"type\":\"grant/used\",\"id\":\"b\",\"call\":\"c1\"}\n";
        let b = grants(&lines(&used)).remove(1);
        assert!(b.holds(12, Some("c1")) && !b.holds(12, Some("c2")) && !b.holds(12, None));
        let revoked = text + "{\"ts\":11,\"type\":\"grant/revoked\",\"id\":\"a\"}\n";
        assert_eq!(grants(&lines(&revoked)).len(), 2);
        // Terms that can't be read grant nothing, and an end in no number is one in the past.
        for odd in [",\"until\":\"soon\"", ",\"until\":-1", ",\"until\":1e9"] {
            assert!(grants(&lines(&made("a", odd))).iter().all(|g| !g.holds(11, None)), "{odd}");
        }
    }
}
