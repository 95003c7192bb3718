//! Round trips of the surgery over odd and random texts.

use super::*;
use proptest::prelude::*;
use serde_json::json;

fn group(event: &str) -> Group {
    let hook = json!({"type": "command", "command": "/h", "args": ["hook", event], "timeout": 30});
    Group { event: event.to_owned(), value: json!({"matcher": "*", "hooks": [hook]}) }
}

fn groups() -> Vec<Group> {
    ["PreToolUse", "PostToolUse", "SessionStart", "SessionEnd"].map(group).into()
}

fn ours(entry: &Entry) -> bool {
    entry.command() == Some("/h")
}

fn round(text: &str) -> String {
    let (with, trace) = install(text, &groups()).unwrap_or_else(|e| panic!("{text:?}: {e}"));
    let trace: Trace = serde_json::from_str(&serde_json::to_string(&trace).unwrap()).unwrap();
    let found =
        crate::settings::hooks::list(&with, crate::hosts::claude_code::caps::NEWEST_MEASURED);
    let found = found.unwrap();
    for wanted in groups() {
        let mine = found.entries.iter().filter(|e| ours(e) && e.event == wanted.event);
        assert_eq!(mine.count(), 1, "{with}");
    }
    strip(&with, Some(&trace), &ours).unwrap()
}

const ODD: &[&str] = &[
    "",
    " \r\n\t",
    "\u{feff}",
    "\u{feff}\n",
    "{}",
    "{ }",
    "{\n\n}\n\n",
    "\u{feff}{}\r\n",
    "{\"a\":1}",
    "{ \"a\": 1 }",
    "{\"a\": 1}\n",
    "{\n\t\"a\": 12345678901234567890,\n\t\"b\": 1e3, \"c\": \"\\/\\u00e9\\ud83d\"\n}",
    "{\r\n    \"hooks\": {},\r\n    \"z\": null\r\n}",
    "{\"hooks\":{ }}",
    "{\"hooks\":{\"PreToolUse\":[]}}",
    "{\"hooks\":{\"PreToolUse\":[ \n ], \"Stop\" : [ ]}}",
    "{\"hooks\":{\"PreToolUse\":[{\"hooks\":[]}]}}",
    "{\n  \"hooks\": {\n    \"PreToolUse\": [{\n      \"hooks\": [\n      ]\n    }]\n  }\n}",
    "{\n  \"hooks\"\n  : {\n    \"Stop\": [\n    ]\n  }\n  , \"b\": []\n  }",
    "{\"hooks\":{\"Future\":[{\"hooks\":[]}],\"SessionStart\":[{\"matcher\":\"compact\",\"hooks\":\
     [{\"type\":\"command\",\"command\":\"echo mine\"}]}]}}",
    "\n\n   {\"b\":{\"hooks\":{\"PreToolUse\":[]}}}   \n",
    "{\"statusLine\":{\"command\":\"echo {a,} [b,]\"}}",
    "{\"a\":1,\n\"b\":2}",
    "{\n\"a\":1\n}",
];

#[test]
fn odd_texts_come_back_to_the_byte() {
    for text in ODD {
        assert_eq!(round(text), *text, "{text:?}");
    }
}

#[test]
fn lost_memory_still_takes_everything_of_ours_out() {
    for text in ODD {
        let (with, _) = install(text, &groups()).unwrap();
        let without = strip(&with, None, &ours).unwrap();
        let old = serde_json::from_str::<serde_json::Value>(text.trim_start_matches('\u{feff}'));
        if let Ok(mut old) = old
            && !text.contains("[]")
            && !text.contains("hooks\": {}")
            && !text.contains("[ ")
            && !text.contains("{ }")
        {
            let new = without.trim_start_matches('\u{feff}');
            let new: serde_json::Value = serde_json::from_str(new).unwrap();
            assert_eq!(new, old.take(), "{text:?}");
        }
        assert!(!without.contains("\"/h\""), "{without}");
    }
}

#[test]
fn what_is_added_looks_like_what_is_there() {
    let (text, _) = install("{\n\t\"a\": 1\n}\n", &[group("Stop")]).unwrap();
    let wanted = "{\n\t\"a\": 1,\n\t\"hooks\": {\n\t\t\"Stop\": [\n\t\t\t{\n\t\t\t\t\"matcher\": \"*\",\n\t\t\t\t\
                  \"hooks\": [\n\t\t\t\t\t{\n\t\t\t\t\t\t\"type\": \"command\",\n\t\t\t\t\t\t\"command\": \"/h\",\n\t\t\t\t\t\t\
                  \"args\": [\"hook\", \"Stop\"],\n\t\t\t\t\t\t\"timeout\": 30\n\t\t\t\t\t}\n\t\t\t\t]\n\t\t\t}\n\t\t]\n\t}\n}\n";
    assert_eq!(text, wanted);
    let (text, _) = install("{\"a\":1}", &[group("Stop")]).unwrap();
    assert!(
        text.starts_with("{\"a\":1,\"hooks\":{\"Stop\":[{\"matcher\":\"*\",\"hooks\":[{"),
        "{text}"
    );
    let (text, _) = install("{\r\n  \"a\": 1\r\n}", &[group("Stop")]).unwrap();
    assert_eq!(text.matches('\n').count(), text.matches("\r\n").count());
}

#[test]
fn siblings_in_our_group_and_edits_elsewhere_survive() {
    let (with, trace) = install("{}", &groups()).unwrap();
    let foreign = r#"{"type":"command","command":"mine"}"#;
    let edited = with.replacen("\"hooks\": [\n", &format!("\"hooks\": [\n{foreign},\n"), 1);
    let edited = edited.replacen('{', "{\"model\": \"m\",", 1);
    let without = strip(&edited, Some(&trace), &ours).unwrap();
    let left: serde_json::Value = serde_json::from_str(&without).unwrap();
    let kept = json!([{"matcher": "*", "hooks": [{"type": "command", "command": "mine"}]}]);
    assert_eq!(left, json!({"model": "m", "hooks": {"PreToolUse": kept}}));
}

#[test]
fn wrong_shapes_are_refused_with_their_place() {
    for (text, line, column, word) in [
        ("[]", 1, 1, "object"),
        ("{\n \"hooks\": null}", 2, 11, "null"),
        ("{\"hooks\":[]}", 1, 10, "array"),
        ("{\"hooks\":{\"PreToolUse\":{}}}", 1, 24, "array of groups"),
        ("{\"hooks\":{},\n\"hooks\":{}}", 2, 1, "second time"),
        ("{\"hooks\":{\"PreToolUse\":[],\"PreToolUse\":[]}}", 1, 27, "second time"),
        ("{\"a\":1,}", 1, 7, "comma"),
    ] {
        let e = install(text, &groups()).unwrap_err();
        assert_eq!(e.place(), (line, column), "{text}: {e}");
        assert!(e.message().contains(word), "{text}: {e}");
    }
}

fn space() -> impl Strategy<Value = String> {
    prop_oneof![Just(String::new()), Just(" ".into()), "[ \t\r\n]{0,4}"]
}

fn leaf() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("null".to_owned()),
        Just("-0.10e+2".to_owned()),
        Just("\"\\ud83d\\/{a,} [b,] 한글\"".to_owned()),
        Just("[]".to_owned()),
        Just("{}".to_owned()),
    ]
}

fn listed(open: char, items: Vec<String>, gaps: &[String], close: char) -> String {
    let mut out = String::from(open);
    for (at, item) in items.iter().enumerate() {
        out += if at > 0 { "," } else { "" };
        out += &gaps[at % gaps.len()];
        out += item;
        out += &gaps[(at + 1) % gaps.len()];
    }
    if items.is_empty() {
        out += &gaps[0];
    }
    out.push(close);
    out
}

prop_compose! {
    fn hook_group()(gaps in prop::collection::vec(space(), 3), n in 0usize..3) -> String {
        let hook = "{\"type\":\"command\" , \"command\":\"theirs\"}".to_owned();
        let hooks = listed('[', vec![hook; n], &gaps, ']');
        listed('{', vec![format!("\"hooks\":{hooks}")], &gaps, '}')
    }
}

prop_compose! {
    fn hooks_object()(
        gaps in prop::collection::vec(space(), 4),
        events in prop::sample::subsequence(vec!["PreToolUse", "SessionStart", "Stop", "Future"], 0..=4),
        groups in prop::collection::vec(prop::collection::vec(hook_group(), 0..3), 4),
    ) -> String {
        let items = events.iter().zip(groups).map(|(event, groups)| {
            format!("\"{event}\"{}:{}{}", gaps[1], gaps[2], listed('[', groups, &gaps, ']'))
        });
        listed('{', items.collect(), &gaps, '}')
    }
}

prop_compose! {
    fn settings()(
        gaps in prop::collection::vec(space(), 4),
        leaves in prop::collection::vec(leaf(), 0..4),
        hooks in prop::option::of(hooks_object()),
        at in any::<prop::sample::Index>(),
        bom in any::<bool>(),
    ) -> String {
        let mut items: Vec<String> =
            leaves.iter().enumerate().map(|(i, l)| format!("\"k{i}\"{}:{}{l}", gaps[3], gaps[2])).collect();
        if let Some(hooks) = hooks {
            items.insert(at.index(items.len() + 1), format!("\"hooks\":{}{hooks}", gaps[1]));
        }
        let bom = if bom { "\u{feff}" } else { "" };
        format!("{bom}{}{}{}", gaps[0], listed('{', items, &gaps, '}'), gaps[3])
    }
}

fn foreign(text: &str) -> Vec<(String, String)> {
    let found =
        crate::settings::hooks::list(text, crate::hosts::claude_code::caps::NEWEST_MEASURED);
    let entries = found.unwrap().entries.into_iter().filter(|e| !ours(e));
    entries.map(|e| (e.event.clone(), text[e.span].to_owned())).collect()
}

proptest! {
    #[test]
    fn random_settings_come_back_to_the_byte(text in settings()) {
        prop_assert_eq!(round(&text), text);
    }

    #[test]
    fn foreign_hooks_are_kept_in_bytes_and_order(text in settings()) {
        let (with, _) = install(&text, &groups()).unwrap();
        prop_assert_eq!(foreign(&with), foreign(&text));
    }

    #[test]
    fn a_second_install_after_a_strip_gives_the_same_bytes(text in settings()) {
        let (with, trace) = install(&text, &groups()).unwrap();
        let again = strip(&with, Some(&trace), &ours).unwrap();
        prop_assert_eq!(install(&again, &groups()).unwrap().0, with);
    }
}
