//! Which entries are ours: by the exact shape of their command, and by the manifest. A
//! text search would take a person's own line for ours.

use super::manifest::Manifest;
use crate::hosts::{EventName, HostId};
use crate::settings::hooks::Entry;

/// Flags a registered hook may carry, each with one value.
const FLAGS: &[&str] = &["--owner", "--home", "--config", "--state", "--cache", "--client"];

/// The start of a session in a shared project: tells those who lack harness that its
/// guards don't run.
pub const GREETING: &str = "command -v harness >/dev/null 2>&1 || { echo 'This project is \
     guarded by harness, which is not installed here, so its guards do not run.'; exit 0; }; \
     exec harness hook claude-code SessionStart";

/// Whether a hook found in the settings is one of ours, from this installation or another.
#[must_use]
pub fn is_ours(entry: &Entry, manifest: Option<&Manifest>) -> bool {
    if entry.command() == Some(GREETING) && entry.args().is_none() {
        return true;
    }
    if unquoted(entry, manifest).is_some() {
        return true;
    }
    let Some(argv) = argv(entry) else { return false };
    let Some(program) = argv.first() else { return false };
    has_shape(&argv) && (is_harness(program) || known(program, &argv, entry, manifest))
}

/// The words that a line was meant to be, where our program's path stands in it without
/// the quotes it needs; `None` for any other line.
#[must_use]
pub fn unquoted(entry: &Entry, manifest: Option<&Manifest>) -> Option<Vec<String>> {
    let line = entry.command().filter(|_| entry.args().is_none())?;
    let at = line.find(" hook ")?;
    let (program, rest) = (line.get(..at)?, line.get(at..)?);
    let known = manifest.is_some_and(|m| m.binary.as_os_str() == program);
    // A drive's path can't be anything else.
    let drive = program.get(1..3) == Some(":\\") && is_harness(program);
    let split =
        words(program).is_none_or(|w| w.len() != 1 || w.first().is_none_or(|w| w != program));
    if !(known || drive) || !split {
        return None;
    }
    let mut argv = vec![program.to_owned()];
    argv.extend(words(rest)?);
    has_shape(&argv).then_some(argv)
}

/// A renamed program counts if the manifest remembers this very command.
fn known(program: &str, argv: &[String], entry: &Entry, manifest: Option<&Manifest>) -> bool {
    manifest.is_some_and(|m| {
        m.binary.as_os_str() == program
            || m.entries.iter().any(|e| {
                Some(e.command.as_str()) == entry.command()
                    && e.args.as_deref().is_none_or(|args| argv.get(1..) == Some(args))
            })
    })
}

/// The words a hook's command is started with; `None` if a shell would do more than
/// start one program.
#[must_use]
pub fn argv(entry: &Entry) -> Option<Vec<String>> {
    let kind = entry.text("type");
    let command = entry.command().filter(|_| kind.is_none_or(|k| k == "command"))?;
    if let Some(args) = entry.args() {
        let words = std::iter::once(command).chain(args);
        return Some(words.map(str::to_owned).collect());
    }
    words(command)
}

fn is_harness(program: &str) -> bool {
    let name = program.rsplit(['/', '\\']).next().unwrap_or_default();
    name == "harness" || name.eq_ignore_ascii_case("harness.exe")
}

fn has_shape(argv: &[String]) -> bool {
    let [_, hook, host, event, flags @ ..] = argv else { return false };
    hook == "hook"
        && HostId::parse(host).is_some()
        && EventName::parse(event).is_some()
        && flags.len().is_multiple_of(2)
        && flags.iter().step_by(2).all(|flag| FLAGS.contains(&flag.as_str()))
}

/// Splits a shell line of one plain command; `None` if it has anything else in it.
fn words(line: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match c {
            ' ' | '\t' => words.extend(word.take()),
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next()? {
                        '\'' => break,
                        inner => word.push(inner),
                    }
                }
            }
            '"' => double_quoted(&mut chars, word.get_or_insert_default())?,
            '\\' => word.get_or_insert_default().push(chars.next()?),
            ';' | '|' | '&' | '<' | '>' | '(' | ')' | '$' | '`' | '\n' | '\r' | '*' | '?' | '['
            | '{' | '}' | '!' | '#' => return None,
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    Some(words)
}

fn double_quoted(chars: &mut std::str::Chars<'_>, word: &mut String) -> Option<()> {
    loop {
        match chars.next()? {
            '"' => return Some(()),
            '$' | '`' => return None,
            '\\' => match chars.next()? {
                c @ ('"' | '\\' | '$' | '`') => word.push(c),
                c => word.extend(['\\', c]),
            },
            c => word.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hosts::claude_code::caps::NEWEST_MEASURED;
    use serde_json::json;

    fn ours(hook: serde_json::Value) -> bool {
        let text = json!({"hooks": {"PreToolUse": [{"hooks": [hook]}]}}).to_string();
        let found = crate::settings::hooks::list(&text, NEWEST_MEASURED).unwrap();
        is_ours(&found.entries[0], None)
    }

    fn shell(command: &str) -> bool {
        ours(json!({"type": "command", "command": command}))
    }

    #[test]
    fn ours_in_any_form_it_ever_had() {
        assert!(shell("/old/bin/harness hook claude-code PreToolUse"));
        assert!(shell("'/o'\\''neil/한 글/harness' hook claude-code PreToolUse --owner ab"));
        assert!(shell(
            r#""C:\\Users\\a b\\harness.exe" hook claude-code SessionEnd --client 2.1.100"#
        ));
        assert!(shell("harness hook claude-code ConfigChange"));
        assert!(shell(GREETING) && !shell(&format!("{GREETING}; true")));
        let args = json!(["hook", "claude-code", "PreToolUse", "--owner", "ab", "--home", "/x y"]);
        assert!(ours(
            json!({"type": "command", "command": "/x/harness", "args": args, "async": true})
        ));
    }

    #[test]
    fn near_misses_are_foreign() {
        for foreign in [
            "my-harness hook claude-code PreToolUse",
            "harness-wrapper hook claude-code PreToolUse",
            "echo harness hook claude-code PreToolUse",
            "harness explain 'rm -rf /'",
            "harness hook",
            "harness hook claude-code",
            "harness hook claude-code Whatever",
            "harness hook other PreToolUse",
            "harness hook claude-code PreToolUse && notify-send done",
            "harness hook claude-code PreToolUse | tee log",
            "harness hook claude-code PreToolUse --verbose yes",
            "harness hook claude-code PreToolUse --owner",
            "FOO=1 harness hook claude-code PreToolUse",
            "$HOME/harness hook claude-code PreToolUse",
            "'harness hook claude-code PreToolUse",
            "",
        ] {
            assert!(!shell(foreign), "{foreign}");
        }
        let exec = json!({"type": "command", "command": "harness hook", "args": ["claude-code", "PreToolUse"]});
        assert!(!ours(exec));
        assert!(!ours(json!({"type": "http", "command": "harness hook claude-code PreToolUse"})));
    }
}
