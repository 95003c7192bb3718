//! harness's own commands where another program carries them: terminals that are typed
//! into, debuggers, loaders; and the program itself, carried off under another name.

use harness_shell::Command;

use super::super::model::Say;
use super::super::paths::base_name;
use super::Objection;
use super::commands;

pub(super) fn check(command: &Command, out: &mut Vec<Objection>) {
    let name = command.name();
    if name == "harness" || HANDLES_TEXT.contains(&name) {
        return;
    }
    if carries_off(command) {
        out.push(objection("this gives harness itself another name or place".to_owned()));
        return;
    }
    // `xterm -e harness off`: word for word, whatever the program is.
    let behind = command.args.iter().position(|w| base_name(&w.text) == "harness");
    let spelled = behind.and_then(|at| commands::loosens(command.args.get(at + 1..)?));
    // `tmux send-keys 'harness off' Enter`: somewhere in a text that will be run or typed.
    // What `screen -X` is told (`stuff`, `exec`) is no program, and stands in its place.
    let told = command.via.iter().any(|v| v.starts_with("screen"));
    let typed = || (told || types(name)).then(|| loosened(command)).flatten();
    if let Some(word) = spelled.or_else(typed) {
        out.push(objection(format!(
            "`{name}` would run or type `harness {word}`, which is for a person"
        )));
    }
}

/// Programs to which such words are a text like any other.
const HANDLES_TEXT: &[&str] = &[
    "echo", "printf", "grep", "egrep", "fgrep", "rg", "ag", "ack", "git", "gh", "glab", "man",
    "cat", "which", "type", "command", "whereis", "export", "test", "[", "[[", "read", "touch",
    "mkdir",
];

/// Programs that run or type what their words hold.
fn types(name: &str) -> bool {
    name.starts_with("ld-")
        || name.ends_with("-terminal")
        || matches!(
            name,
            "expect"
                | "autoexpect"
                | "tmux"
                | "screen"
                | "byobu"
                | "zellij"
                | "dtach"
                | "abduco"
                | "osascript"
                | "xdotool"
                | "ydotool"
                | "wtype"
                | "xte"
                | "xterm"
                | "urxvt"
                | "rxvt"
                | "konsole"
                | "alacritty"
                | "kitty"
                | "wezterm"
                | "foot"
                | "tilix"
                | "terminator"
                | "x-terminal-emulator"
                | "mintty"
                | "wt"
                | "gdb"
                | "lldb"
                | "socat"
                | "dbus-send"
                | "busctl"
        )
}

/// The loosening command in a program's words, however they are quoted inside.
fn loosened(command: &Command) -> Option<&str> {
    let apart = |c: char| !c.is_ascii_alphanumeric() && !matches!(c, '.' | '/' | '-' | '_');
    let mut tokens = command
        .args
        .iter()
        .flat_map(|w| w.text.split(apart))
        // How tmux names the key.
        .filter(|token| !token.is_empty() && *token != "Space")
        .peekable();
    while let Some(token) = tokens.next() {
        let next = tokens.peek().copied().unwrap_or("");
        if base_name(token) == "harness" && commands::is_a_persons(next) {
            return Some(next);
        }
    }
    None
}

/// `cp $(which harness) h`, `ln /usr/local/bin/harness h`: what `h` then does nobody can read
/// from its name. Folders named so are many; it is the program where programs are.
fn carries_off(command: &Command) -> bool {
    let takes = matches!(
        command.name(),
        "cp" | "ln" | "mv" | "install" | "rsync" | "dd" | "link" | "rename" | "scp" | "gcp" | "gln"
    );
    takes && command.args.iter().any(|w| is_program(&w.text, w.literal))
}

fn is_program(word: &str, literal: bool) -> bool {
    let path = word.strip_prefix("if=").unwrap_or(word);
    let installed =
        path.strip_suffix("/harness").is_some_and(|dir| base_name(dir).ends_with("bin"));
    let looked_up = !literal
        && ["which", "command -v", "type -p", "whence", "where"].iter().any(|ask| {
            word.split_once(ask).is_some_and(|(_, rest)| rest.trim_start().starts_with("harness"))
        });
    installed || looked_up
}

fn objection(why: String) -> Objection {
    Objection::new(
        Say::Deny,
        "self-protection/commands",
        why,
        "ask the person to run it in a terminal of their own",
    )
}
