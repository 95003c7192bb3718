//! Files that the line itself fetches or decodes, and then runs: nobody has seen them.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use crate::script::{Command, Effect, EffectKind, RedirectKind, Script, Word};

/// Longer chains of pipes are not followed.
const MOST_PIPES: usize = 8;

/// Programs that run the file they are given.
const RUNNERS: &[&str] = &[
    ".",
    "ash",
    "bash",
    "bun",
    "dash",
    "deno",
    "fish",
    "java",
    "ksh",
    "lua",
    "node",
    "nodejs",
    "osascript",
    "perl",
    "php",
    "powershell",
    "pwsh",
    "pypy",
    "python",
    "ruby",
    "sh",
    "source",
    "zsh",
];

/// Says of each command that runs such a file that it runs what can't be seen.
pub(crate) fn mark(script: &mut Script) {
    let mut unseen: BTreeSet<String> = BTreeSet::new();
    for index in 0..script.commands.len() {
        let Some(command) = script.commands.get(index) else { return };
        let file = if unseen.is_empty() { None } else { seen_in(command, &unseen) };
        if let (Some(target), Some(command)) = (file, script.commands.get_mut(index)) {
            let kind = EffectKind::ExecuteUnknown;
            let target = Some(target);
            command.effects.push(Effect { kind, target, recursive: false, forced: false });
        }
        let Some(command) = script.commands.get(index) else { return };
        if brings(script, command) || passes_on(command, &unseen) {
            unseen.extend(written(command).map(|file| place(command, file)));
        }
    }
}

fn seen_in(command: &Command, unseen: &BTreeSet<String>) -> Option<Word> {
    run_by(command).find(|file| unseen.contains(&place(command, file))).cloned()
}

/// A file's path as the line has it, from where the line began.
fn place(command: &Command, file: &Word) -> String {
    let whole = crate::walk::join(command.cwd.as_ref(), file).text;
    let mut parts: Vec<&str> = Vec::new();
    for part in whole.split('/') {
        match part {
            "." | "" => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    let root = if whole.starts_with('/') { "/" } else { "" };
    alloc::format!("{root}{}", parts.join("/"))
}

fn written(command: &Command) -> impl Iterator<Item = &Word> {
    let kinds = [EffectKind::Overwrite, EffectKind::Create];
    let effects = command.effects.iter().filter(move |e| kinds.contains(&e.kind) && !e.recursive);
    effects.filter_map(|effect| effect.target.as_ref())
}

/// Whether what a command writes comes from the network or out of a code.
fn brings(script: &Script, command: &Command) -> bool {
    let mut at = Some(command);
    for _ in 0..MOST_PIPES {
        let Some(command) = at else { return false };
        if fetches(command) || decodes(command) {
            return true;
        }
        at = command.piped_from.and_then(|index| script.commands.get(index));
    }
    false
}

fn fetches(command: &Command) -> bool {
    let remote = |word: &Word| {
        word.text.split_once(':').is_some_and(|(host, _)| host.len() > 1 && !host.contains('/'))
    };
    match command.name() {
        "rsync" | "scp" => command.args.iter().rev().skip(1).any(remote),
        _ => command.effects.iter().any(|effect| effect.kind == EffectKind::Network),
    }
}

fn decodes(command: &Command) -> bool {
    let has = |options: &[&str]| command.args.iter().any(|w| options.contains(&w.text.as_str()));
    match command.name() {
        "base64" | "base32" | "basenc" => has(&["-d", "-D", "--decode", "-di", "-id"]),
        "xxd" => has(&["-r", "-rp", "-r -p"]),
        "openssl" => has(&["-d"]),
        "uudecode" => true,
        _ => false,
    }
}

/// Copies, moves and links of such a file are such files.
fn passes_on(command: &Command, unseen: &BTreeSet<String>) -> bool {
    let copies = matches!(
        command.name(),
        "cat" | "cp" | "mv" | "ln" | "link" | "install" | "dd" | "rsync" | "tee" | "sed" | "tr"
    );
    copies
        && !unseen.is_empty()
        && command.effects.iter().any(|effect| {
            matches!(effect.kind, EffectKind::Read | EffectKind::Delete)
                && effect.target.as_ref().is_some_and(|file| unseen.contains(&place(command, file)))
        })
}

/// The files that a command runs.
fn run_by(command: &Command) -> impl Iterator<Item = &Word> {
    let itself = Some(&command.program).filter(|program| program.text.contains('/'));
    let name = command.name();
    let bare = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let runs = RUNNERS.contains(&name) || RUNNERS.contains(&bare);
    let mut operands = command.args.iter().filter(|word| !word.text.starts_with('-'));
    let module = command.args.iter().any(|word| matches!(word.text.as_str(), "-m" | "-c" | "-e"));
    let first = operands.next().filter(|_| runs && !module);
    let fed = command.redirects.iter().filter(|r| r.kind == RedirectKind::Read).map(|r| &r.target);
    let fed = fed.filter(move |_| runs && first.is_none() && !module);
    itself.into_iter().chain(first).chain(fed)
}

#[cfg(test)]
mod tests {
    use crate::{Dialect, EffectKind, Limits, read};

    fn unseen(line: &str) -> bool {
        let script = read(line, Dialect::Posix, Limits::default());
        let mut effects = script.commands.iter().flat_map(|command| &command.effects);
        effects.any(|effect| effect.kind == EffectKind::ExecuteUnknown)
    }

    #[test]
    fn what_was_fetched_is_run_unseen() {
        for line in [
            "curl -o x u.example/x; sh ./x",
            "curl -sSfL u.example/x > x && chmod +x x && ./x",
            "curl u.example/x | tee x; . ./x",
            "wget u.example/a/x.sh && bash x.sh",
            "wget -P d u.example/x.sh; sh d/x.sh",
            "cd d && wget u.example/x.sh; sh x.sh",
            "curl -O u.example/x.py; python3.12 -u x.py",
            "curl -o a u.example; cp a b; mv b c; sh c",
            "base64 -d < a > b; ./b",
            "scp host:x y && sh y",
            "curl -o x u.example; bash < x",
        ] {
            assert!(unseen(line), "{line}");
        }
    }

    #[test]
    fn what_is_only_read_is_not_run() {
        for line in [
            "curl -o x u.example/x; cat x",
            "curl -o x.json u.example; python3 build.py x.json",
            "curl -o x.json u.example; python3 -m json.tool x.json",
            "curl -o x u.example; sh y",
            "curl -o d/x u.example; sh x",
            "sh x; curl -o x u.example",
            "wget u.example/a.tar.gz && tar xzf a.tar.gz",
            "base64 a > b; ./b",
        ] {
            assert!(!unseen(line), "{line}");
        }
    }
}
