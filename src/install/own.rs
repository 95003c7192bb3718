//! Which entries are ours: by the program that their command starts, read as a shell reads
//! it, and by the manifest. A search for text would take a person's own line for ours, and
//! a comparison of text would take ours, edited by a person, for theirs.

use super::manifest::{Manifest, Registered};
use crate::hosts::claude_code::caps::NEWEST_MEASURED;
use crate::hosts::{EventName, HostId};
use crate::settings::hooks::{self, Entry};
use harness_shell::{Command, Dialect, Limits, RedirectKind, Script, Word, read};

/// The start of a session in a shared project: tells those who lack harness that its
/// guards don't run.
pub const GREETING: &str = "command -v harness >/dev/null 2>&1 || { echo 'This project is \
     guarded by harness, which is not installed here, so its guards do not run.'; exit 0; }; \
     exec harness hook claude-code SessionStart";

/// What a shell does by itself: a line of these and our hook starts nothing but our hook.
const BUILT_IN: &[&str] = &[
    ".", ":", "[", "cd", "command", "echo", "exit", "export", "false", "printf", "set", "test",
    "true", "type", "ulimit", "umask", "unset",
];

/// Programs that only become the one they are given, on this machine and with its input.
const WRAPPERS: &[&str] = &[
    "bash", "builtin", "chrt", "command", "dash", "doas", "env", "exec", "ionice", "nice", "nohup",
    "setsid", "sh", "stdbuf", "sudo", "taskset", "time", "timeout", "zsh",
];

/// Whether a hook found in the settings is one of ours: from this installation or another,
/// in this form or another, as it was written or edited by hand since.
#[must_use]
pub fn is_ours(entry: &Entry, manifest: Option<&Manifest>) -> bool {
    if unquoted(entry, manifest).is_some() {
        return true;
    }
    let Some(argv) = argv(entry) else { return false };
    argv.first().is_some_and(|program| is_harness(program) || is_known(program, manifest))
        && has_shape(&argv)
}

/// Whether a hook starts ours among other programs: not ours to take out, for the rest is
/// somebody's, and not to be left unsaid, for it runs our hook a second time.
#[must_use]
pub fn is_mixed(entry: &Entry, manifest: Option<&Manifest>) -> bool {
    if is_ours(entry, manifest) {
        return false;
    }
    let Some(script) = script(entry) else { return false };
    script.commands.iter().map(words).any(|argv| {
        argv.first().is_some_and(|program| is_harness(program) || is_known(program, manifest))
            && has_shape(&argv)
    })
}

/// The lines of a settings text with such a hook; none if it can't be read.
#[must_use]
pub fn mixed_lines(text: &str, manifest: Option<&Manifest>) -> Vec<usize> {
    let found = hooks::list(text, NEWEST_MEASURED).map(|l| l.entries).unwrap_or_default();
    found.iter().filter(|e| is_mixed(e, manifest)).map(|e| e.line).collect()
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
    let plain = only(&shell(line)).is_some_and(|w| w.first().is_some_and(|w| w == program));
    if !(known || drive) || plain {
        return None;
    }
    let mut argv = vec![program.to_owned()];
    argv.extend(only(&shell(&format!("x{rest}")))?.into_iter().skip(1));
    has_shape(&argv).then_some(argv)
}

/// The words that the one program of a hook's command is started with, through wrappers;
/// the person's home stands as `~` in them. `None` if it starts none, or more than one.
#[must_use]
pub fn argv(entry: &Entry) -> Option<Vec<String>> {
    only(&script(entry)?)
}

/// What a hook's command does; `None` if it is no command.
fn script(entry: &Entry) -> Option<Script> {
    let kind = entry.text("type");
    let command = entry.command().filter(|_| kind.is_none_or(|k| k == "command"))?;
    if let Some(args) = entry.args() {
        // Started without a shell: each word is what it is.
        let quoted = |word: &str| format!("'{}'", word.replace('\'', r"'\''"));
        let line: Vec<String> = std::iter::once(command).chain(args).map(quoted).collect();
        return Some(shell(&line.join(" ")));
    }
    if entry.text("shell") == Some("powershell") {
        return Some(read(command, Dialect::PowerShell, Limits::default()));
    }
    Some(shell(command))
}

fn shell(line: &str) -> Script {
    let mut script = read(&format!("HOME='~'\n{line}"), Dialect::Posix, Limits::default());
    script.commands.retain(|c| !c.program.text.is_empty());
    script
}

fn only(script: &Script) -> Option<Vec<String>> {
    let mut started = script.commands.iter().filter(|c| !is_built_in(c));
    let command = started.next().filter(|c| c.via.iter().all(|via| is_wrapper(via)))?;
    // A name with a variable in it can't be read as a whole, but its end can.
    let readable = |text: &str| text == "[" || text == command.program.text;
    let alone = started.next().is_none() && script.opaque.iter().all(|o| readable(&o.text));
    alone.then(|| words(command))
}

fn words(command: &Command) -> Vec<String> {
    let words: Vec<&Word> = std::iter::once(&command.program).chain(&command.args).collect();
    words.into_iter().map(|w| w.text.clone()).collect()
}

/// What is written to a file is somebody's.
fn is_built_in(command: &Command) -> bool {
    let writes = |kind| kind != RedirectKind::Read && kind != RedirectKind::Text;
    BUILT_IN.contains(&command.program.text.as_str())
        && command.redirects.iter().all(|r| !writes(r.kind) || r.target.text == "/dev/null")
}

fn is_wrapper(via: &str) -> bool {
    let program = via.split(' ').next().unwrap_or_default();
    WRAPPERS.contains(&program.rsplit('/').next().unwrap_or_default())
}

fn is_harness(program: &str) -> bool {
    let name = program.rsplit(['/', '\\']).next().unwrap_or_default();
    name == "harness" || name.eq_ignore_ascii_case("harness.exe")
}

/// A renamed program counts if the manifest remembers it.
fn is_known(program: &str, manifest: Option<&Manifest>) -> bool {
    let starts = |e: &Registered| started_by(e).is_some_and(|started| started == program);
    manifest.is_some_and(|m| m.binary.as_os_str() == program || m.entries.iter().any(starts))
}

/// The program that an entry of ours starts.
pub(super) fn started_by(entry: &Registered) -> Option<String> {
    match &entry.args {
        Some(_) => Some(entry.command.clone()),
        None => only(&shell(&entry.command))?.into_iter().next(),
    }
}

/// What any version of ours is started with: `hook`, then a host or an event. The rest
/// differs between versions, and people edit it.
fn has_shape(argv: &[String]) -> bool {
    let [_, hook, what, ..] = argv else { return false };
    hook == "hook" && (HostId::parse(what).is_some() || EventName::parse(what).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn entry(hook: &Value) -> Entry {
        let text = json!({"hooks": {"PreToolUse": [{"hooks": [hook]}]}}).to_string();
        crate::settings::hooks::list(&text, NEWEST_MEASURED).unwrap().entries.remove(0)
    }

    fn ours(hook: &Value) -> bool {
        is_ours(&entry(hook), None)
    }

    fn line(command: &str) -> Value {
        json!({"type": "command", "command": command})
    }

    #[test]
    fn ours_by_what_it_starts() {
        for command in [
            "/old/bin/harness hook claude-code PreToolUse",
            "'/o'\\''neil/한 글/harness' hook claude-code PreToolUse --owner ab",
            r#""C:\\Users\\a b\\harness.exe" hook claude-code SessionEnd --client 2.1.100"#,
            "harness hook claude-code ConfigChange",
            "harness hook claude-code",
            "harness hook claude-code EventOfTomorrow --flag-of-tomorrow",
            "harness hook PreToolUse",
            "~/.local/bin/harness hook claude-code PreToolUse",
            "\"$HOME/.local/bin/harness\" hook claude-code PreToolUse",
            "${HOME}/.local/bin/harness hook claude-code PreToolUse",
            "\"$CLAUDE_PROJECT_DIR\"/bin/harness hook claude-code PreToolUse",
            "FOO=1 harness hook claude-code PreToolUse",
            "env -u X FOO=1 harness hook claude-code PreToolUse",
            "nice -n 10 timeout -k 1 5 /x/harness hook claude-code PreToolUse",
            "exec harness hook claude-code PreToolUse 2>>/tmp/errors",
            "bash -c 'harness hook claude-code PreToolUse'",
            "cd /x && harness hook claude-code PreToolUse || true",
            "[ -x ~/bin/harness ] && ~/bin/harness hook claude-code PreToolUse",
            GREETING,
        ] {
            assert!(ours(&line(command)), "{command}");
            assert!(!is_mixed(&entry(&line(command)), None), "{command}");
        }
        let args = json!(["hook", "claude-code", "PreToolUse", "--owner", "ab", "--home", "/x y"]);
        assert!(ours(
            &json!({"type": "command", "command": "/x/harness", "args": args, "async": true})
        ));
        let args = json!(["-n", "5", "~/bin/harness", "hook", "claude-code", "PreToolUse"]);
        assert!(ours(&json!({"type": "command", "command": "nice", "args": args})));
        let call = r"& 'C:\x y\harness.exe' hook claude-code PreToolUse";
        assert!(ours(&json!({"type": "command", "shell": "powershell", "command": call})));
    }

    #[test]
    fn near_misses_are_foreign() {
        for foreign in [
            "my-harness hook claude-code PreToolUse",
            "harness-wrapper hook claude-code PreToolUse",
            "nice harness-foo hook claude-code PreToolUse",
            "~/harness/run hook claude-code PreToolUse",
            "echo harness hook claude-code PreToolUse",
            "harness explain 'rm -rf /'",
            "harness hook",
            "harness hook other PreToolUse",
            "harness pipeline run claude-code PreToolUse",
            "$HARNESS hook claude-code PreToolUse",
            "'harness hook claude-code PreToolUse",
            "",
        ] {
            assert!(!ours(&line(foreign)), "{foreign}");
            assert!(!is_mixed(&entry(&line(foreign)), None), "{foreign}");
        }
        let args = json!(["claude-code", "PreToolUse"]);
        assert!(!ours(&json!({"type": "command", "command": "harness hook", "args": args})));
        assert!(!ours(&json!({"type": "http", "command": "harness hook claude-code PreToolUse"})));
    }

    #[test]
    fn a_line_that_starts_more_than_our_hook_is_not_ours_alone() {
        for mixed in [
            "harness hook claude-code PreToolUse && notify-send done",
            "harness hook claude-code PreToolUse | tee log",
            "date; harness hook claude-code PreToolUse",
            "echo called >> ~/calls; harness hook claude-code PreToolUse",
            "ssh there harness hook claude-code PreToolUse",
            "harness hook claude-code PreToolUse; $(cat /x)",
        ] {
            assert!(!ours(&line(mixed)), "{mixed}");
            assert!(is_mixed(&entry(&line(mixed)), None), "{mixed}");
        }
    }
}
