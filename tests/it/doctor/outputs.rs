//! Reports in files and pipelines, and the published schema, held to real reports.

use super::World;
use super::scopes::machine;
use crate::support::{Run, repository};
use serde_json::{Value, json};

fn run<'a>(world: &'a World, args: &[&str]) -> Run<'a> {
    world.sandbox.run(args).env("HARNESS_HOME", world.sandbox.home().join("h"))
}

/// The part of JSON Schema that the published one uses; what else it held would be a
/// mistake here, so that is an error too.
fn valid(value: &Value, schema: &Value, root: &Value, at: &str) {
    for (key, rule) in schema.as_object().expect("a schema") {
        match key.as_str() {
            "$schema" | "$id" | "title" | "description" | "$defs" => {}
            "const" => assert_eq!(value, rule, "{at}"),
            "enum" => {
                assert!(rule.as_array().expect("a list").contains(value), "{at}: {value}");
            }
            "type" => {
                let is = |word: &Value| match word.as_str().expect("a word") {
                    "object" => value.is_object(),
                    "array" => value.is_array(),
                    "string" => value.is_string(),
                    "boolean" => value.is_boolean(),
                    "null" => value.is_null(),
                    other => panic!("{at}: type {other}"),
                };
                let right = rule.as_array().map_or_else(|| is(rule), |l| l.iter().any(is));
                assert!(right, "{at}: {value} is no {rule}");
            }
            "required" => {
                for name in rule.as_array().expect("a list") {
                    let name = name.as_str().expect("a name");
                    assert!(value.get(name).is_some(), "{at} lacks {name}");
                }
            }
            "properties" => {
                for (name, below) in rule.as_object().expect("an object") {
                    if let Some(member) = value.get(name) {
                        valid(member, below, root, &format!("{at}.{name}"));
                    }
                }
                // Every field that is printed is published.
                for name in value.as_object().into_iter().flat_map(|o| o.keys()) {
                    assert!(rule.get(name).is_some(), "{at}.{name} is not in the schema");
                }
            }
            "items" => {
                for (n, item) in value.as_array().into_iter().flatten().enumerate() {
                    valid(item, rule, root, &format!("{at}[{n}]"));
                }
            }
            "pattern" => {
                let pattern = regex::Regex::new(rule.as_str().expect("text")).expect("a pattern");
                assert!(value.as_str().is_some_and(|v| pattern.is_match(v)), "{at}: {value}");
            }
            "$ref" => {
                let name = rule.as_str().and_then(|r| r.strip_prefix("#/$defs/"));
                valid(value, &root["$defs"][name.expect("a definition")], root, at);
            }
            other => panic!("this test knows nothing of `{other}` at {at}"),
        }
    }
}

fn schema() -> Value {
    let text = std::fs::read_to_string(repository().join("docs/doctor.schema.json"));
    serde_json::from_str(&text.expect("published")).expect("JSON")
}

#[test]
fn real_reports_are_as_the_published_schema_says() {
    let schema = schema();
    let mut reports = vec![World::healthy().doctor(&[]).json()];
    reports.push(World::new("exit 1", "sleep 20").doctor(&[]).json());
    let world = World::healthy();
    world.sandbox.write("project/.claude/settings.json", r#"{"disableAllHooks":true}"#);
    reports.push(world.doctor(&[]).json());
    reports.push(world.doctor(&["stdin-hang"]).json());
    let sandbox = machine("2.1.332");
    std::fs::remove_file(sandbox.bin().join("claude")).expect("it is there");
    reports.push(sandbox.run(["doctor", "--json"]).code(1).json());
    for report in &reports {
        valid(report, &schema, &schema, "report");
    }
    let states: Vec<&Value> = reports.iter().map(|r| &r["hosts"][0]["gate"]["state"]).collect();
    assert!(states.contains(&&json!("alive")) && states.contains(&&json!("dead")), "{states:?}");
}

#[test]
#[should_panic(expected = "report.hosts[0].gate.state")]
fn a_word_that_is_not_published_is_noticed() {
    let mut report = World::healthy().doctor(&[]).json();
    report["hosts"][0]["gate"]["state"] = "fine".into();
    valid(&report, &schema(), &schema(), "report");
}

#[test]
fn files_beside_the_terminal_say_the_same() {
    let world = World::new("exit 1", super::SOFT);
    let ran = run(
        &world,
        &[
            "doctor",
            "--junit",
            "r.xml",
            "--sarif",
            "r.sarif",
            "--code-quality",
            "q.json",
            "--receipt",
            "r.json",
        ],
    );
    let text = ran.code(1).stdout;
    assert!(text.contains("fails-open/exit-1"), "{text}");
    let read = |name: &str| world.sandbox.read(format!("project/{name}"));
    let json = |name: &str| -> Value { serde_json::from_str(&read(name)).expect("JSON") };
    assert!(read("r.xml").contains("name=\"fails-open/exit-1\""), "{}", read("r.xml"));
    let sarif = json("r.sarif");
    let results = sarif["runs"][0]["results"].as_array().expect("results");
    let rules: Vec<&str> = results.iter().filter_map(|r| r["ruleId"].as_str()).collect();
    assert!(rules.contains(&"gate") && rules.contains(&"fails-open"), "{rules:?}");
    assert!(!rules.contains(&"soft"), "{rules:?}");
    let quality = json("q.json");
    let names: Vec<&str> = quality
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|i| i["check_name"].as_str())
        .collect();
    assert!(names.contains(&"gate") && names.contains(&"fails-open/exit-1"), "{names:?}");
    assert_eq!(json("r.json")["hosts"][0]["gate"]["state"], "dead");
}

#[test]
fn one_document_at_most_is_printed_and_a_bad_file_is_an_error() {
    let world = World::healthy();
    let sarif = run(&world, &["doctor", "--sarif", "-"]).ok();
    assert_eq!(sarif.json()["version"], "2.1.0");
    let both = run(&world, &["doctor", "--json", "--junit", "-"]).code(2);
    assert!(
        both.stderr.contains("--junit and --json would print on each other"),
        "{}",
        both.stderr
    );
    let nowhere = run(&world, &["doctor", "--junit", "no/such/r.xml"]).code(3);
    assert!(nowhere.stdout.contains("alive") && nowhere.stderr.contains("no/such/r.xml"));
}

#[test]
fn a_pipeline_gets_annotations_a_summary_and_a_fence() {
    let world = World::new("exit 1", super::SOFT);
    let summary = world.sandbox.write("summary.md", "before\n");
    let ran = run(&world, &["doctor", "--ci"])
        .env("GITHUB_ACTIONS", "true")
        .env("GITHUB_STEP_SUMMARY", &summary)
        .code(1);
    let out = &ran.stdout;
    assert!(out.contains("\n::error title=harness doctor::claude-code: gate is dead"), "{out}");
    assert!(out.contains("::error title=harness doctor%3A fails-open/exit-1::"), "{out}");
    let fence = out.strip_prefix("::stop-commands::").and_then(|o| o.lines().next());
    let fence = format!("\n::{}::\n", fence.expect("a fence"));
    let (inside, after) = out.split_once(&fence).expect("the fence ends");
    assert!(inside.contains("fails-open/exit-1") && !inside.contains("::error"), "{out}");
    assert!(after.starts_with("::error"), "{out}");
    let told = world.sandbox.read("summary.md");
    assert!(told.starts_with("before\n## harness doctor\n"), "{told}");
    assert!(told.contains("| claude-code 2.1.332 | gate: a denial stops the call | **dead** |"));
    let plain = run(&world, &["doctor", "--ci"]).code(1).stdout;
    assert!(plain.contains("\nerror: harness doctor: claude-code: gate is dead"), "{plain}");
    assert!(!plain.contains("::error"), "{plain}");
}

#[test]
fn what_is_unknown_is_annotated_and_fails_no_pipeline() {
    let mut world = World::healthy();
    // By their shape they are ours, and without the record of the install nobody knows.
    let script = world.sandbox.script("hooks/harness", "#!/bin/sh\n");
    for hook in [&mut world.gate, &mut world.soft] {
        hook["command"] = script.to_string_lossy().as_ref().into();
    }
    world.write_settings(&world.settings());
    std::fs::remove_file(world.sandbox.home().join("h/state/manifest.json")).expect("there");
    run(&world, &["doctor"]).code(4);
    let ran = run(&world, &["doctor", "--ci"]).env("GITHUB_ACTIONS", "true").ok();
    let line = "\n::warning title=harness doctor::claude-code: gate is unknown";
    assert!(ran.stdout.contains(line), "{}", ran.stdout);
    let junit = run(&world, &["doctor", "--ci", "--junit", "-"]).ok();
    assert!(junit.stdout.contains("<skipped message=\"unknown, "), "{}", junit.stdout);
    assert!(junit.stderr.contains("warning: harness doctor: claude-code: gate is unknown"));
}

#[test]
fn a_screen_reader_and_a_narrow_terminal_get_their_own_words() {
    let world = World::new("exit 1", super::SOFT);
    let plain = run(&world, &["doctor", "--plain"]).env("TERM", "xterm").code(1).stdout;
    assert!(plain.contains("The gate channel, a denial stops the call, is dead"), "{plain}");
    assert!(!plain.contains(['✓', '✗']) && !plain.contains("\n "), "{plain}");
    run(&world, &["doctor", "--plain", "--json"]).code(2);
    let line = format!("stty cols 40; '{}' doctor", crate::support::binary().display());
    let run = world.sandbox.program("/usr/bin/script", ["-qec", &line, "/dev/null"]);
    let ran = run.env("HARNESS_HOME", world.sandbox.home().join("h")).env("TERM", "xterm").go();
    let words = |l: &&str| l.split_whitespace().count() > 1 && !l.contains("http");
    let long = |l: &&str| l.chars().filter(|c| !c.is_control()).count() > 52;
    let long: Vec<&str> = ran.stdout.lines().filter(words).filter(long).collect();
    assert!(ran.stdout.contains('✗') && long.is_empty(), "{long:?}\n{}", ran.stdout);
}
