//! What may stand in a file, and how much of it.

use super::{lawful, sources};

/// Everything that is committed.
const ALL: &[&str] = &[
    ".ci",
    ".config",
    "benches",
    "ci",
    "crates",
    "docs",
    "installers",
    "src",
    "tests",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "README.md",
    "SECURITY.md",
    "Cargo.toml",
    "clippy.toml",
    "deny.toml",
    "rust-toolchain.toml",
    "rustfmt.toml",
];

/// Lines of a file that is no table.
const LONGEST: usize = 600;

#[test]
fn no_file_is_too_long() {
    let mut broken = Vec::new();
    for source in sources(&["src", "crates", "benches", "tests"]).iter().filter(|s| s.is_rust()) {
        let header: String = source.text.lines().take_while(|l| l.starts_with("//!")).collect();
        let lines = source.text.lines().count();
        if lines > LONGEST && !header.contains("table") {
            broken.push(format!("{}: {lines} lines", source.path));
        }
    }
    lawful("at most 600 lines, or the header says why it is a table", &broken);
}

#[test]
fn a_file_says_what_it_is_first() {
    let mut broken = Vec::new();
    for source in sources(&["src", "crates", "benches", "tests/it"]).iter().filter(|s| s.is_rust())
    {
        let first = source.text.lines().next().unwrap_or_default();
        // Programs that must not compile are shown to the compiler as they are.
        let shown = source.path.contains("/ui/") || source.path.contains("compile-fail");
        // Unit tests in a file of their own are the end of the file they test.
        let shown = shown || source.path.ends_with("/tests.rs");
        if !shown && (!first.starts_with("//! ") || first.len() < 10) {
            broken.push(source.path.clone());
        }
    }
    lawful("a file begins with `//! ` and a line on the one thing in it", &broken);
}

#[test]
fn unsafe_code_is_in_sys_only() {
    let mut broken = Vec::new();
    for source in sources(&["src", "crates", "tests"]).iter().filter(|s| s.is_rust()) {
        let rooms = ["src/sys/", "src/exec/", "tests/it/house/"];
        if rooms.iter().any(|r| source.path.starts_with(r)) {
            continue;
        }
        for (line, code) in source.code() {
            if ["unsafe {", "unsafe fn", "unsafe impl", "unsafe extern"]
                .iter()
                .any(|u| code.contains(u))
            {
                broken.push(source.at(line));
            }
        }
    }
    lawful("`unsafe` is in src/sys and src/exec only", &broken);
}

#[test]
fn the_platform_is_named_in_sys_only() {
    let mut broken = Vec::new();
    for source in sources(&["src", "crates"]).iter().filter(|s| s.is_rust()) {
        if source.path.starts_with("src/sys/") {
            continue;
        }
        for (line, code) in source.code() {
            let asks =
                code.contains("cfg(") || code.contains("cfg!(") || code.contains("cfg_attr(");
            let words = ["unix", "windows", "target_os", "target_family"];
            // A unit test of what only one system has says so itself.
            let asks = asks && !code.contains("all(test, ");
            if asks && words.iter().any(|w| code.contains(w)) {
                broken.push(format!("{}: {code}", source.at(line)));
            }
        }
    }
    lawful("cfg(unix), cfg(windows), cfg(target_os) are in src/sys only", &broken);
}

#[test]
fn an_exception_says_why_and_ends_with_its_cause() {
    let mut broken = Vec::new();
    for source in sources(&["src", "crates", "benches", "tests"]).iter().filter(|s| s.is_rust()) {
        for (line, code) in source.code() {
            if code.starts_with("#[allow(") || code.starts_with("#![allow(") {
                broken.push(source.at(line));
            }
        }
    }
    lawful("`#[expect(…, reason = \"…\")]` instead of `#[allow]`", &broken);
}

#[test]
fn nothing_is_left_to_do_and_nothing_tells_of_where_it_was_made() {
    // Put together here, so that this file is no break of its own law.
    let words = [
        ["TO", "DO"],
        ["FIX", "ME"],
        ["XX", "X:"],
        ["/wo", "rk/"],
        ["/opt/", "clients"],
        ["/tmp/", "boot"],
        ["crates", ".io"],
        ["npmjs", ".org"],
        ["npmjs", ".com"],
        ["pypi", ".org"],
        ["debian", ".org"],
        ["pythonhosted", ".org"],
        ["not built", " yet"],
    ]
    .map(|halves| halves.concat());
    let mut broken = Vec::new();
    for source in sources(ALL) {
        for (number, line) in source.text.lines().enumerate() {
            for word in words.iter().filter(|w| line.contains(w.as_str())) {
                broken.push(format!("{}: `{word}`", source.at(number + 1)));
            }
        }
    }
    lawful("these words have no place in what is committed", &broken);
}

#[test]
fn text_ends_its_lines_cleanly() {
    let mut broken = Vec::new();
    for source in sources(ALL) {
        // Files that are data may hold any bytes.
        if source.path.contains("/data/") || source.path.contains("/corpus/") {
            continue;
        }
        if source.text.contains('\t') && source.is_rust() {
            broken.push(format!("{}: a tab", source.path));
        }
        if source.text.lines().any(|l| l.ends_with(' ')) && source.is_rust() {
            broken.push(format!("{}: a space at the end of a line", source.path));
        }
        if !source.text.is_empty() && !source.text.ends_with('\n') {
            broken.push(format!("{}: no newline at the end", source.path));
        }
    }
    lawful("spaces, no trailing ones, a newline at the end", &broken);
}
