//! `harness console`: on a terminal, in words, and as a page.

use serde_json::{Value, json};

use crate::support::{Screen, World};

const DOWN: &str = "\x1b[B";
const RIGHT: &str = "\x1b[C";
const TAB: &str = "\t";
const BACK: &str = "\x1b[Z";

/// Every file below harness's own folder.
fn files(world: &World) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    let mut todo = vec![world.root()];
    while let Some(folder) = todo.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                todo.push(path);
            } else {
                found.push((path.display().to_string(), std::fs::read(&path).expect("there")));
            }
        }
    }
    found.sort();
    found
}

#[test]
fn a_call_goes_through_the_stations_one_by_one_and_nothing_is_written() {
    let world = World::new();
    let before = files(&world);
    let mut screen = Screen::start(&world.sandbox, &["console"], &[]);
    let shown =
        screen.until(&["Sandbox", "Approval", "Presets", "OPERATIONS", "Command", "q quit"]);
    assert!(shown.contains("( ) custom (not one to choose)"), "{shown}");
    assert!(shown.contains("(*) danger-full-access"), "{shown}");
    assert!(shown.lines().count() <= 24 && shown.lines().all(|l| l.chars().count() <= 80));
    // The last operation is the worst.
    screen.keys(&DOWN.repeat(20));
    screen.until(&["> rm -rf /"]);
    screen.keys("\r");
    let first = screen.until(&["> 1. pre-execute", "  2. guards", "  6. observers"]);
    assert!(!first.contains("verdict"), "not before the walk has come there: {first}");
    for (key, station) in [
        (RIGHT, "> 2. guards"),
        (" ", "> 3. ask"),
        ("\r", "> 4. execute"),
        (RIGHT, "> 5. post-execute"),
        (RIGHT, "> 6. observers"),
    ] {
        screen.keys(key);
        screen.until(&[station]);
    }
    screen.until(&["verdict deny; the client is told deny", "tool/call verdict=deny"]);
    screen.keys("q");
    assert_eq!(screen.end(), (0, true));
    assert_eq!(files(&world), before, "looking writes nothing");
}

#[test]
fn a_knob_turns_alone_and_is_written_only_when_a_person_says_so() {
    let world = World::new();
    let mut screen = Screen::start(&world.sandbox, &["console"], &[]);
    screen.until(&["OPERATIONS"]);
    // Operations, presets, approval, sandbox; two values up.
    screen.keys(&format!("{BACK}{BACK}{BACK}"));
    screen.until(&["SANDBOX"]);
    screen.keys("\x1b[A\x1b[A");
    let shown = screen.until(&["(*) read-only", "to try; w writes it"]);
    assert!(shown.contains("(*) ask"), "{shown}");
    screen.keys("wn");
    screen.until(&["nothing was written"]);
    assert_eq!(world.knobs(&[]).0, "danger-full-access");
    screen.keys("w");
    screen.until(&["Write read-only and ask for new sessions? y or n"]);
    screen.keys("y");
    screen.until(&["written: new sessions get read-only and ask", "in force"]);
    assert_eq!(world.knobs(&[]), ("read-only".into(), "ask".into(), "read-only".into()));
    let log = world.sandbox.read("h/state/knobs.jsonl");
    assert_eq!(log.lines().count(), 1, "one setter, one event: {log}");
    // Wider again: the question is put as everywhere else, and a no is one.
    screen.keys(&format!("{DOWN}w"));
    screen.until(&["Write workspace-write"]);
    screen.keys("y");
    screen.until(&["Widen new sessions from read-only"]);
    screen.keys("n\r");
    screen.until(&["error: nothing was changed", "SANDBOX"]);
    assert_eq!(world.knobs(&[]).0, "read-only");
    screen.keys("wy");
    screen.until(&["Widen new sessions from read-only"]);
    screen.keys("y\r");
    screen.until(&["written: new sessions get workspace-write and ask"]);
    assert_eq!(world.knobs(&[]).0, "workspace-write");
    // Ask off and workspace-write: no preset describes that.
    screen.keys(&format!("{TAB}\x1b[A"));
    screen.until(&["(*) never", "(*) custom"]);
    screen.keys("q");
    assert_eq!(screen.end().0, 0);
}

#[test]
fn a_preset_turns_both_and_what_plays_is_decided_again() {
    let world = World::new();
    world.sandbox.write(
        "h/policy.toml",
        "version = 1\n[presets.constructor]\nsandbox = \"read-only\"\napproval = \"never\"\n\
         [presets.10]\nsandbox = \"danger-full-access\"\napproval = \"ask\"\n",
    );
    let mut screen = Screen::start(&world.sandbox, &["console"], &[]);
    screen.until(&["OPERATIONS", "( ) constructor", "(*) 10"]);
    screen.keys(&format!("{TAB}touch \u{1b}[200~it\u{1b}[201~\r"));
    screen.until(&["Bash touch it", "> 1. pre-execute  passed"]);
    screen.keys(&format!("{BACK}{BACK}\x1b[A\x1b[A\r"));
    screen.until(&["PRESETS", "(*) constructor", "> 1. pre-execute  asks"]);
    screen.keys(&RIGHT.repeat(2));
    screen.until(&["nobody is asked: rejected"]);
    screen.keys("q");
    assert_eq!(screen.end().0, 0);
}

#[test]
fn the_last_real_calls_are_played_again() {
    let world = World::new();
    world.begin();
    world.bash("echo first");
    world.bash("git push -f");
    let mut screen = Screen::start(&world.sandbox, &["console"], &[]);
    screen.until(&["OPERATIONS"]);
    screen.keys("t");
    let shown = screen.until(&["[Last calls]", "echo first", "git push -f"]);
    let at = |text: &str| shown.find(text).expect("it is there");
    assert!(at("git push -f") < at("echo first"), "the newest first: {shown}");
    screen.keys(&format!("\r{}", RIGHT.repeat(5)));
    screen.until(&["Bash git push -f", "verdict ask; the client is told ask"]);
    // What a person says is a matter of a key.
    screen.keys("n");
    screen.until(&["3. ask          stopped", "4. execute      skipped"]);
    screen.keys("q");
    assert_eq!(screen.end().0, 0);
}

#[test]
fn the_terminal_is_given_back_however_it_ends() {
    let world = World::new();
    for (how, code) in [("q", 0), ("\x03", 0), ("TERM", 130), ("HUP", 130), ("INT", 130)] {
        let mut screen = Screen::start(&world.sandbox, &["console"], &[]);
        screen.until(&["OPERATIONS"]);
        assert!(screen.is_taken());
        if how.len() == 1 {
            screen.keys(how)
        } else {
            screen.signal(how)
        }
        assert_eq!(screen.end(), (code, true), "{how:?}");
    }
    if std::env::var_os("HARNESS_TEST_BIN").is_some() {
        return;
    }
    let fault = [("HARNESS_FAULT", "console:panic")];
    let mut screen = Screen::start(&world.sandbox, &["console", "--knobs", "read-only"], &fault);
    screen.until(&["OPERATIONS"]);
    screen.keys("wy");
    let (code, restored) = screen.end();
    let said = String::from_utf8_lossy(&screen.bytes()).into_owned();
    assert!(code != 0 && restored, "{code} {restored}");
    assert!(said.contains("panicked"), "{said}");
}

/// No signal says so where the terminal is another session's.
#[test]
fn a_terminal_that_is_gone_ends_it() {
    let world = World::new();
    let code = world.sandbox.root().join("code");
    let line = format!(
        "stty rows 24 cols 80; exec 3<&0; setsid sh -c '{} console; echo $? > {}' <&3 & sleep 2",
        crate::support::binary().display(),
        code.display()
    );
    let script = world.sandbox.program("/usr/bin/script", ["-qec", &line, "/dev/null"]);
    let ran = script.env("TERM", "xterm").hold_stdin().ok();
    assert!(ran.stdout.contains("OPERATIONS"), "{ran:?}");
    let start = std::time::Instant::now();
    let ended = || std::fs::read_to_string(&code).unwrap_or_default();
    while ended().is_empty() {
        assert!(start.elapsed() < crate::support::PATIENCE, "it goes on");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert_eq!(ended(), "130\n");
}

#[test]
fn any_size_is_drawn_on_and_a_small_one_says_so() {
    let world = World::new();
    let mut screen = Screen::start(&world.sandbox, &["console"], &[]);
    screen.until(&["OPERATIONS", "q quit"]);
    screen.resize(10, 40);
    screen.until(&["40 by 10. Make it larger"]);
    screen.resize(50, 132);
    screen.until(&["OPERATIONS", "rm -rf /", "q quit"]);
    for (rows, columns) in [(18, 60), (1, 1), (200, 20), (24, 80)] {
        screen.resize(rows, columns);
    }
    screen.until(&["OPERATIONS", "q quit"]);
    screen.keys("q");
    assert_eq!(screen.end().0, 0);
}

#[test]
fn colour_is_left_out_where_it_is_not_wanted_and_says_nothing_by_itself() {
    let world = World::new();
    let coloured = |env: &[(&str, &str)]| {
        let mut screen = Screen::start(&world.sandbox, &["console"], env);
        screen.until(&["OPERATIONS"]);
        screen.keys(&format!("\r{}", RIGHT.repeat(5)));
        screen.until(&["verdict none", "1. pre-execute  passed"]);
        let bytes = screen.bytes();
        screen.keys("q");
        assert_eq!(screen.end().0, 0);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        regex::Regex::new("\x1b\\[([0-9]+;)*(3[0-7]|38;5;[0-9]+)[;m]")
            .expect("a pattern")
            .is_match(&text)
    };
    assert!(coloured(&[]));
    assert!(!coloured(&[("NO_COLOR", "1")]));
}

#[test]
fn without_a_terminal_it_speaks_in_lines() {
    let run = |args: &[&str], lines: &str| {
        let world = World::new();
        let run = world.sandbox.run(args).env("HARNESS_HOME", world.root());
        run.env("TERM", "xterm-256color").stdin(lines).ok().stdout
    };
    let lines = ":sandbox read-only\n4\n:answer no\nWrite a.txt\n:preset custom\n:preset no\n\
                 :sandbox wide\n:nonsense\n:recent\n\u{1b}[31mrm -rf /\n:write\n:quit\nls\n";
    for args in [&["console"][..], &["console", "--plain"]] {
        let said = run(args, lines);
        for part in [
            "operation 13: rm -rf /",
            "sandbox read-only, approval ask, preset read-only: to try, not written",
            "call: Write src/main.rs",
            "station 3, ask, stopped: a person says no: rejected",
            "error: no preset `custom`; there are: read-only",
            "error: no preset `no`",
            "error: it is one of read-only, workspace-write, danger-full-access",
            "`:help` lists them",
            "the journal holds no call yet",
        ] {
            assert!(said.contains(part), "{part}\n{said}");
        }
        assert!(!said.contains('\u{1b}'), "nothing that a terminal obeys: {said}");
        assert!(!said.contains("Bash ls"), ":quit ends: {said}");
    }
    assert!(run(&["console", "git push --force"], "").contains("verdict: ask"));
    assert!(run(&["console", "Read", "a b"], "").contains("call: Read a b"));
    let world = World::new();
    let wrong = world.sandbox.run(["console", "Bash"]).env("HARNESS_HOME", world.root()).code(2);
    assert!(wrong.stderr.contains("input is missing"), "{}", wrong.stderr);
}

#[test]
fn only_a_person_widens_here_too() {
    let world = World::new();
    world.cli(&["knob", "sandbox", "read-only"]);
    let lines = ":sandbox danger-full-access\n:write\n:show\n";
    let run = || world.sandbox.run(["console"]).env("HARNESS_HOME", world.root()).stdin(lines);
    let ran = run().env("CLAUDECODE", "1").ok();
    assert!(ran.stderr.contains("runs inside Claude Code"), "{}", ran.stderr);
    let ran = run().ok();
    assert!(ran.stderr.contains("there is no terminal to ask on"), "{}", ran.stderr);
    assert_eq!(world.knobs(&[]).0, "read-only");
    world.begin();
    for line in ["harness console", "printf ':write' | harness console --plain"] {
        let (verdict, why) = world.verdict("Bash", &json!({ "command": line }));
        assert_eq!(verdict, "deny", "{line}: {why}");
    }
}

/// What a record says that doesn't vary from run to run.
fn essence(record: &Value) -> Value {
    let keys = [
        "type", "verdict", "answer", "rules", "sandbox", "approval", "tool", "rule", "reason",
        "outcome", "by", "inferred", "event", "sealed",
    ];
    let kind = record["type"].as_str().unwrap_or_default();
    let kept = keys.iter().filter(|key| match kind {
        "tool/call" => !matches!(**key, "tool" | "reason" | "event"),
        "tool/result" => matches!(**key, "type" | "event" | "sealed"),
        _ => true,
    });
    kept.filter(|key| !record[**key].is_null())
        .map(|key| ((*key).to_owned(), record[*key].clone()))
        .collect()
}

#[test]
fn the_records_that_a_walk_shows_are_those_that_the_hook_writes() {
    for (knobs, command, runs) in [
        ("danger-full-access,ask", "ls", true),
        ("danger-full-access,ask", "git push --force", true),
        ("read-only,ask", "touch a", true),
        ("read-only,ask", "touch a", false),
        ("read-only,never", "touch a", true),
        ("danger-full-access,ask", "rm -rf /", true),
    ] {
        let world = World::new();
        let (sandbox, approval) = knobs.split_once(',').expect("two");
        world.cli(&["knob", "sandbox", sandbox]);
        world.cli(&["knob", "approval", approval]);
        world.begin();
        let before = world.cli(&["log", "--json"]).stdout.lines().count();
        let input = json!({ "command": command });
        let said = world.call("c", "Bash", &input, None);
        if said.denied().is_none() && runs {
            world.ran("c", "Bash", &input);
        } else if said.denied().is_none() {
            world.event("UserPromptSubmit", &[("prompt", "no")]);
        }
        let log = world.cli(&["log", "--json"]).stdout;
        let wrote =
            log.lines().skip(before).map(|l| serde_json::from_str::<Value>(l).expect("json"));
        let wrote: Vec<Value> =
            wrote.filter(|r| r["type"] != "hook/invoked").map(|r| essence(&r)).collect();
        let walk: Value = if runs {
            world.cli(&["console", "--json", command]).json()
        } else {
            let lines = format!(":answer no\n{command}\n");
            let run = world.sandbox.run(["console"]).env("HARNESS_HOME", world.root());
            let said = run.stdin(lines).ok().stdout;
            assert!(
                said.contains("approval/decided")
                    && said.contains("outcome=rejected by=UserPromptSubmit inferred=true"),
                "{said}"
            );
            continue;
        };
        let shown: Vec<Value> =
            walk["events"].as_array().expect("a list").iter().map(essence).collect();
        assert_eq!(shown, wrote, "{knobs} {command}");
    }
}

#[test]
fn the_page_needs_nothing_and_obeys_nothing() {
    let world = World::new();
    let file = world.sandbox.root().join("page.html");
    let name = file.to_str().expect("text");
    let evil = "echo '</code><script>alert(1)</script>' && touch \"<img src=x onerror=y>\"";
    assert_eq!(world.cli(&["console", "--html", name, evil]).status.code(), Some(0));
    let page = world.sandbox.read("page.html");
    for bad in ["<script", "<img", "http:", "https://fonts", "src=\"", "href=", "url(", "@import"] {
        assert!(!page.contains(bad), "{bad}");
    }
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
    assert!(page.contains("default-src &#39;none&#39;") || page.contains("default-src 'none'"));
    assert!(page.contains("prefers-color-scheme:dark") && page.contains("custom"));
    // One section a pair of knobs, each with every operation and its six stations.
    let sections: Vec<&str> = page.split("<section").skip(1).collect();
    assert_eq!(sections.len(), 6);
    for section in &sections {
        assert_eq!(section.matches("</details>").count(), 14 * 7, "{section}");
    }
    assert_eq!(page.matches("<details>").count(), page.matches("</details>").count());
    // The same verdicts as in words.
    let read_only =
        sections.iter().find(|s| s.contains("With read-only and never")).expect("there");
    let row = read_only.lines().find(|l| l.contains("Bash rm -rf build")).expect("there");
    let walk =
        world.cli(&["console", "--json", "--knobs", "read-only,never", "rm -rf build"]).json();
    let (verdict, answer) =
        (walk["verdict"].as_str().expect("text"), walk["answer"].as_str().expect("text"));
    assert!(
        row.contains(&format!(">{verdict}</strong>, the client is told"))
            && row.contains(&format!(">{answer}</strong></summary>")),
        "{row}"
    );
    // It is written again over itself and over nothing else.
    assert_eq!(world.cli(&["console", "--html", name]).status.code(), Some(0));
    let other = world.sandbox.write("other.html", "mine");
    let ran = world.cli(&["console", "--html", other.to_str().expect("text")]);
    assert_eq!((ran.status.code(), world.sandbox.read("other.html").as_str()), (Some(2), "mine"));
    assert!(world.cli(&["console", "--html", "-"]).stdout.starts_with("<!DOCTYPE html>"));
}
