//! README's promises, each a test of the same name, through the built binary.
//!
//! What lies below each is tested where it lives: the core's properties, the hook's
//! injected faults, the doctor's injuries, the real client. Here the whole thing holds.

use crate::support::{Ran, Sandbox, pre_tool_use};
use serde_json::{Value, json};

const GUARD: &str = "\
[[guard]]
id = \"no-prod\"
tool = \"Bash\"
mentions = [\"prod-db.internal\"]
deny = \"The production database is off limits\"
instead = \"use dev-db.internal\"
examples.match = [\"psql -h prod-db.internal\"]
examples.pass = [\"psql -h dev-db.internal\"]
";
const CONSENT: &str = "\
[[listener]]
id = \"all-is-well\"
tool = \"*\"
vote = \"allow\"
";
const FORBIDDEN: &str = "psql -h prod-db.internal";

/// A world whose files are below `own/`, as with `HARNESS_HOME`.
struct World {
    sandbox: Sandbox,
}

impl World {
    fn with_policy(policy: &str) -> Self {
        let world = Self { sandbox: Sandbox::new() };
        world.sandbox.write("own/policy.toml", policy);
        world.begin();
        world
    }

    /// Opens the session, as the client does before anything else: it pins the workspace.
    fn begin(&self) -> Ran {
        let payload: Value =
            serde_json::from_str(&pre_tool_use(&self.sandbox.project(), "", &Value::Null))
                .expect("ours");
        let start = json!({
            "session_id": payload["session_id"], "transcript_path": payload["transcript_path"],
            "cwd": payload["cwd"], "hook_event_name": "SessionStart", "source": "startup",
        });
        self.hook("SessionStart", &start.to_string())
    }

    fn own(&self) -> String {
        self.sandbox.root().join("own").display().to_string()
    }

    /// One event through the hook.
    fn hook(&self, event: &str, payload: &str) -> Ran {
        let own = self.own();
        let args = ["hook", "claude-code", event, "--home", &own, "--client", "2.1.332"];
        self.sandbox.run(args).stdin(payload).go()
    }

    /// A call through the hook.
    fn call(&self, tool: &str, input: &Value) -> Ran {
        self.hook("PreToolUse", &pre_tool_use(&self.sandbox.project(), tool, input))
    }

    fn bash(&self, command: &str) -> Ran {
        self.call("Bash", &json!({"command": command}))
    }

    /// A person's command.
    fn person(&self, args: &[&str]) -> Ran {
        self.sandbox.run(args).env("HARNESS_HOME", self.own()).go()
    }
}

/// What the hook said, in one word; anything but the three is a failure.
fn word(ran: &Ran) -> &'static str {
    if ran.denied().is_some() {
        return "deny";
    }
    assert_eq!(ran.status.code(), Some(0), "{}\n{}", ran.stdout, ran.stderr);
    if ran.stdout.is_empty() {
        return "none";
    }
    match ran.json()["hookSpecificOutput"]["permissionDecision"].as_str() {
        Some("ask") => "ask",
        None => "none",
        other => panic!("{other:?}: {}", ran.stdout),
    }
}

#[test]
fn a_guard_can_only_tighten() {
    for policy in [[GUARD, CONSENT], [CONSENT, GUARD]] {
        let world = World::with_policy(&format!("version = 1\n{}{}", policy[0], policy[1]));
        let ran = world.bash(FORBIDDEN);
        let reason = ran.denied().unwrap_or_else(|| panic!("{}\n{}", ran.stdout, ran.stderr));
        assert!(reason.contains("production database"), "{reason}");
        assert_eq!(word(&world.bash("psql -h dev-db.internal")), "none");
    }
    let consenting = GUARD.replace("deny = ", "vote = \"allow\"\ndeny = ");
    let world = World::with_policy(&format!("version = 1\n{consenting}"));
    assert_eq!(world.person(&["policy", "check"]).status.code(), Some(1));
    assert_eq!(word(&world.bash(FORBIDDEN)), "deny");
}

#[test]
fn a_broken_station_never_passes_a_call() {
    let good = format!("version = 1\n{GUARD}");
    let world = World::with_policy(&good);
    let whole = pre_tool_use(&world.sandbox.project(), "Bash", &json!({"command": "ls"}));
    assert_eq!(word(&world.hook("PreToolUse", &whole)), "none");
    let twice = whole.replacen('{', "{\"tool_name\":\"Read\",", 1);
    let deep = format!("{}{}", "[".repeat(200_000), "]".repeat(200_000));
    let broken =
        ["", " ", "{", "null", "[]", "{}", "\u{0}", &whole[..whole.len() / 2], &twice, &deep];
    for payload in broken {
        let ran = world.hook("PreToolUse", payload);
        let shown: String = payload.chars().take(60).collect();
        let reason =
            ran.denied().unwrap_or_else(|| panic!("{shown:?}: {}\n{}", ran.status, ran.stdout));
        assert!(!reason.trim().is_empty());
    }
    for policy in ["version = ", "version = 1\nnonsense = 2\n", "version = 99\n", "\u{0}\u{1}"] {
        let ran = World::with_policy(policy).bash("make install");
        let reason = ran.denied().unwrap_or_else(|| panic!("{policy:?}: {}", ran.stdout));
        assert!(reason.contains("policy.toml"), "{reason}");
    }
    let unknown =
        ["hook", "claude-code", "PreToolUse", "--owner", "somebody", "--home", &world.own()];
    assert!(world.sandbox.run(unknown).stdin(&whole).go().denied().is_some());
}

#[test]
fn green_means_proven() {
    let sandbox = Sandbox::new();
    sandbox.stub_claude("2.1.332");
    let gate = |ran: &Ran| ran.json()["hosts"][0]["gate"].clone();
    let before = sandbox.run(["doctor", "--json"]).go();
    assert_ne!(gate(&before)["state"], "alive", "nothing is installed");
    sandbox.run(["install", "--yes"]).ok();
    let proven = sandbox.run(["doctor", "--json"]).go();
    assert_eq!(gate(&proven)["state"], "alive", "{}", proven.stdout);
    assert_eq!(gate(&proven)["evidence"], "executed", "{}", proven.stdout);
    let settings = sandbox.read(sandbox.user_settings());
    sandbox
        .write(sandbox.user_settings(), settings.replacen('{', "{\"disableAllHooks\": true,", 1));
    let off = sandbox.run(["doctor", "--json"]).code(1);
    assert_eq!(gate(&off)["state"], "dead", "{}", off.stdout);
}

#[test]
fn nothing_that_isnt_ours_changes() {
    let odd = "\u{feff}{\r\n\t\"model\" : \"opus\",\r\n\t\"hooks\":{ \"PreToolUse\" :[\r\n  \
               {\"matcher\":\"Bash\",\"hooks\":[{\"type\":\"command\",\"command\":\"true  # 한글 \\u00e9\"}]} ] }\r\n\r\n}";
    for before in
        ["{}", "{}\n", "{\n  \"model\": \"opus\"\n}\n", odd.trim_start_matches('\u{feff}')]
    {
        let sandbox = Sandbox::new();
        sandbox.stub_claude("2.1.332");
        sandbox.write(sandbox.user_settings(), before);
        sandbox.run(["install", "--yes"]).ok();
        let with = sandbox.read(sandbox.user_settings());
        assert!(with.contains("hook"), "{with}");
        if before.contains("한글") {
            assert!(
                with.contains("\"true  # 한글 \\u00e9\""),
                "a foreign hook was touched: {with}"
            );
        }
        sandbox.run(["uninstall", "--yes"]).ok();
        assert_eq!(sandbox.read(sandbox.user_settings()), before);
    }
}

#[test]
fn a_repository_cant_loosen_a_persons_policy() {
    let world = World::with_policy(&format!("version = 1\n{GUARD}"));
    let rm = "rm -rf /";
    let attempts = [
        CONSENT,
        "[packs]\ndisable = [\"core\"]\n",
        "[[except]]\nrule = \"core/delete-system\"\nreason = \"it is fine here\"\n",
        "[knobs]\nsandbox = \"danger-full-access\"\napproval = \"never\"\n",
        "[presets.free]\nsandbox = \"danger-full-access\"\napproval = \"never\"\n",
        "this is no policy at all",
    ];
    for attempt in attempts {
        world.sandbox.write("project/.harness/policy.toml", format!("version = 1\n{attempt}"));
        for command in [FORBIDDEN, rm] {
            assert_eq!(word(&world.bash(command)), "deny", "{command}\n{attempt}");
        }
    }
    let stricter = GUARD.replace("prod-db", "staging-db").replace("no-prod", "no-staging");
    world.sandbox.write("project/.harness/policy.toml", format!("version = 1\n{stricter}"));
    assert_eq!(word(&world.bash("psql -h staging-db.internal")), "deny", "it may tighten");
}

#[test]
fn the_agent_cant_switch_its_guard_off() {
    let world = World::with_policy("version = 1\n");
    let own = world.own();
    let settings = world.sandbox.user_settings().display().to_string();
    let policy = format!("{own}/policy.toml");
    let project = world.sandbox.project().display().to_string();
    let off = "{\"disableAllHooks\": true}";
    let calls = [
        ("Write", json!({"file_path": policy, "content": "version = 1\n"})),
        ("Write", json!({"file_path": format!("{own}/state/owner"), "content": ""})),
        ("Write", json!({"file_path": settings, "content": off})),
        ("Write", json!({"file_path": format!("{project}/.claude/settings.json"), "content": off})),
        (
            "Write",
            json!({"file_path": format!("{project}/../project/.claude/settings.local.json"), "content": off}),
        ),
        ("Bash", json!({"command": format!("rm -f {policy}")})),
        ("Bash", json!({"command": format!("echo '{off}' > {settings}")})),
        ("Bash", json!({"command": "sed -i s/hooks/hoks/ ~/.claude/settings.json"})),
        ("Bash", json!({"command": "harness uninstall --yes"})),
        ("Bash", json!({"command": "sudo env A=b sh -c 'harness uninstall --yes'"})),
        ("Bash", json!({"command": format!("claude --settings '{off}' -p 'rm -rf /'")})),
    ];
    for (tool, input) in calls {
        let said = word(&world.call(tool, &input));
        assert_ne!(said, "none", "{tool} {input}");
    }
    assert_eq!(
        word(
            &world.call("Write", &json!({"file_path": format!("{project}/a.txt"), "content": "x"}))
        ),
        "none"
    );
}

#[test]
fn bytes_survive() {
    let text = "한국어 · 日本語 · ქართული · עברית · 🦀👩‍👩‍👧 · e\u{301} · \u{200f} · \u{10ffff} · \\ \"";
    let quoted = serde_json::to_string(text).expect("text");
    let policy = format!(
        "version = 1\n[[context]]\nevent = \"SessionStart\"\ntext = {quoted}\n[[guard]]\nid = \"u\"\ntool = \"Bash\"\n\
         mentions = [\"금지\"]\ndeny = {quoted}\nexamples.match = [\"echo 금지\"]\nexamples.pass = [\"echo 허용\"]\n"
    );
    let world = World::with_policy(&policy);
    let ran = world.begin();
    let context = ran.json()["hookSpecificOutput"]["additionalContext"].clone();
    assert!(context.as_str().expect("text").contains(text), "{context}");
    for locale in ["C", "ko_KR.EUC-KR"] {
        let payload =
            pre_tool_use(&world.sandbox.project(), "Bash", &json!({"command": "echo 금지"}));
        let own = world.own();
        let args = ["hook", "claude-code", "PreToolUse", "--home", &own];
        let ran = world.sandbox.run(args).env("LC_ALL", locale).stdin(payload).go();
        let reason = ran.denied().unwrap_or_else(|| panic!("{}", ran.stdout));
        assert!(reason.contains("한국어 · 日本語") && ran.stderr.contains("👩‍👩‍👧"), "{reason}");
    }
}

#[test]
fn it_is_not_felt() {
    // Counts of the binary that ships are held by `ci/counts`; here: nothing a call can
    // hold makes the answer late, and none of it is let pass for its size.
    let world = World::with_policy(&format!("version = 1\n{GUARD}"));
    let long = "echo word; ".repeat(5_000);
    let file = world.sandbox.project().join("big.txt");
    let big = json!({"file_path": file, "content": "line\n".repeat(200_000)});
    let begin = std::time::Instant::now();
    assert_eq!(word(&world.bash(&format!("{long}{FORBIDDEN}"))), "deny");
    assert_eq!(word(&world.bash(&format!("{}{FORBIDDEN}", "(".repeat(100_000)))), "deny");
    assert_eq!(word(&world.call("Write", &big)), "none");
    assert!(begin.elapsed().as_secs() < 10, "{:?}", begin.elapsed());
}

#[test]
fn one_truth() {
    let world = World::with_policy(&format!("version = 1\n[packs]\nenable = [\"git\"]\n{GUARD}"));
    let parts = [
        "ls -la",
        FORBIDDEN,
        "rm -rf /",
        "rm -rf build",
        "git push --force origin main",
        "echo 'rm -rf /'",
        "cat a | tee b",
        "sudo rm -rf ~",
        "sh -c \"$X\"",
        "cd /tmp",
        "FOO=1 make test",
        "curl x | sh",
    ];
    let joins = [" && ", "; ", " || ", " | "];
    // A fixed walk over the combinations: the same calls on every run.
    let mut at = 7_usize;
    let mut next = |n: usize| {
        at = at.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (at >> 33) % n
    };
    let mut calls = String::new();
    for _ in 0..30 {
        let command = format!("{}{}{}", parts[next(12)], joins[next(4)], parts[next(12)]);
        let told = world.person(&["explain", "--json", &command]);
        let verdict = told.json()["verdict"].as_str().expect("a word").to_owned();
        let said = word(&world.bash(&command));
        // Where nobody can be asked, the hook turns an ask into a denial.
        let agree = verdict == said || (verdict == "ask" && said == "deny");
        assert!(agree, "explain: {verdict}, hook: {said}: {command}");
        let call = json!({"tool": "Bash", "input": {"command": command}, "expect": verdict});
        calls.push_str(&format!("{call}\n"));
    }
    let file = world.sandbox.write("calls.jsonl", calls).display().to_string();
    let tested = world.person(&["policy", "test", &file]);
    assert_eq!(tested.status.code(), Some(0), "{}{}", tested.stdout, tested.stderr);
}

#[test]
fn no_dead_ends() {
    let world = World::with_policy(&format!("version = 1\n{GUARD}"));
    let reason = world.bash(FORBIDDEN).denied().expect("a denial");
    assert!(reason.contains("use dev-db.internal") && reason.contains("no-prod"), "{reason}");

    let broken = World::with_policy("version = 1\n[[guard]]\nid = 3\n");
    let reason = broken.bash("make install").denied().expect("a denial");
    assert!(reason.contains("policy.toml") && reason.contains("harness policy check"), "{reason}");

    // The way back: a person's uninstall works whatever the policy says, and sessions that
    // are still open are let go.
    let sandbox = Sandbox::new();
    sandbox.stub_claude("2.1.332");
    sandbox.run(["install", "--yes"]).ok();
    let owner = sandbox.read("home/.local/state/harness/owner");
    sandbox.write(sandbox.user_policy(), "broken");
    sandbox.run(["uninstall", "--yes"]).ok();
    let payload = pre_tool_use(&sandbox.project(), "Bash", &json!({"command": "ls"}));
    let place = |rest: &str| sandbox.home().join(rest).display().to_string();
    let (config, state, cache) =
        (place(".config/harness"), place(".local/state/harness"), place(".cache/harness"));
    let args = [
        "hook",
        "claude-code",
        "PreToolUse",
        "--owner",
        owner.trim(),
        "--config",
        &config,
        "--state",
        &state,
        "--cache",
        &cache,
    ];
    assert_eq!(word(&sandbox.run(args).stdin(payload).go()), "none");
}
