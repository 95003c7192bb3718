//! The agents beside Claude Code: in, obeyed, and out again to the byte.

use crate::support::Sandbox;
use serde_json::Value;
use std::process::{Command, Stdio};

/// The host, its file, its gate, and a second in its unit of a timeout.
const HOSTS: [(&str, &str, &str, u64); 5] = [
    ("grok", ".grok/hooks/harness.json", "PreToolUse", 1),
    ("codex", ".codex/hooks.json", "PreToolUse", 1),
    ("gemini", ".gemini/settings.json", "BeforeTool", 1_000),
    ("copilot", ".copilot/hooks/harness.json", "PreToolUse", 1),
    ("qwen", ".qwen/settings.json", "PreToolUse", 1_000),
];

/// What a person's file may look like.
const TEXTS: [&str; 6] = [
    "{}",
    "\u{feff}{ }\r\n",
    "{\r\n\t\"hooks\": {},\r\n\t\"z\": 1e3\r\n}",
    "{ \"hooks\" : {\"PreToolUse\":[ ], \"BeforeTool\" : [\n]} }\n\n",
    "{\"hooks\":{\"PreToolUse\":[{\"hooks\":[{\"type\":\"command\",\"command\":\"echo mine\"}]}],\"BeforeTool\":[{\"matcher\":\"x\",\"hooks\":[{\"command\":\"echo mine\",\"type\":\"command\"}]}]}}",
    "{\n   \"a\": \"\\u00e9\",\n   \"b\": []\n}",
];

/// Whether Gemini's gate, started as Gemini does, stops a write to harness's policy.
fn denies(sandbox: &Sandbox, line: &str) -> bool {
    let policy = sandbox.home().join(".config/harness/policy.toml");
    let payload = serde_json::json!({"session_id": "s", "cwd": sandbox.home(),
        "hook_event_name": "BeforeTool", "tool_name": "write_file",
        "tool_input": {"file_path": policy, "content": "x"}});
    let mut child = Command::new("/bin/sh")
        .args(["-c", line])
        .env_clear()
        .env("HOME", sandbox.home())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), payload.to_string().as_bytes())
        .unwrap();
    let ran = child.wait_with_output().unwrap();
    let said: Value = serde_json::from_slice(&ran.stdout).unwrap_or_default();
    ran.status.code() == Some(2) && said["decision"] == "deny"
}

#[test]
fn a_gate_that_the_manifest_forgot_goes_on_when_another_host_goes() {
    for manifest in [
        None,
        Some("{ broken"),
        Some(
            "{\"schema\":1,\"version\":\"0.1.0\",\"installed_at\":1,\"binary\":\"/h\",\"binary_blake3\":\"00\",\"entries\":[]}",
        ),
    ] {
        for goes in ["codex", "claude-code"] {
            let sandbox = Sandbox::new();
            sandbox.stub_claude("2.1.332");
            install(&sandbox, "gemini");
            install(&sandbox, goes);
            let memory = sandbox.home().join(".local/state/harness/manifest.json");
            match manifest {
                None => std::fs::remove_file(&memory).unwrap(),
                Some(text) => std::fs::write(&memory, text).unwrap(),
            }
            sandbox.run(["uninstall", "--host", goes, "--yes"]).ok();
            let text =
                std::fs::read_to_string(sandbox.home().join(".gemini/settings.json")).unwrap();
            let json: Value = serde_json::from_str(&text).unwrap();
            let line = json["hooks"]["BeforeTool"][0]["hooks"][0]["command"].as_str().unwrap();
            assert!(denies(&sandbox, line), "{manifest:?} {goes}");
            sandbox.run(["uninstall", "--host", "gemini", "--yes"]).ok();
            assert!(!denies(&sandbox, line), "{manifest:?} {goes}: nothing is left to guard");
        }
    }
}

fn install(sandbox: &Sandbox, host: &str) {
    sandbox.run(["install", "--host", host, "--yes"]).ok();
}

#[test]
fn every_file_comes_back_to_the_byte() {
    for (host, file, gate, second) in HOSTS {
        let sandbox = Sandbox::new();
        let path = sandbox.home().join(file);
        install(&sandbox, host);
        sandbox.run(["uninstall", "--host", host, "--yes"]).ok();
        assert!(!path.exists() && !path.parent().unwrap().exists(), "{host}: what was made goes");
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        for text in TEXTS {
            std::fs::write(&path, text).unwrap();
            install(&sandbox, host);
            let with = std::fs::read_to_string(&path).unwrap();
            let json: Value = serde_json::from_str(with.trim_start_matches('\u{feff}')).unwrap();
            let groups = json["hooks"][gate].as_array().unwrap();
            let ours = &groups.last().unwrap()["hooks"][0];
            assert_eq!(ours["timeout"].as_u64(), Some(30 * second), "{host}");
            if text.contains("echo mine") {
                assert_eq!(
                    groups[0]["hooks"][0]["command"], "echo mine",
                    "{host}: first stays first"
                );
            }
            install(&sandbox, host);
            assert_eq!(std::fs::read_to_string(&path).unwrap(), with, "{host}: twice is once");
            sandbox.run(["uninstall", "--host", host, "--yes"]).ok();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "{host}");
        }
    }
}

#[test]
fn one_host_goes_and_the_others_stay_guarded() {
    let sandbox = Sandbox::new();
    install(&sandbox, "gemini");
    install(&sandbox, "codex");
    sandbox.run(["uninstall", "--host", "codex", "--yes"]).ok();
    let text = std::fs::read_to_string(sandbox.home().join(".gemini/settings.json")).unwrap();
    let json: Value = serde_json::from_str(&text).unwrap();
    let line = json["hooks"]["BeforeTool"][0]["hooks"][0]["command"].as_str().unwrap();
    assert!(denies(&sandbox, line));
    sandbox.run(["uninstall", "--yes"]).ok();
    assert!(!sandbox.home().join(".gemini").exists(), "no host named means every one");
}

#[test]
fn what_cannot_be_kept_is_not_touched() {
    let sandbox = Sandbox::new();
    let file = sandbox.home().join(".gemini/settings.json");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    let text = "{\n  // mine\n  \"a\": 1\n}\n";
    std::fs::write(&file, text).unwrap();
    let ran = sandbox.run(["install", "--host", "gemini", "--yes"]);
    let said = ran.code(3).stderr;
    assert!(said.contains("settings.json:2:"), "{said}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
    assert!(!sandbox.home().join(".local/state/harness/manifest.json").exists());
}
