//! Out of every older state, one install makes one entry an event, and one uninstall
//! leaves what was there without us, to the byte.

use super::{ALWAYS, commands, install, parsed, settings, uninstall, world};
use crate::support::{Sandbox, binary};
use serde_json::{Value, json};

/// A group of somebody else's, in a form no tool would write.
const FIRST: &str =
    r#"{"hooks" : [ {"type":"command","command":"harness-foo hook claude-code PreToolUse"} ]}"#;
/// Another.
const LAST: &str = "{ \"matcher\": \"Edit\",\n        \"hooks\": [{\"command\": \"mine \\u00e9\", \"type\": \"command\"} ] }";

/// Settings with these groups under `PreToolUse`.
fn with(groups: &[&str]) -> String {
    let groups = groups.join(",\n      ");
    format!(
        "{{\n  \"model\": \"m\",\n  \"hooks\": {{\n    \"PreToolUse\": [\n      {groups}\n    ]\n  }}\n}}\n"
    )
}

fn shell(line: &str) -> String {
    json!({"hooks": [{"type": "command", "command": line}]}).to_string()
}

fn group(matcher: &str, hook: &Value) -> String {
    json!({"matcher": matcher, "hooks": [hook]}).to_string()
}

fn exec(program: &str, args: &[&str]) -> String {
    group("*", &json!({"type": "command", "command": program, "args": args, "timeout": 9}))
}

/// States of which no memory is left: groups of ours, in any of their forms.
fn forgotten() -> Vec<(&'static str, Vec<String>)> {
    let owned = "--owner 0123456789abcdef0123456789abcdef";
    let gate = ["hook", "claude-code", "PreToolUse"];
    let line = |program: &str| shell(&format!("{program} hook claude-code PreToolUse"));
    let plain = || json!({"type": "command", "command": "harness hook claude-code PreToolUse"});
    vec![
        ("a plain line", vec![line("harness")]),
        ("an absolute path", vec![line("/old/bin/harness")]),
        ("a quoted path", vec![line("'/old bin/harness'")]),
        ("a path in double quotes", vec![line("\"/old bin/harness\"")]),
        ("a path below ~", vec![line("~/.local/bin/harness")]),
        ("a path below $HOME", vec![line("\"$HOME/.local/bin/harness\"")]),
        ("a path below ${HOME}", vec![line("${HOME}/.cargo/bin/harness")]),
        ("a path in the project", vec![line("\"$CLAUDE_PROJECT_DIR\"/bin/harness")]),
        (
            "an owner and nothing else",
            vec![shell(&format!("/x/harness hook claude-code PreToolUse {owned}"))],
        ),
        (
            "arguments of another version",
            vec![shell("harness hook claude-code PreToolUse --fast --color=no")],
        ),
        ("arguments without a host", vec![shell("harness hook PreToolUse")]),
        ("exec form", vec![exec("/old/bin/harness", &gate)]),
        ("exec form of a moved program", vec![exec("/opt/harness/2.0/bin/harness", &gate)]),
        (
            "exec form through nice",
            vec![exec("nice", &["-n", "5", "harness", gate[0], gate[1], gate[2]])],
        ),
        ("a variable in front", vec![line("FOO=1 harness")]),
        ("env in front", vec![line("env -u FOO BAR=2 /x/harness")]),
        ("nice and timeout in front", vec![line("nice -n 10 timeout -k 1 5 ~/bin/harness")]),
        ("a shell of its own", vec![shell("bash -c 'exec harness hook claude-code PreToolUse'")]),
        (
            "a log of its own",
            vec![shell("harness hook claude-code PreToolUse 2>>/tmp/harness.log")],
        ),
        ("an open end", vec![shell("harness hook claude-code PreToolUse || true")]),
        (
            "a test in front",
            vec![shell("[ -x ~/bin/harness ] && ~/bin/harness hook claude-code PreToolUse")],
        ),
        ("an empty matcher", vec![group("", &plain())]),
        (
            "three matchers",
            vec![group("Bash", &plain()), group("Edit|Write", &plain()), group("*", &plain())],
        ),
        ("eight copies", vec![line("harness"); 8]),
        (
            "keys by hand",
            vec![group(
                "*",
                &json!({"type": "command", "async": true, "note": "mine",
            "timeout": 1, "command": "harness hook claude-code PreToolUse", "statusMessage": "x"}),
            )],
        ),
        (
            "every form at once",
            vec![
                line("harness"),
                exec("/x/harness", &gate),
                line("FOO=1 '/x y/harness'"),
                group("Bash", &plain()),
            ],
        ),
    ]
}

/// An edit of a settings text.
type Edit = fn(&str) -> String;

/// What a person, or a tool, did to settings that the manifest remembers.
fn edited() -> Vec<(&'static str, Edit)> {
    vec![
        ("another time limit", |t| t.replacen("\"timeout\": 30", "\"timeout\": 60", 1)),
        ("a key of their own", |t| t.replacen("\"timeout\"", "\"note\": \"mine\", \"timeout\"", 1)),
        ("a wider opening", |t| {
            t.replacen("\"onFailure\": \"block\"", "\"onFailure\": \"continue\"", 1)
        }),
        ("a closing taken off", |t| t.replacen(",\n            \"onFailure\": \"block\"", "", 1)),
        ("a narrower matcher", |t| t.replacen("\"matcher\": \"*\"", "\"matcher\": \"Bash\"", 1)),
        ("an argument more", |t| {
            t.replacen("\"PreToolUse\", \"--owner\"", "\"PreToolUse\", \"-x\", \"--owner\"", 1)
        }),
        ("the program elsewhere", |t| t.replace("/.local/bin/harness", "/bin/harness")),
        ("half of it gone", |t| {
            let mut all: Value = serde_json::from_str(t).expect("JSON");
            for event in ["PostToolUse", "ConfigChange", "SessionEnd"] {
                all["hooks"].as_object_mut().expect("an object").remove(event);
            }
            format!("{all:#}")
        }),
        ("a copy in its group", |t| {
            let from = t.find("          {\n            \"type\": \"command\"").expect("ours");
            let end = "\n          }";
            let to = from + t[from..].find(end).expect("its end") + end.len();
            format!("{},\n{}", &t[..to], &t[from..])
        }),
    ]
}

/// One entry an event in the form of now; as many hooks beside it as `foreign`.
fn assert_migrated(sandbox: &Sandbox, name: &str, foreign: usize) {
    let all = parsed(sandbox);
    let program = sandbox.home().join(".local/bin/harness");
    for event in ALWAYS {
        let every = commands(&all, event);
        let now = |c: &&String| c.starts_with(program.to_str().expect("UTF-8"));
        assert_eq!(every.iter().filter(now).count(), 1, "{name}: {event}: {every:?}");
        let others = if event == "PreToolUse" { foreign } else { 0 };
        assert_eq!(every.len(), others + 1, "{name}: {event}: {every:?}");
    }
    let again = sandbox.run(["install", "--dry-run"]).go();
    assert_eq!(again.status.code(), Some(0), "{name}: {again:?}");
}

#[test]
fn every_older_state_becomes_one_entry_an_event_and_goes_without_a_trace() {
    let sandbox = world("2.1.332");
    let file = sandbox.user_settings();
    let states = forgotten();
    assert!(states.len() + edited().len() >= 30);
    for (name, ours) in states {
        let mut groups: Vec<&str> = ours.iter().map(String::as_str).collect();
        groups.insert(0, FIRST);
        groups.push(LAST);
        sandbox.write(&file, with(&groups));
        install(&sandbox);
        assert_migrated(&sandbox, name, 2);
        let text = sandbox.read(&file);
        assert!(text.contains(FIRST) && text.contains(LAST), "{name}: {text}");
        uninstall(&sandbox);
        assert_eq!(sandbox.read(&file), with(&[FIRST, LAST]), "{name}");
    }
    // The pretty form of what install writes is what the edits look for.
    let before = with(&[FIRST, LAST]);
    for (name, edit) in edited() {
        sandbox.write(&file, &before);
        install(&sandbox);
        let text = sandbox.read(&file);
        let edit = edit(&text);
        assert_ne!(edit, text, "{name}: the edit found nothing");
        sandbox.write(&file, edit);
        install(&sandbox);
        assert_migrated(&sandbox, name, 2);
        uninstall(&sandbox);
        let same = |text: &str| serde_json::from_str::<Value>(text).expect("JSON");
        let left = sandbox.read(&file);
        if name == "half of it gone" {
            // That tool wrote the file anew: what it wrote stays, without us.
            assert_eq!(same(&left), same(&before), "{name}");
        } else {
            assert_eq!(left, before, "{name}");
        }
    }
}

#[test]
fn a_foreign_hook_in_our_group_stays_where_it_is() {
    let sandbox = world("2.1.332");
    let mine = r#"{"type":"command" ,"command":"mine"}"#;
    let old = r#"{"type": "command", "command": "nice harness hook claude-code PreToolUse"}"#;
    let group =
        |hooks: &[&str]| format!("{{ \"matcher\": \"Bash\", \"hooks\": [{}] }}", hooks.join(", "));
    for hooks in [[mine, old, mine], [old, mine, mine], [mine, mine, old]] {
        sandbox.write(sandbox.user_settings(), with(&[&group(&hooks)]));
        install(&sandbox);
        assert_migrated(&sandbox, "in a group", 2);
        uninstall(&sandbox);
        assert_eq!(sandbox.read(sandbox.user_settings()), with(&[&group(&[mine, mine])]));
    }
}

#[test]
fn a_renamed_program_is_remembered_however_its_line_was_edited() {
    let sandbox = world("2.1.100");
    let before = with(&[FIRST]);
    sandbox.write(sandbox.user_settings(), &before);
    let renamed = sandbox.home().join("tools/guard");
    std::fs::create_dir_all(renamed.parent().expect("a folder")).expect("made");
    std::fs::copy(binary(), &renamed).expect("copied");
    sandbox.program(&renamed, ["install", "--yes"]).ok();
    let text = sandbox.read(sandbox.user_settings());
    let path = renamed.to_str().expect("UTF-8");
    assert!(text.contains(path), "{text}");
    sandbox.write(sandbox.user_settings(), text.replace(path, &format!("FOO=1 nice {path}")));
    std::fs::remove_file(&renamed).expect("ours");
    install(&sandbox);
    assert_migrated(&sandbox, "renamed", 1);
    uninstall(&sandbox);
    assert_eq!(sandbox.read(sandbox.user_settings()), before);
}

#[test]
fn an_older_form_in_another_scope_of_the_persons_is_brought_along() {
    let sandbox = world("2.1.332");
    let local = sandbox.write(
        "project/.claude/settings.local.json",
        with(&[FIRST, &shell("/old/harness hook claude-code PreToolUse")]),
    );
    sandbox.write(
        sandbox.user_settings(),
        with(&[&shell("~/bin/harness hook claude-code PreToolUse"), LAST]),
    );
    let ran = sandbox.run(["install", "--dry-run"]).code(1);
    let diffs = ran.stdout.matches("+++ ").count();
    assert_eq!(diffs, 2, "{}", ran.stdout);
    install(&sandbox);
    let user = parsed(&sandbox);
    let there: Value = serde_json::from_str(&sandbox.read(&local)).expect("JSON");
    for event in ALWAYS {
        let ours = |all: &Value| {
            let mut all = commands(all, event);
            all.retain(|c| c.contains("/.local/bin/harness "));
            all
        };
        // The client starts the same command in two scopes once.
        assert_eq!((ours(&user).len(), ours(&user)), (1, ours(&there)), "{event}");
        let others = usize::from(event == "PreToolUse");
        assert_eq!(
            (commands(&user, event).len(), commands(&there, event).len()),
            (others + 1, others + 1)
        );
    }
    uninstall(&sandbox);
    assert_eq!(settings(&sandbox), with(&[LAST]).as_bytes());
    assert_eq!(sandbox.read(&local), with(&[FIRST]));
    // Twice wanted is twice kept: what is right there is not touched.
    sandbox.run(["install", "--yes", "--scope", "local"]).ok();
    let ran = sandbox.run(["install", "--yes"]).ok();
    assert_eq!(ran.stdout.matches("hooks are in").count(), 1, "{}", ran.stdout);
}

#[test]
fn a_line_that_starts_more_than_our_hook_is_left_and_said() {
    let sandbox = world("2.1.332");
    let mixed = shell("harness hook claude-code PreToolUse | tee -a ~/calls.log");
    let before = with(&[&mixed]);
    sandbox.write(sandbox.user_settings(), &before);
    for command in ["install", "uninstall"] {
        let ran = sandbox.run([command, "--yes"]).ok();
        assert!(
            ran.stderr.contains("settings.json:5: this hook starts harness among other"),
            "{ran:?}"
        );
    }
    assert_eq!(settings(&sandbox), before.as_bytes());
}
