//! The everyday homes again, each spoiled in one way that happens to people: that root cause,
//! and no other.

use super::World;
use serde_json::{Value, json};
use std::os::unix::fs::{PermissionsExt, symlink};

/// What a spoiled home holds: the settings, to be changed, and the world around them.
type Spoil = fn(&World, &mut Value);

fn command(line: &str) -> Value {
    json!({ "type": "command", "command": line })
}

/// A hook of the person's own beside ours.
fn add(settings: &mut Value, event: &str, group: Value) {
    let groups = &mut settings["hooks"][event];
    match groups.as_array_mut() {
        Some(groups) => groups.push(group),
        None => *groups = json!([group]),
    }
}

fn stop(settings: &mut Value, line: &str) {
    add(settings, "Stop", json!({ "hooks": [command(line)] }));
}

fn script(world: &World, name: &str, text: &str, mode: u32) {
    let file = world.sandbox.write(format!("home/.claude/hooks/{name}"), text);
    let mode = std::fs::Permissions::from_mode(mode);
    std::fs::set_permissions(file, mode).expect("it is ours");
}

const SPOILED: [(&str, &str, Spoil); 30] = [
    ("a tilde to nothing", "orphan-foreign", |_, s| stop(s, "~/.claude/hooks/gone.sh")),
    ("a variable to nothing", "orphan-foreign", |_, s| {
        stop(s, "\"$HOME/.claude/hooks/gone.sh\" --quiet")
    }),
    ("a braced variable to nothing", "orphan-foreign", |_, s| {
        stop(s, "${HOME}/.claude/hooks/gone.sh")
    }),
    ("a project's script that is gone", "scope-mismatch", |_, s| {
        stop(s, "\"$CLAUDE_PROJECT_DIR\"/.claude/hooks/gone.sh");
    }),
    ("an interpreter of a gone script", "orphan-foreign", |_, s| {
        stop(s, "sh ~/.claude/hooks/gone.sh")
    }),
    ("an interpreter that is not there", "orphan-foreign", |w, s| {
        script(w, "x.nosuch", "x", 0o644);
        stop(s, "nosuch-interpreter ~/.claude/hooks/x.nosuch");
    }),
    ("a script nobody may run", "orphan-foreign/not-executable", |w, s| {
        script(w, "x.sh", "#!/bin/sh\n", 0o644);
        stop(s, "~/.claude/hooks/x.sh");
    }),
    ("a first line that names nothing", "orphan-foreign/interpreter", |w, s| {
        script(w, "x.sh", "#!/opt/nosuch/python\n", 0o755);
        stop(s, "~/.claude/hooks/x.sh");
    }),
    ("a first line with another system's end", "orphan-foreign/shebang-crlf", |w, s| {
        script(w, "x.sh", "#!/bin/sh\r\nexit 0\r\n", 0o755);
        stop(s, "~/.claude/hooks/x.sh");
    }),
    ("a link that leads nowhere", "orphan-foreign/dangling", |w, s| {
        std::fs::create_dir_all(w.sandbox.home().join(".claude/hooks")).expect("made");
        let link = w.sandbox.home().join(".claude/hooks/x.sh");
        symlink("/nowhere/x.sh", link).expect("nothing is there");
        stop(s, "~/.claude/hooks/x.sh");
    }),
    ("a folder for a script", "orphan-foreign/directory", |w, s| {
        std::fs::create_dir_all(w.sandbox.home().join(".claude/hooks/x.sh")).expect("made");
        stop(s, "~/.claude/hooks/x.sh");
    }),
    ("a path with a blank, unquoted", "orphan-foreign", |w, s| {
        script(w, "my hook.sh", "#!/bin/sh\n", 0o755);
        let home = w.sandbox.home().display().to_string();
        stop(s, &format!("{home}/.claude/hooks/my hook.sh"));
    }),
    ("a quote that never ends", "orphan-foreign/line", |_, s| stop(s, "echo \"done")),
    ("a backtick that never ends", "orphan-foreign/line", |_, s| stop(s, "echo `date")),
    ("a number for a line", "schema-invalid/entry", |_, s| {
        add(s, "Stop", json!({ "hooks": [{ "type": "command", "command": 7 }] }));
    }),
    ("a hook of no kind", "schema-invalid/entry", |_, s| {
        add(s, "Stop", json!({ "hooks": [{ "command": "true" }] }))
    }),
    ("a hook of an unknown kind", "schema-invalid/entry", |_, s| {
        add(s, "Stop", json!({ "hooks": [{ "type": "shell", "command": "true" }] }));
    }),
    ("a group that holds the hook itself", "schema-invalid/entry", |_, s| {
        add(s, "Stop", command("true"))
    }),
    ("an event with a small letter", "event-unknown/misspelt", |_, s| {
        add(s, "preToolUse", json!({ "hooks": [command("true")] }));
    }),
    ("an event with a slip", "event-unknown/misspelt", |_, s| {
        add(s, "PostToolUsed", json!({ "hooks": [command("true")] }))
    }),
    ("a matcher that is no pattern", "matcher-dead/foreign", |_, s| {
        add(s, "PreToolUse", json!({ "matcher": "Bash(", "hooks": [command("cat >/dev/null")] }));
    }),
    ("a matcher of a small letter", "matcher-dead/foreign", |_, s| {
        add(s, "PreToolUse", json!({ "matcher": "bash", "hooks": [command("cat >/dev/null")] }));
    }),
    ("a matcher in the words of permissions", "matcher-dead/foreign", |_, s| {
        add(
            s,
            "PreToolUse",
            json!({ "matcher": "Bash(rm:*)", "hooks": [command("cat >/dev/null")] }),
        );
    }),
    ("a matcher that is a list", "schema-invalid", |_, s| {
        add(s, "PreToolUse", json!({ "matcher": ["Bash"], "hooks": [command("cat >/dev/null")] }));
    }),
    ("milliseconds for seconds", "timeout-unit", |_, s| {
        let hook = json!({ "type": "command", "command": "cat >/dev/null", "timeout": 60_000 });
        add(s, "PostToolUse", json!({ "hooks": [hook] }));
    }),
    ("a limit below nothing", "schema-invalid/entry", |_, s| {
        let hook = json!({ "type": "command", "command": "cat >/dev/null", "timeout": -1 });
        add(s, "PostToolUse", json!({ "hooks": [hook] }));
    }),
    ("a limit in words", "schema-invalid/entry", |_, s| {
        let hook = json!({ "type": "command", "command": "cat >/dev/null", "timeout": "60" });
        add(s, "PostToolUse", json!({ "hooks": [hook] }));
    }),
    ("hooks off in the local settings", "switched-off/local", |w, _| {
        w.sandbox.write("project/.claude/settings.local.json", "{\"disableAllHooks\":true}");
    }),
    ("hooks off in the person's settings", "switched-off/user", |_, s| {
        s["disableAllHooks"] = true.into()
    }),
    ("the gate's event is gone", "own-entry-lost/missing", |_, s| {
        s["hooks"].as_object_mut().expect("an object").remove("PreToolUse");
    }),
];

#[test]
fn each_is_found_and_nothing_else() {
    for (name, expected, spoil) in SPOILED {
        let world = World::healthy();
        let mut settings = world.settings();
        spoil(&world, &mut settings);
        world.write_settings(&settings);
        let report = world.doctor(&[]).json();
        let roots = super::found(&report);
        assert_eq!(roots, [expected], "{name}: {report:#}");
    }
}
