//! What a person meets who has read nothing but README: folders nobody thought of, words of
//! other programs, questions answered in every way.

use serde_json::json;

use crate::support::{Sandbox, World, pre_tool_use};

#[test]
fn the_built_in_rules_prove_themselves_wherever_a_person_stands() {
    let sandbox = Sandbox::new();
    let said = |folder: &str, home: &str| {
        let run = sandbox.run(["policy", "check"]).cwd(folder).env("HOME", home);
        run.ok().stdout
    };
    let home = sandbox.home().to_string_lossy().into_owned();
    for folder in ["home", "project", "project/.git", "bin", "/", "/tmp", "/usr"] {
        let said = said(folder, &home);
        assert!(
            said.contains("every rule proves itself: 0 of files, 87 built-in"),
            "{folder}: {said}"
        );
    }
    for odd in ["/", "/tmp", "/var/lib/robot", "/nonexistent", "/opt/app", "/root"] {
        let said = said("project", odd);
        assert!(said.contains("every rule proves itself"), "{odd}: {said}");
    }
}

#[test]
fn a_rule_of_ones_own_proves_itself_from_every_folder_of_the_project_and_from_home() {
    let sandbox = Sandbox::new();
    sandbox.write(
        sandbox.user_policy(),
        "version = 1\n[[guard]]\nid = \"generated\"\npaths = [\"gen/**\"]\naccess = \"write\"\n\
         deny = \"no\"\nexamples.match = [\"echo x > gen/a.rs\"]\nexamples.pass = [\"cat gen/a.rs\"]\n",
    );
    std::fs::create_dir_all(sandbox.project().join("src/deep")).unwrap();
    for folder in ["project", "project/src/deep", "home", "/"] {
        let ran = sandbox.run(["policy", "check"]).cwd(folder).ok();
        assert!(ran.stdout.contains("every rule proves itself: 1 of files"), "{folder}: {ran:?}");
    }
}

#[test]
fn a_rule_for_a_tool_that_no_client_has_is_said_wherever_the_policy_is_summed_up() {
    let sandbox = Sandbox::new();
    let rule = |tool: &str| {
        let text = format!(
            "version = 1\n[[guard]]\nid = \"a\"\ntool = {tool}\nmentions = [\"x\"]\ndeny = \"no\"\n"
        );
        sandbox.write(sandbox.user_policy(), text);
        let check = sandbox.run(["policy", "check"]).ok().stderr;
        check.contains("no client has; did you mean `Bash`?")
    };
    for right in ["\"Bash\"", "\"*\"", "[\"bash\", \"Bash\"]", "\"mcp__a__b\"", "\"Whatever\""] {
        assert!(!rule(right), "{right}");
    }
    for wrong in ["\"bash\"", "[\"Read\", \"BASH\"]"] {
        assert!(rule(wrong), "{wrong}");
    }
    assert!(sandbox.run(["status"]).go().stdout.contains("did you mean `Bash`?"));
    let doctor = sandbox.run(["doctor", "--json", "policy-weak"]).go().stdout;
    assert!(doctor.contains("did you mean `Bash`?"), "{doctor}");
    sandbox.run(["policy", "check", "--strict"]).code(1);
}

#[test]
fn knobs_shown_without_more_are_those_that_hold_here() {
    let world = World::new();
    let of = |args: &[&str]| world.cli(args).json()["sandbox"]["value"].clone();
    world.cli(&["knob", "sandbox", "read-only", "--project"]);
    assert_eq!(of(&["knob", "--json"]), json!("read-only"));
    assert_eq!(of(&["knob", "--json", "--project"]), json!("read-only"));
    assert_eq!(of(&["knob", "--json", "--default"]), json!("danger-full-access"));
    let shown = world.cli(&["knob"]).stdout;
    assert!(shown.contains("read-only            project"), "{shown}");
    assert_eq!(world.cli(&["status", "--json"]).json()["knobs"]["sandbox"], json!("read-only"));
    assert_eq!(world.cli(&["preset", "--json"]).json()["current"], json!("read-only"));
    // And that is what a session here begins with.
    world.begin();
    assert_eq!(world.bash("touch a"), "ask");
    // What is set without more is everybody's, and it is said that it doesn't hold here.
    let set = world.cli(&["preset", "workspace-write"]);
    assert!(set.stdout.contains("workspace-write      default"), "{set:?}");
    assert!(set.stderr.contains("says otherwise"), "{set:?}");
    let home = world.sandbox.home();
    let elsewhere =
        world.sandbox.run(["knob", "--json"]).cwd(home).env("HARNESS_HOME", world.root());
    assert_eq!(elsewhere.ok().json()["sandbox"]["value"], json!("workspace-write"));
    assert_eq!(of(&["knob", "--json"]), json!("read-only"));
}

#[test]
fn a_call_that_was_let_pass_is_not_the_one_to_approve() {
    let world = World::new();
    world.cli(&["preset", "read-only"]);
    world.begin();
    let touch = |id: &str, file: &str| {
        world.call(id, "Bash", &json!({"command": format!("touch {file}")}), None)
    };
    touch("first", "a");
    touch("second", "b");
    world.cli(&["approve", "--yes"]);
    assert!(touch("third", "b").stdout.is_empty(), "it was granted");
    let shown = world.cli(&["approve"]);
    assert_eq!(shown.status.code(), Some(2), "nobody can be asked: {shown:?}");
    assert!(!shown.stdout.contains("was given no reason"), "{shown:?}");
    assert!(shown.stdout.contains("isn't known only to read"), "{shown:?}");
    world.cli(&["off", "--for", "10m", "--yes"]);
    touch("fourth", "c");
    let shown = world.cli(&["approve"]);
    assert!(!shown.stdout.contains("touch c"), "{shown:?}");
}

#[test]
fn the_beginning_of_an_id_means_one_call_or_none() {
    let world = World::new();
    world.begin();
    for (id, command) in [("toolu_1", "ls a"), ("toolu_12", "ls b"), ("toolu_13", "ls c")] {
        world.call(id, "Bash", &json!({ "command": command }), None);
    }
    for (id, command) in [("toolu_1", "ls a"), ("toolu_12", "ls b"), ("toolu_13", "ls c")] {
        let said = world.cli(&["why", id]);
        assert!(said.stdout.contains(command), "the whole id {id}: {said:?}");
    }
    for command in ["why", "approve"] {
        let said = world.cli(&[command, "toolu_"]);
        assert_eq!(said.status.code(), Some(2), "{said:?}");
        assert!(said.stderr.contains("several calls begin with `toolu_`"), "{said:?}");
        assert!(said.stderr.contains("toolu_12") && said.stderr.contains("write more"), "{said:?}");
    }
    // Without an id it is the last one.
    assert!(world.cli(&["why"]).stdout.contains("ls c"));
    assert_eq!(world.cli(&["why"]).stdout, world.cli(&["why", "--last"]).stdout);
    assert_eq!(world.cli(&["why", "nothing"]).status.code(), Some(1));
}

#[test]
fn probes_of_install_are_nobodys_last_call() {
    let sandbox = Sandbox::new();
    sandbox.run(["install", "--yes"]).ok();
    sandbox.run(["doctor"]).go();
    for args in [&["explain", "--last"][..], &["why"], &["approve"]] {
        let said = sandbox.run(args).code(1);
        assert!(said.stdout.is_empty(), "{args:?}: {said:?}");
    }
}

#[test]
fn words_of_other_programs_lead_somewhere() {
    let sandbox = Sandbox::new();
    for (typed, wanted) in [
        ("disable", "harness off --for 10m"),
        ("setup", "harness install"),
        ("init", "harness install"),
        ("remove", "harness uninstall"),
        ("check", "harness doctor"),
        ("on", "harness off --end"),
        ("rules", "harness policy show"),
        ("isntall", "'install'"),
        ("uninstal", "'uninstall'"),
        ("docter", "'doctor'"),
        ("policy list", "harness policy show"),
        ("policy validate", "harness policy check"),
        ("policy chekc", "'check'"),
        ("off 10m", "harness off --for 10m"),
        ("install --force", "needs no force"),
        ("doctor --scope user", "every scope at once"),
        ("explain git push --force", "harness explain 'git push --force'"),
    ] {
        let said = sandbox.run(typed.split(' ')).code(2);
        let tips = said.stderr.lines().filter(|l| l.contains("tip: ") || l.contains("hint: "));
        let tips: String = tips.collect();
        assert!(tips.contains(wanted), "{typed}: {}", said.stderr);
        assert_eq!(said.stdout, "", "{typed}");
    }
    let said = sandbox.run(["isntall"]).code(2).stderr;
    assert!(!said.contains("uninstall"), "{said}");
}

/// Every command that a tip names is there.
#[test]
fn what_a_tip_names_can_be_run() {
    let sandbox = Sandbox::new();
    let source = std::fs::read_to_string(crate::support::repository().join("src/cli/habits.rs"));
    let source = source.unwrap();
    let named = source.split('"').filter(|text| text.starts_with("harness "));
    let mut count = 0;
    for line in named {
        count += 1;
        let words: Vec<&str> = line.split(' ').skip(1).collect();
        let commands = words.iter().take_while(|word| !word.starts_with('-')).copied();
        let help = sandbox.run(commands.chain(["--help"])).ok().stdout;
        for option in words.iter().filter(|word| word.starts_with("--")) {
            assert!(help.contains(option), "{line}: {help}");
        }
    }
    assert!(count > 10, "{count}");
}

#[test]
fn help_and_version_are_commands_too() {
    let sandbox = Sandbox::new();
    let of = |line: &str| sandbox.run(line.split(' ')).ok().stdout;
    assert_eq!(of("help"), of("--help"));
    assert_eq!(of("help policy check"), of("policy check --help"));
    assert_eq!(of("policy help"), of("policy --help"));
    assert_eq!(of("version"), of("--version"));
    sandbox.run(["help", "nonsense"]).code(2);
}

#[test]
fn a_misspelt_rule_or_pack_is_answered_with_the_right_one() {
    let sandbox = Sandbox::new();
    for (typed, wanted) in [
        ("force-push", "`core/force-push` or `git/force-push`"),
        ("core/delete", "`core/delete-system`"),
        ("core/force-psh", "`core/force-push`"),
        ("secret", "`secrets"),
        ("nothing-like-it", "lists them"),
    ] {
        let said = sandbox.run(["policy", "show", typed]).code(1).stderr;
        assert!(said.contains(wanted), "{typed}: {said}");
    }
    let text = "version = 1\n[packs]\nenable = [\"secret\"]\n[[except]]\nrule = \"core/force-psh\"\nreason = \"x\"\n";
    sandbox.write(sandbox.user_policy(), text);
    let said = sandbox.run(["policy", "check"]).code(1).stderr;
    for wanted in ["did you mean `secrets`?", "did you mean `core/force-push`?"] {
        assert!(said.contains(wanted), "{said}");
    }
}

#[test]
fn a_misspelt_check_is_answered_in_a_line() {
    let sandbox = Sandbox::new();
    for (typed, wanted) in [
        ("not-instaled", "did you mean `not-installed`?"),
        ("nonsense-of-all-kinds", "lists the checks"),
    ] {
        let said = sandbox.run(["doctor", typed]).code(2).stderr;
        assert!(said.contains(wanted), "{said}");
        assert!(said.lines().all(|line| line.len() < 200), "{said}");
    }
}

#[test]
fn what_waits_for_trust_is_said_at_a_glance_and_nothing_to_trust_is_no_riddle() {
    let sandbox = Sandbox::new();
    let said = sandbox.run(["trust"]).code(1);
    assert!(said.stderr.contains("there is nothing to trust"), "{said:?}");
    assert!(said.stderr.contains("hint: "), "{said:?}");
    let policy = "version = 1\n[[guard]]\nid = \"lint\"\ntool = \"Bash\"\nrun = [\"./lint.sh\"]\ndeny = \"no\"\n";
    sandbox.write("project/.harness/policy.toml", policy);
    sandbox.script("project/lint.sh", "#!/bin/sh\n");
    let waits = |sandbox: &Sandbox| {
        sandbox.run(["status"]).go().stdout.lines().any(|l| l.ends_with("harness trust"))
    };
    assert!(waits(&sandbox));
    sandbox.run(["trust", "--yes"]).ok();
    assert!(!waits(&sandbox));
}

#[test]
fn what_would_not_change_is_said_and_a_diff_has_no_gaps() {
    let sandbox = Sandbox::new();
    assert_eq!(sandbox.run(["uninstall", "--dry-run"]).ok().stderr, "nothing would change\n");
    sandbox.run(["install", "--yes"]).ok();
    assert!(sandbox.run(["install", "--dry-run"]).ok().stderr.contains("nothing would change"));
    let diff = sandbox.run(["uninstall", "--dry-run"]).code(1).stdout;
    assert!(diff.lines().all(|line| !line.trim_matches(['+', '-']).is_empty()), "{diff}");
}

#[test]
fn what_to_do_without_a_terminal_can_be_done() {
    let sandbox = Sandbox::new();
    sandbox.run(["install", "--yes"]).ok();
    let settings = sandbox.read(sandbox.user_settings());
    sandbox.write(sandbox.user_settings(), settings.replace("\"timeout\": 30", "\"timeout\": 29"));
    let said = sandbox.run(["doctor", "--fix"]).code(2).stderr;
    assert!(said.contains("harness install --dry-run"), "{said}");
    sandbox.run(["install", "--dry-run"]).code(1);
    sandbox.run(["doctor", "--fix", "--yes"]).go();
    assert_eq!(sandbox.run(["status", "--quiet"]).go().status.code(), Some(0));
}

#[test]
fn explain_prints_each_thing_once_and_no_blanks_behind() {
    let sandbox = Sandbox::new();
    for line in ["git push --force", "ls", "rm -rf build", "curl http://x | sh"] {
        let said = sandbox.run(["explain", line]).ok().stdout;
        assert!(said.lines().all(|l| l == l.trim_end()), "{said:?}");
        let effects: Vec<&str> = said.lines().filter(|l| l.starts_with("             ")).collect();
        let once: std::collections::BTreeSet<&&str> = effects.iter().collect();
        assert_eq!(effects.len(), once.len(), "{said}");
    }
    for nothing in ["", "  "] {
        let said = sandbox.run(["explain", nothing]).code(2).stderr;
        assert!(said.contains("there is nothing to explain"), "{said}");
    }
    let said = sandbox.run(["explain", "--tool", "Write", "--input", "{"]).code(2).stderr;
    assert!(said.contains("the document ends too early"), "{said}");
}

#[test]
fn how_long_is_said_as_it_was_typed() {
    let world = World::new();
    world.begin();
    let call = pre_tool_use(&world.sandbox.project(), "Bash", &json!({"command": "git push -f"}));
    world.hook("PreToolUse", &call);
    let said = world.cli(&["approve", "--for", "2h", "--yes"]).stdout;
    assert!(said.contains("this one call within 2 hours"), "{said}");
    // The journal tells which grant that was, and of which call.
    let log = world.cli(&["log"]).stdout;
    let made = log.lines().find(|line| line.contains("grant/made")).unwrap();
    assert!(made.contains("Bash git push -f"), "{made}");
    assert!(said.contains(world.records("grant/made")[0]["id"].as_str().unwrap()), "{said}");
    assert!(world.cli(&["off"]).stdout.starts_with("on: nothing is silenced"));
}
