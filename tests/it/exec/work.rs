//! Ordinary work under `workspace-write` passes, with the tools that are here.

use super::{exec, records};
use crate::support::Sandbox;

fn there(program: &str) -> bool {
    ["/usr/bin", "/bin"].iter().any(|folder| std::path::Path::new(folder).join(program).exists())
}

fn passes(sandbox: &Sandbox, words: &[&str]) {
    let ran = exec(sandbox, &["--sandbox", "workspace-write"], words);
    assert_eq!(ran.status.code(), Some(0), "{words:?}: {ran:?}");
    let last = records(sandbox, "exec/result").pop().expect("a receipt");
    assert!(last["removed"].is_null(), "{words:?}: {last}");
}

#[test]
fn commits_builds_and_scripts_pass() {
    let sandbox = Sandbox::new();
    let git = |args: &[&str]| {
        let who = ["git", "-c", "user.name=A", "-c", "user.email=a@example.com"];
        passes(&sandbox, &[&who[..], args].concat());
    };
    std::fs::remove_dir_all(sandbox.project().join(".git")).expect("ours");
    sandbox.write("project/Makefile", "all: out\nout: in\n\tcp in out\n");
    sandbox.write("project/in", "x\n");
    if there("git") {
        let init = ["init", "-q", "-b", "main", "."];
        if sandbox.root().ancestors().any(|folder| folder.join(".git").exists()) {
            // Until it is there, the repository around this home would be the workspace, and
            // one around the home is none.
            sandbox.program("/usr/bin/env", [&["git"][..], &init].concat()).cwd("project").ok();
        } else {
            // A new repository has nothing that starts by itself, so it stays.
            git(&init);
        }
        git(&["add", "-A"]);
        git(&["commit", "-q", "-m", "first"]);
        git(&["checkout", "-q", "-b", "side"]);
        git(&["stash", "list"]);
        assert!(sandbox.project().join(".git/HEAD").exists());
    }
    if there("make") {
        passes(&sandbox, &["make"]);
        assert_eq!(sandbox.read("project/out"), "x\n");
    }
    if there("cc") {
        sandbox.write("project/a.c", "int main(void) { return 0; }\n");
        passes(&sandbox, &["cc", "a.c", "-o", "a"]);
        passes(&sandbox, &["./a"]);
    }
    if there("npm") {
        sandbox.write("project/package.json", "{\"name\":\"a\",\"version\":\"1.0.0\"}\n");
        sandbox.write(
            "project/package-lock.json",
            "{\"name\":\"a\",\"version\":\"1.0.0\",\"lockfileVersion\":3,\"packages\":{\"\":{\"name\":\"a\",\"version\":\"1.0.0\"}}}\n",
        );
        passes(&sandbox, &["npm", "ci", "--offline", "--no-audit"]);
    }
    passes(
        &sandbox,
        &["sh", "-c", "t=$(mktemp) && echo x > $t && cat $t && (exit 0) | cat <<E\nhere\nE"],
    );
}

#[test]
fn a_worktree_commits_to_its_repository() {
    if !there("git") {
        return;
    }
    let sandbox = Sandbox::new();
    let main = sandbox.root().join("main");
    let git = |args: &[&str]| {
        let who = ["-c", "user.name=A", "-c", "user.email=a@example.com", "-C"];
        let main = main.to_str().expect("text");
        let run = sandbox.program("/usr/bin/env", [&["git"], &who[..], &[main], args].concat());
        run.cwd("main").ok();
    };
    std::fs::create_dir(&main).expect("new");
    git(&["init", "-q", "-b", "main", "."]);
    git(&["commit", "-q", "--allow-empty", "-m", "first"]);
    std::fs::remove_dir_all(sandbox.project()).expect("ours");
    git(&["worktree", "add", "-q", "../project", "-b", "side"]);
    sandbox.write("project/a", "x");
    passes(&sandbox, &["git", "add", "a"]);
    passes(
        &sandbox,
        &["git", "-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "-qm", "x"],
    );
    let bad = exec(
        &sandbox,
        &["--sandbox", "workspace-write"],
        &["sh", "-c", "echo x > ../main/.git/hooks/pre-commit"],
    );
    assert_ne!(bad.status.code(), Some(0), "{bad:?}");
    // A file that says where a repository is says nothing by itself.
    let other = sandbox.root().join("other");
    std::fs::create_dir_all(other.join("objects")).expect("new");
    sandbox.write("project/.git", format!("gitdir: {}\n", other.display()));
    let bad = exec(&sandbox, &["--sandbox", "workspace-write"], &["touch", "../other/new"]);
    assert_ne!(bad.status.code(), Some(0), "{bad:?}");
}
