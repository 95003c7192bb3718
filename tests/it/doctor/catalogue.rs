//! More of the catalogue, each fault injected into a healthy world: that root cause and no
//! other. `no_fault_gives_no_finding` and the healthy homes are the clean half of every pair.

use super::scopes::{machine, roots};
use super::{GATE, SOFT, World, found};
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

const PROJECT: &str = "project/.claude/settings.json";
const AUDIT: &str = "home/h/state/journal/audit.jsonl";

fn mode(path: &Path, bits: u32) {
    let bits = std::fs::Permissions::from_mode(bits);
    std::fs::set_permissions(path, bits).expect("it is ours");
}

/// The status and the kind of a check in a report.
fn status<'r>(report: &'r Value, id: &str) -> (&'r str, Option<&'r str>) {
    let checks = report["checks"].as_array().expect("a list");
    let check = checks.iter().find(|c| c["id"] == id).expect("it is there");
    (check["status"].as_str().expect("a word"), check["kind"].as_str())
}

/// A gate with one more line before it decides.
fn gate_with(line: &str) -> String {
    GATE.replace("input=$(head -n 1)", &format!("input=$(head -n 1)\n{line}"))
}

#[test]
fn a_hook_that_reads_ascii_only() {
    let gate = gate_with(r#"printf %s "$input" | LC_ALL=C grep -q '[^ -~]' && exit 1"#);
    World::new(&gate, SOFT).expect(&["ascii-only"], "dead", "alive");
}

#[test]
fn tools_that_the_gate_does_not_read() {
    for (tool, root) in [
        ("Edit", "write-tool-gap/Edit"),
        ("MultiEdit", "write-tool-gap/MultiEdit"),
        ("NotebookEdit", "write-tool-gap/NotebookEdit"),
        ("mcp__files__write_file", "write-tool-gap/mcp__files__write_file"),
        ("PowerShell", "shell-tool-gap/PowerShell"),
    ] {
        let gate =
            gate_with(&format!(r#"case "$input" in *'"tool_name":"{tool}"'*) exit 0;; esac"#));
        World::new(&gate, SOFT).expect(&[root], "dead", "alive");
    }
}

#[test]
fn spellings_that_the_gate_does_not_know() {
    for (part, root) in [
        ("/../", "path-spelling-gap/parent"),
        ("/.//", "path-spelling-gap/doubled"),
        ("/linked/", "path-spelling-gap/link"),
        ("/proc/self/root/", "path-spelling-gap/proc"),
    ] {
        let gate = gate_with(&format!(r#"case "$input" in *{part}*) exit 0;; esac"#));
        World::new(&gate, SOFT).expect(&[root], "dead", "alive");
    }
}

#[test]
fn a_shim_that_unpacks_escapes() {
    let gate = gate_with(
        r#"case "$input" in *'}') ;; *) deny;; esac
again=$(echo "$input")
[ "$again" = "$(printf '%s' "$input")" ] || exit 1"#,
    );
    World::new(&gate, SOFT).expect(&["payload-mangled"], "dead", "alive");
}

#[test]
fn a_payload_that_no_variable_can_hold() {
    let gate = gate_with("export input; /bin/true || exit 1");
    World::new(&gate, SOFT).expect(&["size-limit/200-kib", "size-limit/2048-kib"], "dead", "alive");
}

#[test]
fn a_child_that_holds_the_output() {
    let gate = gate_with("sleep 20 & ");
    World::new(&gate, SOFT).expect(&["stdout-held"], "alive", "alive");
    World::new(GATE, &format!("sleep 20 &\n{SOFT}")).expect(&["stdout-held"], "alive", "alive");
    let apart = gate_with("sleep 20 >/dev/null 2>&1 </dev/null &");
    World::new(&apart, SOFT).expect(&[], "alive", "alive");
}

#[test]
fn a_hook_near_its_limit_and_one_that_was_slow_once() {
    World::new(&gate_with("sleep 1.7"), SOFT).expect(&["slow"], "alive", "alive");
    let once = r#"case "$input" in *policy.toml*) mkdir "$0.once" 2>/dev/null && sleep 1.7;; esac"#;
    World::new(&gate_with(once), SOFT).expect(&[], "alive", "alive");
}

#[test]
fn bytes_that_are_no_text() {
    for bytes in [r"\033[31m", r"\000", r"\221hi"] {
        let gate = GATE.replace("deny() {", &format!("deny() {{ printf '{bytes}';"));
        World::new(&gate, SOFT).expect(&["bad-bytes"], "alive", "alive");
    }
}

#[test]
fn context_over_and_near_the_limit() {
    let more = |units: usize| {
        let text = "x".repeat(units);
        SOFT.replace("harness %s", &format!("harness %s {text}"))
    };
    World::new(GATE, &more(10_000)).expect(&["context-too-big"], "alive", "dead");
    World::new(GATE, &more(8_000)).expect(&["context-too-big/near"], "alive", "alive");
    World::new(GATE, &more(7_000)).expect(&[], "alive", "alive");
    let emoji = SOFT.replace("harness %s", &format!("harness %s {}", "😀".repeat(5_000)));
    World::new(GATE, &emoji).expect(&["context-too-big"], "alive", "dead");
}

#[test]
fn variables_that_a_project_sets() {
    for name in
        ["PATH", "BASH_ENV", "LD_PRELOAD", "NODE_OPTIONS", "PYTHONPATH", "HARNESS_HOME", "DYLD_X"]
    {
        let world = World::healthy();
        let mut env = json!({ "env": { "FOO": "1" } });
        env["env"][name] = match name {
            "PATH" => "/usr/bin:/bin".into(),
            _ => json!("/nowhere"),
        };
        world.sandbox.write(PROJECT, env.to_string());
        world.expect(&["env-tampered"], "alive", "alive");
    }
    // One's own settings may.
    let world = World::healthy();
    let mut settings = world.settings();
    settings["env"] = json!({ "NODE_OPTIONS": "--max-old-space-size=4096" });
    world.write_settings(&settings);
    world.expect(&[], "alive", "alive");
}

#[test]
fn gates_of_others_that_see_one_shell() {
    let with = |matcher: &str, env: Value| {
        let world = World::healthy();
        let mut settings = world.settings();
        let hook = json!({ "type": "command", "command": "cat >/dev/null" });
        let groups = settings["hooks"]["PreToolUse"].as_array_mut().expect("a list");
        groups.push(json!({ "matcher": matcher, "hooks": [hook] }));
        settings["env"] = env;
        world.write_settings(&settings);
        world
    };
    let on = json!({ "CLAUDE_CODE_USE_POWERSHELL_TOOL": "1" });
    with("Bash", on.clone()).expect(&["shell-tool-gap/foreign"], "alive", "alive");
    with("PowerShell", on.clone()).expect(&["shell-tool-gap/foreign"], "alive", "alive");
    for (matcher, env) in
        [("Bash|PowerShell", on.clone()), ("*", on.clone()), ("Write", on), ("Bash", json!({}))]
    {
        with(matcher, env).expect(&[], "alive", "alive");
    }
}

#[test]
fn a_crowd_of_hooks_at_every_call() {
    let with = |count: usize| {
        let world = World::healthy();
        let mut settings = world.settings();
        let hook = |n| json!({ "type": "command", "command": format!("cat >/dev/null # {n}") });
        let hooks: Vec<Value> = (0..count).map(hook).collect();
        let groups = settings["hooks"]["PreToolUse"].as_array_mut().expect("a list");
        groups.push(json!({ "matcher": "Bash", "hooks": hooks }));
        world.write_settings(&settings);
        world
    };
    with(30).expect(&["fan-out"], "alive", "alive");
    with(5).expect(&[], "alive", "alive");
}

#[test]
fn permission_rules_that_protect_nothing() {
    let with = |rules: &[&str]| {
        let world = World::healthy();
        let mut settings = world.settings();
        settings["permissions"] = json!({ "deny": rules });
        world.write_settings(&settings);
        world
    };
    for rules in [
        &["Edit(/usr/x/**)"][..],
        &["Read(/etc/passwd)"],
        &["Write(secrets/**)"],
        &["Read(C:/x/**)"],
        &[r"Edit(.\secrets\x)"],
    ] {
        let world = with(rules);
        world.expect(&["rule-ineffective"], "alive", "alive");
        let report = world.doctor(&["rule-ineffective"]).json();
        let evidence = report["checks"][0]["evidence"][0].as_str().expect("a line");
        assert!(evidence.contains(rules[0]), "{evidence}");
    }
    with(&[
        "Edit(//usr/x/**)",
        "Read(./.env)",
        "Read(~/.ssh/**)",
        "Write(a)",
        "Edit(a)",
        "Bash(rm:*)",
    ])
    .expect(&[], "alive", "alive");
}

#[test]
fn a_sandbox_that_is_weaker_than_it_looks() {
    let with = |sandbox: Value| {
        let world = World::healthy();
        for program in ["bwrap", "socat"] {
            world.sandbox.script(Path::new("bin").join(program), "#!/bin/sh\n");
        }
        let mut settings = world.settings();
        settings["sandbox"] = sandbox;
        world.write_settings(&settings);
        world
    };
    let wide = json!({ "enabled": true, "allowUnsandboxedCommands": false, "excludedCommands": ["docker:*"] });
    with(wide).expect(&["sandbox-knob/excluded"], "alive", "alive");
    let tight = json!({ "enabled": true, "allowUnsandboxedCommands": false, "excludedCommands": ["docker ps"] });
    let world = with(tight);
    world.expect(&[], "alive", "alive");
    std::fs::remove_file(world.sandbox.bin().join("bwrap")).expect("it is there");
    let head = world.sandbox.bin().join("head");
    std::os::unix::fs::symlink("/usr/bin/head", head).expect("nothing is there");
    let home = world.sandbox.home().join("h");
    let run = world.sandbox.run(["doctor", "--json"]).env("HARNESS_HOME", home);
    let report = run.env("PATH", world.sandbox.bin()).ok().json();
    assert_eq!(found(&report), ["sandbox-knob/missing"], "{report:#}");
    let world = with(json!({ "enabled": true }));
    world.expect(&[], "alive", "alive");
    let report = world.doctor(&[]).json();
    assert_eq!(status(&report, "sandbox-knob"), ("note", Some("escape")));
    with(json!({ "enabled": false, "excludedCommands": ["x:*"] })).expect(&[], "alive", "alive");
}

#[test]
fn lists_of_the_client_beside_the_policy() {
    let with = |lists: Value| {
        let world = World::new(
            &gate_with(
                r#"case "$input" in *'git push --force'*) printf '%s' '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}'; exit 0;; *printenv*) deny;; esac"#,
            ),
            SOFT,
        );
        let mut settings = world.settings();
        settings["permissions"] = lists;
        world.write_settings(&settings);
        world
    };
    for list in ["deny", "ask"] {
        let world = with(json!({ list: ["Bash(git push --force:*)"] }));
        world.expect(&[&format!("allow-overrides/{list}")], "alive", "alive");
    }
    let world = with(json!({ "allow": ["Bash(printenv)", "Bash(ls *)"], "deny": ["Bash(rm:*)"] }));
    world.expect(&[], "alive", "alive");
    assert_eq!(status(&world.doctor(&[]).json(), "allow-overlap"), ("note", None));
    let world = with(json!({ "allow": ["Bash(ls)"] }));
    assert_eq!(status(&world.doctor(&[]).json(), "allow-overlap"), ("ok", None));
}

#[test]
fn a_journal_that_is_damaged_or_cannot_be_written() {
    let world = World::healthy();
    let good = "{\"type\":\"x\"}\n";
    let log = world.sandbox.write(AUDIT, good);
    mode(&log, 0o600);
    world.expect(&[], "alive", "alive");
    std::fs::write(&log, format!("{good}{{\"type\":{good}{good}{{\"ty")).expect("ours");
    world.expect(&["log-damaged/lines"], "alive", "alive");
    std::fs::write(&log, good).expect("ours");
    mode(&log, 0o644);
    world.expect(&["log-damaged/open"], "alive", "alive");
    mode(&log, 0o400);
    world.expect(&["log-unwritable"], "alive", "alive");
    mode(&log, 0o600);
    let file = std::fs::OpenOptions::new().write(true).open(&log).expect("ours");
    file.set_len(200 << 20).expect("sparse");
    let report = world.doctor(&[]).json();
    assert_eq!(status(&report, "log-damaged").0, "warn", "{report:#}");
    std::fs::remove_file(&log).expect("it is there");
    let made = std::process::Command::new("mkfifo").arg(&log).status().expect("mkfifo");
    assert!(made.success());
    let begun = std::time::Instant::now();
    world.expect(&["log-unwritable"], "alive", "alive");
    assert!(begun.elapsed().as_secs() < 20, "a pipe must not hold the doctor");
}

#[test]
fn a_lock_that_somebody_keeps() {
    let world = World::healthy();
    let log = world.sandbox.write(AUDIT, "");
    mode(&log, 0o600);
    let keeper = std::fs::File::open(&log).expect("ours");
    keeper.lock().expect("free");
    world.expect(&["lock-held"], "alive", "alive");
    drop(keeper);
    world.expect(&[], "alive", "alive");
    // A file alone is no lock, whatever its time.
    let lock = world.sandbox.write("home/h/state/install.lock", "");
    let far = std::time::SystemTime::now() + std::time::Duration::from_secs(400_000_000);
    std::fs::File::options()
        .write(true)
        .open(&lock)
        .expect("ours")
        .set_modified(far)
        .expect("ours");
    world.expect(&[], "alive", "alive");
    let keeper = std::fs::File::open(&lock).expect("ours");
    keeper.lock().expect("free");
    world.expect(&["lock-held"], "alive", "alive");
}

#[test]
fn what_an_interrupted_update_left() {
    for name in [
        "hooks/gate.old-1234",
        "hooks/.gate.harness-x1y2",
        "home/.claude/.settings.json.harness-ab",
    ] {
        let world = World::healthy();
        world.sandbox.write(name, "x");
        world.expect(&["update-leftover"], "alive", "alive");
        let ours = world.doctor(&["update-leftover"]).json();
        assert!(ours["checks"][0]["evidence"][0].as_str().is_some_and(|e| e.ends_with(name)));
    }
    let world = World::healthy();
    world.sandbox.write("hooks/gate.old", "x");
    world.sandbox.write("hooks/other.old-1", "x");
    world.expect(&[], "alive", "alive");
}

#[test]
fn the_real_hook_leaves_no_gap() {
    for home in ["home", "other home/한글"] {
        let sandbox = machine("2.1.332");
        let home = sandbox.root().join(home);
        std::fs::create_dir_all(&home).expect("made");
        sandbox.run(["install", "--yes"]).env("HOME", &home).ok();
        let report = sandbox.run(["doctor", "--json"]).env("HOME", &home).ok().json();
        assert_eq!(roots(&report), [""; 0], "{report:#}");
        let checks = report["checks"].as_array().expect("a list");
        let gap = checks.iter().find(|c| c["id"] == "write-tool-gap").expect("it is there");
        assert!(gap["message"].as_str().is_some_and(|m| m.starts_with("12 other")), "{gap:#}");
    }
}

#[test]
fn what_is_missing_or_broken_around_the_hooks() {
    let world = World::healthy();
    assert_eq!(status(&world.doctor(&[]).json(), "client-missing").0, "ok");
    assert_eq!(status(&world.doctor(&[]).json(), "scope-weak"), ("note", Some("user")));
    std::fs::remove_file(world.sandbox.bin().join("claude")).expect("it is there");
    world.expect(&[], "alive", "alive");
    assert_eq!(status(&world.doctor(&[]).json(), "client-missing").0, "note");
    let world = World::healthy();
    std::fs::remove_file(world.sandbox.user_settings()).expect("it is there");
    std::fs::create_dir(world.sandbox.user_settings()).expect("nothing is there");
    world.expect(&["settings-unreadable"], "dead", "dead");
    let world = World::healthy();
    let home = world.sandbox.home().join("h");
    let run = world.sandbox.run(["doctor", "--json"]).env("HARNESS_HOME", home);
    let report = run.env("TMPDIR", "/nowhere/at/all").code(1).json();
    assert_eq!(found(&report), ["probe-failed"], "{report:#}");
    assert_eq!(report["hosts"][0]["gate"]["state"], "unknown", "{report:#}");
    let sandbox = machine("2.1.332");
    sandbox.run(["install", "--yes"]).ok();
    assert_eq!(roots(&sandbox.run(["doctor", "--json"]).ok().json()), [""; 0]);
    sandbox.write("home/.local/state/harness/manifest.json", "{");
    let report = sandbox.run(["doctor", "--json"]).go().json();
    assert_eq!(roots(&report), ["manifest-bad"], "{report:#}");
}

#[test]
fn a_policy_that_does_not_prove_itself() {
    let sandbox = machine("2.1.332");
    sandbox.run(["install", "--yes"]).ok();
    let rule = "version = 1\n[[guard]]\nid = \"z\"\ntool = \"Bash\"\nmentions = [\"zebra\"]\ndeny = \"no\"\n";
    sandbox.write("home/.config/harness/policy.toml", rule);
    let report = sandbox.run(["doctor", "--json"]).go().json();
    assert_eq!(roots(&report), ["policy-weak"], "{report:#}");
    let proven = format!("{rule}examples.match = [\"echo zebra\"]\nexamples.pass = [\"echo a\"]\n");
    sandbox.write("home/.config/harness/policy.toml", proven);
    assert_eq!(roots(&sandbox.run(["doctor", "--json"]).ok().json()), [""; 0]);
}
