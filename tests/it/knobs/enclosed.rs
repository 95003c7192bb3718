//! P63: what lies inside the workspace and is not the workspace's: hosts' settings and
//! git's own hooks and settings are held in workspace-write, however they are reached.

use std::os::unix::fs::symlink;

use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, TestRunner};

use crate::support::World;

/// What is held, and whether it is denied (else a person is asked).
const HELD: &[(&str, &str, bool)] = &[
    (".claude", "settings.json", true),
    (".claude", "settings.local.json", true),
    (".git", "hooks/pre-commit", false),
    (".git", "hooks/post-checkout", false),
    (".git", "config", false),
];

/// Ways to write to a file `F`, in a folder `D` of the workspace.
const WAYS: &[&str] = &[
    "echo x > F",
    "echo x >> F",
    "cp notes.txt F",
    "mv notes.txt F",
    "tee F < notes.txt",
    "sed -i s/a/b/ F",
    "truncate -s 0 F",
    "python3 -c 'open(\"F\", \"w\").write(\"x\")'",
    "bash -c 'cat notes.txt > F'",
    "ln -f notes.txt F",
    "ln -sf ../notes.txt F",
    "ln F other.txt && echo x > other.txt",
    "mv D old && mkdir D",
    "mv -T fresh D",
];

#[test]
fn what_is_held_inside_the_workspace_is_held_on_every_way() {
    let world = World::new();
    let session = world.begin();
    world.cli(&["preset", "workspace-write", "--session", &session]);
    let project = world.sandbox.project();
    for (folder, file, _) in HELD {
        let file = project.join(folder).join(file);
        std::fs::create_dir_all(file.parent().expect("a folder")).expect("made");
        std::fs::write(&file, "").expect("written");
    }
    std::fs::create_dir_all(project.join("src/deep")).expect("made");
    std::fs::create_dir_all(project.join("fresh")).expect("made");
    std::fs::write(project.join("notes.txt"), "").expect("written");
    for folder in [".claude", ".git"] {
        symlink(folder, project.join(format!("to{folder}"))).expect("made");
        symlink(format!("../../{folder}"), project.join(format!("src/deep/to{folder}")))
            .expect("made");
    }
    let whole = project.to_str().expect("text").to_owned();
    let spelled = [
        "%".to_owned(),
        "./%".to_owned(),
        "src/../%".to_owned(),
        ".//%/.".to_owned(),
        format!("{whole}/%"),
        "$PWD/%".to_owned(),
        "to%".to_owned(),
        "src/deep/to%".to_owned(),
    ];
    let tool = select(&["Write", "Edit", "Bash"][..]);
    let cases = (select(HELD), select(spelled.to_vec()), select(WAYS), tool);
    // The same calls in every run: each costs a process.
    let mut runner = TestRunner::new_with_rng(
        Config { failure_persistence: None, cases: 96, ..Config::default() },
        proptest::test_runner::TestRng::deterministic_rng(Config::default().rng_algorithm),
    );
    let checked = runner.run(&cases, |((folder, file, denied), spelled, way, tool)| {
        let folder = spelled.replace('%', folder).replace("$PWD", &whole);
        let path = format!("{folder}/{file}");
        let (verdict, what) = if tool == "Bash" {
            // Of a link, another name is renamed; the folder it leads to stays.
            let linked = spelled.contains("to%");
            prop_assume!(!(linked && way.contains(" D")));
            let command = way.replace('F', &path).replace('D', &folder);
            (world.bash(&command), command)
        } else {
            let path = if path.starts_with('/') { path } else { format!("{whole}/{path}") };
            let input = serde_json::json!({
                "file_path": path, "content": "x", "old_string": "a", "new_string": "b",
            });
            (world.verdict(tool, &input).0, format!("{tool} {path}"))
        };
        if denied {
            prop_assert_eq!(verdict, "deny", "{}", what);
        } else {
            prop_assert_ne!(verdict, "none", "{}", what);
        }
        Ok(())
    });
    checked.expect("held");
    // The workspace itself is free, and reading is.
    for command in ["echo x > src/deep/new", "mv fresh fresher", "cat .git/config .git/hooks/*"] {
        assert_eq!(world.bash(command), "none", "{command}");
    }
}
