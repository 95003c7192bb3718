//! Which program a registered command line starts: a shell's line is read as the shell
//! reads it, quotes, variables of the client's and all.

use super::handler::Handler;
use harness_shell::{Command, Dialect, Limits, read};
use std::path::Path;

/// The variable the client sets for hooks, and expands itself in exec form.
const PROJECT: &str = "CLAUDE_PROJECT_DIR";

/// The program of a handler, as a path or a name; `None` where only a shell could tell.
#[must_use]
pub fn program(handler: &Handler, project: &Path) -> Option<String> {
    let project = project.to_string_lossy();
    if handler.args.is_some() {
        return Some(handler.command.replace(&format!("${{{PROJECT}}}"), &project));
    }
    let line = format!("{PROJECT}='{}'\n{}", project.replace('\'', r"'\''"), handler.command);
    let script = read(&line, Dialect::Posix, Limits::default());
    let runs = |c: &&Command| c.program.literal && !c.program.text.is_empty();
    let hooks = |c: &&Command| c.args.first().is_some_and(|a| a.text == "hook");
    let named = match script.commands.iter().find(hooks) {
        Some(hook) => Some(hook).filter(runs)?,
        None => script.commands.iter().find(runs)?,
    };
    Some(named.program.text.clone())
}

#[cfg(test)]
mod tests {
    use super::program;
    use crate::doctor::effective::File;
    use crate::hosts::claude_code::caps::NEWEST_MEASURED;
    use crate::hosts::claude_code::places::Scope;
    use serde_json::json;
    use std::path::Path;

    fn of(command: &str) -> Option<String> {
        let hook = json!({ "type": "command", "command": command });
        let text = json!({ "hooks": { "PreToolUse": [{ "hooks": [hook] }] } }).to_string();
        let file = File::read(Scope::User, Path::new("/s"), text.as_bytes(), NEWEST_MEASURED);
        let handlers = &file.settings().expect("read").handlers;
        program(handlers.first().expect("one"), Path::new("/p q"))
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
