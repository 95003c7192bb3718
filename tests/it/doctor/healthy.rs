//! Fifty homes and more as people have them, and nothing to say about any.

use super::scopes::{machine, roots};
use crate::support::Sandbox;
use serde_json::{Value, json};

/// What a home holds before the install.
pub(super) type Furnish = fn(&Sandbox);

pub(super) fn user(sandbox: &Sandbox, settings: &Value) {
    sandbox.write("home/.claude/settings.json", format!("{settings:#}\n"));
}

fn hook(event: &str, hook: Value) -> Value {
    json!({ "hooks": { event: [{ "hooks": [hook] }] } })
}

const HOMES: [(&str, Furnish); 26] = [
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
    ("dotfiles by a linked folder", |s| {
        let folder = s.root().join("dotfiles/claude");
        std::fs::create_dir_all(&folder).expect("made");
        std::os::unix::fs::symlink(folder, s.home().join(".claude")).expect("nothing is there");
    }),
    ("dotfiles by two hops", |s| {
        let real = s.write("store/settings.json", "{}\n");
        let between = s.root().join("between.json");
        std::os::unix::fs::symlink(real, &between).expect("nothing is there");
        std::fs::create_dir_all(s.home().join(".claude")).expect("made");
        std::os::unix::fs::symlink(between, s.user_settings()).expect("nothing is there");
    }),
    ("many permissions", |s| {
        let deny =
            ["Read(./.env)", "Read(//etc/shadow)", "Edit(~/.ssh/**)", "WebFetch", "Bash(rm -rf:*)"];
        let allow =
            ["Bash(npm test:*)", "Read(~/.zshrc)", "mcp__github", "WebFetch(domain:docs.rs)"];
        user(
            s,
            &json!({ "permissions": { "deny": deny, "allow": allow, "ask": ["Bash(git push:*)"], "defaultMode": "acceptEdits" } }),
        );
    }),
    ("a tight sandbox", |s| {
        s.script("bin/bwrap", "#!/bin/sh\n");
        s.script("bin/socat", "#!/bin/sh\n");
        user(s, &json!({ "sandbox": { "enabled": true, "allowUnsandboxedCommands": false } }));
    }),
    ("a sandbox that is off", |s| user(s, &json!({ "sandbox": { "enabled": false } }))),
    ("hooks of every kind and event", |s| {
        let quiet = json!({ "type": "command", "command": "cat >/dev/null" });
        let prompt = json!({ "type": "prompt", "prompt": "Is it done? $ARGUMENTS" });
        let group = json!([{ "hooks": [quiet] }]);
        user(
            s,
            &json!({ "hooks": {
            "PreToolUse": [{ "matcher": "Bash|Write", "hooks": [quiet] }],
            "PostToolUse": group, "UserPromptSubmit": group, "Notification": group,
            "SessionEnd": group, "PreCompact": group, "SubagentStop": group,
            "Stop": [{ "hooks": [prompt] }],
        } }),
        );
    }),
    ("a long limit in seconds", |s| {
        let slow = json!({ "type": "command", "command": "cat >/dev/null", "timeout": 900 });
        user(s, &hook("PostToolUse", slow));
    }),
    ("a project's own variables", |s| {
        let env = json!({ "env": { "DATABASE_URL": "postgres://localhost", "DEBUG": "1" } });
        s.write("project/.claude/settings.json", env.to_string());
    }),
    ("a status line, plugins and a model", |s| {
        user(
            s,
            &json!({
                "statusLine": { "type": "command", "command": "~/.claude/line.sh" },
                "enabledPlugins": { "formatter@tools": true }, "model": "opus", "cleanupPeriodDays": 30,
            }),
        );
    }),
    ("agents, commands and skills beside the settings", |s| {
        for file in ["agents/review.md", "commands/ship.md", "skills/x/SKILL.md", "CLAUDE.md"] {
            s.write(format!("home/.claude/{file}"), "# x\n");
        }
    }),
    ("no line end, and deep white space", |s| {
        s.write("home/.claude/settings.json", "\n\n  {\n\n\t\"model\"  :\n \"opus\"  }");
    }),
];

/// Every home, with one of the clients.
pub(super) fn nothing_is_found(homes: &[(&str, Furnish)], client: &str) {
    for (name, furnish) in homes {
        let sandbox = machine(client);
        furnish(&sandbox);
        sandbox.run(["install", "--yes"]).ok();
        let ran = sandbox.run(["doctor", "--json"]).go();
        let report = ran.json();
        assert_eq!(roots(&report), [""; 0], "{client}, {name}: {report:#}");
        assert_eq!(ran.status.code(), Some(0), "{client}, {name}: {report:#}");
    }
}

#[test]
fn fifty_healthy_homes_give_no_finding() {
    const { assert!(HOMES.len() * 2 >= 50, "with the other client's: fifty") };
    nothing_is_found(&HOMES, "2.1.332");
}

#[test]
fn the_same_homes_give_none_with_an_old_client() {
    nothing_is_found(&HOMES, "2.1.100");
}

#[test]
fn odd_names_of_homes_are_no_finding() {
    for name in [
        "with space",
        "한글",
        "o'neil",
        "a&b (c)",
        "v1.2.3",
        "tmp",
        "-dash",
        "$HOME",
        "a;b",
        "100%",
        "né",
        "target",
    ] {
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
