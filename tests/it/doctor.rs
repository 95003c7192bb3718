//! The doctor, tested by injury: each fault gives that root cause and no other, and the
//! right pair of verdicts; no fault gives none.

mod broken_off;
mod catalogue;
mod everyday;
mod examples;
mod faults;
mod foreign;
mod healthy;
mod history;
mod matrix;
mod outputs;
mod own;
mod rules;
mod scopes;
mod seams;
mod spoiled;
mod standing;

use crate::support::{Ran, Sandbox};
use serde_json::{Value, json};
use std::path::PathBuf;

const OWNER: &str = "00112233445566778899aabbccddeeff";

/// A gate that denies what names the policy or is cut off, and passes the rest.
const GATE: &str = r#"deny() { printf '%s' '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}'; echo no >&2; exit 2; }
input=$(head -n 1)
case "$input" in *policy.toml*) deny;; *'}') exit 0;; *) deny;; esac"#;
/// A start of session that names it.
const SOFT: &str = r#"IFS= read -r input
s=${input#*session_id\":\"}; s=${s%%\"*}
printf '{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"harness %s"}}' "$s""#;

/// A home with two stub hooks that install would have written.
struct World {
    sandbox: Sandbox,
    gate: Value,
    soft: Value,
}

impl World {
    fn new(gate: &str, soft: &str) -> Self {
        let sandbox = Sandbox::new();
        sandbox.stub_claude("2.1.332");
        sandbox.script("hooks/gate", &format!("#!/bin/sh\n{gate}\n"));
        sandbox.script("hooks/soft", &format!("#!/bin/sh\n{soft}\n"));
        let entry = |name: &str, event: &str| {
            let home = sandbox.home().join("h");
            json!({
                "type": "command",
                "command": sandbox.root().join("hooks").join(name),
                "args": ["hook", "claude-code", event, "--owner", OWNER, "--home", home],
                "timeout": 3,
            })
        };
        let (mut gate, soft) = (entry("gate", "PreToolUse"), entry("soft", "SessionStart"));
        gate["onFailure"] = "block".into();
        let world = Self { sandbox, gate, soft };
        world.write_settings(&world.settings());
        world.write_manifest();
        world
    }

    fn healthy() -> Self {
        Self::new(GATE, SOFT)
    }

    fn settings(&self) -> Value {
        json!({ "hooks": {
            "PreToolUse": [{ "matcher": "*", "hooks": [self.gate] }],
            "SessionStart": [{ "hooks": [self.soft] }],
        }})
    }

    fn write_settings(&self, settings: &Value) {
        self.sandbox.write("home/.claude/settings.json", settings.to_string());
    }

    fn write_manifest(&self) {
        let entry = |fields: &Value, event: &str, matcher: Option<&str>| {
            json!({
                "host": "claude-code", "scope": "user", "file": self.sandbox.user_settings(),
                "client": "2.1.332", "event": event, "matcher": matcher,
                "command": fields["command"], "args": fields["args"],
                "timeout": fields["timeout"], "on_failure": fields["onFailure"],
            })
        };
        let manifest = json!({
            "schema": 1, "version": "0.1.0", "installed_at": 1, "binary": self.gate["command"],
            "binary_blake3": self.gate_hash(),
            "entries": [
                entry(&self.gate, "PreToolUse", Some("*")),
                entry(&self.soft, "SessionStart", None),
            ],
        });
        self.sandbox.write("home/h/state/manifest.json", manifest.to_string());
        self.sandbox.write("home/h/state/owner", "0123456789abcdef0123456789abcdef\n");
    }

    fn gate_hash(&self) -> String {
        let bytes = std::fs::read(self.gate_program()).expect("it is there");
        blake3::hash(&bytes).to_hex().to_string()
    }

    fn gate_program(&self) -> PathBuf {
        self.sandbox.root().join("hooks/gate")
    }

    fn doctor(&self, more: &[&str]) -> Ran {
        let args = ["doctor", "--json"].iter().chain(more);
        self.sandbox.run(args).env("HARNESS_HOME", self.sandbox.home().join("h")).go()
    }

    /// Asserts the roots found (warnings and worse, `id/kind`) and the two verdicts.
    #[track_caller]
    fn expect(&self, roots: &[&str], gate: &str, soft: &str) {
        let ran = self.doctor(&[]);
        let report = ran.json();
        assert_eq!(found(&report), roots, "{report:#}");
        let host = &report["hosts"][0];
        assert_eq!(
            (host["gate"]["state"].as_str(), host["soft"]["state"].as_str()),
            (Some(gate), Some(soft)),
            "{report:#}"
        );
        let code = match (gate, soft) {
            ("dead", _) | (_, "dead") => 1,
            ("unknown", _) | (_, "unknown") => 4,
            _ => 0,
        };
        assert_eq!(ran.status.code(), Some(code), "{report:#}");
    }
}

fn found(report: &Value) -> Vec<String> {
    let checks = report["checks"].as_array().expect("a list");
    let bad =
        checks.iter().filter(|c| matches!(c["status"].as_str(), Some("warn" | "fail" | "error")));
    let name = |c: &Value| match c.get("kind").and_then(Value::as_str) {
        Some(kind) => format!("{}/{kind}", c["id"].as_str().unwrap_or_default()),
        None => c["id"].as_str().unwrap_or_default().to_owned(),
    };
    bad.map(name).collect()
}

#[test]
fn no_fault_gives_no_finding() {
    World::healthy().expect(&[], "alive", "alive");
}

#[test]
fn nothing_installed_is_its_own_finding() {
    let sandbox = Sandbox::new();
    sandbox.stub_claude("2.1.332");
    let report = sandbox.run(["doctor", "--json"]).code(1).json();
    assert_eq!(found(&report), ["not-installed"]);
}

#[test]
fn a_broken_gate_is_told_apart_and_leaves_the_soft_channel_alone() {
    let deny = r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}"#;
    for (script, root) in [
        ("exit 1".to_owned(), "fails-open/exit-1"),
        ("kill -9 $$".to_owned(), "fails-open/signal-9"),
        ("sleep 20".to_owned(), "slow/timeout"),
        (format!("echo hi; echo '{deny}'"), "stdout-noise/before"),
        (format!("echo '{deny}'; echo hi"), "stdout-noise/after"),
        (format!("echo '{deny}{deny}'"), "stdout-noise/two-documents"),
        (r#"echo '{"permissionDecision":"deny"}'"#.to_owned(), "deny-shape/flat"),
        (
            format!("echo '{}'", deny.replace("\"hookEventName\":\"PreToolUse\",", "")),
            "deny-shape/no-event-name",
        ),
        (format!("echo '{}'", deny.replace("PreToolUse", "Stop")), "deny-shape/wrong-event"),
        (format!("echo '{}'", deny.replace("\"deny\"", "\"block\"")), "deny-shape/wrong-word"),
        (format!("echo '{deny}' >&2"), "deny-shape/stderr"),
        (format!("echo '{}'", deny.replace("deny", "allow")), "fails-open/allowed"),
        ("exit 0".to_owned(), "inert"),
        (format!("echo '{deny}'; exit 0"), "denies-all"),
    ] {
        World::new(&script, SOFT).expect(&[root], "dead", "alive");
    }
}

#[test]
fn a_broken_soft_channel_is_told_apart_and_leaves_the_gate_alone() {
    let context = |place: &str| {
        SOFT.replace(r#"{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"harness %s"}}"#, place)
    };
    for (script, root) in [
        ("exit 1".to_owned(), "context-shape/exit-1"),
        ("kill -9 $$".to_owned(), "fails-open/signal-9"),
        ("sleep 20".to_owned(), "slow/timeout"),
        (context(r#"{"additionalContext":"%s"}"#), "context-shape/place"),
        (
            context(r#"{"hookSpecificOutput":{"additionalContext":"%s"}}"#),
            "context-shape/no-event-name",
        ),
        (format!("{} >&2", context("%s")), "context-shape/stderr"),
        ("echo hello".to_owned(), "context-shape/no-nonce"),
        ("exit 0".to_owned(), "inert"),
    ] {
        World::new(GATE, &script).expect(&[root], "alive", "dead");
    }
}

#[test]
fn noise_at_the_start_of_a_session_still_reaches_the_model() {
    World::new(GATE, &format!("echo hi; {SOFT}")).expect(
        &["stdout-noise/before"],
        "alive",
        "alive",
    );
}

#[test]
fn both_dead_of_different_causes_are_both_named() {
    World::new("exit 1", "sleep 20").expect(&["fails-open/exit-1", "slow/timeout"], "dead", "dead");
}

#[test]
fn robustness_is_part_of_being_alive() {
    let hang = GATE.replace("head -n 1", "cat");
    World::new(&hang, SOFT).expect(&["stdin-hang"], "dead", "alive");
    let half = GATE
        .replace("*policy.toml*)", "*policy.toml*'}')")
        .replace("'}') exit 0;; *) deny;;", "*) exit 0;;");
    World::new(&half, SOFT).expect(&["fails-open/malformed"], "dead", "alive");
    let path = format!("command -v claude >/dev/null || exit 1; {GATE}");
    World::new(&path, SOFT).expect(&["path-dependent"], "dead", "alive");
    let mute = GATE.replace(",\"permissionDecisionReason\":\"no\"", "");
    World::new(&mute, SOFT).expect(&["deny-no-reason"], "alive", "alive");
}

#[test]
fn a_missing_or_unstartable_program_is_the_root_of_everything_it_causes() {
    use std::os::unix::fs::PermissionsExt;
    let world = World::healthy();
    std::fs::remove_file(world.gate_program()).expect("it is there");
    world.expect(&["target-missing"], "dead", "alive");
    let world = World::healthy();
    let mode = std::fs::Permissions::from_mode(0o644);
    std::fs::set_permissions(world.gate_program(), mode).expect("it is ours");
    world.expect(&["not-startable/not-executable"], "dead", "alive");
    let world = World::healthy();
    world.sandbox.script("hooks/gate", "#!/bin/sh\r\nexit 2\r\n");
    world.expect(&["not-startable/shebang-crlf"], "dead", "alive");
    let world = World::healthy();
    world.sandbox.script("hooks/soft", "#!/no/such/interpreter\n");
    world.expect(&["not-startable/interpreter"], "alive", "dead");
}

#[test]
fn off_switches_come_first_in_every_scope() {
    for (file, kind) in [
        ("project/.claude/settings.json", "switched-off/project"),
        ("project/.claude/settings.local.json", "switched-off/local"),
    ] {
        let world = World::healthy();
        world.sandbox.write(file, r#"{"disableAllHooks":true}"#);
        world.expect(&[kind], "dead", "dead");
    }
    let world = World::healthy();
    let mut settings = world.settings();
    settings["disableAllHooks"] = true.into();
    world.write_settings(&settings);
    world.expect(&["switched-off/user"], "dead", "dead");
    world.sandbox.write("project/.claude/settings.json", r#"{"disableAllHooks":false}"#);
    world.expect(&[], "alive", "alive");
}

#[test]
fn files_the_client_drops_are_the_root() {
    let world = World::healthy();
    world.sandbox.write("home/.claude/settings.json", format!("{}//x\n", world.settings()));
    world.expect(&["settings-unparseable"], "dead", "dead");
    let world = World::healthy();
    let mut settings = world.settings();
    settings["hooks"]["PreToolUse"][0]["hooks"][0]["timeout"] = "5".into();
    world.write_settings(&settings);
    world.expect(&["schema-invalid"], "dead", "dead");
    let world = World::healthy();
    world.sandbox.write("project/.claude/settings.json", "{");
    world.expect(&["settings-unparseable"], "alive", "alive");
}

#[test]
fn lost_and_changed_entries() {
    let world = World::healthy();
    world.write_settings(&json!({ "env": {} }));
    world.expect(&["own-entry-lost/missing"], "dead", "dead");
    let mut settings = world.settings();
    settings["hooks"].as_object_mut().expect("an object").remove("SessionStart");
    world.write_settings(&settings);
    world.expect(&["own-entry-lost/missing"], "alive", "dead");
    let mut settings = world.settings();
    settings["hooks"]["PreToolUse"][0]["matcher"] = "bash".into();
    world.write_settings(&settings);
    let report = world.doctor(&[]).json();
    assert_eq!(report["hosts"][0]["gate"]["state"], "dead", "{report:#}");
}

#[test]
fn repeats_and_the_later_scope_that_weakens() {
    let world = World::healthy();
    let mut weak = world.gate.clone();
    weak["async"] = true.into();
    let project = json!({ "hooks": { "PreToolUse": [{ "hooks": [weak] }] } });
    world.sandbox.write("project/.claude/settings.json", project.to_string());
    let report = world.doctor(&[]).json();
    assert!(found(&report).contains(&"duplicate-scope/weaker".to_owned()), "{report:#}");
    assert_eq!(report["hosts"][0]["gate"]["state"], "dead", "{report:#}");
    let world = World::healthy();
    let mut settings = world.settings();
    let twice = settings["hooks"]["PreToolUse"][0].clone();
    settings["hooks"]["PreToolUse"].as_array_mut().expect("a list").push(twice);
    world.write_settings(&settings);
    world.expect(&["duplicate-entry"], "alive", "alive");
}

#[test]
fn another_configuration_folder_is_named() {
    let world = World::healthy();
    let home = world.sandbox.home().join("h");
    let run = world.sandbox.run(["doctor", "--json"]).env("HARNESS_HOME", home);
    let report = run.env("CLAUDE_CONFIG_DIR", world.sandbox.root().join("alt")).code(1).json();
    assert_eq!(found(&report), ["wrong-config-dir"], "{report:#}");
}

#[test]
fn an_old_client_ignores_the_arguments() {
    let world = World::healthy();
    world.sandbox.stub_claude("2.1.100");
    let report = world.doctor(&[]).json();
    assert_eq!(found(&report), ["entries-outdated/exec-form"], "{report:#}");
    assert_eq!(report["hosts"][0]["gate"]["state"], "dead", "{report:#}");
}

#[test]
fn hooks_of_others_are_never_run() {
    let world = World::healthy();
    let mark = world.sandbox.root().join("ran");
    let script = format!("#!/bin/sh\ntouch '{}'\n", mark.display());
    let foreign = world.sandbox.script("project/harness", &script);
    // By its shape it is ours, by its program it is not.
    let args = ["hook", "claude-code", "PreToolUse"];
    let entry = json!({ "type": "command", "command": foreign, "args": args });
    let plain = json!({ "type": "command", "command": foreign });
    let project = json!({ "hooks": { "PreToolUse": [{ "hooks": [entry, plain] }], "SessionStart": [{ "hooks": [plain] }] } });
    world.sandbox.write("project/.claude/settings.json", project.to_string());
    let report = world.doctor(&[]).json();
    assert!(found(&report).contains(&"entry-unverified".to_owned()), "{report:#}");
    assert!(!mark.exists());
}

#[test]
fn words_and_codes_for_people_and_scripts() {
    let world = World::healthy();
    let home = world.sandbox.home().join("h");
    let run = |args: &[&str]| world.sandbox.run(args).env("HARNESS_HOME", &home);
    let text = run(&["doctor"]).ok().stdout;
    assert!(text.is_ascii() && text.contains("[ok]"), "{text}");
    assert!(!text.contains("settings are JSON"), "{text}");
    assert!(run(&["doctor", "-v"]).ok().stdout.contains("settings are JSON"));
    let fancy = run(&["doctor"]).env("TERM", "xterm").ok().stdout;
    assert!(fancy.contains('✓') && !fancy.contains('\u{1b}'), "{fancy}");
    run(&["doctor", "no-such-check"]).code(2);
    let one = run(&["doctor", "stdin-hang", "--json"]).ok().json();
    assert_eq!(one["checks"].as_array().map(Vec::len), Some(1));
    // Nothing is broken, so nobody is asked.
    assert!(run(&["doctor", "--fix"]).ok().stderr.contains("nothing to repair"));
    world.write_settings(&json!({}));
    let refused = run(&["doctor", "--fix"]).code(2);
    assert!(refused.stderr.contains("--yes"), "{}", refused.stderr);
}

#[test]
fn the_real_hook_is_alive_repaired_and_switched_off() {
    let sandbox = Sandbox::new();
    sandbox.stub_claude("2.1.332");
    sandbox.run(["install", "--yes"]).ok();
    let doctor = |args: &[&str]| sandbox.run(["doctor", "--json"].iter().chain(args)).go().json();
    // A test build has a loader; a shipped one doesn't.
    let roots = |report: &Value| {
        let mut roots = found(report);
        roots.retain(|r| r != "dynamic-binary");
        roots
    };
    let report = doctor(&[]);
    assert_eq!(roots(&report), [""; 0], "{report:#}");
    assert_eq!(report["hosts"][0]["gate"]["state"], "alive");
    let installed = sandbox.read("home/.claude/settings.json");
    sandbox.write("home/.claude/settings.json", "{\"env\":{}}\n");
    assert_eq!(roots(&doctor(&[])), ["own-entry-lost/missing"]);
    let fixed = sandbox.run(["doctor", "--fix", "--yes"]).ok();
    assert!(fixed.stdout.contains("+") && fixed.stdout.contains("PreToolUse"), "{}", fixed.stdout);
    assert!(sandbox.read("home/.claude/settings.json").contains("\"env\""));
    assert!(installed.contains("PreToolUse"));
    assert_eq!(roots(&doctor(&[])), [""; 0]);
}

#[test]
fn a_broken_policy_is_the_root_and_the_gate_stays_alive() {
    let sandbox = Sandbox::new();
    sandbox.stub_claude("2.1.332");
    sandbox.run(["install", "--yes"]).ok();
    let doctor = || sandbox.run(["doctor", "--json"]).code(1).json();
    let policy = "home/.config/harness/policy.toml";
    sandbox.write(
        policy,
        "version = 1\n[[guard]]\nid = \"x\"\ntool = \"Bash\"\ndeny = \"no\"\nmention = [\"y\"]\n",
    );
    let report = doctor();
    let mut roots = found(&report);
    roots.retain(|r| r != "dynamic-binary");
    assert_eq!(roots, ["policy-bad"], "{report:#}");
    assert_eq!(report["hosts"][0]["gate"]["state"], "alive", "{report:#}");
    let checks = report["checks"].as_array().expect("a list");
    let bad = checks.iter().find(|c| c["id"] == "policy-bad").expect("there");
    let evidence = bad["evidence"][0].as_str().expect("text");
    assert!(evidence.contains("policy.toml:6:1: `guard[1].mention`"), "{evidence}");
}
