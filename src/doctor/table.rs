//! The table of checks: `checks.toml`, in the order they are reported.

use super::report::Status;
use serde::Deserialize;
use std::sync::OnceLock;

/// One row of the table.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// The permanent id.
    pub id: String,
    /// The group it is listed under.
    pub group: String,
    /// What is checked, said as it is when all is well.
    pub title: String,
    /// The status of a finding.
    pub severity: Status,
    /// Ids of findings that are only its consequence.
    #[serde(default)]
    pub suppresses: Vec<String>,
}

impl Row {
    /// Where it is explained.
    #[must_use]
    pub fn doc(&self) -> String {
        format!("{}/blob/main/docs/doctor.md#{}", env!("CARGO_PKG_REPOSITORY"), self.id)
    }
}

#[derive(Deserialize)]
struct Table {
    check: Vec<Row>,
}

/// Every check.
#[must_use]
pub fn rows() -> &'static [Row] {
    static ROWS: OnceLock<Vec<Row>> = OnceLock::new();
    ROWS.get_or_init(|| {
        // A test parses it; a table that doesn't parse has no rows, and every finding
        // is then reported as an error of the doctor's own.
        toml::from_str::<Table>(include_str!("checks.toml"))
            .map_or_else(|_| Vec::new(), |t| t.check)
    })
}

/// The row of an id.
#[must_use]
pub fn row(id: &str) -> Option<&'static Row> {
    rows().iter().find(|r| r.id == id)
}

#[cfg(test)]
mod tests {
    use super::{Table, row, rows};

    #[test]
    fn the_table_is_sound() {
        assert!(toml::from_str::<Table>(include_str!("checks.toml")).is_ok());
        for (i, r) in rows().iter().enumerate() {
            let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            assert!(r.id.chars().all(plain), "{}", r.id);
            assert!(rows().iter().skip(i + 1).all(|o| o.id != r.id), "{} twice", r.id);
            assert!(!r.title.is_empty() && !r.title.ends_with('.'), "{}", r.id);
            for other in &r.suppresses {
                assert!(row(other).is_some_and(|o| o.id != r.id), "{} hides {other}", r.id);
            }
        }
    }

    #[test]
    fn every_check_is_explained() {
        let guide = include_str!("../../docs/doctor.md");
        for r in rows() {
            assert!(guide.contains(&format!("\n## {}\n", r.id)), "`{}` has no page", r.id);
        }
    }
}
