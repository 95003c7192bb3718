//! Every dependency buys something, and `CONTRIBUTING.md` says what.

use super::read;
use std::collections::BTreeSet;

const MANIFESTS: &[&str] = &[
    "Cargo.toml",
    "crates/harness-core/Cargo.toml",
    "crates/harness-shell/Cargo.toml",
    "benches/Cargo.toml",
];

fn dependencies(of: &toml::Table, found: &mut BTreeSet<String>) {
    for (key, value) in of {
        let toml::Value::Table(inner) = value else { continue };
        if key.ends_with("dependencies") {
            found.extend(inner.keys().filter(|k| !k.starts_with("harness-")).cloned());
        } else if key == "target" || key.starts_with("cfg(") {
            dependencies(inner, found);
        }
    }
}

#[test]
fn every_dependency_says_what_it_buys() {
    let mut wanted = BTreeSet::new();
    for manifest in MANIFESTS {
        dependencies(&read(manifest).parse().expect("a manifest of ours"), &mut wanted);
    }
    assert!(wanted.contains("clap") && wanted.contains("libc") && wanted.contains("proptest"));
    let text = read("CONTRIBUTING.md");
    let section = text.split("\n## Dependencies\n").nth(1).expect("a section `## Dependencies`");
    let section = section.split("\n## ").next().expect("split gives one part at least");
    let told: BTreeSet<String> = section
        .lines()
        .filter_map(|l| l.strip_prefix("- `")?.split_once("`: "))
        .inspect(|(name, buys)| assert!(buys.len() > 15, "`{name}`: what does it buy?"))
        .map(|(name, _)| name.to_owned())
        .collect();
    assert_eq!(told, wanted, "CONTRIBUTING.md (left) and the manifests (right) differ");
}

#[test]
fn the_core_depends_on_nothing() {
    for manifest in ["crates/harness-core/Cargo.toml", "crates/harness-shell/Cargo.toml"] {
        let manifest: toml::Table = read(manifest).parse().expect("a manifest of ours");
        let own = manifest.get("dependencies").and_then(toml::Value::as_table);
        let foreign = own.into_iter().flat_map(toml::Table::keys);
        let foreign: Vec<&String> = foreign.filter(|k| !k.starts_with("harness-")).collect();
        assert!(
            foreign.is_empty(),
            "who decides can't act, not through others either: {foreign:?}"
        );
    }
}

#[test]
fn direct_dependencies_stay_few() {
    let manifest: toml::Table = read("Cargo.toml").parse().expect("a manifest of ours");
    let count = manifest["dependencies"].as_table().expect("a table").len();
    assert!(count <= 20, "{count}: each is somebody to trust");
}
