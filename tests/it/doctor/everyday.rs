//! Thirty more homes as people keep them: hooks in every way people write commands, and
//! places that are not where one expects them. Nothing to say about any.

use super::healthy::{Furnish, nothing_is_found, user};
use super::scopes::{machine, roots};
use crate::support::Sandbox;
use serde_json::json;
use std::os::unix::fs::symlink;

/// One hook of the person's own, written so.
fn line(sandbox: &Sandbox, event: &str, matcher: Option<&str>, command: &str) {
    let mut group = json!({ "hooks": [{ "type": "command", "command": command }] });
    if let Some(matcher) = matcher {
        group["matcher"] = matcher.into();
    }
    user(sandbox, &json!({ "hooks": { event: [group] } }));
}

const HOMES: [(&str, Furnish); 30] = [
    ("a schema", |s| {
        user(
            s,
            &json!({ "$schema": "https://json.schemastore.org/claude-code-settings.json", "model": "opus" }),
        );
    }),
    ("keys of taste", |s| {
        user(
            s,
            &json!({ "includeCoAuthoredBy": false, "outputStyle": "Explanatory", "language": "한국어", "theme": "dark" }),
        );
    }),
    ("keys that nobody knows yet", |s| user(s, &json!({ "somethingNew": { "deep": [1, null] } }))),
    ("a tilde", |s| {
        s.script("home/.claude/hooks/x.sh", "#!/bin/sh\n");
        line(s, "Stop", None, "~/.claude/hooks/x.sh");
    }),
    ("a home variable", |s| {
        s.script("home/.claude/hooks/x.sh", "#!/bin/sh\n");
        line(s, "Stop", None, "\"$HOME/.claude/hooks/x.sh\" --quiet");
    }),
    ("a braced variable", |s| {
        s.script("home/.claude/hooks/x.sh", "#!/bin/sh\n");
        line(s, "Stop", None, "\"${HOME}\"/.claude/hooks/x.sh");
    }),
    ("an interpreter and a script", |s| {
        s.write("home/.claude/hooks/x.sh", "exit 0\n");
        line(s, "Stop", None, "sh ~/.claude/hooks/x.sh");
    }),
    ("a script with blanks and Hangul in its name", |s| {
        s.script("home/.claude/hooks/내 훅 1.sh", "#!/bin/sh\n");
        line(s, "Stop", None, "\"$HOME/.claude/hooks/내 훅 1.sh\"");
    }),
    ("a link to a script", |s| {
        let real = s.script("dotfiles/hooks/x.sh", "#!/bin/sh\n");
        std::fs::create_dir_all(s.home().join(".claude/hooks")).expect("made");
        symlink(real, s.home().join(".claude/hooks/x.sh")).expect("nothing is there");
        line(s, "Stop", None, "~/.claude/hooks/x.sh");
    }),
    ("a line with a pipe", |s| {
        line(s, "PostToolUse", Some("Edit|Write"), "cat | tee -a /dev/null >/dev/null");
    }),
    ("a line that never fails", |s| {
        line(s, "PostToolUse", Some("Edit|Write|MultiEdit"), "cat >/dev/null; false || true");
    }),
    ("a line with a condition", |s| {
        line(s, "PostToolUse", Some("Write"), "if grep -q '\\.py\"' ; then true; else true; fi");
    }),
    ("a line with a variable before it", |s| line(s, "Stop", None, "LC_ALL=C cat >/dev/null")),
    ("a line of several lines", |s| line(s, "Stop", None, "cat >/dev/null\nexit 0\n")),
    ("an optional tool", |s| {
        line(
            s,
            "Notification",
            None,
            "command -v no-such-notifier >/dev/null && no-such-notifier done || true",
        );
    }),
    ("a gate of the person's own", |s| {
        s.script(
            "home/.claude/hooks/gate.sh",
            "#!/bin/sh\nif grep -q forbidden-zebra; then echo 'not that' >&2; exit 2; fi\n",
        );
        line(s, "PreToolUse", Some("Bash"), "~/.claude/hooks/gate.sh");
    }),
    ("context at the start", |s| line(s, "SessionStart", None, "cat >/dev/null; echo 'Be kind.'")),
    ("context with each prompt", |s| {
        line(s, "UserPromptSubmit", None, "cat >/dev/null; date +%F");
    }),
    ("matchers of every kind", |s| {
        let group = |m: &str| json!({ "matcher": m, "hooks": [{ "type": "command", "command": "cat >/dev/null" }] });
        let matchers = [
            "",
            "*",
            ".*",
            "Bash",
            "^Bash$",
            "mcp__.*",
            "mcp__memory__.*",
            "Notebook.*",
            "Edit|Write",
        ];
        user(s, &json!({ "hooks": { "PostToolUse": matchers.map(group) } }));
    }),
    ("several hooks in one group", |s| {
        let hook = json!({ "type": "command", "command": "cat >/dev/null" });
        let slow = json!({ "type": "command", "command": "cat >/dev/null; sleep 0", "timeout": 1 });
        user(s, &json!({ "hooks": { "PostToolUse": [{ "hooks": [hook, slow] }] } }));
    }),
    ("empty lists of hooks", |s| {
        user(
            s,
            &json!({ "hooks": { "Stop": [], "PreToolUse": [{ "matcher": "Bash", "hooks": [] }] } }),
        );
    }),
    ("hooks in the local settings", |s| {
        let group = json!([{ "hooks": [{ "type": "command", "command": "cat >/dev/null" }] }]);
        s.write(
            "project/.claude/settings.local.json",
            json!({ "hooks": { "Stop": group } }).to_string(),
        );
    }),
    ("hooks off is said to be no", |s| user(s, &json!({ "disableAllHooks": false }))),
    ("servers of the project", |s| {
        s.write("project/.mcp.json", "{\"mcpServers\":{\"x\":{\"command\":\"true\"}}}");
        s.write("project/CLAUDE.md", "# x\n");
    }),
    ("two thousand permissions", |s| {
        let allow: Vec<String> = (0..2_000).map(|n| format!("Bash(tool-{n}:*)")).collect();
        user(s, &json!({ "permissions": { "allow": allow } }));
    }),
    ("copies beside the settings", |s| {
        s.write("home/.claude/settings.json.bak", "{ broken");
        s.write("home/.claude/settings (1).json", "{ broken");
        s.write("home/.claude/.settings.json.swp", [0xff_u8, 0, 1]);
    }),
    ("names that are no text", |s| {
        use std::os::unix::ffi::OsStrExt;
        let name = std::ffi::OsStr::from_bytes(b"\xff\xfe.md");
        std::fs::create_dir_all(s.home().join(".claude/commands")).expect("made");
        std::fs::write(s.home().join(".claude/commands").join(name), "x").expect("written");
    }),
    ("a project by a link", |s| {
        symlink(s.root().join("project"), s.root().join("to-project")).expect("nothing is there");
    }),
    ("a project within a project", |s| {
        std::fs::create_dir_all(s.root().join("project/.git")).expect("made");
        std::fs::create_dir_all(s.root().join("project/sub/.git")).expect("made");
    }),
    ("settings of a project by a link", |s| {
        let real = s.write("team/settings.json", "{\"permissions\":{\"allow\":[\"Bash(ls)\"]}}");
        std::fs::create_dir_all(s.root().join("project/.claude")).expect("made");
        symlink(real, s.root().join("project/.claude/settings.json")).expect("nothing is there");
    }),
];

#[test]
fn thirty_everyday_homes_give_no_finding() {
    nothing_is_found(&HOMES, "2.1.332");
}

#[test]
fn nor_with_an_old_client() {
    nothing_is_found(&HOMES, "2.1.100");
}

#[test]
fn nor_where_the_places_are_moved() {
    for client in ["2.1.332", "2.1.100"] {
        for (variable, folder) in [
            ("CLAUDE_CONFIG_DIR", "odd place/클로드"),
            ("XDG_CONFIG_HOME", "odd place/config"),
            ("XDG_STATE_HOME", "odd place/state"),
            ("HARNESS_HOME", "odd place/하네스"),
        ] {
            let sandbox = machine(client);
            let folder = sandbox.root().join(folder);
            std::fs::create_dir_all(&folder).expect("made");
            sandbox.run(["install", "--yes"]).env(variable, &folder).ok();
            let report = sandbox.run(["doctor", "--json"]).env(variable, &folder).ok().json();
            assert_eq!(roots(&report), [""; 0], "{client}, {variable}: {report:#}");
        }
    }
}

#[test]
fn nor_in_a_home_by_a_link() {
    for client in ["2.1.332", "2.1.100"] {
        let sandbox = machine(client);
        let home = sandbox.root().join("by-link");
        symlink(sandbox.home(), &home).expect("nothing is there");
        sandbox.run(["install", "--yes"]).env("HOME", &home).ok();
        let report = sandbox.run(["doctor", "--json"]).env("HOME", &home).ok().json();
        assert_eq!(roots(&report), [""; 0], "{client}: {report:#}");
    }
}
