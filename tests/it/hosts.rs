//! `harness hook`, as hosts other than Claude Code start it: payloads in the shape that each
//! was seen to send.

use serde_json::{Value, json};

use crate::support::{Ran, Sandbox};

const HOSTS: &[&str] = &["dsh", "grok", "codex", "gemini", "copilot", "qwen"];

/// A world with one home of harness.
struct World {
    sandbox: Sandbox,
}

impl World {
    fn new() -> Self {
        Self { sandbox: Sandbox::new() }
    }

    fn hook(&self, host: &str, event: &str, payload: &Value) -> Ran {
        let root = self.sandbox.root().join("h");
        let root = root.to_str().expect("text");
        self.sandbox.run(["hook", host, event, "--home", root]).stdin(payload.to_string()).go()
    }

    fn journal(&self) -> Vec<Value> {
        let text = self.sandbox.read("h/state/journal/audit.jsonl");
        text.lines().map(|line| serde_json::from_str(line).expect("a record")).collect()
    }

    /// A call of a host's own tool, as the host tells of it.
    fn call(&self, host: &str, event: &str, tool: &str, input: &Value) -> Value {
        let cwd = self.sandbox.project();
        let mut all = json!({
            "session_id": "5d1f", "cwd": cwd, "hook_event_name": event,
            "tool_name": tool, "tool_input": input,
        });
        let more = match host {
            "codex" => json!({
                "turn_id": "t", "model": "gpt-5.5", "permission_mode": "bypassPermissions",
                "transcript_path": "/h/.codex/sessions/rollout-1.jsonl", "tool_use_id": "call_1_0",
            }),
            "gemini" => json!({
                "timestamp": "2026-11-30T19:25:42.496Z", "transcript_path": "/h/.gemini/s.jsonl",
            }),
            "grok" => json!({
                "hookEventName": "pre_tool_use", "sessionId": "5d1f", "toolName": tool,
                "toolInput": input, "toolInputTruncated": false, "workspaceRoot": cwd,
                "tool_use_id": "call_3_0", "permission_mode": "bypassPermissions",
            }),
            "dsh" => json!({
                "transcript_path": "/h/.dsh/sessions/p/session.jsonl.zstd", "tool_use_id": "call_1_0",
            }),
            "copilot" => json!({"timestamp": "2026-11-30T19:44:32.932Z"}),
            "qwen" => json!({
                "timestamp": "2026-11-30T19:43:26.145Z", "permission_mode": "yolo",
                "transcript_path": "/h/.qwen/c.jsonl", "tool_use_id": "toolu_1",
            }),
            other => panic!("{other}"),
        };
        let members = all.as_object_mut().expect("an object");
        members.extend(more.as_object().expect("an object").clone());
        all
    }

    fn shell(&self, host: &str, command: &str) -> Value {
        let (event, tool) = match host {
            "gemini" => ("BeforeTool", "run_shell_command"),
            "grok" => ("PreToolUse", "run_terminal_command"),
            "dsh" => ("PreToolUse", "bash"),
            "qwen" => ("PreToolUse", "run_shell_command"),
            _ => ("PreToolUse", "Bash"),
        };
        self.call(host, event, tool, &json!({"command": command, "description": "d"}))
    }
}

/// Whether the host would stop the call, by the model of its decoder.
fn stopped(host: &str, ran: &Ran) -> bool {
    use harness::hosts::understood::{Understood, call};
    let reply = harness::hosts::Reply {
        stdout: ran.stdout.clone().into_bytes(),
        stderr: ran.stderr.clone().into_bytes(),
        code: u8::try_from(ran.status.code().expect("an exit code")).expect("a small one"),
    };
    let host = harness::hosts::HostId::parse(host).expect("a host");
    matches!(call(host, &reply), Understood::Stopped(reason) if !reason.trim().is_empty())
}

#[test]
fn every_host_is_denied_in_its_own_words_and_silence_is_not_a_byte() {
    for host in HOSTS {
        let world = World::new();
        let policy = world.sandbox.root().join("h/policy.toml");
        let write = format!("echo x > {}", policy.display());
        let denied = world.hook(host, "PreToolUse", &world.shell(host, &write));
        assert!(stopped(host, &denied), "{host}: {denied:?}");
        let passed = world.hook(host, "PreToolUse", &world.shell(host, "echo hello"));
        assert_eq!((passed.stdout.as_str(), passed.stderr.as_str()), ("", ""), "{host}");
        assert_eq!(passed.status.code(), Some(0), "{host}");
        let records = world.journal();
        assert_eq!(records[0]["host"], *host);
        assert_eq!(records[0]["tool"], "Bash", "{host}");
    }
}

#[test]
fn whatever_is_wrong_with_a_payload_stops_the_call_on_every_host() {
    for host in HOSTS {
        let world = World::new();
        let whole = world.shell(host, "echo hello");
        let mut broken = vec![json!([]), json!({}), json!("x")];
        for key in ["session_id", "cwd", "hook_event_name", "tool_name", "tool_input"] {
            let mut less = whole.clone();
            less.as_object_mut().expect("an object").remove(key);
            broken.push(less);
        }
        let mut odd = whole.clone();
        odd["tool_input"] = json!({"command": 7});
        broken.push(odd);
        for payload in broken {
            let ran = world.hook(host, "PreToolUse", &payload);
            assert!(stopped(host, &ran), "{host} {payload}: {ran:?}");
        }
        let wrong = world.sandbox.run(["hook", host, "PreToolUse", "--nonsense"]).go();
        assert!(stopped(host, &wrong), "{host}: {wrong:?}");
    }
}

#[test]
fn an_ask_is_a_denial_where_the_host_cannot_ask() {
    let rule = "version = 1\n[[listener]]\nid = \"publish\"\ntool = \"Bash\"\ncommand = [\"npm\", \"publish\"]\nvote = \"ask\"\nreason = \"People publish\"\n";
    for host in HOSTS {
        let world = World::new();
        world.sandbox.write("h/policy.toml", rule);
        let ran = world.hook(host, "PreToolUse", &world.shell(host, "npm publish"));
        if *host == "dsh" {
            assert!(ran.stdout.contains(r#""permissionDecision":"ask""#), "{ran:?}");
            continue;
        }
        assert!(stopped(host, &ran), "{host}: {ran:?}");
        assert!(ran.stdout.contains("harness approve"), "{host}: {ran:?}");
    }
}

#[test]
fn a_patch_is_judged_file_by_file_as_single_edits_are() {
    let rule = "version = 1\n[[guard]]\nid = \"no-gen\"\ntool = [\"Write\", \"Edit\"]\npath = [\"**/gen/**\"]\ndeny = \"Made by a script\"\n";
    let world = World::new();
    world.sandbox.write("h/policy.toml", rule);
    let patch = |text: &str| {
        let text = format!("*** Begin Patch\n{text}*** End Patch\n");
        world.call("codex", "PreToolUse", "apply_patch", &json!({ "command": text }))
    };
    for (text, denies) in [
        ("*** Add File: a.txt\n+x\n", false),
        ("*** Update File: src/a.rs\n@@\n-a\n+b\n", false),
        ("*** Add File: gen/a.txt\n+x\n", true),
        ("*** Add File: a.txt\n+x\n*** Update File: gen/b.txt\n@@\n-a\n+b\n", true),
        ("*** Update File: a.txt\n*** Move to: gen/a.txt\n@@\n-a\n+b\n", true),
        ("*** Delete File: gen/a.txt\n", true),
        ("*** Frobnicate File: a.txt\n", true),
        ("", true),
        // Nobody can be asked about more files than are looked at.
        (&"*** Add File: a.txt\n+x\n".repeat(600), true),
    ] {
        let ran = world.hook("codex", "PreToolUse", &patch(text));
        assert_eq!(stopped("codex", &ran), denies, "{text}: {ran:?}");
    }
}

#[test]
fn arguments_that_the_host_cut_are_denied() {
    let world = World::new();
    let mut cut = world.shell("grok", "echo hello");
    cut["toolInputTruncated"] = true.into();
    assert!(stopped("grok", &world.hook("grok", "PreToolUse", &cut)));
}

#[test]
fn a_call_brought_twice_has_one_verdict_and_one_record() {
    for command in ["echo hello", "echo x > /etc/harness/policy.toml"] {
        let world = World::new();
        let payload = world.shell("grok", command);
        // Grok starts what stands in Claude Code's settings too.
        let ours = world.hook("grok", "PreToolUse", &payload);
        let borrowed = world.hook("claude-code", "PreToolUse", &payload);
        let said = |ran: &Ran| (ran.status, ran.stdout.clone(), ran.stderr.clone());
        assert_eq!(said(&ours), said(&borrowed), "{command}");
        assert_eq!(world.journal().len(), 1, "{command}");
    }
}

#[test]
fn a_gemini_call_without_an_id_is_found_again_after_it_ran() {
    let world = World::new();
    world.hook("gemini", "PreToolUse", &world.shell("gemini", "echo hello"));
    let mut after = world.shell("gemini", "echo hello");
    after["hook_event_name"] = "AfterTool".into();
    after["tool_response"] = json!({"llmContent": "hello", "returnDisplay": "hello"});
    let ran = world.hook("gemini", "PostToolUse", &after);
    assert_eq!((ran.status.code(), ran.stdout.as_str()), (Some(0), ""));
    let last = world.journal().pop().expect("a record");
    assert_eq!(
        (last["type"].as_str(), last["sealed"].as_str()),
        (Some("tool/result"), Some("kept"))
    );
}

#[test]
fn a_home_that_cannot_be_written_is_no_error() {
    if !crate::support::is_root() {
        return;
    }
    let world = World::new();
    world.sandbox.write("h/keep", "");
    let command = "mount --bind \"$1\" \"$1\" && mount -o remount,ro,bind \"$1\" && exec \"$2\" hook dsh PreToolUse --home \"$1\"";
    let home = world.sandbox.root().join("h");
    for (line, code) in [("echo hello", 0), ("echo x > /etc/harness/policy.toml", 2)] {
        let ran = world
            .sandbox
            .program(
                "unshare",
                [
                    "-m".as_ref(),
                    "sh".as_ref(),
                    "-c".as_ref(),
                    command.as_ref(),
                    "sh".as_ref(),
                    home.as_os_str(),
                    crate::support::binary().as_os_str(),
                ],
            )
            .stdin(world.shell("dsh", line).to_string())
            .go();
        assert_eq!(ran.status.code(), Some(code), "{line}: {ran:?}");
        assert!(!home.join("state").exists());
    }
}
