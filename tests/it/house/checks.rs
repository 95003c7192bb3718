//! Each check of the doctor is found by some code and injected by some test.

use super::{read, sources};
use std::collections::BTreeSet;

/// Every id in the table.
fn table() -> BTreeSet<String> {
    harness::doctor::table::rows().iter().map(|r| r.id.clone()).collect()
}

#[test]
fn code_and_table_know_the_same_checks() {
    let mut code = BTreeSet::new();
    for source in sources(&["src/doctor"]).iter().filter(|s| s.is_rust()) {
        for opening in ["Finding::new(", "right(", "live_id("] {
            for part in source.text.split(opening).skip(1) {
                let id = part.trim_start().strip_prefix('"').and_then(|p| p.split('"').next());
                code.extend(id.map(str::to_owned));
            }
        }
    }
    let table = table();
    // Ids that a function is handed stand in its callers.
    let named: BTreeSet<String> = sources(&["src/doctor"])
        .iter()
        .filter(|s| s.is_rust())
        .flat_map(|s| {
            let quoted = table.iter().filter(|id| s.text.contains(&format!("\"{id}\"")));
            quoted.cloned().collect::<Vec<_>>()
        })
        .collect();
    let unknown: Vec<_> = code.difference(&table).collect();
    assert!(unknown.is_empty(), "found by code and not in checks.toml: {unknown:?}");
    let idle: Vec<_> = table.difference(&named).collect();
    assert!(idle.is_empty(), "in checks.toml and found by no code: {idle:?}");
}

/// Each check is asserted by name in a test that injects its fault, alone or with its kind
/// (`"slow/timeout"`); the healthy homes show for all of them that no fault gives none.
#[test]
fn every_check_is_injected_by_a_test() {
    let tests = sources(&["tests/it"]);
    let texts: Vec<&str> = tests
        .iter()
        .filter(|s| s.path.contains("/doctor") || s.path.contains("/live"))
        .map(|s| s.text.as_str())
        .collect();
    let injected = |id: &String| {
        let (alone, kind) = (format!("\"{id}\""), format!("\"{id}/"));
        texts.iter().any(|t| t.contains(&alone) || t.contains(&kind))
    };
    let lone: Vec<String> = table().into_iter().filter(|id| !injected(id)).collect();
    assert!(lone.is_empty(), "no test injects these: {lone:?}");
}

#[test]
fn every_check_says_what_is_wrong_why_it_matters_and_what_to_do() {
    let page = read("docs/doctor.md");
    let mut thin = Vec::new();
    for id in table() {
        let start = format!("\n## {id}\n");
        let text = page.split(&start).nth(1).unwrap_or_default();
        let text = text.split("\n## ").next().unwrap_or_default();
        if text.split_whitespace().count() < 20 {
            thin.push(id);
        }
    }
    assert!(thin.is_empty(), "sections of docs/doctor.md that say too little: {thin:?}");
}
