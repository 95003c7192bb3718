//! `harness hook`, as Claude Code starts it.

use serde_json::{Value, json};
use std::path::{Path, PathBuf};

mod change;
mod protocol;
mod surroundings;

use crate::support::{Ran, Run, Sandbox, binary, pre_tool_use};

const SESSION: &str = "4f6a1c52-0f0e-4c11-9a53-7f1f5f3c9b10";
const GATES: &[&str] = &["PreToolUse", "ConfigChange"];
const SOFT: &[&str] = &[
    "PostToolUse",
    "PostToolUseFailure",
    "SessionStart",
    "UserPromptSubmit",
    "SubagentStart",
    "SessionEnd",
];

/// A world with one harness home.
struct World {
    sandbox: Sandbox,
}

impl World {
    fn new() -> Self {
        Self { sandbox: Sandbox::new() }
    }

    fn root(&self) -> PathBuf {
        self.sandbox.root().join("h")
    }

    fn hook(&self, event: &str, more: &[&str]) -> Run<'_> {
        let root = self.root();
        let mut args = vec!["hook", "claude-code", event, "--home", root.to_str().expect("text")];
        args.extend(more);
        self.sandbox.run(args).env("CLAUDE_PROJECT_DIR", self.sandbox.project())
    }

    fn bash(&self, command: &str) -> String {
        pre_tool_use(&self.sandbox.project(), "Bash", &json!({ "command": command }))
    }

    fn payload(&self, event: &str, more: Value) -> String {
        let mut all = json!({
            "session_id": SESSION,
            "cwd": self.sandbox.project(),
            "hook_event_name": event,
        });
        let members = all.as_object_mut().expect("an object");
        members.extend(more.as_object().expect("an object").clone());
        all.to_string()
    }

    fn after(&self, event: &str, tool: &str, input: Value) -> String {
        let call: Value = serde_json::from_str(&self.bash("x")).expect("json");
        let id = &call["tool_use_id"];
        self.payload(
            event,
            json!({"tool_name": tool, "tool_input": input, "tool_use_id": id, "tool_response": {}}),
        )
    }

    fn journal(&self) -> Vec<Value> {
        let text = self.sandbox.read("h/state/journal/audit.jsonl");
        text.lines().map(|line| serde_json::from_str(line).expect("a record")).collect()
    }

    fn log(&self, args: &[&str]) -> Ran {
        let mut all = vec!["log"];
        all.extend(args);
        self.sandbox.run(all).env("HARNESS_HOME", self.root()).go()
    }

    /// Settings with entries of ours, and the manifest that says so.
    fn install(&self) -> PathBuf {
        let settings =
            self.sandbox.write("home/.claude/settings.json", self.settings("").to_string());
        let entry = json!({
            "host": "claude-code", "scope": "user", "file": settings, "client": "2.1.332",
            "event": "PreToolUse", "matcher": "*", "command": "/opt/h/harness",
            "args": ["hook", "claude-code", "PreToolUse"], "timeout": 30, "on_failure": "block",
        });
        let manifest = json!({"schema": 1, "entries": [entry]}).to_string();
        self.sandbox.write("h/state/manifest.json", manifest);
        self.sandbox.write("h/state/owner", "abc123\n");
        settings
    }

    fn settings(&self, weaker: &str) -> Value {
        let mut hook = json!({
            "type": "command", "command": "/opt/h/harness",
            "args": ["hook", "claude-code", "PreToolUse"], "timeout": 30, "onFailure": "block",
        });
        match weaker {
            "" => {}
            "async" => hook["async"] = true.into(),
            "timeout" => hook["timeout"] = 1.into(),
            other => panic!("{other}"),
        }
        json!({"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [hook]}]}})
    }

    fn change(&self, file: &Path) -> Run<'_> {
        let payload =
            self.payload("ConfigChange", json!({"source": "user_settings", "file_path": file}));
        self.hook("ConfigChange", &["--owner", "abc123"]).stdin(payload)
    }
}

fn silent(ran: &Ran) {
    assert_eq!((ran.status.code(), ran.stdout.as_str(), ran.stderr.as_str()), (Some(0), "", ""));
}

/// The reason of a veto or of an answer to an event nobody could name.
fn blocked(ran: &Ran) -> String {
    let answer = ran.json();
    assert_eq!((ran.status.code(), answer["decision"].as_str()), (Some(2), Some("block")));
    let reason = answer["reason"].as_str().expect("a reason").to_owned();
    assert_eq!(ran.stderr, format!("{reason}\n"));
    reason
}

/// A denial on whichever gate it is; on every other event silence.
fn fails_closed(event: &str, ran: &Ran) {
    match event {
        "PreToolUse" => {
            let reason = ran.denied().unwrap_or_else(|| panic!("{ran:?}"));
            assert_eq!(ran.stderr, format!("{reason}\n"));
        }
        "ConfigChange" => assert!(!blocked(ran).is_empty()),
        _ => silent(ran),
    }
}

#[test]
fn a_harmless_call_is_met_with_silence() {
    let world = World::new();
    silent(&world.hook("PreToolUse", &[]).stdin(world.bash("ls")).go());
}

#[test]
fn bad_payloads_deny_on_gates_and_are_silent_elsewhere() {
    let world = World::new();
    let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    for event in GATES.iter().chain(SOFT) {
        let named = format!("\"hook_event_name\":\"{event}\"");
        let half = world.payload(event, json!({"tool_name": "Bash"}));
        let half = half.get(..half.len() - 3).expect("ascii").to_owned();
        let payloads = [
            String::new(),
            "\n".to_owned(),
            "rm -rf /".to_owned(),
            "null".to_owned(),
            "[]".to_owned(),
            "{}".to_owned(),
            half,
            format!("{{{named},\"x\":{deep}}}"),
            format!("{{{named},\"session_id\":7,\"cwd\":\"/\"}}"),
            format!("{{{named},\"cwd\":\"/\"}}"),
            format!("{{{named},\"session_id\":\"s\"}}"),
        ];
        for payload in payloads {
            fails_closed(event, &world.hook(event, &[]).stdin(&payload).go());
        }
    }
}

#[test]
fn a_call_that_no_rule_can_read_is_denied() {
    let world = World::new();
    let project = world.sandbox.project();
    let run = |tool: &str, input: &Value| {
        world.hook("PreToolUse", &[]).stdin(pre_tool_use(&project, tool, input)).go()
    };
    for (tool, input, key) in [
        ("Bash", json!({}), "command"),
        ("Bash", json!({"command": 7}), "command"),
        ("Bash", json!({"command": null, "description": "ls"}), "command"),
        ("PowerShell", json!({"command": {}}), "command"),
        ("Write", json!({"content": "x"}), "file_path"),
        ("Edit", json!({"file_path": ["a", 1]}), "file_path"),
        ("Read", json!({"file_path": true}), "file_path"),
        ("NotebookEdit", json!({"new_source": "x"}), "notebook_path"),
    ] {
        let ran = run(tool, &input);
        let reason = ran.denied().unwrap_or_else(|| panic!("{tool} {input}: {ran:?}"));
        assert!(
            reason.contains(&format!("`{key}`")) && reason.contains("harness/input"),
            "{reason}"
        );
    }
    let file = project.join("a");
    silent(&run("Bash", &json!({"command": "ls", "new": [{}], "timeout": "soon"})));
    silent(&run("Read", &json!({"file_path": file, "new": {"path": 7}})));
}

#[test]
fn an_enormous_payload_is_refused() {
    let world = World::new();
    let payload = world.bash(&"x".repeat(65 << 20));
    let reason = world.hook("PreToolUse", &[]).stdin(payload).go().denied();
    assert!(reason.is_some_and(|reason| reason.contains("larger than 64 MiB")));
}

#[test]
fn a_repeated_key_is_refused_on_a_gate_only() {
    let world = World::new();
    let twice = |payload: &str| payload.replace("\"command\":", "\"command\":\"rm\",\"command\":");
    let ran = world.hook("PreToolUse", &[]).stdin(twice(&world.bash("ls"))).go();
    assert!(ran.denied().is_some_and(|reason| reason.contains("repeats a key")), "{ran:?}");
    let after = world.after("PostToolUse", "Bash", json!({"command": "ls"}));
    silent(&world.hook("PostToolUse", &[]).stdin(twice(&after)).go());
}

#[test]
fn odd_bytes_are_no_failure() {
    let world = World::new();
    let mark = [&b"\xEF\xBB\xBF"[..], world.bash("ls").as_bytes(), b"\r\n"].concat();
    let surrogate = world.bash("echo @").replace('@', "\\ud83d").into_bytes();
    let mut invalid = world.bash("echo @").into_bytes();
    let at = invalid.iter().position(|b| *b == b'@').expect("there");
    invalid[at] = 0xFF;
    for payload in [mark, surrogate, invalid] {
        silent(&world.hook("PreToolUse", &[]).stdin(payload).go());
    }
    let last = world.journal().pop().expect("a record");
    assert_eq!(last["invalid_utf8"], json!(true));
}

#[test]
fn the_answer_does_not_wait_for_the_end_of_input() {
    let world = World::new();
    silent(&world.hook("PreToolUse", &[]).stdin(world.bash("ls")).hold_stdin().go());
}

#[test]
fn of_two_event_names_the_stricter_is_answered() {
    let world = World::new();
    let ran = world.hook("PostToolUse", &[]).stdin(world.bash("ls")).go();
    assert!(ran.denied().is_some_and(|reason| reason.contains("registered for `PostToolUse`")));
    let after = world.after("PostToolUse", "Bash", json!({}));
    blocked(&world.hook("PreToolUse", &[]).stdin(after).go());
    silent(
        &world.hook("SessionStart", &[]).stdin(world.after("PostToolUse", "Bash", json!({}))).go(),
    );
}

#[test]
fn a_wrong_registration_denies_on_what_may_be_a_gate() {
    let sandbox = Sandbox::new();
    let go = |line: &str| sandbox.run(line.split(' ').filter(|w| !w.is_empty())).stdin("{}").go();
    for line in ["hook", "hook claude-code", "hook claude-code NewEvent", "hook nobody Strange"] {
        assert!(blocked(&go(line)).contains("registered wrongly"), "{line}");
    }
    for line in [
        "hook nobody PreToolUse",
        "hook claude-code PreToolUse --home rel",
        "hook claude-code PreToolUse --home",
        "hook claude-code PreToolUse --what ever",
        "hook claude-code PreToolUse --client latest",
    ] {
        assert!(go(line).denied().is_some_and(|r| r.contains("registered wrongly")), "{line}");
    }
    for line in ["hook claude-code Stop", "hook claude-code PostToolUse --what ever"] {
        silent(&go(line));
    }
}

#[test]
fn without_arguments_it_refuses_and_runs_nothing() {
    let sandbox = Sandbox::new();
    let touched = sandbox.root().join("touched");
    let ran = sandbox.run([""; 0]).stdin(format!("touch '{}'\n", touched.display())).code(2);
    assert_eq!(ran.stdout, "");
    assert!(ran.stderr.contains("started without a command"));
    assert!(!touched.exists());
}

#[test]
fn an_unknown_tool_needs_a_person() {
    let world = World::new();
    let payload = pre_tool_use(&world.sandbox.project(), "Frobnicate", &json!({}));
    let ask = |client: &[&str], entrypoint: &str, payload: &str| {
        world
            .hook("PreToolUse", client)
            .env("CLAUDE_CODE_ENTRYPOINT", entrypoint)
            .stdin(payload)
            .go()
    };
    let new = ["--client", "2.1.332"];
    let asked = ask(&new, "cli", &payload);
    assert_eq!(asked.json()["hookSpecificOutput"]["permissionDecision"], "ask");
    assert_eq!((asked.status.code(), asked.stderr.as_str()), (Some(0), ""));
    let unmeasured = payload.replace("\"default\"", "\"someNewMode\"");
    for mode in ["acceptEdits", "plan", "bypassPermissions", "auto", "dontAsk"] {
        let payload = payload.replace("\"default\"", &format!("\"{mode}\""));
        let asked = ask(&new, "cli", &payload).json();
        assert_eq!(asked["hookSpecificOutput"]["permissionDecision"], "ask", "{mode}");
        assert!(ask(&new, "sdk-cli", &payload).denied().is_some(), "{mode}");
    }
    let agent = payload.replacen('{', "{\"agent_id\":\"a\",", 1);
    let mut reasons = vec![
        ask(&new, "sdk-cli", &payload).denied().expect("denied"),
        ask(&[], "cli", &payload).denied().expect("denied"),
        ask(&new, "cli", &agent).denied().expect("denied"),
    ];
    assert_eq!(ask(&new, "cli", &unmeasured).denied().as_ref(), reasons.first());
    assert!(
        reasons.iter().all(|r| r.contains("`Frobnicate`") && r.contains("harness/unknown-tool"))
    );
    world.sandbox.write(session_log(), "{\"type\":\"approval/policy\",\"policy\":\"never\"}\n");
    reasons.push(ask(&new, "cli", &payload).denied().expect("denied"));
    reasons.sort_unstable();
    reasons.dedup();
    assert_eq!(reasons.len(), 4, "{reasons:#?}");
}

fn session_log() -> String {
    let hash = blake3::hash(SESSION.as_bytes()).to_hex();
    format!("h/state/sessions/{}.jsonl", hash.get(..32).expect("long enough"))
}

#[test]
fn an_owner_is_current_retired_or_denied() {
    let world = World::new();
    let go = |event: &str, owner: &str| {
        let payload = match event {
            "PreToolUse" => pre_tool_use(&world.sandbox.project(), "Frobnicate", &json!({})),
            _ => world.payload(event, json!({"source": "startup"})),
        };
        world.hook(event, &["--owner", owner]).stdin(payload).go()
    };
    assert!(go("PreToolUse", "abc").denied().is_some_and(|r| r.contains("harness/owner")));
    world.sandbox.write("h/state/owner", "abc\n");
    world.sandbox.write("h/state/retired", "old\nolder\n");
    assert!(go("PreToolUse", "abc").denied().is_some_and(|r| r.contains("unknown-tool")));
    silent(&go("PreToolUse", "older"));
    silent(&go("ConfigChange", "old"));
    silent(&go("SessionStart", "old"));
    assert!(go("PreToolUse", "ab").denied().is_some_and(|r| r.contains("harness/owner")));
    blocked(&go("ConfigChange", "ab"));
    silent(&go("SessionStart", "ab"));
}

#[test]
fn a_session_begins_with_its_status_and_a_pinned_workspace() {
    let world = World::new();
    let start = |source: &str, cwd: &str, host: &str| {
        let payload = world.payload("SessionStart", json!({"source": source, "cwd": cwd}));
        world.hook("SessionStart", &[]).env("CLAUDE_PROJECT_DIR", host).stdin(payload).ok()
    };
    let first = world.sandbox.project();
    let first = first.to_str().expect("text");
    let answer = start("startup", first, "/").json();
    let context = answer["hookSpecificOutput"]["additionalContext"].as_str().expect("context");
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(
        context,
        format!("harness {version}: gate active, sandbox off, approval ask, session {SESSION}")
    );
    let log = world.sandbox.read(session_log());
    let types: Vec<String> = log
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("a record")["type"].to_string())
        .collect();
    let want = ["session/start", "permission/preset", "sandbox/mode", "approval/policy"];
    assert_eq!(types, want.map(|kind| format!("\"{kind}\"")));
    start("resume", "/elsewhere", "/elsewhere");
    assert_eq!(log, world.sandbox.read(session_log()));
    assert!(log.contains(&format!("\"workspace\":\"{first}\"")), "{log}");
}

#[test]
fn a_root_or_a_home_is_no_workspace() {
    for folder in ["/", "/home/../", "/root"] {
        let world = World::new();
        let payload = world.payload("SessionStart", json!({"source": "startup", "cwd": folder}));
        world.hook("SessionStart", &[]).env("HOME", "/root").stdin(payload).ok();
        assert!(world.sandbox.read(session_log()).contains("\"workspace\":\"\""), "{folder}");
    }
}

#[test]
fn a_session_whose_log_is_gone_is_held_to_the_strictest() {
    let world = World::new();
    let start = world.payload("SessionStart", json!({"source": "startup"}));
    world.hook("SessionStart", &[]).stdin(&start).ok();
    std::fs::remove_file(world.sandbox.root().join(session_log())).expect("there");
    let status = world.hook("SessionStart", &[]).stdin(&start).ok();
    assert!(status.stdout.contains("approval never"), "{}", status.stdout);
    // An alarm must not leave a log that says less than the one that is gone.
    let after = world.after("PostToolUse", "Frobnicate", json!({}));
    blocked(&world.hook("PostToolUse", &[]).stdin(after).go());
    assert!(!world.sandbox.root().join(session_log()).exists());
    let other = start.replace(SESSION, "another-session");
    assert!(world.hook("SessionStart", &[]).stdin(other).ok().stdout.contains("approval ask"));
}

#[test]
fn the_environment_decides_nothing() {
    let world = World::new();
    let evil = world.sandbox.root().join("evil");
    let payload = pre_tool_use(&world.sandbox.project(), "Frobnicate", &json!({}));
    let run = world.hook("PreToolUse", &[]).stdin(payload);
    let ran = run
        .env("HARNESS_HOME", &evil)
        .env("XDG_STATE_HOME", &evil)
        .env("TMPDIR", "/")
        .env("PATH", &evil)
        .env("HARNESS_FAULT", "")
        .go();
    assert!(ran.denied().is_some());
    assert!(!evil.exists());
    // The call, the question that nobody could be asked, and its end.
    assert_eq!(world.journal().len(), 3);
}

#[test]
fn what_runs_must_be_what_was_decided() {
    let world = World::new();
    let post = |tool: &str, command: &str| {
        let payload = world.after("PostToolUse", tool, json!({"command": command}));
        world.hook("PostToolUse", &["--client", "2.1.332"]).stdin(payload).go()
    };
    silent(&world.hook("PreToolUse", &[]).stdin(world.bash("ls")).go());
    silent(&post("Bash", "ls"));
    assert_eq!(world.journal().pop().expect("a record")["sealed"], "kept");
    silent(&post("Bash", "ls -l"));
    assert_eq!(world.journal().pop().expect("a record")["sealed"], "broken");
    let reason = blocked(&post("Frobnicate", "ls"));
    assert!(reason.contains("rewrote this call") && reason.contains("harness/seal"), "{reason}");
    assert!(world.journal().pop().expect("a record")["alarm"].is_string());
    assert!(world.sandbox.read(session_log()).contains("alarm/tightened"));
}

#[test]
fn a_denied_call_that_ran_is_an_alarm() {
    let world = World::new();
    let payload = pre_tool_use(&world.sandbox.project(), "Frobnicate", &json!({}));
    assert!(world.hook("PreToolUse", &[]).stdin(payload).go().denied().is_some());
    for event in ["PostToolUse", "PostToolUseFailure"] {
        let after = world.after(event, "Frobnicate", json!({}));
        let reason = blocked(&world.hook(event, &[]).stdin(after).go());
        assert!(reason.contains("against harness's answer"), "{reason}");
    }
}

#[test]
fn a_state_folder_that_takes_no_writes_changes_no_verdict() {
    let sandbox = Sandbox::in_temp();
    let state = sandbox.root().join("h/state");
    std::fs::create_dir_all(&state).expect("made");
    let root = sandbox.root().join("h");
    let go = |event: &str, payload: String| {
        let args = ["hook", "claude-code", event, "--home", root.to_str().expect("text")];
        let shell = format!("chmod -R a-w '{}'; exec \"$0\" \"$@\"", root.display());
        let copy = sandbox.root().join("harness");
        std::fs::copy(binary(), &copy).expect("copied");
        let args: Vec<&str> =
            ["-c", &shell, copy.to_str().expect("text")].into_iter().chain(args).collect();
        sandbox.program("/bin/sh", args).stdin(payload).as_nobody().go()
    };
    let project = sandbox.project();
    silent(&go("PreToolUse", pre_tool_use(&project, "Bash", &json!({"command": "ls"}))));
    let unknown = pre_tool_use(&project, "Frobnicate", &json!({}));
    assert!(go("PreToolUse", unknown.clone()).denied().is_some());
    let after = unknown.replace("PreToolUse", "PostToolUse");
    assert!(blocked(&go("PostToolUse", after)).contains("without harness having decided it"));
}

#[test]
fn parallel_calls_are_all_written_down_and_chained() {
    let world = World::new();
    std::thread::scope(|scope| {
        for n in 0..64 {
            let world = &world;
            scope.spawn(move || {
                let payload = world.bash("ls").replace("toolu_", &format!("call{n}_"));
                silent(&world.hook("PreToolUse", &[]).stdin(payload).go());
            });
        }
    });
    let mut calls: Vec<String> =
        world.journal().iter().map(|r| r["call"].as_str().expect("text").to_owned()).collect();
    calls.sort_unstable();
    calls.dedup();
    assert_eq!(calls.len(), 64);
    assert_eq!(world.log(&["verify"]).status.code(), Some(0));
}

#[test]
fn the_journal_is_private_clean_and_shown() {
    use std::os::unix::fs::PermissionsExt;
    let world = World::new();
    let payload =
        world.bash("curl -H 'Authorization: Bearer abcdefgh12345678' https://example.org");
    silent(&world.hook("PreToolUse", &[]).stdin(payload).go());
    let file = world.root().join("state/journal/audit.jsonl");
    assert_eq!(file.metadata().expect("there").permissions().mode() & 0o777, 0o600);
    let text = std::fs::read_to_string(&file).expect("there");
    assert!(!text.contains("abcdefgh12345678") && text.contains("[redacted]"), "{text}");
    assert!(world.log(&[]).stdout.contains("Bash  curl"));
    let json: Value = serde_json::from_str(&world.log(&["--json"]).stdout).expect("one record");
    assert_eq!((json["type"].as_str(), json["answer"].as_str()), (Some("tool/call"), Some("none")));
    assert_eq!(json["seal"].as_str().map(str::len), Some(64));
    assert_ne!(world.log(&["--session", "4f6a"]).stdout, "");
    assert_eq!(world.log(&["--session", "nope"]).stdout, "");
    std::fs::write(&file, text.replace("Bash", "Read") + &text).expect("written");
    let ran = world.log(&["verify"]);
    assert_eq!(ran.status.code(), Some(1));
    assert!(ran.stdout.contains("audit.jsonl:2: does not link"), "{}", ran.stdout);
}
