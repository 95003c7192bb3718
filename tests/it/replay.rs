//! `harness replay` and `harness why`: recorded calls, decided again.

use serde_json::{Value, json};

use crate::support::{World, is_long};

fn bash(command: &str) -> Value {
    json!({ "command": command })
}

fn replay(world: &World, args: &[&str], code: i32) -> Value {
    let ran = world.cli(&[&["replay", "--json"][..], args].concat());
    assert_eq!(ran.status.code(), Some(code), "{ran:?}");
    ran.json()
}

/// Calls of many kinds: what is done, to what, in which order.
fn calls(world: &World, count: usize) -> Vec<(&'static str, Value)> {
    let project = world.sandbox.project();
    let inside = |name: &str| project.join(name).to_str().expect("text").to_owned();
    let places = [
        "a.txt",
        "src/b.rs",
        "link/c",
        "up/../d",
        "../e",
        "~/f",
        "/etc/g",
        "/tmp/h",
        ".env",
        ".git/config",
        ".claude/settings.json",
        "gone/i",
        "link/../j",
        "*.k",
        "$X/l",
    ];
    let verbs = [
        "cat",
        "rm -rf",
        "touch",
        "cp a.txt",
        "ln -s x",
        "git add",
        "chmod -R 777",
        "tee",
        "git push --force origin",
        "curl -T",
        "echo x >",
        "npm test --",
        "sudo rm",
        "grep -r k",
        "git push && cat",
        "harness status; cat",
        "python3 -c 'print(1)' >",
        "mv",
    ];
    let tools = ["Write", "Read", "Edit", "Glob", "mcp__x__y"];
    let mut state = 7_u64;
    let mut next = |below: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).expect("it fits") % below
    };
    (0..count)
        .map(|_| {
            let place = places[next(places.len())];
            if next(4) == 0 {
                let tool = tools[next(tools.len())];
                let input = json!({"file_path": inside(place), "content": "x", "old_string": "a", "new_string": "b"});
                (tool, input)
            } else {
                ("Bash", bash(&format!("{} {place}", verbs[next(verbs.len())])))
            }
        })
        .collect()
}

#[test]
fn under_the_same_policy_nothing_changes_whatever_has_become_of_the_files() {
    let count = if is_long() { 6_000 } else { 1_000 };
    let world = World::new();
    let session = world.begin();
    world.sandbox.write("project/a.txt", "x");
    world.sandbox.write("project/.git/HEAD", "ref: refs/heads/feature/x\n");
    std::fs::create_dir_all(world.sandbox.root().join("elsewhere")).expect("made");
    let link = world.sandbox.project().join("link");
    std::os::unix::fs::symlink(world.sandbox.root().join("elsewhere"), &link).expect("made");
    world.sandbox.write(
        "h/policy.toml",
        "version = 1\n[packs]\nenable = [\"core\", \"git\", \"secrets\", \"publish\"]\n[[except]]\nrule = \"git/force-push\"\nwhen.branch = \"feature/*\"\n[[listener]]\nid = \"n\"\ntool = \"Bash\"\ncommand = [\"npm\"]\nvote = \"ask\"\nreason = \"r\"\nexamples.match = [\"npm x\"]\nexamples.pass = [\"ls\"]\n",
    );
    let calls = calls(&world, count);
    for (part, mode) in calls.chunks(count / 4 + 1).zip([
        "danger-full-access",
        "workspace-write",
        "read-only",
        "read-only",
    ]) {
        world.cli(&["knob", "sandbox", mode, "--session", &session, "--yes"]);
        std::thread::scope(|scope| {
            for (n, piece) in part.chunks(part.len() / 2 + 1).enumerate() {
                let world = &world;
                scope.spawn(move || {
                    for (at, (tool, input)) in piece.iter().enumerate() {
                        world.call(&format!("{mode}-{n}-{at}"), tool, input, None);
                    }
                });
            }
        });
    }
    // The record alone counts: links and branches are other ones now.
    std::fs::remove_file(&link).expect("there");
    world.sandbox.write("project/.git/HEAD", "ref: refs/heads/main\n");
    let got = replay(&world, &[], 0);
    let undecided = got["not_decidable"]["redacted"].as_u64().unwrap_or(0)
        + got["not_decidable"]["unknown"].as_u64().unwrap_or(0);
    let decided = got["decided"].as_u64().expect("a number");
    assert_eq!(decided + undecided, count as u64, "{got}");
    assert!(decided >= 9 * count as u64 / 10, "{got}");
}

#[test]
fn another_policy_and_other_knobs_show_what_would_change() {
    let world = World::new();
    world.begin();
    world.call("c1", "Bash", &bash("npm publish"), None);
    world.call("c2", "Bash", &bash("ls"), None);
    world.call("c3", "Bash", &bash("rm -rf /"), None);
    world.call("c4", "Bash", &bash("psql --password hunter22-secret -c x"), None);
    world.call(
        "c5",
        "Write",
        &json!({"file_path": world.inside("a"), "content": "x".repeat(9_000)}),
        None,
    );
    assert_eq!(replay(&world, &[], 0)["not_decidable"]["redacted"], 2);
    let policy = "version = 1\n[[guard]]\nid = \"no-publish\"\ntool = \"Bash\"\ncommand = [\"npm\", \"publish\"]\ndeny = \"not here\"\nexamples.match = [\"npm publish\"]\nexamples.pass = [\"npm pack\"]\n";
    let file = world.sandbox.write("other.toml", policy);
    let file = file.to_str().expect("text");
    let got = replay(&world, &["--policy", file], 1);
    let changed = got["changed"].as_array().expect("rows");
    assert_eq!(changed.len(), 1, "{got}");
    let row = &changed[0];
    assert_eq!(
        (&row["call"], &row["was"], &row["would_be"]),
        (&json!("c1"), &json!("none"), &json!("deny"))
    );
    assert_eq!(
        (&row["rule"], &got["stricter"], &got["looser"]),
        (&json!("no-publish"), &json!(1), &json!(0))
    );
    let got = replay(&world, &["--knobs", "read-only,never"], 1);
    let of: Vec<_> =
        got["changed"].as_array().expect("rows").iter().map(|r| r["call"].as_str()).collect();
    assert_eq!(of, [Some("c1")], "{got}");
    assert_eq!(got["changed"][0]["would_be"], "deny");
    let table = world.cli(&["replay", "--policy", file]);
    assert!(table.stdout.contains("none -> deny  no-publish"), "{table:?}");
    assert_eq!(world.cli(&["replay", "--knobs", "loose"]).status.code(), Some(2));
    assert_eq!(world.cli(&["replay", "--policy", "nowhere.toml"]).status.code(), Some(2));
    let broken = world.sandbox.write("broken.toml", "version = 1\n[[guard");
    let ran = world.cli(&["replay", "--policy", broken.to_str().expect("text")]);
    assert_eq!(ran.status.code(), Some(2));
    assert!(ran.stderr.contains("broken.toml:2"), "{ran:?}");
}

#[test]
fn a_program_s_word_is_taken_from_the_record_and_none_is_started() {
    let world = World::new();
    let touched = world.sandbox.root().join("ran");
    let guard = world.sandbox.script(
        "guard.sh",
        &format!(
            "#!/bin/sh\necho x >> '{}'\ngrep -q forbidden && {{ echo no >&2; exit 1; }}\nexit 0\n",
            touched.display()
        ),
    );
    world.sandbox.write(
        "h/policy.toml",
        format!(
            "version = 1\n[[guard]]\nid = \"prog\"\ntool = \"Bash\"\nrun = [\"{}\"]\n",
            guard.display()
        ),
    );
    world.begin();
    world.call("c1", "Bash", &bash("echo forbidden"), None);
    world.call("c2", "Bash", &bash("echo fine"), None);
    let calls = world.records("tool/call");
    let said: Vec<_> = calls.iter().map(|c| c["verdict"].as_str()).collect();
    assert_eq!(said, [Some("deny"), Some("none")], "{calls:?}");
    let before = std::fs::read(&touched).expect("it ran").len();
    assert_eq!(replay(&world, &[], 0)["same"], 2);
    assert_eq!(std::fs::read(&touched).expect("there").len(), before);
}

#[test]
fn why_tells_of_one_call_and_what_became_of_it() {
    let world = World::new();
    world.cli(&["preset", "read-only"]);
    world.begin();
    world.call("c1", "Bash", &bash("touch a"), None);
    world.ran("c1", "Bash", &bash("touch a"));
    world.call("c2", "Bash", &bash("rm -rf /"), None);
    let why = world.cli(&["why", "c1", "--json"]).json();
    assert_eq!((&why["record"]["verdict"], &why["now"]["verdict"]), (&json!("ask"), &json!("ask")));
    let later: Vec<_> =
        why["later"].as_array().expect("rows").iter().map(|r| r["type"].as_str()).collect();
    assert_eq!(later, [Some("approval/asked"), Some("approval/decided"), Some("tool/result")]);
    let words = world.cli(&["why", "c1"]).stdout;
    for said in
        ["touch a", "allowed-once", "harness/read-only", "sandbox read-only", "says the same"]
    {
        assert!(words.contains(said), "{said}: {words}");
    }
    assert!(world.cli(&["why", "--last"]).stdout.contains("rm -rf /"));
    assert_eq!(world.cli(&["why", "zz"]).status.code(), Some(1));
    assert_eq!(world.cli(&["why"]).stdout, world.cli(&["why", "--last"]).stdout);
}
