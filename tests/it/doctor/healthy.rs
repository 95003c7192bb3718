//! Thirty homes as people have them, and nothing to say about any.

use super::scopes::{machine, roots};
use crate::support::Sandbox;
use serde_json::{Value, json};

/// What a home holds before the install.
type Furnish = fn(&Sandbox);

fn user(sandbox: &Sandbox, settings: &Value) {
    sandbox.write("home/.claude/settings.json", format!("{settings:#}\n"));
}

fn hook(event: &str, hook: Value) -> Value {
    json!({ "hooks": { event: [{ "hooks": [hook] }] } })
}

const HOMES: [(&str, Furnish); 15] = [
    ("bare", |_| {}),
    ("empty object", |s| user(s, &json!({}))),
    ("permissions", |s| {
        user(s, &json!({ "permissions": { "allow": ["Bash(ls)"], "deny": ["Read(./.env)"] } }))
    }),
    ("environment", |s| user(s, &json!({ "env": { "FOO": "bar", "N": "1" }, "model": "opus" }))),
    ("a formatter of the person", |s| {
        user(
            s,
            &hook(
                "PostToolUse",
                json!({ "type": "command", "command": "cat >/dev/null", "timeout": 60 }),
            ),
        )
    }),
    ("a script that is there", |s| {
        let script = s.script("home/.claude/hooks/done.sh", "#!/bin/sh\n");
        user(s, &hook("Stop", json!({ "type": "command", "command": script })));
    }),
    ("a project's own script", |s| {
        s.script("project/.claude/hooks/x.sh", "#!/bin/sh\n");
        let line = "\"$CLAUDE_PROJECT_DIR\"/.claude/hooks/x.sh";
        s.write(
            "project/.claude/settings.json",
            hook("Stop", json!({ "type": "command", "command": line })).to_string(),
        );
    }),
    ("switched on by the project", |s| {
        s.write("project/.claude/settings.json", "{\"disableAllHooks\":false}");
    }),
    ("dotfiles by links", |s| {
        let real = s.write("dotfiles/settings.json", "{\n\t\"model\": \"opus\"\n}\n");
        std::fs::create_dir_all(s.home().join(".claude")).expect("made");
        std::os::unix::fs::symlink(real, s.user_settings()).expect("nothing is there");
    }),
    ("line ends of another system", |s| {
        s.write("home/.claude/settings.json", "{\r\n  \"model\": \"opus\"\r\n}\r\n");
    }),
    ("Hangul and emoji", |s| user(s, &json!({ "env": { "NAME": "한글 😀" } }))),
    ("a policy", |s| {
        s.write(
            "home/.config/harness/policy.toml",
            "version = 1\n[packs]\nenable = [\"git\", \"secrets\"]\n",
        );
    }),
    ("a policy of the project", |s| {
        s.write("project/.harness/policy.toml", "version = 1\n[[guard]]\nid = \"no\"\ntool = \"Bash\"\nmentions = [\"zebra\"]\ndeny = \"no\"\nexamples.match = [\"echo zebra\"]\nexamples.pass = [\"echo horse\"]\n");
    }),
    ("local settings", |s| {
        s.write(
            "project/.claude/settings.local.json",
            "{\"permissions\":{\"allow\":[\"Bash(make:*)\"]}}",
        );
    }),
    ("a worktree beside, covered by the user's scope", |s| {
        std::fs::create_dir(s.root().join("tree")).expect("made");
        s.write("project/.git/worktrees/t/gitdir", format!("{}/tree/.git\n", s.root().display()));
    }),
];

#[test]
fn thirty_healthy_homes_give_no_finding() {
    for client in ["2.1.332", "2.1.100"] {
        for (name, furnish) in HOMES {
            let sandbox = machine(client);
            furnish(&sandbox);
            sandbox.run(["install", "--yes"]).ok();
            let ran = sandbox.run(["doctor", "--json"]).go();
            let report = ran.json();
            assert_eq!(roots(&report), [""; 0], "{client}, {name}: {report:#}");
            assert_eq!(ran.status.code(), Some(0), "{client}, {name}: {report:#}");
        }
    }
}

#[test]
fn odd_names_of_homes_are_no_finding() {
    for name in ["with space", "한글", "o'neil", "a&b (c)", "v1.2.3", "tmp"] {
        for client in ["2.1.332", "2.1.100"] {
            let sandbox = machine(client);
            let home = sandbox.root().join(name);
            std::fs::create_dir(&home).expect("made");
            sandbox.run(["install", "--yes"]).env("HOME", &home).ok();
            let report = sandbox.run(["doctor", "--json"]).env("HOME", &home).ok().json();
            assert_eq!(roots(&report), [""; 0], "{client}, {name}: {report:#}");
        }
    }
}
