//! Whether a person has told harness to be silent for a while: the way on when a rule or a
//! broken file stands in it. Looked at only where there is something to be silent about.

use super::limits;
use crate::home::Home;
use crate::journal::authority::{self, OFF_UNTIL};
use crate::journal::place;
use crate::policy::Ruling;

/// The longest that harness can be told to be silent, in milliseconds.
pub const MOST_MS: u64 = 8 * 60 * 60 * 1_000;

/// Until when harness is silent, if it is now. What can't be read, lies in the future, or is
/// longer than anybody may ask for is no such word.
#[must_use]
pub fn until(home: &Home, now_ms: u64) -> Option<u64> {
    let lines = authority::read(&place::off(&home.state), limits::AUTHORITY).ok()??;
    let last = lines.last().filter(|line| line.kind == Some(OFF_UNTIL))?;
    let until = last.terms.as_ref()?.until?;
    let short = until.checked_sub(last.ts).is_some_and(|long| long <= MOST_MS);
    (short && last.ts <= now_ms && now_ms < until).then_some(until)
}

/// Whether a ruling is lifted now: never one that self-protection has a word in, or an agent
/// could use the while to switch its guard off for good.
#[must_use]
pub fn lifts(home: &Home, ruling: &Ruling, now_ms: u64) -> bool {
    let own = |rule: &str| rule.starts_with("self-protection/");
    ruling.verdict.word() != "none"
        && ruling.votes.iter().all(|cast| cast.vote == "allow" || !own(cast.rule.as_str()))
        && until(home, now_ms).is_some()
}

#[cfg(test)]
mod tests {
    use super::{MOST_MS, until};
    use crate::home::Home;

    #[test]
    fn only_a_whole_and_short_word_is_one_and_it_ends_by_itself() {
        let folder = tempfile::tempdir().expect("a folder");
        let home = Home::under(folder.path());
        std::fs::create_dir_all(&home.state).expect("made");
        let word = |ts: u64, until: &str| {
            format!("{{\"ts\":{ts},\"type\":\"off/until\",\"until\":{until}}}\n")
        };
        let at = |text: &str, now| {
            std::fs::write(home.state.join("off.jsonl"), text).expect("written");
            until(&home, now)
        };
        assert_eq!(until(&home, 5), None);
        let ten = word(10, "20");
        assert_eq!([9, 10, 19, 20].map(|now| at(&ten, now)), [None, Some(20), Some(20), None]);
        assert_eq!(at(&(ten.clone() + "{\"ts\":12,\"type\":\"off/ended\"}\n"), 13), None);
        assert_eq!(at(&(ten.clone() + "{\"ts\":12,\"ty"), 13), None);
        assert_eq!(at(&word(10, &(11 + MOST_MS).to_string()), 13), None);
        assert_eq!(at(&word(10, "\"20\""), 13), None);
        assert_eq!(at("{\"ts\":10,\"type\":\"off/until\"}\n", 13), None);
    }
}
