//! The pages people are sent to exist.

use super::{read, sources};
use std::collections::BTreeSet;

#[test]
fn every_check_of_the_doctor_has_its_section() {
    let tables = sources(&["src/doctor"]).into_iter().filter(|s| s.path.ends_with("checks.toml"));
    let known: BTreeSet<String> = tables
        .flat_map(|table| {
            let text = table.text.clone();
            let ids = text.lines().filter_map(|l| l.trim().strip_prefix("id = \""));
            ids.map(|l| l.trim_end_matches('"').to_owned()).collect::<Vec<_>>()
        })
        .collect();
    let page = read("docs/doctor.md");
    let told: BTreeSet<String> =
        page.lines().filter_map(|l| l.strip_prefix("## ")).map(str::to_owned).collect();
    assert_eq!(told, known, "docs/doctor.md (left) and checks.toml (right) differ");
}

#[test]
fn every_pack_effect_zone_and_secret_is_in_the_policy_reference() {
    let page = read("docs/policy.md");
    let packs = harness::policy::packs::ALL.iter().map(|p| p.name);
    let effects = harness::policy::kinds::EffectSet::WORDS.iter().map(|(word, _)| *word);
    let zones = harness::policy::kinds::Zones::WORDS.iter().map(|(word, _)| *word);
    let secrets = harness::policy::redact::KINDS.iter().map(|kind| kind.name);
    for word in packs.chain(effects).chain(zones).chain(secrets) {
        assert!(page.contains(&format!("`{word}`")), "docs/policy.md does not tell of `{word}`");
    }
}
