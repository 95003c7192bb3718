//! A passphrase that a person has set: what widens asks for it, on the terminal, unseen.

use std::ffi::OsString;

use serde_json::json;

use crate::support::{Ran, Screen, World, binary};

const PHRASE: &str = "drei gelbe Räder";
const PROMPT: &str = "Passphrase:";

/// The binary on a terminal of its own.
fn on_terminal(world: &World, args: &[&str]) -> Screen {
    let mut words = vec![binary().into_os_string()];
    words.extend(args.iter().map(OsString::from));
    let text = |s: &str| OsString::from(s);
    let env = [
        (text("HOME"), world.sandbox.home().into_os_string()),
        (text("PATH"), text("/usr/bin:/bin")),
        (text("TERM"), text("xterm-256color")),
        (text("HARNESS_HOME"), world.root().into_os_string()),
    ];
    let folder = world.sandbox.root().join("terminal");
    Screen::of(&folder, &words, &world.sandbox.project(), &env, (24, 80))
}

/// The binary where no terminal is, wherever the tests run.
fn without_terminal(world: &World, args: &[&str]) -> Ran {
    let own = binary();
    let all = ["--wait", own.to_str().expect("text")].into_iter().chain(args.iter().copied());
    world.sandbox.program("/usr/bin/setsid", all).env("HARNESS_HOME", world.root()).go()
}

/// Types each of these at a prompt of its own; the exit code, and that nothing typed was shown
/// and the terminal is as it was.
fn typed(world: &World, args: &[&str], answers: &[(&str, &str)]) -> i32 {
    let mut screen = on_terminal(world, args);
    let mut seen = 0;
    for (prompt, answer) in answers {
        screen.wait(prompt, |text| {
            text.matches(prompt).count() > if *prompt == PROMPT { seen } else { 0 }
        });
        seen += usize::from(*prompt == PROMPT);
        screen.keys(&format!("{answer}\r"));
    }
    let (code, restored) = screen.end();
    assert!(restored, "{args:?}: the terminal is not as it was");
    let shown = String::from_utf8_lossy(&screen.bytes()).into_owned();
    for (_, answer) in answers.iter().filter(|(_, answer)| answer.len() > 3) {
        assert!(!shown.contains(answer), "{args:?}: {shown}");
    }
    code
}

fn set(world: &World) {
    let answers = [("New passphrase:", PHRASE), ("The same again:", PHRASE)];
    assert_eq!(typed(world, &["passphrase", "--set"], &answers), 0);
}

/// What authority there is, byte for byte.
fn authority(world: &World) -> Vec<(String, Vec<u8>)> {
    let state = world.root().join("state");
    let mut files =
        vec![state.join("knobs.jsonl"), state.join("off.jsonl"), state.join("trust.json")];
    files.push(state.join("passphrase"));
    let sessions = std::fs::read_dir(state.join("sessions")).into_iter().flatten().flatten();
    files.extend(sessions.map(|entry| entry.path()));
    files.sort();
    let read = |file: std::path::PathBuf| {
        let bytes = std::fs::read(&file).unwrap_or_default();
        (file.display().to_string(), bytes)
    };
    files.into_iter().map(read).collect()
}

#[test]
fn whatever_widens_asks_for_it_and_a_wrong_one_changes_nothing() {
    use std::os::unix::fs::PermissionsExt;
    let world = World::new();
    world.cli(&["preset", "read-only"]);
    let session = world.begin();
    world.call("c1", "Bash", &json!({"command": "touch a"}), None);
    world.sandbox.write(
        "project/.harness/policy.toml",
        "version = 1\n[[guard]]\nid = \"g\"\ntool = \"Write\"\nrun = [\"./g\"]\n",
    );
    set(&world);
    let file = world.root().join("state/passphrase");
    assert_eq!(std::fs::metadata(&file).expect("there").permissions().mode() & 0o777, 0o600);
    assert!(!world.sandbox.read("h/state/passphrase").contains("gelbe"));
    let before = authority(&world);
    let widening: [&[&str]; 6] = [
        &["knob", "sandbox", "workspace-write", "--yes"],
        &["preset", "rules-only", "--yes", "--session", &session],
        &["approve", "c1", "--yes"],
        &["off", "--for", "10m", "--yes"],
        &["trust", "--yes"],
        &["uninstall", "--yes"],
    ];
    for (at, args) in widening.into_iter().enumerate() {
        let ran = without_terminal(&world, args);
        assert_eq!(ran.status.code(), Some(2), "{args:?}: {ran:?}");
        assert!(ran.stderr.contains("terminal"), "{args:?}: {ran:?}");
        // Three tries there are, or as many as a person makes before the end of input.
        let wrong: &[_] = match at {
            0 => &[(PROMPT, "drei gelbe Rader"), (PROMPT, ""), (PROMPT, "wrong once more")],
            _ => &[(PROMPT, "drei gelbe rader"), (PROMPT, "\x04")],
        };
        assert_eq!(typed(&world, args, wrong), 2, "{args:?}");
        assert_eq!(authority(&world), before, "{args:?}");
    }
    for (at, args) in widening.into_iter().enumerate() {
        let right = [(PROMPT, "not it, at first"), (PROMPT, PHRASE)];
        let right = right.get(usize::from(at > 0)..).expect("two");
        assert_eq!(typed(&world, args, right), 0, "{args:?}");
    }
    assert_ne!(authority(&world), before);
    // Tightening, showing and taking back need none.
    for args in [
        &["knob", "sandbox", "read-only"][..],
        &["off", "--end"],
        &["grants", "--revoke", "all"],
        &["trust", "--revoke"],
    ] {
        let ran = without_terminal(&world, args);
        assert_eq!(ran.status.code(), Some(0), "{args:?}: {ran:?}");
    }
}

#[test]
fn it_is_changed_and_removed_by_who_knows_it_and_by_hand_by_who_forgot() {
    let world = World::new();
    assert_eq!(without_terminal(&world, &["passphrase", "--remove"]).status.code(), Some(1));
    assert_eq!(without_terminal(&world, &["passphrase", "--set"]).status.code(), Some(2));
    let short = [("New passphrase:", "zu kurz")];
    assert_eq!(typed(&world, &["passphrase", "--set"], &short), 2);
    let differ = [("New passphrase:", PHRASE), ("The same again:", "drei gelbe Rader")];
    assert_eq!(typed(&world, &["passphrase", "--set"], &differ), 2);
    let is_set = || world.cli(&["passphrase", "--json"]).json()["set"] == true;
    assert!(!is_set());
    set(&world);
    assert!(is_set());
    for change in ["--set", "--remove"] {
        let wrong = [(PROMPT, "one that is not"), (PROMPT, "another one"), (PROMPT, "no")];
        assert_eq!(typed(&world, &["passphrase", change], &wrong), 2, "{change}");
    }
    let other = "vier blaue Räder";
    let change = [(PROMPT, PHRASE), ("New passphrase:", other), ("The same again:", other)];
    assert_eq!(typed(&world, &["passphrase", "--set"], &change), 0);
    assert_eq!(typed(&world, &["passphrase", "--remove"], &[(PROMPT, other)]), 0);
    assert!(!is_set());
    let told: Vec<_> =
        ["passphrase/set", "passphrase/removed"].map(|kind| world.records(kind).len()).into();
    assert_eq!(told, [2, 1]);
    // Whoever forgot it is told the file, and its end is the passphrase's.
    set(&world);
    let file = world.root().join("state/passphrase");
    world.cli(&["preset", "read-only"]);
    let mut screen = on_terminal(&world, &["preset", "rules-only", "--yes"]);
    for n in 1..4 {
        screen.wait(PROMPT, |text| text.matches(PROMPT).count() >= n);
        screen.keys("what was it\r");
    }
    let shown = screen.until(&["forgotten?"]).replace('\n', "");
    assert!(shown.contains("state/passphrase"), "{shown}");
    screen.end();
    std::fs::remove_file(&file).expect("a person's own");
    assert_eq!(without_terminal(&world, &["preset", "rules-only", "--yes"]).status.code(), Some(0));
}

#[test]
fn an_agent_neither_sets_nor_removes_it() {
    let world = World::new();
    set(&world);
    let file = world.root().join("state/passphrase");
    let file = file.to_str().expect("text");
    for command in [
        format!("rm {file}"),
        format!("mv {file} /tmp/x"),
        format!("cp /tmp/mine {file}"),
        format!("echo x > {file}"),
        format!("ln -sf /tmp/mine {file}"),
        format!("sh -c 'rm -f {file}'"),
        "harness passphrase --remove".to_owned(),
        "harness passphrase --set".to_owned(),
        "env -i harness passphrase --remove".to_owned(),
    ] {
        assert_eq!(world.bash(&command), "deny", "{command}");
    }
    assert_eq!(world.write(file), "deny");
    for change in ["--set", "--remove"] {
        let ran = world.sandbox.run(["passphrase", change]).env("HARNESS_HOME", world.root());
        assert!(ran.env("CLAUDECODE", "1").code(2).stderr.contains("person"), "{change}");
    }
}

#[test]
fn what_stands_in_its_place_and_is_none_widens_nothing() {
    let world = World::new();
    world.cli(&["preset", "read-only"]);
    let file = world.sandbox.write("h/state/passphrase", "{}");
    let refused = |what: &str| {
        let ran = without_terminal(&world, &["preset", "rules-only", "--yes"]);
        assert_eq!(ran.status.code(), Some(3), "{what}: {ran:?}");
        let said =
            ran.stderr.contains("state/passphrase") && ran.stderr.contains("hint: remove it");
        assert!(said, "{what}: {ran:?}");
        assert_eq!(world.knobs(&[]).0, "read-only", "{what}");
    };
    refused("junk");
    std::fs::remove_file(&file).expect("there");
    std::os::unix::fs::symlink("nowhere", &file).expect("made");
    refused("a link to nothing");
    std::fs::remove_file(&file).expect("there");
    std::fs::create_dir(&file).expect("made");
    refused("a folder");
}

#[test]
fn an_interrupt_at_the_prompt_leaves_the_terminal_as_it_was() {
    let world = World::new();
    world.cli(&["preset", "read-only"]);
    set(&world);
    for signal in [None, Some("TERM"), Some("HUP")] {
        let mut screen = on_terminal(&world, &["preset", "rules-only", "--yes"]);
        screen.until(&[PROMPT]);
        match signal {
            None => screen.keys("abc\x03"),
            Some(name) => screen.signal(name),
        }
        assert_eq!(screen.end(), (130, true), "{signal:?}");
    }
    let mut screen = on_terminal(&world, &["preset", "rules-only", "--yes"]);
    screen.until(&[PROMPT]);
    screen.keys("\x04");
    assert_eq!(screen.end(), (2, true));
    assert_eq!(world.knobs(&[]).0, "read-only");
}

#[test]
fn hooks_are_led_away_from_the_home_that_has_one_only_by_who_knows_it() {
    let world = World::new();
    world.sandbox.stub_claude("2.1.332");
    set(&world);
    assert_eq!(world.cli(&["install", "--yes"]).status.code(), Some(0));
    let settings = || std::fs::read(world.sandbox.user_settings()).expect("there");
    let before = settings();
    let other = world.sandbox.root().join("other");
    let elsewhere = |args: &[&str]| {
        let own = binary();
        let all = ["--wait", own.to_str().expect("text")].into_iter().chain(args.iter().copied());
        world.sandbox.program("/usr/bin/setsid", all).env("HARNESS_HOME", &other).go()
    };
    for args in [&["install", "--yes"][..], &["uninstall", "--yes"]] {
        let ran = elsewhere(args);
        assert_eq!(ran.status.code(), Some(2), "{args:?}: {ran:?}");
        assert!(ran.stderr.contains("h/state, where a passphrase is set"), "{args:?}: {ran:?}");
        assert_eq!(settings(), before, "{args:?}");
    }
    // Where it is, it changes nothing and asks for none.
    assert_eq!(world.cli(&["install", "--yes"]).status.code(), Some(0));
    // What can't be read counts as one that nobody knows.
    world.sandbox.write("h/state/passphrase", "{}");
    assert_eq!(elsewhere(&["install", "--yes"]).status.code(), Some(3));
    assert_eq!(settings(), before);
    // Without one, the folder is the person's to choose.
    std::fs::remove_file(world.root().join("state/passphrase")).expect("there");
    assert_eq!(elsewhere(&["install", "--yes"]).status.code(), Some(0));
    assert_ne!(settings(), before);
}

#[test]
fn status_says_whether_one_is_set() {
    let world = World::new();
    let told = || {
        let json = world.cli(&["status", "--json"]).json()["passphrase"].clone();
        (world.cli(&["status"]).stdout.contains("asks for a passphrase"), json)
    };
    assert_eq!(told(), (false, json!({"set": false, "unreadable": null})));
    set(&world);
    assert_eq!(told(), (true, json!({"set": true, "unreadable": null})));
    world.sandbox.write("h/state/passphrase", "{}");
    let (asks, json) = told();
    assert!(!asks && json["set"] == true && json["unreadable"].is_string(), "{json}");
    assert!(world.cli(&["status"]).stdout.contains("nothing is widened"));
}

#[test]
fn the_console_asks_for_it_too_and_comes_back() {
    let world = World::new();
    world.cli(&["preset", "read-only"]);
    set(&world);
    let mut screen = on_terminal(&world, &["console"]);
    screen.until(&["OPERATIONS"]);
    // Operations, presets, approval, sandbox; one value down.
    screen.keys("\x1b[Z\x1b[Z\x1b[Z");
    screen.until(&["SANDBOX"]);
    screen.keys("\x1b[Bwy");
    screen.until(&["Widen new sessions from read-only"]);
    screen.keys("y\r");
    screen.until(&[PROMPT]);
    screen.keys("\x04");
    screen.until(&["error: nothing was changed", "SANDBOX"]);
    assert_eq!(world.knobs(&[]).0, "read-only");
    screen.keys("wy");
    screen.until(&["Widen new sessions from read-only"]);
    screen.keys("y\r");
    // The first one still stands where the screen was left.
    screen.wait(PROMPT, |text| text.matches(PROMPT).count() > 1);
    screen.keys(&format!("{PHRASE}\r"));
    screen.until(&["written: new sessions get workspace-write and ask", "SANDBOX"]);
    assert_eq!(world.knobs(&[]).0, "workspace-write");
    screen.keys("q");
    assert_eq!(screen.end(), (0, true));
    assert!(!String::from_utf8_lossy(&screen.bytes()).contains(PHRASE));
}
