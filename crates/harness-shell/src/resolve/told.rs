//! Commands within a program's options, settings and variables: `tar --to-command`,
//! `git -c core.pager=…`, `GIT_SSH_COMMAND=…`.

use alloc::string::String;
use alloc::vec::Vec;

use super::{Pending, base, remote, shells};
use crate::options::{Options, Spec};
use crate::reader::Reader;
use crate::script::{RedirectKind, Word};

/// Options of programs whose value is a command, if it starts like this.
const TABLE: &[(&[&str], &[&str], &str)] = &[
    (
        &["tar", "bsdtar", "gtar"],
        &["--to-command", "--use-compress-program", "-I", "--rsh-command", "--info-script", "-F"],
        "",
    ),
    (&["tar", "gtar"], &["--checkpoint-action"], "exec="),
    (&["rsync"], &["-e", "--rsh"], ""),
    (&["scp", "sftp"], &["-S"], ""),
    (&["man"], &["-P", "--pager"], ""),
    (&["sort"], &["--compress-program"], ""),
    (&["split"], &["--filter"], ""),
    (&["zip"], &["-TT", "--unzip-command"], ""),
    (&["nodemon"], &["-x", "--exec"], ""),
    (&["vim", "vi", "nvim", "ex", "view", "gvim"], &["-c", "--cmd"], "!"),
    (&["gdb", "lldb"], &["-ex", "-o", "--eval-command"], "shell "),
    (&["psql", "mysql", "mariadb"], &["-c", "--command", "-e", "--execute"], "\\! "),
];

/// Variables whose value is a command.
const VARIABLES: &[&str] = &[
    "BROWSER",
    "EDITOR",
    "FZF_DEFAULT_COMMAND",
    "GIT_ASKPASS",
    "GIT_EDITOR",
    "GIT_EXTERNAL_DIFF",
    "GIT_PAGER",
    "GIT_PROXY_COMMAND",
    "GIT_SEQUENCE_EDITOR",
    "GIT_SSH_COMMAND",
    "LESSOPEN",
    "MANPAGER",
    "PAGER",
    "PROMPT_COMMAND",
    "RSYNC_RSH",
    "SSH_ASKPASS",
    "VISUAL",
];

/// Reads what a command is told to run beside what it does.
pub(super) fn read(reader: &mut Reader, pending: &Pending) {
    let mut found: Vec<(String, Word)> = Vec::new();
    let name = pending.words.first().map_or("", |word| base(&word.text));
    for (variable, value) in &pending.assigns {
        if VARIABLES.contains(&variable.as_str()) && value.text.contains(' ') {
            found.push((variable.clone(), cut_off(value, "|")));
        }
    }
    let args = pending.words.get(1..).unwrap_or_default();
    match name {
        "git" => git(args, &mut found),
        "export" | "declare" | "typeset" => exported(args, &mut found),
        "sed" | "gsed" => sed(args, &mut found),
        "ed" | "ex" | "red" => editor(pending, &mut found),
        "socat" => addresses(args, &mut found),
        "scp" | "sftp" => settings_of_ssh(args, &mut found),
        "tmux" | "hyperfine" | "concurrently" => texts(name, args, &mut found),
        "vim" | "vi" | "nvim" | "view" => plus(args, &mut found),
        _ => {}
    }
    for (_, options, start) in TABLE.iter().filter(|(names, ..)| names.contains(&name)) {
        for option in *options {
            values(option, args, |value| {
                if let Some(text) = value.text.trim_start_matches(':').strip_prefix(start) {
                    let word = Word { text: String::from(text), ..value.clone() };
                    found.push((alloc::format!("{name} {option}"), word));
                }
            });
        }
    }
    for (via, text) in found {
        shells::beside(reader, pending, &via, &text.text);
    }
}

/// Every value of an option, however it is attached.
fn values(option: &str, args: &[Word], mut each: impl FnMut(&Word)) {
    for (index, word) in args.iter().enumerate() {
        if word.text == option {
            args.get(index + 1).into_iter().for_each(&mut each);
        } else if let Some(rest) = word.text.strip_prefix(option) {
            let value = if option.starts_with("--") { rest.strip_prefix('=') } else { Some(rest) };
            if let Some(value) = value {
                each(&Word { text: String::from(value), ..word.clone() });
            }
        }
    }
}

fn cut_off(word: &Word, start: &str) -> Word {
    let text = word.text.trim_start_matches(start).trim_start();
    Word { text: String::from(text), ..word.clone() }
}

fn exported(args: &[Word], found: &mut Vec<(String, Word)>) {
    for word in args {
        if let Some((name, value)) = word.text.split_once('=')
            && VARIABLES.contains(&name)
            && value.contains(' ')
        {
            found.push((String::from(name), Word { text: String::from(value), ..word.clone() }));
        }
    }
}

/// Settings of git that run their value.
fn setting(name: &str, value: &Word, found: &mut Vec<(String, Word)>) {
    let lower = name.to_ascii_lowercase();
    let after_mark = value.text.starts_with('!');
    let runs = match lower.as_str() {
        "core.pager" | "core.editor" | "core.sshcommand" | "core.askpass" | "core.fsmonitor"
        | "sequence.editor" | "diff.external" | "gpg.program" | "core.gitproxy" => true,
        "credential.helper" => after_mark,
        _ if lower.starts_with("alias.") => after_mark,
        _ if lower.starts_with("pager.") => value.text.contains(' '),
        _ => [".cmd", ".clean", ".smudge", ".process", ".textconv", ".command"]
            .iter()
            .any(|end| lower.ends_with(end)),
    };
    if runs && !matches!(value.text.as_str(), "true" | "false" | "") {
        found.push((alloc::format!("git {name}"), cut_off(value, "!")));
    }
}

const GIT: Spec =
    Spec::ordered("Cc", &["git-dir", "work-tree", "namespace", "config-env", "super-prefix"]);

fn git(args: &[Word], found: &mut Vec<(String, Word)>) {
    let options = Options::new(args, &GIT);
    for word in options.all_values(&["-c"]) {
        if let Some((name, value)) = word.text.split_once('=') {
            let value = Word { text: String::from(value), ..word.clone() };
            setting(name, &value, found);
        }
    }
    let Some(verb) = options.operands.first() else { return };
    let rest = args.get(options.first + 1..).unwrap_or_default();
    let options: &[&str] = match verb.text.as_str() {
        "config" => {
            let mut plain = rest.iter().filter(|w| !w.text.starts_with('-') && w.text != "set");
            if let (Some(name), Some(value)) = (plain.next(), plain.next()) {
                setting(&name.text, value, found);
            }
            return;
        }
        "rebase" => &["-x", "--exec"],
        "difftool" => &["-x", "--extcmd"],
        "fetch" | "pull" | "clone" | "ls-remote" => &["--upload-pack"],
        "push" => &["--receive-pack", "--exec"],
        "filter-branch" => {
            &["--tree-filter", "--index-filter", "--msg-filter", "--env-filter", "--commit-filter"]
        }
        "bisect" | "submodule" => {
            let at = rest.iter().position(|w| matches!(w.text.as_str(), "run" | "foreach"));
            let words = at.and_then(|at| rest.get(at + 1..)).unwrap_or_default();
            let words = words.iter().skip_while(|word| word.text.starts_with("--"));
            let text = Word::literal(crate::walk::joined(words));
            found.extend(
                (!text.text.is_empty()).then(|| (alloc::format!("git {}", verb.text), text)),
            );
            return;
        }
        _ => return,
    };
    for option in options {
        values(option, rest, |value| {
            found.push((alloc::format!("git {} {option}", verb.text), value.clone()));
        });
    }
}

/// `1e command`, in GNU's sed.
fn sed(args: &[Word], found: &mut Vec<(String, Word)>) {
    for word in args.iter().filter(|word| !word.text.starts_with("--")) {
        let text = word.text.trim_start_matches("-e");
        let address = |c: char| c.is_ascii_digit() || matches!(c, '$' | ',' | ' ' | '!' | '~');
        for line in text.split([';', '\n']) {
            if let Some(command) = line.trim_start_matches(address).strip_prefix("e ") {
                found.push((String::from("sed e"), Word::literal(command)));
            }
        }
    }
}

/// `!command` in what an editor is fed.
fn editor(pending: &Pending, found: &mut Vec<(String, Word)>) {
    for text in pending.redirects.iter().filter(|r| r.kind == RedirectKind::Text) {
        for line in text.target.text.lines() {
            let line = line.trim_start_matches(['r', 'w', ' ', ':']);
            if let Some(command) = line.strip_prefix('!') {
                found.push((String::from("ed !"), Word::literal(command)));
            }
        }
    }
}

/// `vim +'!command'`
fn plus(args: &[Word], found: &mut Vec<(String, Word)>) {
    for word in args {
        if let Some(command) = word.text.strip_prefix("+!").or(word.text.strip_prefix("+:!")) {
            found.push((String::from("vim +!"), Word::literal(command)));
        }
    }
}

/// `EXEC:'command',options`
fn addresses(args: &[Word], found: &mut Vec<(String, Word)>) {
    for part in args.iter().flat_map(|word| word.text.split("!!")) {
        let Some((kind, rest)) = part.split_once(':') else { continue };
        if matches!(kind.to_ascii_uppercase().as_str(), "EXEC" | "SYSTEM") {
            let command = rest.split(',').next().unwrap_or_default().replace("\\ ", " ");
            let command = command.trim_matches(['"', '\'']);
            found.push((String::from("socat"), Word::literal(command)));
        }
    }
}

fn settings_of_ssh(args: &[Word], found: &mut Vec<(String, Word)>) {
    values("-o", args, |value| {
        if let Some(command) = remote::local_command(&value.text) {
            found.push((String::from("ssh -o"), Word::literal(command)));
        }
    });
}

/// Operands that are whole commands.
fn texts(name: &str, args: &[Word], found: &mut Vec<(String, Word)>) {
    for word in args {
        if word.text.contains(' ') && !word.text.starts_with('-') {
            found.push((String::from(name), word.clone()));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Dialect, Limits, read};

    fn runs(line: &str, program: &str) -> bool {
        let script = read(line, Dialect::Posix, Limits::default());
        script.commands.iter().any(|command| command.name() == program)
    }

    #[test]
    fn commands_in_options_are_read() {
        for line in [
            "tar xf a --to-command='shred b'",
            "tar cf a b --checkpoint-action=exec='shred b'",
            "rsync -e 'shred b' c d:",
            "git -c core.pager='shred b' log",
            "git -c alias.x='!shred b' x",
            "git config alias.x '!shred b'",
            "git rebase -x 'shred b' main",
            "git bisect run shred b",
            "git submodule foreach 'shred b'",
            "GIT_SSH_COMMAND='shred b' git fetch",
            "export PAGER='shred b'",
            "sed -n '1e shred b' c",
            "ed c <<< '!shred b'",
            "vim -c '!shred b' c",
            "vim +'!shred b' c",
            "scp -o ProxyCommand='shred b' c d:",
            "tmux new-session -d 'shred b'",
            "split --filter='shred b' c",
            "socat TCP:x.example:1 EXEC:'shred b',pty",
        ] {
            assert!(runs(line, "shred"), "{line}");
        }
    }

    #[test]
    fn other_values_are_not() {
        for line in [
            "git -c user.name='shred b' commit",
            "git commit -m 'shred b'",
            "git config user.name 'shred b'",
            "TITLE='shred b' make",
            "sed 's/a/e shred/' c",
            "tar cf a --exclude='shred b' c",
            "vim -c 'set nu' c",
        ] {
            assert!(!runs(line, "shred"), "{line}");
        }
    }
}
