use super::annotations::{self, Reader};
use super::text::{self, Style};
use super::{Place, junit, place_in, plain, quality, relative, sarif, summary, wrap};
use crate::doctor::report::{Channel, Check, Evidence, HostReport, Report, State, Status};
use crate::doctor::table::rows;
use serde_json::Value;

const HOSTILE: &str =
    "</failure> & <b> ]]> \"' | `x` %0A ::error::no \u{1b}[31m \u{0} \u{ffff} 한글";

fn channel(state: State) -> Channel {
    Channel { state, evidence: Evidence::Executed, because: vec!["fails-open".into()] }
}

/// A report in which every check came out like this.
fn report(status: Status) -> Report {
    let check = |row: &crate::doctor::table::Row| Check {
        id: row.id.clone(),
        kind: None,
        group: row.group.clone(),
        status,
        title: row.title.clone(),
        message: format!("found {HOSTILE}"),
        evidence: vec![format!("/base/a b/settings.json:12 {HOSTILE}")],
        fix: Some(HOSTILE.into()),
        doc: row.doc(),
    };
    Report {
        schema: 1,
        ok: false,
        hosts: vec![HostReport {
            id: "claude-code".into(),
            version: Some("2.1.332".into()),
            scope: vec!["user".into()],
            gate: channel(State::Dead),
            soft: channel(State::Unknown),
        }],
        checks: rows().iter().map(check).collect(),
    }
}

fn styles() -> [Style; 4] {
    let narrow = Style { unicode: true, columns: Some(40), ..Style::default() };
    [
        Style { unicode: true, ..Style::default() },
        Style::default(),
        Style { unicode: true, colour: true, ..Style::default() },
        narrow,
    ]
}

/// Every renderer's output for a report.
fn all(report: &Report) -> Vec<(&'static str, String)> {
    let mut all = vec![
        ("json", serde_json::to_string(report).expect("a report is JSON")),
        ("junit", junit::render(report, false)),
        ("sarif", sarif::render(report, "/base")),
        ("quality", quality::render(report, "/base")),
        ("github", annotations::render(report, Reader::GitHub, "/base").join("\n")),
        ("log", annotations::render(report, Reader::Plain, "/base").join("\n")),
        ("summary", summary::render(report)),
        ("plain", plain::render(report, false)),
    ];
    let names = ["unicode", "ascii", "colour", "narrow"];
    all.extend(names.into_iter().zip(styles().map(|style| text::render(report, style))));
    all
}

#[test]
fn every_check_and_both_verdicts_are_in_every_form() {
    for status in [Status::Warn, Status::Fail, Status::Error] {
        for (form, output) in all(&report(status)) {
            for row in rows() {
                let ends = |c: char| !(c.is_ascii_alphanumeric() || c == '-');
                let whole = output.match_indices(&row.id).any(|(at, id)| {
                    output.get(..at).is_some_and(|b| b.chars().next_back().is_none_or(ends))
                        && output.get(at + id.len()..).is_some_and(|a| a.starts_with(ends))
                });
                assert!(whole, "{form} does not tell of `{}` ({status:?})", row.id);
            }
            for word in ["gate", "soft", "claude-code"] {
                assert!(output.contains(word), "{form} lacks {word}");
            }
            assert!(output.to_lowercase().contains("dead"), "{form} hides a dead channel");
            assert!(output.contains("unknown"), "{form} hides an unknown channel");
        }
    }
}

#[test]
fn no_form_lets_control_characters_of_others_out() {
    for (form, output) in all(&report(Status::Fail)) {
        let bad = |c: char| c.is_control() && c != '\n' && !(form == "colour" && c == '\u{1b}');
        assert!(!output.contains(bad), "{form}");
        assert!(form != "ascii" || output.is_ascii(), "{output}");
    }
}

/// XML as a parser reads it: an element's `tag`, `attributes`, `text` and `children`.
fn xml(text: &str) -> Value {
    let script = "import json, sys, xml.etree.ElementTree as t\n\
        def v(e): return {'tag': e.tag, 'attributes': e.attrib, 'text': e.text, 'children': [v(c) for c in e]}\n\
        print(json.dumps(v(t.fromstring(sys.argv[1].encode()))))";
    let ran = std::process::Command::new("python3").args(["-c", script, text]).output();
    let ran = ran.expect("`ci/setup` has installed python3");
    assert!(ran.status.success(), "{}\n{text}", String::from_utf8_lossy(&ran.stderr));
    serde_json::from_slice(&ran.stdout).expect("JSON")
}

fn of<'a>(node: &'a Value, tag: &str) -> Vec<&'a Value> {
    let children = node["children"].as_array().expect("children");
    let below = children.iter().flat_map(|c| of(c, tag));
    children.iter().filter(|c| c["tag"] == tag).chain(below).collect()
}

fn number(node: &Value, name: &str) -> usize {
    let value = node["attributes"][name].as_str().and_then(|v| v.parse().ok());
    value.expect("a number")
}

#[test]
fn junit_is_xml_that_counts_right() {
    for (status, strict, attribute) in [
        (Status::Fail, false, "failures"),
        (Status::Error, false, "errors"),
        (Status::Skip, false, "skipped"),
        (Status::Warn, true, "failures"),
        (Status::Warn, false, ""),
        (Status::Ok, false, ""),
    ] {
        let root = xml(&junit::render(&report(status), strict));
        assert_eq!(root["tag"], "testsuites");
        assert_eq!(of(&root, "testcase").len(), rows().len() + 2);
        assert_eq!(number(&root, "tests"), rows().len() + 2);
        // The gate is dead and the soft channel unknown in all of them.
        for (name, element, verdicts) in
            [("failures", "failure", 1), ("errors", "error", 0), ("skipped", "skipped", 1)]
        {
            let of_checks = if name == attribute { rows().len() } else { 0 };
            assert_eq!(number(&root, name), verdicts + of_checks, "{status:?} {name}");
            assert_eq!(of(&root, element).len(), verdicts + of_checks, "{status:?} {name}");
        }
        for suite in of(&root, "testsuite") {
            assert_eq!(number(suite, "tests"), of(suite, "testcase").len());
        }
    }
    let root = xml(&junit::render(&report(Status::Fail), false));
    let failure = of(&root, "failure")[1];
    let message = failure["attributes"]["message"].as_str().expect("a message");
    assert!(message.starts_with("found </failure> & <b> ]]> \"' | `x`"), "{message}");
    assert!(failure["text"].as_str().is_some_and(|t| t.contains("Fix: ") && t.contains("한글")));
}

#[test]
fn sarif_holds_what_the_standard_requires() {
    let log: Value =
        serde_json::from_str(&sarif::render(&report(Status::Fail), "/base")).expect("JSON");
    assert_eq!(log["version"], "2.1.0");
    let [run] = log["runs"].as_array().expect("runs").as_slice() else { panic!("one run") };
    let driver = &run["tool"]["driver"];
    assert!(driver["name"].is_string());
    assert!(driver["informationUri"].as_str().is_some_and(|u| u.starts_with("https://")));
    let rules: Vec<&str> = driver["rules"]
        .as_array()
        .expect("rules")
        .iter()
        .filter_map(|r| r["id"].as_str())
        .collect();
    assert_eq!(rules.len(), rows().len() + 2);
    for rule in driver["rules"].as_array().expect("rules") {
        assert!(rule["shortDescription"]["text"].is_string(), "{rule}");
        assert!(rule["helpUri"].as_str().is_some_and(|u| u.starts_with("https://")), "{rule}");
    }
    for invocation in run["invocations"].as_array().expect("a list") {
        assert!(invocation["executionSuccessful"].is_boolean());
    }
    let results = run["results"].as_array().expect("results");
    assert_eq!(results.len(), rows().len() + 2);
    for result in results {
        assert!(result["message"]["text"].is_string(), "{result}");
        let level = result["level"].as_str().expect("a level");
        assert!(["none", "note", "warning", "error"].contains(&level), "{level}");
        assert!(rules.contains(&result["ruleId"].as_str().expect("a rule")), "{result}");
        for location in result["locations"].as_array().expect("a list") {
            let physical = &location["physicalLocation"];
            assert_eq!(physical["artifactLocation"]["uri"], "a%20b/settings.json");
            assert_eq!(physical["region"]["startLine"], 12);
            assert!(location["logicalLocations"][0]["fullyQualifiedName"].is_string());
        }
    }
    let outside = sarif::render(&report(Status::Fail), "/other");
    assert!(outside.contains("file:///base/a%20b/settings.json"));
    let fine: Value = serde_json::from_str(&sarif::render(&report(Status::Ok), "")).expect("JSON");
    assert_eq!(fine["runs"][0]["results"].as_array().map(Vec::len), Some(2));
}

#[test]
fn a_code_quality_report_has_one_fingerprint_a_finding() {
    let text = quality::render(&report(Status::Warn), "/base");
    let issues: Vec<Value> = serde_json::from_str(&text).expect("a list");
    let prints: std::collections::BTreeSet<&str> =
        issues.iter().filter_map(|i| i["fingerprint"].as_str()).collect();
    assert_eq!(prints.len(), rows().len() + 2);
    assert_eq!(text, quality::render(&report(Status::Warn), "/base"), "the same, run after run");
    for issue in &issues {
        for key in ["description", "check_name", "severity"] {
            assert!(issue[key].is_string(), "{issue}");
        }
        assert!(issue["location"]["path"].is_string(), "{issue}");
        assert!(issue["location"]["lines"]["begin"].as_u64().is_some_and(|n| n > 0));
        let severity = issue["severity"].as_str().unwrap_or_default();
        assert!(["info", "minor", "major", "critical", "blocker"].contains(&severity));
    }
}

#[test]
fn a_command_of_a_pipeline_is_one_line_that_nobody_else_wrote() {
    for line in annotations::render(&report(Status::Fail), Reader::GitHub, "/base") {
        let (head, message) = line.get(2..).and_then(|l| l.split_once("::")).expect("a command");
        assert!(head.starts_with("error title=") || head.starts_with("warning title="), "{line}");
        assert!(!line.contains('\n') && !message.contains("%0A ::") && !message.is_empty());
    }
    let lines = annotations::render(&report(Status::Warn), Reader::GitHub, "/base");
    assert!(lines.iter().any(|l| l.contains(",file=a b/settings.json,line=12::")), "{lines:?}");
    let outside = annotations::render(&report(Status::Warn), Reader::GitHub, "/other");
    assert!(outside.iter().all(|l| !l.contains("file=")), "{outside:?}");
    let plain = annotations::render(&report(Status::Ok), Reader::Plain, "/base");
    assert_eq!(plain.len(), 2, "{plain:?}");
    assert!(plain.iter().all(|l| !l.contains("::")));
}

#[test]
fn a_summary_keeps_others_out_of_its_table() {
    for line in summary::render(&report(Status::Fail)).lines().filter(|l| l.starts_with('|')) {
        let bars = line.replace("\\|", "").matches('|').count();
        assert_eq!(bars, 5, "{line}");
        assert!(!line.contains("<b>"), "{line}");
    }
}

#[test]
fn a_narrow_terminal_gets_no_line_that_could_be_shorter() {
    let mut narrow = report(Status::Fail);
    for check in &mut narrow.checks {
        check.evidence = vec!["a sentence of many short words that has to be broken".into()];
        check.fix = Some("한글로 된 문장도 마찬가지로 마흔 칸 안에 들어가야 한다".into());
    }
    for style in styles().into_iter().map(|s| Style { columns: Some(40), verbose: true, ..s }) {
        for line in text::render(&narrow, style).lines() {
            let one_word = line.split_whitespace().count() == 1;
            assert!(wrap::columns(line) <= 40 || one_word || line.contains("https://"), "{line}");
        }
    }
}

#[test]
fn sentences_for_ears_say_the_verdicts_first_and_use_no_signs() {
    let text = plain::render(&report(Status::Fail), false);
    let at = |what: &str| text.find(what).unwrap_or_else(|| panic!("{what} in\n{text}"));
    assert!(at("The gate channel, a denial stops the call, is dead") < at("1: Failed: found"));
    assert!(!text.contains(['✓', '✗', '–', '·']));
    assert!(text.lines().all(|l| !l.starts_with(' ')), "nothing is told by layout");
    let none = plain::render(&report(Status::Ok), false);
    assert!(none.contains("No findings.") && none.contains("checks found nothing"), "{none}");
}

#[test]
fn a_place_is_an_absolute_path_with_a_line() {
    let place = |file: &str, line| Some(Place { file: file.into(), line });
    assert_eq!(place_in("/a/b.json:12 hooks.Stop[0]: /x/y"), place("/a/b.json", 12));
    assert_eq!(place_in("~/a.toml:3:1: `x`"), place("~/a.toml", 3));
    assert_eq!(place_in("C:\\a\\b.json:7 x"), place("C:\\a\\b.json", 7));
    assert_eq!(place_in("command: sleep 3:4"), None);
    assert_eq!(place_in("/a/b.json:0 unknown"), None);
    assert_eq!(relative("/a/b/c", "/a/b"), "c");
    assert_eq!(relative("/a/bc", "/a/b"), "/a/bc");
    assert_eq!(relative("/a", ""), "/a");
}
