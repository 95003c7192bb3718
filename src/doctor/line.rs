//! Which program a registered command line starts: a shell's line is read as the shell
//! reads it, quotes, variables of the client's and all.

use super::handler::Handler;
use crate::install::Surroundings;
use harness_shell::{Command, Dialect, EffectKind, Limits, Script, read};
use std::path::Path;

/// The longest script that is looked into.
const SCRIPT: u64 = 64 << 10;
/// The most words of a command that are taken for names of scripts.
const WORDS: usize = 8;
/// The variable the client sets for hooks, and expands itself in exec form.
const PROJECT: &str = "CLAUDE_PROJECT_DIR";

/// The program of a handler, as a path or a name; `None` where only a shell could tell.
#[must_use]
pub fn program(handler: &Handler, around: &Surroundings) -> Option<String> {
    if handler.args.is_some() {
        return Some(exec(&handler.command, around));
    }
    let script = script(handler, around);
    let runs = |c: &&Command| c.program.literal && !c.program.text.is_empty();
    let hooks = |c: &&Command| c.args.first().is_some_and(|a| a.text == "hook");
    let named = match script.commands.iter().find(hooks) {
        Some(hook) => Some(hook).filter(runs)?,
        None => script.commands.iter().find(runs)?,
    };
    Some(named.program.text.clone())
}

/// The words of a handler that starts one program and does nothing else.
#[must_use]
pub fn only(handler: &Handler, around: &Surroundings) -> Option<Vec<String>> {
    if let Some(args) = &handler.args {
        let words = std::iter::once(&handler.command).chain(args);
        return Some(words.map(|w| exec(w, around)).collect());
    }
    let script = script(handler, around);
    let [command] = script.commands.as_slice() else { return None };
    let words: Vec<_> = std::iter::once(&command.program).chain(&command.args).collect();
    let plain = words.iter().all(|w| w.literal || w.text.starts_with("~/"))
        && script.opaque.is_empty()
        && command.via.is_empty();
    plain.then(|| words.iter().map(|w| w.text.clone()).collect())
}

/// What keeps a shell from reading a handler's line at all, if anything does: a quote or a
/// backtick that never ends.
#[must_use]
pub fn unreadable(handler: &Handler, around: &Surroundings) -> Option<&'static str> {
    if handler.args.is_some() {
        return None;
    }
    let whys = script(handler, around).opaque.into_iter().map(|opaque| opaque.why);
    whys.into_iter().find(|why| matches!(*why, "unterminated quote" | "unterminated backtick"))
}

/// The programs that a handler starts and that talk to the network, as far as its line and
/// the shell scripts it names can be read.
#[must_use]
pub fn on_network(handler: &Handler, around: &Surroundings) -> Vec<String> {
    let script = match &handler.args {
        None => script(handler, around),
        Some(args) => {
            let quoted = |w: &String| format!("'{}'", exec(w, around).replace('\'', r"'\''"));
            let line: Vec<_> = std::iter::once(&handler.command).chain(args).map(quoted).collect();
            read(&line.join(" "), Dialect::Posix, Limits::default())
        }
    };
    let mut named = talking(&script);
    for command in &script.commands {
        let words = std::iter::once(&command.program).chain(&command.args);
        for word in words.filter(|w| w.text.contains('/')).take(WORDS) {
            let path = match word.text.strip_prefix("~/") {
                Some(rest) => around.home.join(rest),
                None => around.cwd.join(&word.text),
            };
            let text = shell_script(&path);
            let inner = text.map(|t| talking(&read(&t, Dialect::Posix, Limits::default())));
            named.extend(inner.into_iter().flatten());
        }
    }
    named.sort_unstable();
    named.dedup();
    named
}

/// The names of its programs that talk to the network.
fn talking(script: &Script) -> Vec<String> {
    let talks = |c: &&Command| c.effects.iter().any(|e| e.kind == EffectKind::Network);
    script.commands.iter().filter(talks).map(|c| c.name().to_owned()).collect()
}

/// The text of a file that a shell is to read: its first line says so.
fn shell_script(path: &Path) -> Option<String> {
    std::fs::metadata(path).ok().filter(|m| m.is_file() && m.len() <= SCRIPT)?;
    let bytes = std::fs::read(path).ok()?;
    let first = bytes.split(|b| *b == b'\n').next()?;
    let shell = first.starts_with(b"#!") && first.trim_ascii_end().ends_with(b"sh");
    String::from_utf8(bytes).ok().filter(|_| shell)
}

/// The only expansion the client makes where there is no shell.
fn exec(word: &str, around: &Surroundings) -> String {
    word.replace(&format!("${{{PROJECT}}}"), &around.cwd.to_string_lossy())
}

fn script(handler: &Handler, around: &Surroundings) -> Script {
    let quoted = |path: &Path| path.to_string_lossy().replace('\'', r"'\''");
    let (project, home) = (quoted(&around.cwd), quoted(&around.home));
    let line = format!("{PROJECT}='{project}'\nHOME='{home}'\n{}", handler.command);
    let mut script = read(&line, Dialect::Posix, Limits::default());
    // The two lines above start nothing.
    script.commands.retain(|c| !c.program.text.is_empty() || c.assigns.is_empty());
    script
}

#[cfg(test)]
mod tests {
    use super::program;
    use crate::doctor::effective::File;
    use crate::hosts::claude_code::caps::NEWEST_MEASURED;
    use crate::hosts::claude_code::places::Scope;
    use crate::install::Surroundings;
    use serde_json::json;
    use std::path::Path;

    fn of(command: &str) -> Option<String> {
        let hook = json!({ "type": "command", "command": command });
        let text = json!({ "hooks": { "PreToolUse": [{ "hooks": [hook] }] } }).to_string();
        let file = File::read(Scope::User, Path::new("/s"), text.as_bytes(), NEWEST_MEASURED);
        let handlers = &file.settings().expect("read").handlers;
        let around = Surroundings { cwd: "/p q".into(), ..Surroundings::now().expect("a home") };
        program(handlers.first().expect("one"), &around)
    }

    #[test]
    fn the_program_of_a_line_is_what_a_shell_would_start() {
        for (line, program) in [
            ("harness hook claude-code PreToolUse", "harness"),
            ("'/a b/harness' hook claude-code PreToolUse --owner x", "/a b/harness"),
            (
                r#""$CLAUDE_PROJECT_DIR"/bin/harness hook claude-code SessionEnd"#,
                "/p q/bin/harness",
            ),
            (r#""${CLAUDE_PROJECT_DIR}/x" hook claude-code SessionEnd"#, "/p q/x"),
            (crate::install::own::GREETING, "harness"),
            ("python3 /x/hook.py", "python3"),
        ] {
            assert_eq!(of(line).as_deref(), Some(program), "{line}");
        }
        assert_eq!(of("$(find-it) hook x"), None);
    }
}
