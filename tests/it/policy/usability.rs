//! What a person types first: `policy init`, `policy check`, `explain` with few words and
//! with wrong ones.

use serde_json::{Value, json};

use crate::support::{Sandbox, pre_tool_use};

const UNPROVEN: &str =
    "version = 1\n[[guard]]\nid = \"a\"\ntool = \"Bash\"\nmentions = [\"x\"]\ndeny = \"no\"\n";

#[test]
fn init_writes_a_policy_that_holds_and_overwrites_none() {
    let sandbox = Sandbox::new();
    let ran = sandbox.run(["policy", "init"]).ok();
    let file = sandbox.user_policy();
    assert!(ran.stdout.contains(&format!("wrote {}", file.display())), "{}", ran.stdout);
    assert!(ran.stdout.contains("every rule proves itself: 1 of files"), "{}", ran.stdout);
    let said = sandbox.run(["explain", "--json", "npm", "publish"]).ok().json();
    assert_eq!(said["verdict"], "ask", "{said}");

    std::fs::write(&file, "version = 1\n# mine\n").unwrap();
    let ran = sandbox.run(["policy", "init"]).code(1);
    assert!(ran.stderr.contains("is there already"), "{}", ran.stderr);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "version = 1\n# mine\n");

    sandbox.run(["policy", "init", "--project"]).ok();
    assert!(sandbox.project().join(".harness/policy.toml").is_file());
    std::fs::remove_file(&file).unwrap();
    std::os::unix::fs::symlink("/nowhere/at/all", &file).unwrap();
    sandbox.run(["policy", "init"]).code(1);
    // An agent has no policy to write.
    let said = sandbox.run(["explain", "--json", "harness policy init"]).ok().json();
    assert_eq!(said["verdict"], "deny", "{said}");
}

#[test]
fn check_says_no_more_than_examples_prove() {
    let sandbox = Sandbox::new();
    sandbox.write(sandbox.user_policy(), UNPROVEN);
    let ran = sandbox.run(["policy", "check"]).ok();
    assert!(!ran.stdout.contains("every rule proves itself"), "{}", ran.stdout);
    assert!(ran.stdout.contains("0 of 1 rules of files prove themselves"), "{}", ran.stdout);
    assert!(ran.stderr.contains("policy.toml:2: rule `a` has no examples"), "{}", ran.stderr);
    assert!(ran.stderr.contains("hint: add `examples.match"), "{}", ran.stderr);
    sandbox.run(["policy", "check", "--strict"]).code(1);

    let half = UNPROVEN.to_owned() + "examples.match = [\"x\"]\n";
    sandbox.write(sandbox.user_policy(), &half);
    let report = sandbox.run(["policy", "check", "--json"]).ok().json();
    assert_eq!((&report["rules"], &report["rules_with_examples"]), (&json!(1), &json!(0)));
    let what = report["warnings"][0]["message"].as_str().unwrap();
    assert!(what.contains("no example that it must let pass"), "{report}");

    sandbox.write(sandbox.user_policy(), half + "examples.pass = [\"y\"]\n");
    let ran = sandbox.run(["policy", "check", "--strict"]).ok();
    assert!(ran.stdout.contains("every rule proves itself: 1 of files"), "{}", ran.stdout);
}

#[test]
fn a_core_that_is_off_is_said_wherever_the_policy_is_summed_up() {
    let sandbox = Sandbox::new();
    let warned = |sandbox: &Sandbox| {
        let check = sandbox.run(["policy", "check"]).go().stderr.contains("`core` is switched off");
        let status = sandbox.run(["status"]).go().stdout.contains("`core` is switched off");
        let json = sandbox.run(["status", "--json"]).go().json();
        let listed = json["policy"]["warnings"].as_array().unwrap().len();
        let doctor = sandbox.run(["doctor", "--json", "policy-weak"]).go().json();
        let weak = doctor["checks"][0]["status"] == "warn";
        (check, status, listed == 1, weak)
    };
    assert_eq!(warned(&sandbox), (false, false, false, false));
    sandbox.write(sandbox.user_policy(), "version = 1\n[packs]\ndisable = [\"core\"]\n");
    assert_eq!(warned(&sandbox), (true, true, true, true));
}

#[test]
fn explain_takes_plain_words_and_says_what_to_type() {
    let sandbox = Sandbox::new();
    let verdict = |args: &[&str]| {
        let args = ["explain", "--json"].iter().chain(args);
        sandbox.run(args).ok().json()["verdict"].as_str().unwrap().to_owned()
    };
    assert_eq!(verdict(&["rm -rf /"]), "deny");
    assert_eq!(verdict(&["Bash", "rm -rf /"]), "deny");
    assert_eq!(verdict(&["--", "rm", "-rf", "/"]), "deny");
    assert_eq!(verdict(&["git", "commit -m 'rm -rf /'"]), "none");
    assert_eq!(verdict(&["Write", ".claude/settings.json"]), "deny");
    assert_eq!(verdict(&["Read", ".claude/settings.json"]), "none");

    let hint = |args: &[&str]| {
        let ran = sandbox.run(["explain"].iter().chain(args)).code(2);
        ran.stderr.lines().find(|line| line.starts_with("hint: ")).unwrap().to_owned()
    };
    assert!(hint(&[]).contains("harness explain 'git push'"));
    assert!(hint(&["git", "push", "--force"]).contains("harness explain 'git push --force'"));
    assert!(hint(&["Bash"]).contains("harness explain Bash 'git push'"));
    assert!(hint(&["Task", "x"]).contains("harness explain --tool Task --input"));
    assert!(hint(&["--tool", "Bash"]).contains("harness explain Bash 'git push'"));
    assert!(hint(&["--tool", "Bash", "--input", "ls"]).contains("harness explain Bash 'git push'"));
    let ran = sandbox.run(["explain", "--tool", "bash", "--input", "{\"command\":\"ls\"}"]).ok();
    assert!(ran.stderr.contains("did you mean `Bash`?"), "{}", ran.stderr);
}

#[test]
fn explain_last_is_the_last_call_of_the_journal() {
    let sandbox = Sandbox::new();
    let own = sandbox.root().join("own").display().to_string();
    let last = |args: &[&str]| {
        let args = ["explain", "--last"].iter().chain(args);
        sandbox.run(args).env("HARNESS_HOME", &own)
    };
    let ran = last(&[]).code(1);
    assert!(ran.stderr.contains("no call is written down"), "{}", ran.stderr);

    let hook = |event: &str, payload: &Value| {
        let args = ["hook", "claude-code", event, "--home", &own, "--client", "2.1.332"];
        sandbox.run(args).stdin(payload.to_string()).go()
    };
    let payload = |command: &str| -> Value {
        let input = json!({"command": command, "description": "\"type\":\"tool/call\""});
        serde_json::from_str(&pre_tool_use(&sandbox.project(), "Bash", &input)).unwrap()
    };
    let mut start = payload("");
    start["hook_event_name"] = json!("SessionStart");
    start["source"] = json!("startup");
    hook("SessionStart", &start);
    hook("PreToolUse", &payload("ls"));
    hook("PreToolUse", &payload("rm -rf /"));

    let said = last(&["--json"]).ok().json();
    assert_eq!(said["verdict"], "deny");
    assert_eq!(said["recorded"]["answer"], "deny");
    assert_eq!(said["recorded"]["rules"][0], "core/delete-system");
    assert_eq!(
        (&said["recorded"]["whole"], &said["commands"][0]["program"]),
        (&json!(true), &json!("rm"))
    );
    last(&["--session", "4f6a1c52"]).ok();
    last(&["--session", "another"]).code(1);
    let ran = last(&["--exit-code"]).code(11);
    assert!(ran.stdout.contains("then       deny (core/delete-system"), "{}", ran.stdout);

    hook("PreToolUse", &payload("git reset --hard"));
    // What has changed since shows: the journal keeps what was, the policy says what is.
    sandbox.write("own/policy.toml", "version = 1\n[packs]\ndisable = [\"core\"]\n");
    let said = last(&["--json"]).ok().json();
    assert_eq!((&said["verdict"], &said["recorded"]["verdict"]), (&json!("none"), &json!("ask")));

    hook("PreToolUse", &payload("curl -H 'authorization: Bearer ghp_0123456789abcdefghij0123' x"));
    let ran = last(&[]).ok();
    assert!(ran.stderr.contains("leaves secrets"), "{}{}", ran.stdout, ran.stderr);
}
