//! Sessions that nobody worked in: probes of install and doctor, so that the log can leave
//! them out. The mark is in the session id, which the host chooses; a repository can't.

/// The groups of a UUID (version 8, free to use) that no host draws.
const MARK: &str = "-7072-8f62-8e65-";

/// The id of a probe's session, from 32 hex digits that nobody else has.
#[must_use]
pub fn session(fresh: &str) -> String {
    let part = |from: usize, to: usize| fresh.get(from..to).unwrap_or_default();
    format!("{}{MARK}{}", part(0, 8), part(20, 32))
}

/// Whether a session is a probe's.
#[must_use]
pub fn is(session: &str) -> bool {
    session.get(8..).is_some_and(|rest| rest.starts_with(MARK))
}

#[cfg(test)]
mod tests {
    use super::{is, session};

    #[test]
    fn a_probe_is_known_by_its_session_and_nothing_else_is() {
        let id = session("0123456789abcdef0123456789abcdef");
        assert_eq!(id, "01234567-7072-8f62-8e65-456789abcdef");
        assert!(is(&id) && !is("4f6a1c52-0f0e-4c11-9a53-7f1f5f3c9b10") && !is(""));
    }
}
