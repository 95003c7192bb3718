//! Each row of the measured table, over its columns.

use super::{Decision, Decoded, End, Ended, Handling, ReasonFrom, Shape, decode};
use crate::hosts::claude_code::caps::{NEWEST_MEASURED, Version};

/// The versions that were measured, oldest first.
const COLUMNS: [Version; 11] = [
    Version::new(1, 0, 60),
    Version::new(1, 0, 128),
    Version::new(2, 0, 30),
    Version::new(2, 0, 76),
    Version::new(2, 1, 20),
    Version::new(2, 1, 100),
    Version::new(2, 1, 150),
    Version::new(2, 1, 197),
    Version::new(2, 1, 240),
    Version::new(2, 1, 290),
    Version::new(2, 1, 332),
];

const DENY: &str = r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}"#;
const ALLOW: &str =
    r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}"#;
const ASK: &str =
    r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask"}}"#;
const DEFER: &str =
    r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"defer"}}"#;
const BAD_WORD: &str =
    r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"DENY"}}"#;

fn on(event: &str, version: Version, end: End, stdout: &str, block: bool) -> Decoded {
    let ended = Ended { end, stdout: stdout.as_bytes(), stderr: b"why\n" };
    let how = Handling { event, version, blocks_on_failure: block, asynchronous: false };
    decode(ended, how)
}

fn stops(decoded: &Decoded) -> bool {
    !matches!(decoded.decision, Decision::Nothing | Decision::Allowed)
}

/// Asserts a row: `D` stopped, `R` ran, one letter a column.
fn row(name: &str, cells: &str, end: End, stdout: &str, block: bool) {
    assert_eq!(cells.len(), COLUMNS.len(), "{name}");
    for (version, cell) in COLUMNS.into_iter().zip(cells.chars()) {
        let decoded = on("PreToolUse", version, end, stdout, block);
        assert_eq!(stops(&decoded), cell == 'D', "{name} on {version}: {decoded:?}");
    }
}

#[test]
fn the_table_of_what_stops_a_call() {
    row("exit 2", "DDDDDDDDDDD", End::Exit(2), "", false);
    row("exit 2 and plain text", "DDDDDDDDDDD", End::Exit(2), "hello", false);
    row("exit 2, noise and JSON", "DDDDDDDDDDD", End::Exit(2), &format!("hi\n{DENY}"), false);
    row("exit 1", "RRRRRRRRRRR", End::Exit(1), "", false);
    row("timeout", "RRRRRRRRRRR", End::Timeout, "", false);
    row("signal", "RRRRRRRRRRR", End::Signal(9), "", false);
    row("not started", "RRRRRRRRRRR", End::NotStarted, "", false);
    for code in [0, 1, 2, 101] {
        row("JSON deny", "DDDDDDDDDDD", End::Exit(code), DENY, false);
        let legacy = r#"{"decision":"block","reason":"no"}"#;
        row("legacy block", "DDDDDDDDDDD", End::Exit(code), legacy, false);
    }
    row("exit 2 and JSON allow", "RRRRRRDDDDD", End::Exit(2), ALLOW, false);
    row("exit 2 and bad JSON", "RRRRRRRRDDD", End::Exit(2), BAD_WORD, false);
    for text in [format!("hi\n{DENY}"), format!("{DENY}\nhi"), format!("{DENY}{DENY}")] {
        row("text around a deny", "RRRRRRRRRRR", End::Exit(0), &text, false);
    }
    row("byte-order mark", "DDDDDDDDDDD", End::Exit(0), &format!("\u{feff}{DENY}"), false);
    row("white space", "DDDDDDDDDDD", End::Exit(0), &format!("\n  {DENY}\n"), false);
    row("ask", "RRRRRDDDDDD", End::Exit(0), ASK, false);
    row("defer", "RRRRRDDDDDD", End::Exit(0), DEFER, false);
    row("allow", "RRRRRRRRRRR", End::Exit(0), ALLOW, false);
    row("onFailure, exit 1", "RRRRRRRRRRD", End::Exit(1), "", true);
    row("onFailure, timeout", "RRRRRRRRRRD", End::Timeout, "", true);
    row("onFailure, bad JSON", "RRRRRRRRRRD", End::Exit(0), BAD_WORD, true);
    row("onFailure, noise", "RRRRRRRRRRR", End::Exit(0), &format!("hi\n{DENY}"), true);
}

#[test]
fn context_of_a_call_is_new() {
    let answer = r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"c"}}"#;
    for (version, cell) in COLUMNS.into_iter().zip("RRRRDDDDDDD".chars()) {
        let decoded = on("PreToolUse", version, End::Exit(0), answer, false);
        assert_eq!(decoded.context.is_some(), cell == 'D', "{version}");
    }
}

#[test]
fn text_at_session_start_is_context() {
    for (version, cell) in COLUMNS.into_iter().zip("RDDDDDDDDDD".chars()) {
        let decoded = on("SessionStart", version, End::Exit(0), "hello", false);
        assert_eq!(decoded.context.is_some(), cell == 'D', "{version}");
    }
    let decoded = on("SessionStart", NEWEST_MEASURED, End::Exit(1), "hello", false);
    assert_eq!(decoded.context, None);
}

#[test]
fn the_reason_comes_from_where_the_client_takes_it() {
    let new = NEWEST_MEASURED;
    let reason = |d: Decoded| match d.decision {
        Decision::Denied { reason, from } => (reason, from),
        other => (format!("{other:?}"), ReasonFrom::Client),
    };
    let both = reason(on("PreToolUse", new, End::Exit(2), DENY, false));
    assert_eq!(both, ("no".into(), ReasonFrom::Json));
    let stderr = reason(on("PreToolUse", new, End::Exit(2), ALLOW, false));
    assert_eq!(stderr, ("why".into(), ReasonFrom::Stderr));
    let bare =
        r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}"#;
    let none = reason(on("PreToolUse", new, End::Exit(0), bare, false));
    assert_eq!(none, ("Blocked by hook".into(), ReasonFrom::Client));
}

#[test]
fn an_asynchronous_answer_decides_nothing_where_that_is_known() {
    let ended = Ended { end: End::Exit(2), stdout: DENY.as_bytes(), stderr: b"" };
    for (version, open) in [(Version::new(2, 0, 76), false), (Version::new(2, 1, 20), true)] {
        let how =
            Handling { event: "PreToolUse", version, blocks_on_failure: true, asynchronous: true };
        assert_eq!(decode(ended, how).decision == Decision::Nothing, open, "{version}");
    }
}

#[test]
fn long_context_is_cut_in_utf16_units() {
    let new = NEWEST_MEASURED;
    for (text, cut) in
        [("x".repeat(10_000), false), ("x".repeat(10_001), true), ("😀".repeat(5_001), true)]
    {
        let decoded = on("SessionStart", new, End::Exit(0), &text, false);
        assert_eq!(decoded.cut, cut);
    }
}

#[test]
fn shapes_are_told_apart() {
    let new = NEWEST_MEASURED;
    let shape = |text: &str| on("PreToolUse", new, End::Exit(0), text, false).shape;
    assert_eq!(shape(" \n"), Shape::Empty);
    assert_eq!(shape("[1]"), Shape::Text);
    assert_eq!(shape(&format!("hi {DENY}")), Shape::NoiseBefore);
    assert_eq!(shape(&format!("{DENY} hi")), Shape::NoiseAfter);
    assert_eq!(shape(DENY), Shape::Answer);
    assert!(matches!(shape(BAD_WORD), Shape::Broken(_)));
    assert!(matches!(shape("{\"a\":"), Shape::Broken(_)));
}
