//! What must work on a machine where all is well, on both clients.

use super::clients;
use super::world::{FORBIDDEN, REASON, World, result, state};
use harness::doctor::live::check::DENIED;
use harness::doctor::live::client::Client;
use harness::doctor::live::copies::installed;
use harness::doctor::live::script::{Call, Turn};
use harness::doctor::live::{LiveRequest, Scopes, run};
use harness::doctor::report::{Evidence, State};
use std::time::Duration;

fn denied(client: Client) {
    let world = World::installed(client);
    let session = world.bash(&[FORBIDDEN]);
    let given = result(&session, 0);
    assert!(!world.has("canary"), "{given:?}");
    assert!(given.is_error && given.text.contains(REASON), "{given:?}");
    assert!(session.told(1, "PreToolUse", "quince"), "{:?}", session.heard(1, "PreToolUse"));
}

#[test]
fn a_denied_call_does_not_run_and_reason_and_context_both_arrive_new() {
    denied(clients::new());
}

#[test]
fn a_denied_call_does_not_run_and_reason_and_context_both_arrive_old() {
    denied(clients::old());
}

fn context(client: Client) {
    let world = World::installed(client);
    let session = world.bash(&["echo hello"]);
    let heard = |n: usize, event: &str| session.heard(n, event);
    assert!(session.told(0, "SessionStart", "marmalade"), "{:?}", heard(0, "SessionStart"));
    assert!(
        session.told(0, "UserPromptSubmit", "gooseberry"),
        "{:?}",
        heard(0, "UserPromptSubmit")
    );
    assert!(session.told(1, "PreToolUse", "quince"), "{:?}", heard(1, "PreToolUse"));
    assert!(session.told(1, "PostToolUse", "damson"), "{:?}", heard(1, "PostToolUse"));
}

#[test]
fn context_of_every_event_is_in_the_next_request_new() {
    context(clients::new());
}

#[test]
fn context_of_every_event_is_in_the_next_request_old() {
    context(clients::old());
}

fn harmless(client: Client) {
    let (bare, installed) = (World::bare(client.clone()), World::installed(client));
    let command = "printf 'ünïcode \\360\\237\\246\\212\\n\\ttab\\n'; exit 0";
    let calls = || Turn::calls(vec![Call::bash(command), Call::bash("echo two; exit 3")]);
    let (without, with) = (bare.play(vec![calls()]), installed.play(vec![calls()]));
    for n in [0, 1] {
        let plain = without.result(0, n);
        assert!(plain.is_some());
        assert_eq!(with.result(0, n), plain, "call {n}");
    }
    assert!(with.result(0, 0).unwrap().text.contains("🦊"));
}

#[test]
fn harmless_calls_are_unharmed_new() {
    harmless(clients::new());
}

#[test]
fn harmless_calls_are_unharmed_old() {
    harmless(clients::old());
}

fn ask(client: Client) {
    let world = World::installed(client);
    let session = world.bash(&["touch published"]);
    let given = result(&session, 0);
    assert!(!world.has("published"), "{given:?}");
    assert!(given.is_error && given.text.contains("Publishing is for people"), "{given:?}");
}

#[test]
fn an_ask_nobody_can_answer_is_a_denial_in_our_words_new() {
    ask(clients::new());
}

#[test]
fn an_ask_nobody_can_answer_is_a_denial_in_our_words_old() {
    ask(clients::old());
}

#[test]
fn doctor_agrees_that_all_is_well() {
    for client in [clients::new(), clients::old()] {
        let report = World::installed(client).doctor();
        assert_eq!(state(&report, "gate"), "alive", "{report:#}");
        assert_eq!(state(&report, "soft"), "alive", "{report:#}");
    }
}

#[test]
fn the_old_client_gets_the_shell_form_and_the_new_one_the_exec_form() {
    let (new, old) = (World::installed(clients::new()), World::installed(clients::old()));
    assert!(new.handler("PreToolUse")["args"].is_array());
    assert_eq!(new.handler("PreToolUse")["onFailure"], "block");
    let shell = old.handler("PreToolUse");
    assert!(shell.get("args").is_none(), "{shell}");
    assert!(shell["command"].as_str().unwrap().contains("hook"), "{shell}");
}

#[test]
fn what_the_client_proved_is_kept_for_status_and_its_probes_stay_out_of_the_log() {
    let world = World::installed(clients::new());
    let said = |args: &[&str]| {
        let ran = world.harness(args);
        String::from_utf8_lossy(&ran.stdout).into_owned()
    };
    assert!(!said(&["status"]).contains("live:"));
    let report = said(&["doctor", "--live", "--json"]);
    assert!(report.contains("\"delivered\""), "{report}");
    let status = said(&["status"]);
    assert!(status.contains("live: gate alive, soft alive in Claude Code 2.1.332"), "{status}");
    assert!(!status.contains("expired"), "{status}");
    assert_eq!(said(&["log"]), "");
}

/// The check that people run: the whole of it, on what install wrote.
fn live_check(client: Client) {
    let world = World::installed(client);
    let scopes = Scopes {
        user: world.stage.user_settings(),
        project: world.stage.project_settings(),
        local: world.stage.local_settings(),
        managed: world.stage.home.join("no-managed-settings"),
    };
    let _place = clients::place();
    let report = run(&LiveRequest {
        client: &world.client,
        scopes: &scopes,
        ours: &|fields| installed(fields, None),
        all_hooks: false,
        denied: DENIED,
        limit: Duration::from_secs(180),
        progress: &|_| {},
    });
    assert_eq!(report.gate.state, State::Alive, "{report:#?}");
    assert_eq!(report.soft.state, State::Alive, "{report:#?}");
    assert_eq!(report.gate.evidence, Evidence::Delivered);
}

#[test]
fn the_live_check_proves_an_installation_new() {
    live_check(clients::new());
}

#[test]
fn the_live_check_proves_an_installation_old() {
    live_check(clients::old());
}
