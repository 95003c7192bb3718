//! Commands of harness that loosen, and the end of its processes.

use harness_shell::{Command, Word};

use super::super::matching::has_flag;
use super::super::model::Say;
use super::Objection;

pub(super) fn check(command: &Command, out: &mut Vec<Objection>) {
    let name = command.name();
    let found = match name {
        "harness" => own(&command.args),
        "pkill" | "killall" | "killall5" | "taskkill" | "Stop-Process" | "skill" => stop(command),
        "kill" => kill(command),
        "gdb" | "lldb" | "strace" | "ltrace" | "ptrace" | "reptyr" | "dlv" => watch(command),
        _ => removal(command),
    };
    out.extend(found);
}

fn words(command: &Command) -> impl Iterator<Item = &str> {
    positional(&command.args)
}

fn positional(args: &[Word]) -> impl Iterator<Item = &str> {
    args.iter().map(|w| w.text.as_str()).filter(|w| !w.starts_with('-'))
}

/// Whether a word behind `harness` is a command that an agent is denied.
pub(super) fn is_a_persons(word: &str) -> bool {
    matches!(
        word,
        "approve" | "knob" | "preset" | "off" | "trust" | "passphrase" | "uninstall" | "console"
    )
}

/// The command that an agent is denied, of the words behind `harness`.
pub(super) fn loosens(args: &[Word]) -> Option<&str> {
    let first = positional(args).next().filter(|word| is_a_persons(word))?;
    own(args).is_some_and(|o| o.say == Say::Deny).then_some(first)
}

fn own(args: &[Word]) -> Option<Objection> {
    let mut words = positional(args);
    let first = words.next().unwrap_or("");
    let second = words.next().unwrap_or("");
    let unknown = args.iter().any(|w| !w.literal);
    let passes = match first {
        "status" | "explain" | "log" | "why" | "replay" | "hosts" | "completions" | "demo"
        | "help" => true,
        "doctor" => !has_flag("--fix", args),
        "policy" => matches!(second, "check" | "show" | "packs" | "test" | ""),
        "knob" => !unknown && positionals(args) <= 2,
        "preset" => !unknown && positionals(args) <= 1,
        "grants" => !has_flag("--revoke", args),
        "update" => has_flag("--check", args),
        "install" | "uninstall" => has_flag("--dry-run", args),
        "" => !unknown,
        _ => false,
    };
    if passes {
        return None;
    }
    let say = if matches!(first, "install" | "doctor") { Say::Ask } else { Say::Deny };
    Some(Objection::new(
        say,
        "self-protection/commands",
        format!("`harness {first}` is for a person, not for an agent"),
        "ask the person to run it in a terminal of their own; `harness status`, `doctor`, `explain`, `log` and `policy check` are yours",
    ))
}

/// How many words of `harness knob …` are neither options nor an option's value: the
/// command, the knob, what it is set to.
fn positionals(args: &[Word]) -> usize {
    const TAKE_ONE: &[&str] = &["--session", "--at"];
    let mut value = false;
    let mut count = 0;
    for word in args.iter().map(|w| w.text.as_str()) {
        let option = word.starts_with('-');
        count += usize::from(!option && !value);
        value = !value && TAKE_ONE.contains(&word);
    }
    count
}

fn mentions_harness(command: &Command) -> bool {
    command.args.iter().any(|w| w.text.to_ascii_lowercase().contains("harness"))
}

fn stop(command: &Command) -> Option<Objection> {
    mentions_harness(command).then(process)
}

/// `kill $(pgrep harness)`.
fn kill(command: &Command) -> Option<Objection> {
    let named = command.args.iter().any(|w| !w.literal && w.text.contains("harness"));
    named.then(process)
}

fn watch(command: &Command) -> Option<Objection> {
    let attaches = has_flag("-p|--pid|--attach", &command.args)
        || words(command).any(|w| matches!(w, "attach" | "--attach-pid"));
    (attaches && mentions_harness(command)).then(process)
}

fn process() -> Objection {
    Objection::new(
        Say::Deny,
        "self-protection/process",
        "this would stop or watch a process of harness".to_owned(),
        "",
    )
}

/// `cargo uninstall harness` and its like.
fn removal(command: &Command) -> Option<Objection> {
    let manager = matches!(
        command.name(),
        "cargo"
            | "brew"
            | "apt"
            | "apt-get"
            | "dpkg"
            | "dnf"
            | "yum"
            | "rpm"
            | "pacman"
            | "snap"
            | "npm"
            | "pnpm"
            | "yarn"
            | "bun"
            | "pip"
            | "pipx"
            | "uv"
            | "scoop"
            | "winget"
            | "choco"
            | "nix-env"
            | "nix"
            | "apk"
            | "zypper"
            | "port"
    );
    if !manager {
        return None;
    }
    let removes = command.args.iter().any(|w| {
        matches!(
            w.text.as_str(),
            "uninstall"
                | "remove"
                | "purge"
                | "autoremove"
                | "rm"
                | "-R"
                | "-Rs"
                | "-Rns"
                | "-e"
                | "--erase"
                | "erase"
                | "del"
                | "un"
                | "unlink"
                | "-r"
                | "-P"
                | "--purge"
        )
    });
    let ours = words(command).any(|w| {
        let name = w.split('@').next().unwrap_or(w);
        name == "harness" || name.ends_with("/harness")
    });
    (removes && ours).then(|| {
        Objection::new(
            Say::Deny,
            "self-protection/commands",
            "this would remove harness itself".to_owned(),
            "ask the person to run `harness uninstall` in a terminal of their own",
        )
    })
}
