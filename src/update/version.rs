//! Versions and their order, as semantic versioning has it.

use std::cmp::Ordering;
use std::fmt;

/// A version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    numbers: [u64; 3],
    /// What makes it one before the release of those numbers.
    pre: Option<String>,
}

impl Version {
    /// Reads `1.2.3` or `1.2.3-rc.1`, with a `v` before it or not.
    #[must_use]
    pub fn of(text: &str) -> Option<Self> {
        let text = text.trim();
        let text = text.strip_prefix('v').unwrap_or(text);
        let (numbers, pre) = text.split_once('-').map_or((text, None), |(n, p)| (n, Some(p)));
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '.';
        if pre.is_some_and(|p| p.is_empty() || !p.chars().all(plain)) {
            return None;
        }
        let mut parts = numbers.split('.').map(|part| {
            let digits = !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
            digits.then(|| part.parse().ok()).flatten()
        });
        let numbers = [parts.next()??, parts.next()??, parts.next()??];
        parts.next().is_none().then(|| Self { numbers, pre: pre.map(str::to_owned) })
    }

    /// This program's.
    #[must_use]
    pub fn own() -> Self {
        Self::of(env!("CARGO_PKG_VERSION")).unwrap_or(Self { numbers: [0; 3], pre: None })
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [major, minor, patch] = self.numbers;
        write!(f, "{major}.{minor}.{patch}")?;
        self.pre.as_ref().map_or(Ok(()), |pre| write!(f, "-{pre}"))
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Version {
    fn cmp(&self, other: &Self) -> Ordering {
        self.numbers.cmp(&other.numbers).then_with(|| match (&self.pre, &other.pre) {
            (None, None) => Ordering::Equal,
            (None, Some(_)) => Ordering::Greater,
            (Some(_), None) => Ordering::Less,
            (Some(a), Some(b)) => parts(a).cmp(&parts(b)),
        })
    }
}

/// Numbers come before words, and are ordered as numbers.
fn parts<'a>(pre: &'a str) -> Vec<(bool, u64, &'a str)> {
    let part = |p: &'a str| p.parse().map_or((true, 0, p), |n| (false, n, ""));
    pre.split('.').map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::Version;

    #[test]
    fn versions_are_ordered_as_numbers_and_a_candidate_comes_before() {
        let ordered = ["0.1.9", "0.1.10-rc.2", "0.1.10-rc.10", "0.1.10", "0.2.0", "v1.0.0"];
        let all: Vec<Version> = ordered.iter().map(|v| Version::of(v).expect(v)).collect();
        assert!(all.is_sorted());
        assert!(all.windows(2).all(|w| w[0] < w[1]));
        for bad in ["", "1.2", "1.2.3.4", "1.2.x", "1.2.3-", "1.2.3-a/b", "latest", "-1.2.3"] {
            assert_eq!(Version::of(bad), None, "{bad}");
        }
        assert_eq!(Version::own().to_string(), env!("CARGO_PKG_VERSION"));
    }
}
