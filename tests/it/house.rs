//! The laws of the house: who may touch what, what stands where. They read the sources,
//! so that a law that is broken names the file and what to do.

mod checks;
mod dependencies;
mod docs;
mod rooms;
mod text;

use crate::support::repository;
use std::path::{Path, PathBuf};

/// A committed text file.
struct Source {
    /// Its path from the repository's root, with `/`.
    path: String,
    /// What it says.
    text: String,
}

impl Source {
    fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }

    /// Its lines that are code: no comment, no documentation.
    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let numbered = self.text.lines().enumerate().map(|(n, line)| (n + 1, line.trim()));
        numbered.filter(|(_, line)| !line.starts_with("//"))
    }

    /// `path:line`, as an editor opens it.
    fn at(&self, line: usize) -> String {
        format!("{}:{line}", self.path)
    }
}

/// Every text file of the repository below these places.
fn sources(places: &[&str]) -> Vec<Source> {
    let mut found = Vec::new();
    for place in places {
        collect(&repository().join(place), &mut found);
    }
    assert!(!found.is_empty(), "{places:?}: nothing there");
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

fn collect(path: &Path, found: &mut Vec<Source>) {
    let skipped = ["target", ".git", "node_modules", "proptest-regressions"];
    if path.file_name().is_some_and(|n| skipped.iter().any(|s| n == *s)) {
        return;
    }
    if path.is_dir() {
        for entry in std::fs::read_dir(path).expect("a folder of ours") {
            collect(&entry.expect("it is there").path(), found);
        }
    } else if let Ok(text) = std::fs::read_to_string(path) {
        let path = path.strip_prefix(repository()).expect("below the root");
        let path = path.to_str().expect("our names are plain").replace('\\', "/");
        found.push(Source { path, text });
    }
}

/// One file of the repository.
fn read(path: &str) -> String {
    let path: PathBuf = repository().join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Fails with every break of a law at once.
fn lawful(law: &str, broken: &[String]) {
    assert!(broken.is_empty(), "{law}\n  {}", broken.join("\n  "));
}
