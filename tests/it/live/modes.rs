//! What the client makes of a hook's `ask`, interactive, in each of its modes: the table that
//! the encoder goes by is held to it.

use super::clients;
use super::world::handler;
use crate::support::{Screen, is_long};
use harness::doctor::live::client::Client;
use harness::doctor::live::drive::Ended;
use harness::doctor::live::observe::Session;
use harness::doctor::live::script::{Call, Turn};
use harness::doctor::live::server::Server;
use harness::doctor::live::stage::{Stage, put, put_json};
use harness::hosts::claude_code::ask::{MODES, Mode, Shown};
use serde_json::{Value, json};
use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::{Duration, Instant};

/// The question, in words that nothing else says.
const QUESTION: &str = "marmalade or quince";
/// The call it is asked of.
const CALL: &str = "touch canary";
/// A busy machine is slow, not broken.
const PATIENCE: Duration = Duration::from_secs(60);

/// A home whose person has answered what a client asks at its first start, with a hook that
/// asks at every call; `ruled`: the settings allow the call besides.
fn furnish(stage: &Stage, key: &str, sent: &Path, ruled: bool) {
    let tail = key.get(key.len().saturating_sub(20)..).unwrap_or_default();
    let trusted = json!({ "hasTrustDialogAccepted": true, "hasCompletedProjectOnboarding": true });
    let known = json!({
        "hasCompletedOnboarding": true, "theme": "dark", "bypassPermissionsModeAccepted": true,
        "customApiKeyResponses": { "approved": [tail], "rejected": [] },
        "projects": { stage.project.to_str().unwrap(): trusted },
    });
    put_json(&stage.home.join(".claude.json"), &known).unwrap();
    let answer = json!({ "hookSpecificOutput": {
        "hookEventName": "PreToolUse", "permissionDecision": "ask",
        "permissionDecisionReason": QUESTION,
    } });
    let hook = stage.home.join("ask.sh");
    let script = format!("#!/bin/sh\ncat >'{}'\nprintf '%s' '{answer}'\n", sent.display());
    put(&hook, script).unwrap();
    std::fs::set_permissions(&hook, PermissionsExt::from_mode(0o755)).unwrap();
    let rules = if ruled { json!([format!("Bash({CALL})")]) } else { json!([]) };
    let settings = json!({
        "permissions": { "allow": rules }, "skipDangerousModePermissionPrompt": true,
        "hooks": { "PreToolUse": [{ "hooks": [handler(hook.to_str().unwrap())] }] },
    });
    put_json(&stage.user_settings(), &settings).unwrap();
}

/// What the model was given for the call: whether it is an error, and the words.
fn result(server: &Server) -> Option<(bool, String)> {
    let none = String::new;
    let took = Duration::ZERO;
    let ended = Ended { code: None, timed_out: false, stdout: none(), stderr: none(), took };
    let session = Session { id: none(), requests: server.requests(), ended };
    session.result(0, 0).map(|r| (r.is_error, r.text))
}

/// Starts a client in a mode on a terminal, has its model make the call, and looks at what
/// becomes of it; a dialog is answered with yes, and then the call must run.
fn asked(client: &Client, mode: &str, ruled: bool) -> Shown {
    let stage = Stage::new().unwrap();
    let turns = vec![Turn::call(Call::bash(CALL)), Turn::text("done")];
    let server = Server::start(turns, PATIENCE * 3).unwrap();
    let sent = stage.home.join("sent");
    furnish(&stage, server.key(), &sent, ruled);
    let mut env = stage.environment(&server.url(), server.key());
    // A container's administrator may bypass permissions.
    let more = [("TERM", "xterm-256color"), ("IS_SANDBOX", "1")];
    env.extend(more.map(|(name, value)| (name.into(), value.into())));
    let mut words = vec![client.program.clone().into_os_string()];
    words.extend(client.leading.iter().cloned());
    words.extend(["--permission-mode", mode, "Run the check."].map(OsString::from));
    let _place = clients::place();
    let terminal = stage.home.join("terminal");
    let mut screen = Screen::of(&terminal, &words, &stage.project, &env, (50, 150));
    let ran = || stage.project.join("canary").exists();
    let began = Instant::now();
    let mut consented = false;
    let shown = loop {
        let text = screen.text();
        if !consented && text.contains("Enable auto mode?") && text.contains("2. Yes, enable") {
            screen.keys("2");
            consented = true;
        }
        if text.contains(QUESTION) && text.contains("Do you want to proceed?") {
            break Shown::Dialog;
        }
        if let Some((is_error, words)) = result(&server) {
            assert_eq!(is_error, !ran(), "{mode}: {words}");
            break if is_error { Shown::Denial } else { Shown::Nothing };
        }
        assert!(began.elapsed() < PATIENCE, "{mode}: nothing became of the call\n{text}");
        std::thread::sleep(Duration::from_millis(50));
    };
    let payload: Value = serde_json::from_slice(&std::fs::read(&sent).unwrap()).unwrap();
    assert_eq!(payload["permission_mode"], mode, "the client is in another mode");
    if shown == Shown::Dialog {
        assert!(!ran(), "{mode}: it ran before the answer");
        screen.keys("\r");
        screen.wait("the call runs after a yes", |_| ran() && result(&server).is_some());
    }
    screen.signal("KILL");
    shown
}

/// Rows of the table, with an allow rule for the call and without: all of them for long, else
/// as many as said.
fn as_in_the_table(client: &Client, ruled: bool, rows: usize) {
    let column = |mode: &Mode| if ruled { mode.ruled } else { mode.unruled };
    let rows = if is_long() { MODES } else { MODES.get(..rows).unwrap_or(MODES) };
    let expected: Vec<_> = rows.iter().map(|m| (m.name, column(m))).collect();
    let measured: Vec<_> = rows.iter().map(|m| (m.name, asked(client, m.name, ruled))).collect();
    assert_eq!(measured, expected);
}

#[test]
fn an_ask_in_each_mode_becomes_what_the_table_says_new() {
    as_in_the_table(&clients::new(), false, MODES.len());
}

#[test]
fn an_ask_in_each_mode_becomes_what_the_table_says_old() {
    as_in_the_table(&clients::old(), false, 2);
}

#[test]
fn an_ask_of_what_settings_allow_becomes_what_the_table_says_new() {
    as_in_the_table(&clients::new(), true, 2);
}

#[test]
fn an_ask_of_what_settings_allow_becomes_what_the_table_says_old() {
    as_in_the_table(&clients::old(), true, 1);
}
