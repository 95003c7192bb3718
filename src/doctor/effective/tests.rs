use super::{Effective, File, FileState, Scope, Switches, effective, started};
use crate::hosts::claude_code::caps::{NEWEST_MEASURED as NEW, Version};
use std::path::Path;

fn file(scope: Scope, text: &str) -> File {
    File::read(scope, Path::new("/s.json"), text.as_bytes(), NEW)
}

fn hook(command: &str, more: &str) -> String {
    format!(
        r#"{{"hooks":{{"PreToolUse":[{{"hooks":[{{"type":"command","command":"{command}"{more}}}]}}]}}}}"#
    )
}

fn names(effective: &Effective) -> Vec<&str> {
    effective.handlers.iter().map(|h| h.command.as_str()).collect()
}

#[test]
fn off_switches_have_the_measured_precedence() {
    let scopes = [Scope::User, Scope::Project, Scope::Local];
    let said = |v: &str| format!(r#"{{"disableAllHooks":{v}}}"#);
    for (values, off) in [
        (["true", "", ""], true),
        (["", "true", ""], true),
        (["", "", "true"], true),
        (["true", "false", ""], false),
        (["false", "true", ""], true),
        (["true", "true", "false"], false),
        (["", "", ""], false),
    ] {
        let mut files: Vec<_> = scopes
            .iter()
            .zip(values)
            .filter(|(_, v)| !v.is_empty())
            .map(|(s, v)| file(*s, &said(v)))
            .collect();
        files.push(file(Scope::User, &hook("u", "")));
        files.push(file(Scope::Managed, &hook("m", "")));
        let found = effective(&files, Switches::default());
        let left: Vec<&str> = if off { vec!["m"] } else { vec!["u", "m"] };
        assert_eq!(names(&found), left, "{values:?}");
        assert_eq!(found.off.is_empty(), !off, "{values:?}");
    }
}

#[test]
fn managed_switches_and_the_environment() {
    let files = |managed: &str| {
        vec![
            file(Scope::User, &hook("u", "")),
            file(Scope::Managed, &hook("m", "")),
            file(Scope::Managed, managed),
        ]
    };
    let none = Switches::default();
    assert!(effective(&files(r#"{"disableAllHooks":true}"#), none).handlers.is_empty());
    assert_eq!(names(&effective(&files(r#"{"allowManagedHooksOnly":true}"#), none)), ["m"]);
    let simple = Switches { simple: true, ..none };
    assert_eq!(names(&effective(&files("{}"), simple)), ["m"]);
    // In a person's own file the key has no effect.
    let own =
        [file(Scope::User, r#"{"allowManagedHooksOnly":true}"#), file(Scope::User, &hook("u", ""))];
    assert_eq!(names(&effective(&own, none)), ["u"]);
}

#[test]
fn of_equal_commands_the_last_scope_wins() {
    let files = [
        file(Scope::Project, &hook("x", r#","async":true"#)),
        file(Scope::User, &hook("x", r#","timeout":30,"onFailure":"block""#)),
    ];
    let all = effective(&files, Switches::default());
    let occasion = started(&all.handlers, "PreToolUse", "Bash", NEW);
    assert_eq!(occasion.started.len(), 1);
    assert!(occasion.started.iter().all(|h| h.asynchronous && h.scope == Scope::Project));
    assert_eq!(occasion.replaced.len(), 1);
    let other = [
        file(Scope::User, &hook("x", "")),
        file(Scope::Project, &hook("x", r#","args":["a"]"#)),
        file(Scope::Local, &hook("x", r#","if":"Bash(git *)""#)),
    ];
    let all = effective(&other, Switches::default());
    assert_eq!(started(&all.handlers, "PreToolUse", "Bash", NEW).started.len(), 3);
}

#[test]
fn broken_files_say_where() {
    let state = |text: &str| file(Scope::User, text).state;
    let line = |text: &str| match state(text) {
        FileState::Unparseable { line, .. } => line,
        _ => 0,
    };
    for (text, at) in
        [("{ // x\n}", 1), ("{\n\"a\":1,\n}", 2), ("{\"a\":", 1), ("", 1), ("{}\n<<<<<<< HEAD", 2)]
    {
        assert_eq!(line(text), at, "{text:?}");
    }
    assert!(matches!(state("\u{feff}{}"), FileState::Read(_)));
    assert!(matches!(state("[]"), FileState::Refused(_)));
    let utf16 = File::read(Scope::User, Path::new("/s.json"), b"\xff\xfe{\0", NEW);
    assert!(matches!(utf16.state, FileState::Unparseable { .. }));
}

#[test]
fn a_dropped_entry_leaves_its_neighbours() {
    let text = r#"{"hooks":{"Stop":[{"hooks":[{"type":"command"},
        {"type":"command","command":"b"}]},{"matcher":1,"hooks":[{"type":"command","command":"c"}]}]}}"#;
    let file = file(Scope::User, text);
    let left: Vec<_> = file.settings().map(|s| s.handlers.clone()).unwrap_or_default();
    let seen: Vec<_> = left.iter().map(|h| (h.command.as_str(), h.line)).collect();
    assert_eq!(seen, [("b", 2)]);
    let old = Version::new(2, 1, 240);
    let dropped = File::read(Scope::User, Path::new("/s.json"), text.as_bytes(), old);
    assert!(matches!(dropped.state, FileState::Refused(_)));
}
