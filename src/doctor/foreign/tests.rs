use super::expect::{Verdict, read};
use std::path::Path;

#[test]
fn expectations_are_read_in_three_forms() {
    let toml = "[[call]]\ntool = \"Bash\"\ninput = { command = \"x\" }\nexpect = \"deny\"\nhook = \"guard\"\n";
    let json =
        r#"{"call":[{"tool":"Bash","input":{"command":"x"},"expect":"deny","hook":"guard"}]}"#;
    let list = r#"[{"tool":"Bash","input":{"command":"x"},"expect":"deny","hook":"guard"}]"#;
    let line = "{\"tool\":\"Bash\",\"input\":{\"command\":\"x\"},\"expect\":\"deny\",\"hook\":\"guard\"}\n\n";
    for (name, text) in [("e.toml", toml), ("e.json", json), ("e.json", list), ("e.jsonl", line)] {
        let calls = read(Path::new(name), text).expect(name);
        let [call] = calls.as_slice() else { panic!("{calls:?}") };
        assert_eq!((call.expect, call.hook.as_deref()), (Verdict::Deny, Some("guard")), "{name}");
        assert_eq!(call.input["command"], "x");
    }
}

#[test]
fn a_mistake_in_them_is_named() {
    for (name, text, words) in [
        ("e.toml", "[[call]]\ntool = 1\n", "line 2"),
        ("e.toml", "[[calls]]\n", "calls"),
        ("e.toml", "", "no call"),
        ("e.json", "[]", "no call"),
        ("e.json", "{", "EOF"),
        ("e.jsonl", "\n{\"tool\":\"Bash\"}", "line 2"),
        ("e.json", r#"[{"tool":"Bash","input":"ls","expect":"deny"}]"#, "no object"),
        ("e.json", r#"[{"tool":"Bash","input":{},"expect":"no"}]"#, "`no`"),
    ] {
        let why = read(Path::new(name), text).expect_err(text);
        assert!(why.contains(words), "{text}: {why}");
    }
}
