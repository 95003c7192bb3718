//! README is a promise too: its commands exist, its policy is good, its links lead
//! somewhere, and it stays short.

use crate::support::{Sandbox, repository};

/// A fenced block: its language and its text.
struct Block {
    language: String,
    text: String,
}

fn readme() -> String {
    std::fs::read_to_string(repository().join("README.md")).expect("it is there")
}

fn blocks(text: &str) -> Vec<Block> {
    let mut found = Vec::new();
    let mut open: Option<Block> = None;
    for line in text.lines() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(language), None) => {
                open = Some(Block { language: language.to_owned(), text: String::new() });
            }
            (Some(_), Some(_)) => found.extend(open.take()),
            (None, Some(block)) => {
                block.text.push_str(line);
                block.text.push('\n');
            }
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a block is left open");
    found
}

#[test]
fn it_fits_on_a_few_screens() {
    assert!(readme().lines().count() < 200);
}

#[test]
fn the_first_screen_is_two_commands_that_need_rust_and_git_only() {
    let text = readme();
    let first = &blocks(&text)[0];
    let commands: Vec<&str> =
        first.text.lines().map(|l| l.split('#').next().expect("one at least").trim()).collect();
    assert_eq!(commands, ["cargo run --release -- demo", "./ci/test"]);
    let before = text.lines().take_while(|l| !l.starts_with("```")).count();
    assert!(before < 15, "the commands are on the first screen");
    assert!(repository().join("ci/test").is_file());
}

#[test]
fn every_command_it_shows_is_one_the_binary_has() {
    let text = readme();
    let sandbox = Sandbox::new();
    let shown = text.split('`').skip(1).step_by(2).map(str::to_owned);
    let lines = blocks(&text).into_iter().filter(|b| b.language == "sh");
    let lines = lines.flat_map(|b| b.text.lines().map(str::to_owned).collect::<Vec<_>>());
    let mut seen = 0;
    for line in shown.chain(lines) {
        let mut words = line.split_whitespace();
        if words.next() != Some("harness") {
            continue;
        }
        let mut args: Vec<&str> = words
            .take_while(|w| !w.starts_with(['#', '\'']))
            .filter(|w| !w.contains('|'))
            .collect();
        args.push("--help");
        let ran = sandbox.run(&args).ok();
        assert!(ran.stdout.contains("Usage: harness"), "`{line}`: {}", ran.stdout);
        seen += 1;
    }
    assert!(seen > 8, "only {seen} commands are shown");
}

#[test]
fn its_policy_passes_its_own_check_and_does_what_it_says() {
    let sandbox = Sandbox::new();
    let policy =
        blocks(&readme()).into_iter().find(|b| b.language == "toml").expect("it shows one");
    let lines = policy.text.lines().filter(|l| !l.trim().is_empty()).count();
    assert!(lines <= 12, "as short as it is said to be");
    sandbox.write(sandbox.user_policy(), &policy.text);
    sandbox.run(["policy", "check"]).ok();
    let verdict = |command: &str| {
        let ran = sandbox.run(["explain", "--json", command]).ok();
        ran.json()["verdict"].as_str().expect("a word").to_owned()
    };
    assert_eq!(verdict("psql -h prod-db.internal"), "deny");
    assert_eq!(verdict("psql -h dev-db.internal"), "none");
}

#[test]
fn its_links_lead_somewhere() {
    for file in ["README.md", "SECURITY.md", "CONTRIBUTING.md", "docs/README.md"] {
        let path = repository().join(file);
        let text = std::fs::read_to_string(&path).expect("it is there");
        let folder = path.parent().expect("it has one");
        for target in text.split("](").skip(1).map(|t| t.split(')').next().expect("one at least")) {
            let target = target.split('#').next().expect("one at least");
            assert!(folder.join(target).exists(), "{file}: {target} is not there");
        }
    }
}

#[test]
fn every_promise_is_a_test_of_the_same_name() {
    let text = readme();
    let tests = include_str!("promises.rs");
    let promises: Vec<&str> = text
        .lines()
        .filter(|l| l.contains(". **["))
        .filter_map(|l| l.split("**[").nth(1)?.split(']').next())
        .collect();
    assert_eq!(promises.len(), 10);
    for promise in promises {
        let name: String = promise
            .chars()
            .filter_map(|c| match c {
                ' ' | '-' => Some('_'),
                c if c.is_alphanumeric() => Some(c.to_ascii_lowercase()),
                _ => None,
            })
            .collect();
        assert!(tests.contains(&format!("fn {name}()")), "no test `{name}`");
    }
}
