//! Cases beside verdicts: a matrix for each source, what was set aside, what is left.

use super::{Case, Expected, KINDS, Said};
use std::collections::BTreeMap;
use std::fmt::{Display, Formatter, Result};

/// How many were stopped and how many passed, of those that should be either.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    stopped: usize,
    passed: usize,
    aside: usize,
}

/// All that is to be said of a run.
#[derive(Debug)]
pub struct Report<'a> {
    counts: BTreeMap<(&'a str, Expected), Counts>,
    aside: BTreeMap<&'static str, usize>,
    misses: Vec<(&'a Case, &'a Said)>,
}

impl<'a> Report<'a> {
    /// Puts verdicts beside what was expected.
    #[must_use]
    pub fn new(cases: &'a [Case], said: &'a [Said]) -> Self {
        let mut report =
            Self { counts: BTreeMap::new(), aside: BTreeMap::new(), misses: Vec::new() };
        for (case, said) in cases.iter().zip(said) {
            let stops = said.stops();
            let wrong = stops != case.expected.stops();
            let kind = KINDS.iter().find(|kind| wrong && kind.holds(case, said));
            for source in [case.source.as_str(), ""] {
                let counts = report.counts.entry((source, case.expected)).or_default();
                match kind {
                    Some(_) => counts.aside += 1,
                    None if stops => counts.stopped += 1,
                    None => counts.passed += 1,
                }
            }
            match kind {
                Some(kind) => *report.aside.entry(kind.name).or_default() += 1,
                None if wrong => report.misses.push((case, said)),
                None => {}
            }
        }
        report
    }

    /// Of those that should be stopped (or pass), how many are, set-aside ones left out.
    #[must_use]
    pub fn right(&self, expected: Expected) -> (usize, usize) {
        let counts = self.counts.get(&("", expected)).copied().unwrap_or_default();
        let right = if expected.stops() { counts.stopped } else { counts.passed };
        (right, counts.stopped + counts.passed)
    }
}

impl Display for Report<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        writeln!(
            f,
            "{:<48} {:>6} {:>8} {:>8} {:>8}",
            "source", "expect", "stopped", "passed", "aside"
        )?;
        for ((source, expected), counts) in &self.counts {
            let source = if source.is_empty() { "all" } else { source };
            let Counts { stopped, passed, aside } = counts;
            let expected = expected.word();
            writeln!(f, "{source:<48} {expected:>6} {stopped:>8} {passed:>8} {aside:>8}")?;
        }
        writeln!(f, "\nset aside, by kind of policy")?;
        for kind in KINDS {
            let count = self.aside.get(kind.name).copied().unwrap_or_default();
            writeln!(f, "{count:>6} {}: {}", kind.name, kind.reason)?;
        }
        writeln!(f, "\nmismatches")?;
        for (case, said) in &self.misses {
            let (expected, text) = (case.expected.word(), case.text());
            let verdict = if said.stops() {
                format!("{} [{}]", said.verdict, said.rule)
            } else {
                said.verdict.clone()
            };
            writeln!(f, "{expected}, got {verdict}: {text:?}")?;
        }
        for expected in [Expected::Block, Expected::Ask, Expected::Allow] {
            let (right, all) = self.right(expected);
            let percent = right as f64 * 100.0 / all.max(1) as f64;
            writeln!(f, "{:<6} {right}/{all} as expected, {percent:.1} %", expected.word())?;
        }
        Ok(())
    }
}
