//! The policy reference is true: its policies pass their check, its commands do what the
//! page says.

use crate::support::{Sandbox, repository};

fn blocks(language: &str) -> Vec<String> {
    let page = std::fs::read_to_string(repository().join("docs/policy.md")).unwrap();
    let fence = format!("```{language}\n");
    let found = page.split(&fence).skip(1);
    found.map(|rest| rest.split("\n```").next().unwrap().to_owned() + "\n").collect()
}

/// A world with the binary on its path.
fn world() -> Sandbox {
    let sandbox = Sandbox::new();
    std::os::unix::fs::symlink(crate::support::binary(), sandbox.bin().join("harness")).unwrap();
    sandbox
}

#[test]
fn every_policy_on_the_page_is_one() {
    let blocks = blocks("toml");
    assert!(blocks.len() >= 4, "{blocks:?}");
    for block in blocks {
        let sandbox = Sandbox::new();
        sandbox.write(sandbox.user_policy(), format!("version = 1\n{block}"));
        let ran = sandbox.run(["policy", "check"]).go();
        assert_eq!(ran.status.code(), Some(0), "{block}{}{}", ran.stdout, ran.stderr);
    }
}

#[test]
fn the_guard_on_the_page_does_what_it_is_for() {
    let script = blocks("sh").into_iter().find(|b| b.contains("licence-guard")).unwrap();
    let sandbox = world();
    let ran = sandbox.program("/bin/sh", ["-ec", &script]).ok();
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("", ""));

    std::fs::create_dir_all(sandbox.home().join(".config/harness/tools")).unwrap();
    let there = sandbox.home().join(".config/harness/tools/licence-guard");
    std::fs::rename(sandbox.project().join("licence-guard"), there).unwrap();
    let policy = blocks("toml").into_iter().find(|b| b.contains("licence-guard")).unwrap();
    sandbox.write(sandbox.user_policy(), format!("version = 1\n{policy}"));
    let said = |content: &str| {
        let input = serde_json::json!({"file_path": "a.rs", "content": content}).to_string();
        sandbox.run(["explain", "--json", "--tool", "Write", "--input", &input]).ok().json()
    };
    assert_eq!(said("// SPDX-License-Identifier: MIT")["verdict"], "none");
    let denied = said("fn main() {}");
    assert_eq!(
        (&denied["verdict"], &denied["rules"][0]["id"]),
        (&"deny".into(), &"licence-check".into())
    );
    assert!(denied["reason"].as_str().unwrap().contains("no SPDX line"), "{denied}");
}

#[test]
fn the_payload_on_the_page_is_denied() {
    let script = blocks("sh").into_iter().find(|b| b.contains("event.json")).unwrap();
    let sandbox = world();
    let own = sandbox.root().join("by-hand").display().to_string();
    let script = script.replace("/tmp/by-hand", &own);
    let ran = sandbox.program("/bin/sh", ["-c", &script]).code(2);
    assert!(ran.stdout.starts_with("deny: the call is stopped"), "{}", ran.stdout);
    assert!(ran.stdout.contains("\"permissionDecision\":\"deny\""), "{}", ran.stdout);
    assert!(ran.stderr.contains("core/delete-system"), "{}", ran.stderr);
}
