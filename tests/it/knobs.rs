//! The two knobs, from the command line to the hook's answer.

mod enclosed;

use serde_json::json;

use crate::support::World;

fn of(sandbox: &str, approval: &str, preset: &str) -> (String, String, String) {
    (sandbox.to_owned(), approval.to_owned(), preset.to_owned())
}

#[test]
fn where_nobody_chose_the_rules_alone_decide() {
    let world = World::new();
    world.begin();
    assert_eq!(world.knobs(&[]), of("danger-full-access", "ask", "rules-only"));
    for command in ["npm test", "ls", "echo x > /srv/elsewhere/x"] {
        assert_eq!(world.bash(command), "none", "{command}");
    }
}

#[test]
fn read_only_asks_for_each_write_and_with_never_denies_it() {
    let world = World::new();
    let session = world.begin();
    let set = world.cli(&["knob", "sandbox", "read-only", "--session", &session]);
    assert_eq!(set.status.code(), Some(0), "{set:?}");
    let inside = world.inside("a.txt");
    assert_eq!(world.bash("ls -la && git status"), "none");
    assert_eq!(world.write(&inside), "ask");
    for command in ["npm test", "touch a", "echo x > a", "ls | tee a", "$X"] {
        assert_eq!(world.bash(command), "ask", "{command}");
    }
    assert_eq!(world.verdict("WebFetch", &json!({"url": "https://example.org"})).0, "none");
    world.cli(&["knob", "approval", "never", "--session", &session]);
    assert_eq!(world.bash("ls"), "none");
    let (verdict, reason) = world.verdict("Write", &json!({"file_path": inside, "content": "x"}));
    assert_eq!(verdict, "deny");
    assert!(reason.contains("harness/read-only") && reason.contains("never"), "{reason}");
    // What was in force stands with every call.
    let calls = world.records("tool/call");
    let last = calls.last().expect("a call");
    assert_eq!((&last["sandbox"], &last["approval"]), (&json!("read-only"), &json!("never")));
}

#[test]
fn a_session_that_plans_only_looks_whatever_the_knob_says() {
    let world = World::new();
    world.begin();
    let said = |mode: &str, tool: &str, input: &serde_json::Value| {
        let payload = crate::support::pre_tool_use(&world.sandbox.project(), tool, input);
        let mut payload: serde_json::Value = serde_json::from_str(&payload).expect("json");
        payload["permission_mode"] = json!(mode);
        let ran = world.hook("PreToolUse", &payload.to_string());
        if ran.denied().is_some() {
            "deny"
        } else if ran.stdout.is_empty() {
            "none"
        } else {
            "ask"
        }
    };
    let file = |file: String| json!({"file_path": file, "content": "x"});
    let plan = world.sandbox.home().join(".claude/plans/p.md").to_str().expect("text").to_owned();
    assert_eq!(said("default", "Write", &file(world.inside("a"))), "none");
    assert_eq!(said("plan", "Write", &file(world.inside("a"))), "ask");
    assert_eq!(said("plan", "Bash", &json!({"command": "npm test"})), "ask");
    assert_eq!(said("plan", "Bash", &json!({"command": "git log | head"})), "none");
    assert_eq!(said("plan", "Write", &file(plan)), "none");
    assert_eq!(said("plan", "ExitPlanMode", &json!({"plan": "x"})), "none");
}

#[test]
fn workspace_write_asks_for_known_writes_outside_and_for_nothing_else() {
    let world = World::new();
    let session = world.begin();
    world.cli(&["preset", "workspace-write", "--session", &session]);
    assert_eq!(world.write(&world.inside("src/new.rs")), "none");
    assert_eq!(world.write("/srv/elsewhere/x"), "ask");
    for command in
        ["npm test", "cargo build", "touch a", "echo x > /tmp/a", "make > /dev/null", "rm -r build"]
    {
        assert_eq!(world.bash(command), "none", "{command}");
    }
    assert_eq!(world.bash("echo x > /srv/elsewhere/x"), "ask");
    // A clone in a scratch folder has these homes there too.
    let scratch = ["/tmp", "/var/tmp"].iter().any(|temp| world.sandbox.home().starts_with(temp));
    for command in ["cp a ../b", "mkdir -p ~/notes"] {
        assert_eq!(world.bash(command), if scratch { "none" } else { "ask" }, "{command}");
    }
    let plan = world.sandbox.home().join(".claude/plans/p.md");
    assert_eq!(world.write(plan.to_str().expect("text")), "none");
}

#[test]
fn one_event_for_each_choice_and_none_for_what_holds() {
    let world = World::new();
    let lines = || world.sandbox.read("h/state/knobs.jsonl").lines().count();
    world.cli(&["knob", "sandbox", "read-only"]);
    assert_eq!((lines(), world.knobs(&[])), (1, of("read-only", "ask", "read-only")));
    world.cli(&["knob", "approval", "never"]);
    assert_eq!((lines(), world.knobs(&[])), (2, of("read-only", "never", "custom")));
    world.cli(&["knob", "approval", "never"]);
    world.cli(&["knob", "sandbox", "read-only", "--default"]);
    assert_eq!(lines(), 2);
    assert_eq!(world.cli(&["preset", "workspace-write", "--yes"]).status.code(), Some(0));
    assert_eq!((lines(), world.knobs(&[])), (5, of("workspace-write", "ask", "workspace-write")));
    assert_eq!(world.cli(&["preset", "workspace-write"]).status.code(), Some(0));
    assert_eq!(lines(), 5);
    // A project's word stands above the default, a session's above both.
    world.cli(&["knob", "sandbox", "read-only", "--project"]);
    assert_eq!(world.knobs(&["--project"]).0, "read-only");
    let status = world.cli(&["status", "--json"]).json();
    assert_eq!(status["knobs"]["sandbox"], "read-only");
    assert_eq!(world.knobs(&["--default"]).0, "workspace-write");
    let session = world.begin();
    assert_eq!(world.knobs(&["--session", &session]).0, "read-only");
    world.cli(&["knob", "sandbox", "workspace-write", "--session", &session[..8], "--yes"]);
    assert_eq!(world.knobs(&["--session", &session]).0, "workspace-write");
    assert_eq!(world.write("/srv/elsewhere/x"), "ask");
    assert_eq!(world.write(&world.inside("x")), "none");
}

#[test]
fn only_a_person_widens() {
    let world = World::new();
    world.cli(&["preset", "read-only"]);
    let before = world.sandbox.read("h/state/knobs.jsonl");
    let wide = ["knob", "sandbox", "workspace-write"];
    let nobody = world.cli(&wide);
    assert_eq!(nobody.status.code(), Some(2));
    assert!(nobody.stderr.contains("--yes"), "{nobody:?}");
    let yes = [&wide[..], &["--yes"]].concat();
    let agent = world.sandbox.run(&yes).env("HARNESS_HOME", world.root()).env("CLAUDECODE", "1");
    let agent = agent.code(2);
    assert!(agent.stderr.contains("person"), "{agent:?}");
    assert_eq!(before, world.sandbox.read("h/state/knobs.jsonl"));
    // Tightening needs nobody's word, and the same as a tool call is refused whatever.
    assert_eq!(world.cli(&["knob", "approval", "never"]).status.code(), Some(0));
    for loosens in [
        "harness knob sandbox workspace-write --yes",
        "harness preset rules-only --yes --session x",
        "harness knob --session x sandbox danger-full-access -y",
        "harness knob sandbox $MODE",
    ] {
        assert_eq!(world.bash(loosens), "deny", "{loosens}");
    }
    for shows in ["harness knob", "harness preset"] {
        assert_eq!(world.bash(shows), "none", "{shows}");
    }
    assert_eq!(world.cli(&yes).status.code(), Some(0));
}

#[test]
fn policy_files_give_defaults_and_a_repository_has_no_say() {
    let world = World::new();
    world.sandbox.write(
        "h/policy.toml",
        "version = 1\n[knobs]\nsandbox = \"read-only\"\n[presets.constructor]\nsandbox = \"read-only\"\napproval = \"ask\"\n[presets.10]\nsandbox = \"workspace-write\"\napproval = \"never\"\n[presets.1]\nsandbox = \"workspace-write\"\napproval = \"ask\"\n",
    );
    assert_eq!(world.knobs(&[]), of("read-only", "ask", "constructor"));
    let names = world.cli(&["preset", "--json"]).json();
    let names: Vec<&str> = names["presets"]
        .as_array()
        .expect("rows")
        .iter()
        .filter_map(|p| p["name"].as_str())
        .collect();
    assert_eq!(names, ["constructor", "10", "1"]);
    assert_eq!(world.cli(&["preset", "custom"]).status.code(), Some(2));
    let session = world.begin();
    assert_eq!(world.write(&world.inside("x")), "ask");
    // What a session began with stays; a new default is for new ones.
    world.sandbox.write("h/policy.toml", "version = 1\n");
    assert_eq!(world.write(&world.inside("x")), "ask");
    assert_eq!(world.knobs(&["--session", &session]).0, "read-only");
    assert_eq!(world.knobs(&[]).0, "danger-full-access");
    world.sandbox.write(
        "project/.harness/policy.toml",
        "version = 1\n[knobs]\nsandbox = \"danger-full-access\"\n",
    );
    assert_eq!(world.write(&world.inside("x")), "ask");
    assert_eq!(world.knobs(&["--session", &session]).0, "read-only");
}

#[test]
fn the_history_is_the_fold_and_a_damaged_log_is_the_strictest() {
    let world = World::new();
    let session = world.begin();
    let whose = ["--session", session.as_str()];
    world.cli(&["knob", "sandbox", "workspace-write", whose[0], whose[1]]);
    world.cli(&["knob", "sandbox", "read-only", whose[0], whose[1]]);
    let history = world.cli(&["knob", "--history", "--json", whose[0], whose[1]]).json();
    let events = history["events"].as_array().expect("events");
    let held: Vec<&str> = events.iter().filter_map(|e| e["sandbox"].as_str()).collect();
    let full = "danger-full-access";
    assert_eq!(held, [full, full, full, full, "workspace-write", "read-only"]);
    let five = world.cli(&["knob", "--history", "--at", "5", "--json", whose[0], whose[1]]).json();
    assert_eq!(five["events"].as_array().expect("events").len(), 5);
    assert_eq!(world.knobs(&whose).0, "read-only");

    let log = std::fs::read_dir(world.root().join("state/sessions")).expect("there");
    let log = log.flatten().next().expect("a log").path();
    let mut bytes = std::fs::read(&log).expect("there");
    bytes.extend_from_slice(b"{\"ts\":1,\"type\":\"sandbox/mo");
    std::fs::write(&log, bytes).expect("written");
    assert_eq!(world.knobs(&whose), of("read-only", "never", "custom"));
    assert_eq!(world.write(&world.inside("x")), "deny");
    assert_eq!(
        world.cli(&["preset", "rules-only", "--yes", whose[0], whose[1]]).status.code(),
        Some(0)
    );
    assert_eq!(world.write(&world.inside("x")), "none");
    assert_eq!(world.knobs(&whose), of(full, "ask", "rules-only"));
}

#[test]
fn a_choice_killed_at_any_of_200_moments_was_made_or_was_not() {
    const MOMENTS: u32 = 200;
    let world = World::new();
    world.cli(&["preset", "read-only"]);
    let choice = |name: &str| {
        let mut choice = std::process::Command::new(crate::support::binary());
        choice
            .args(["preset", name, "--yes"])
            .env_clear()
            .env("HARNESS_HOME", world.root())
            .current_dir(world.sandbox.project())
            .stdout(std::process::Stdio::null());
        choice.spawn().expect("it starts")
    };
    // A choice takes about this long, so that the moments lie before, in and behind it.
    let began = std::time::Instant::now();
    choice("read-only").wait().expect("it ends");
    let long = began.elapsed() * 2;
    let (mut made, mut last) = (0, of("read-only", "ask", "read-only"));
    for n in 0..MOMENTS {
        let (name, other) = match last.0.as_str() {
            "read-only" => {
                ("danger-full-access", of("danger-full-access", "never", "danger-full-access"))
            }
            _ => ("read-only", of("read-only", "ask", "read-only")),
        };
        let mut choice = choice(name);
        std::thread::sleep(long * (n * 67 % MOMENTS) / MOMENTS);
        let _ = choice.kill();
        let _ = choice.wait();
        let now = world.knobs(&[]);
        assert!(now == last || now == other, "{n}: {last:?} {now:?}");
        made += usize::from(now == other);
        last = now;
    }
    assert!(made > 0, "no choice was ever made");
    let log = world.sandbox.read("h/state/knobs.jsonl");
    // Two events began it, and every choice that was made is all three of its own.
    assert_eq!(log.lines().count(), 2 + 3 * made, "{log}");
    let verified = world.cli(&["log", "verify"]);
    assert_eq!(verified.status.code(), Some(0), "{verified:?}");
}

#[test]
fn every_authority_log_is_chained_and_the_first_break_in_any_is_named() {
    let world = World::new();
    let session = world.begin();
    for (name, whose) in [("read-only", vec![]), ("workspace-write", vec!["--session", &session])] {
        let args = [&["preset", name, "--yes"][..], &whose].concat();
        assert_eq!(world.cli(&args).status.code(), Some(0));
    }
    let whole = world.cli(&["log", "verify"]);
    assert_eq!(whole.status.code(), Some(0), "{whole:?}");
    assert!(whole.stdout.contains("in 2 logs of authority"), "{whole:?}");
    let sessions = std::fs::read_dir(world.root().join("state/sessions")).expect("there");
    let of_session = sessions.flatten().next().expect("a log").path();
    for log in [world.root().join("state/knobs.jsonl"), of_session] {
        let text = world.sandbox.read(&log);
        let lines: Vec<&str> = text.lines().collect();
        for (at, broken) in [(0, 2), (1, 3)] {
            let Some(line) = lines.get(at).filter(|_| lines.len() > broken - 1) else { continue };
            std::fs::write(&log, text.replacen(line, &line.replacen(":1", ":2", 1), 1))
                .expect("written");
            let ran = world.cli(&["log", "verify"]);
            assert_eq!(ran.status.code(), Some(1), "{ran:?}");
            let place = format!("{}:{broken}: does not link", log.display());
            assert!(ran.stdout.contains(&place), "{place}: {ran:?}");
        }
        // A line taken out of the middle.
        let cut: String =
            [&lines[..1], &lines[2..]].concat().iter().map(|l| format!("{l}\n")).collect();
        std::fs::write(&log, &cut).expect("written");
        assert_eq!(world.cli(&["log", "verify"]).status.code(), Some(i32::from(lines.len() > 2)));
        std::fs::write(&log, &text).expect("written");
    }
    assert_eq!(world.cli(&["log", "verify"]).status.code(), Some(0));
}

#[test]
fn explain_and_the_hook_see_the_same_knobs() {
    let world = World::new();
    for preset in ["workspace-write", "read-only"] {
        world.cli(&["preset", preset]);
        for command in ["ls", "npm test", "touch a", "echo x > /srv/elsewhere/x", "rm -rf /"] {
            let told = world.cli(&["explain", "--json", command]).json();
            let hooked = world.bash(command);
            assert_eq!(told["verdict"], hooked.as_str(), "{preset}: {command}");
        }
    }
}

#[test]
fn a_session_nobody_knows_is_a_no() {
    let world = World::new();
    let ran = world.cli(&["knob", "--session", "beef"]);
    assert_eq!(ran.status.code(), Some(1));
    assert!(ran.stderr.contains("harness log"), "{ran:?}");
    assert_eq!(world.cli(&["knob", "sandbox", "loose"]).status.code(), Some(2));
    assert_eq!(world.cli(&["knob", "--session", "x", "--default"]).status.code(), Some(2));
}

#[test]
fn a_choice_that_is_a_link_to_nothing_is_lost_and_not_none() {
    let world = World::new();
    world.cli(&["preset", "workspace-write"]);
    let file = world.root().join("state/knobs.jsonl");
    std::fs::remove_file(&file).expect("there");
    std::os::unix::fs::symlink("gone", &file).expect("made");
    assert_eq!(world.write(&world.inside("x")), "deny", "read-only and never");
    let status = world.cli(&["status"]).stdout;
    assert!(status.contains("knobs.jsonl: it is a link that leads nowhere"), "{status}");
    let verified = world.cli(&["log", "verify"]);
    assert_eq!(verified.status.code(), Some(1), "{verified:?}");
    assert!(verified.stdout.contains("leads nowhere"), "{verified:?}");
    let set = world.cli(&["knob", "sandbox", "read-only"]);
    assert_eq!(set.status.code(), Some(3), "{set:?}");
    assert!(set.stderr.contains("hint: move that file away"), "{set:?}");
    std::fs::remove_file(&file).expect("there");
    assert_eq!(world.write(&world.inside("x")), "none");
}
