//! The driver itself, with tiny shell hooks: what it reports is what a client did.

use super::clients;
use harness::doctor::live::check::DENIED;
use harness::doctor::live::client::Client;
use harness::doctor::live::drive::{Run, drive, version};
use harness::doctor::live::mount::PrivateManaged;
use harness::doctor::live::observe::Session;
use harness::doctor::live::script::{Call, Turn};
use harness::doctor::live::stage::{Stage, put_json};
use harness::doctor::live::{LiveReport, LiveRequest, Scopes, run};
use harness::doctor::report::{Evidence, State};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// A busy machine is slow, not broken.
const PATIENCE: Duration = Duration::from_secs(90);

fn hook(event: &str, command: &str) -> Value {
    json!({ "hooks": { event: [{ "hooks": [{ "type": "command", "command": command }] }] } })
}

/// One run, in its place.
fn play(mut run: Run<'_>) -> std::io::Result<Session> {
    run.limit = run.limit.max(PATIENCE);
    let _place = clients::place();
    drive(run)
}

/// One check, in its place.
fn prove(request: &LiveRequest<'_>) -> LiveReport {
    let _place = clients::place();
    run(request)
}

fn both() -> [Client; 2] {
    [clients::new(), clients::old()]
}

#[test]
fn a_client_says_its_version() {
    let stage = Stage::new().unwrap();
    assert_eq!(version(&clients::new(), &stage, PATIENCE).as_deref(), Some(clients::NEW));
    assert_eq!(version(&clients::old(), &stage, PATIENCE).as_deref(), Some(clients::OLD));
}

#[test]
fn without_hooks_every_call_runs_and_its_output_comes_back() {
    for client in both() {
        let stage = Stage::new().unwrap();
        let calls = vec![Call::bash("echo one; touch canary"), Call::bash("echo two")];
        let run = Run::new(&client, &stage, vec![Turn::calls(calls), Turn::text("done")]);
        let session = play(run).unwrap();
        let results = [0, 1].map(|n| session.result(0, n).expect("a result"));
        assert_eq!(results.each_ref().map(|r| r.text.as_str()), ["one", "two"]);
        assert!(results.iter().all(|r| !r.is_error));
        assert!(stage.project.join("canary").exists());
        assert_eq!(session.ended.code, Some(0), "{:?}", session.ended);
        assert!(session.ended.stdout.contains("\"done\""), "{}", session.ended.stdout);
    }
}

#[test]
fn a_denial_and_a_context_are_seen() {
    for client in both() {
        let stage = Stage::new().unwrap();
        let mut settings = hook("PreToolUse", "echo no way >&2; exit 2");
        settings["hooks"]["SessionStart"] =
            hook("SessionStart", "echo on duty")["hooks"]["SessionStart"].clone();
        put_json(&stage.user_settings(), &settings).unwrap();
        let turns = vec![Turn::call(Call::bash("touch canary")), Turn::text("done")];
        let session = play(Run::new(&client, &stage, turns)).unwrap();
        let result = session.result(0, 0).expect("a result");
        assert!(result.is_error && result.text.contains("no way"), "{result:?}");
        assert!(!stage.project.join("canary").exists());
        assert!(
            session.told(0, "SessionStart", "on duty"),
            "{:?}",
            session.heard(0, "SessionStart")
        );
    }
}

#[test]
fn managed_settings_are_private_to_the_run() {
    let managed = PrivateManaged::new().unwrap();
    let settings = hook("PreToolUse", "echo from above >&2; exit 2");
    put_json(&managed.folder().join("managed-settings.json"), &settings).unwrap();
    for client in both() {
        let stage = Stage::new().unwrap();
        let turns = vec![Turn::call(Call::bash("touch canary")), Turn::text("done")];
        let mut run = Run::new(&client, &stage, turns);
        run.managed = Some(&managed);
        let session = play(run).unwrap();
        let result = session.result(0, 0).expect("a result");
        assert!(result.text.contains("from above"), "{result:?}");
    }
    assert!(!std::path::Path::new("/etc/claude-code/managed-settings.json").exists());
}

#[test]
fn a_run_ends_at_its_limit_with_all_it_started() {
    let client = clients::new();
    let stage = Stage::new().unwrap();
    let sleep = format!("sleep 61{}", std::process::id());
    put_json(&stage.user_settings(), &hook("SessionStart", &sleep)).unwrap();
    let mut run = Run::new(&client, &stage, vec![Turn::text("done")]);
    run.limit = Duration::from_secs(3);
    let _place = clients::place();
    let began = Instant::now();
    let session = drive(run).unwrap();
    assert!(session.ended.timed_out, "{:?}", session.ended);
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    assert!(!running(&sleep), "the hook is still running");
}

/// Whether a process with these words is alive.
fn running(words: &str) -> bool {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let mut lines = entries.filter_map(|e| std::fs::read(e.path().join("cmdline")).ok());
    lines.any(|line| String::from_utf8_lossy(&line).replace('\0', " ").contains(words))
}

/// A stand-in for our hook: denies what names a settings file, says the session's id.
const STAND_IN: &str = r#"
read -r line
case "$line" in
  *SessionStart*) id=${line#*'"session_id":"'}; echo "on duty, session ${id%%-*}" ;;
  *settings.local*) echo "settings are off limits" >&2; exit 2 ;;
esac
"#;

fn scopes(person: &Stage) -> Scopes {
    Scopes {
        user: person.user_settings(),
        project: person.project_settings(),
        local: person.local_settings(),
        managed: person.home.join("no-managed-settings"),
    }
}

fn check(client: &Client, person: &Stage) -> LiveReport {
    let scopes = scopes(person);
    prove(&LiveRequest {
        client,
        scopes: &scopes,
        ours: &|fields| fields.get("command").is_some_and(|c| c == STAND_IN),
        all_hooks: false,
        denied: DENIED,
        limit: PATIENCE,
        progress: &|_| {},
    })
}

fn stand_in() -> Value {
    let mut settings = hook("PreToolUse", STAND_IN);
    settings["hooks"]["SessionStart"] =
        hook("SessionStart", STAND_IN)["hooks"]["SessionStart"].clone();
    settings
}

#[test]
fn the_check_proves_what_works_and_hushes_other_hooks() {
    for client in both() {
        let person = Stage::new().unwrap();
        let mut settings = stand_in();
        let witness = person.project.join("witness");
        let theirs = format!("touch '{}'; echo no >&2; exit 2", witness.display());
        let group = json!({ "hooks": [{ "type": "command", "command": theirs }] });
        settings["hooks"]["PreToolUse"].as_array_mut().unwrap().push(group);
        put_json(&person.user_settings(), &settings).unwrap();
        let report = check(&client, &person);
        assert_eq!(report.gate.state, State::Alive, "{report:#?}");
        assert_eq!(report.soft.state, State::Alive, "{report:#?}");
        assert_eq!(report.gate.evidence, Evidence::Delivered);
        assert!(report.version.is_some() && !witness.exists());
    }
}

#[test]
fn the_check_sees_a_dead_gate_a_dead_channel_and_a_gate_that_stops_everything() {
    let client = clients::new();
    let person = Stage::new().unwrap();
    put_json(&person.user_settings(), &stand_in()).unwrap();
    put_json(&person.project_settings(), &json!({ "disableAllHooks": true })).unwrap();
    let report = check(&client, &person);
    assert_eq!(report.gate.state, State::Dead, "{report:#?}");
    assert_eq!(report.gate.because, ["live-gate"]);
    assert_eq!(report.soft.because, ["live-soft"]);

    let shut = STAND_IN.replace("settings.local", "PreToolUse");
    let mut settings = stand_in();
    for event in ["PreToolUse", "SessionStart"] {
        settings["hooks"][event] = hook(event, &shut)["hooks"][event].clone();
    }
    let person = Stage::new().unwrap();
    put_json(&person.user_settings(), &settings).unwrap();
    let scopes = scopes(&person);
    let report = prove(&LiveRequest {
        client: &client,
        scopes: &scopes,
        ours: &|fields| fields.get("command").is_some_and(|c| *c == shut),
        all_hooks: false,
        denied: DENIED,
        limit: PATIENCE,
        progress: &|_| {},
    });
    assert_eq!(report.gate.because, ["live-harmless"], "{report:#?}");
    assert_eq!(report.soft.state, State::Alive, "{report:#?}");
}

#[test]
fn where_the_control_fails_nothing_is_claimed() {
    let person = Stage::new().unwrap();
    let mut settings = stand_in();
    settings["permissions"] = json!({ "deny": ["Bash"] });
    put_json(&person.user_settings(), &settings).unwrap();
    let report = check(&clients::new(), &person);
    assert_eq!(report.gate.state, State::Unknown, "{report:#?}");
    assert_eq!(report.gate.because, ["live-control"]);
}

#[test]
fn the_check_reads_the_machine_s_settings_and_hushes_other_hooks_there() {
    let client = clients::new();
    let person = Stage::new().unwrap();
    let machine = person.home.join("machine");
    put_json(&machine.join("managed-settings.d/harness.json"), &stand_in()).unwrap();
    let witness = person.project.join("witness");
    let theirs = hook("PreToolUse", &format!("touch '{}'; exit 2", witness.display()));
    put_json(&machine.join("managed-settings.json"), &theirs).unwrap();
    put_json(&person.project_settings(), &json!({ "disableAllHooks": true })).unwrap();
    let report = prove(&LiveRequest {
        client: &client,
        scopes: &Scopes { managed: machine, ..scopes(&person) },
        ours: &|fields| fields.get("command").is_some_and(|c| c == STAND_IN),
        all_hooks: false,
        denied: DENIED,
        limit: PATIENCE,
        progress: &|_| {},
    });
    assert_eq!(report.gate.state, State::Alive, "{report:#?}");
    assert_eq!(report.soft.state, State::Alive, "{report:#?}");
    assert!(!witness.exists());
}
