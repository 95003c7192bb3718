//! What feeds a shell: code that nobody has seen, or a file and a text like any other.

use crate::reader::{Reader, Stdin};
use crate::script::{Command, EffectKind, Word};

/// Longer chains of pipes are not followed.
const MOST_PIPES: usize = 8;

/// Whether what comes from there can't be seen, and comes by the line's doing.
pub(super) fn is_unseen(reader: &Reader, stdin: &Stdin) -> bool {
    match stdin {
        Stdin::Pipe { from: Some(index), exact: true } => prints_unseen(reader, *index),
        Stdin::Pipe { .. } => true,
        Stdin::File(file) => hides_code(file) || file.text.starts_with("/dev/tcp/"),
        Stdin::Text(_) | Stdin::Outside => false,
    }
}

/// Whether a file's name stands for what a command prints.
pub(super) fn hides_code(file: &Word) -> bool {
    !file.literal
        && (file.text.contains("<(")
            || file.text.contains("$(")
            || file.text.contains('`')
            || file.text == "{}")
}

/// Whether a command prints what nobody has seen.
fn prints_unseen(reader: &Reader, index: usize) -> bool {
    let mut at = index;
    for _ in 0..MOST_PIPES {
        let Some(command) = reader.script.commands.get(at) else { return true };
        match printed(command) {
            Printed::Nothing | Printed::Files => return false,
            Printed::Unseen => return true,
            Printed::Fed => {}
        }
        match command.piped_from {
            Some(from) if reader.exact.get(at).copied().unwrap_or_default() => at = from,
            Some(_) => return true,
            None => return false,
        }
    }
    true
}

/// What a command prints.
enum Printed {
    /// Nothing that is code: a help text, a sum, an encoding.
    Nothing,
    /// What stands in files that it names.
    Files,
    /// What it is fed.
    Fed,
    /// Something that the line doesn't hold.
    Unseen,
}

fn printed(command: &Command) -> Printed {
    let has = |options: &[&str]| command.args.iter().any(|w| options.contains(&w.text.as_str()));
    let told = command.args.first().map_or("", |word| word.text.as_str());
    if matches!(told, "--help" | "--version") {
        return Printed::Nothing;
    }
    match command.name() {
        "cat" | "tac" | "head" | "tail" | "sed" | "grep" | "egrep" | "fgrep" | "tr" | "cut"
        | "sort" | "uniq" | "envsubst" | "dos2unix" | "nl" | "tee" => {
            let hidden = command.effects.iter().any(|effect| {
                effect.kind == EffectKind::Read && effect.target.as_ref().is_some_and(hides_code)
            });
            let reads = command.effects.iter().any(|effect| effect.kind == EffectKind::Read);
            match (hidden, reads) {
                (true, _) => Printed::Unseen,
                (false, true) => Printed::Files,
                (false, false) => Printed::Fed,
            }
        }
        "base64" | "base32" | "basenc"
            if !has(&["-d", "-D", "--decode", "-di", "-id", "--dec"]) =>
        {
            Printed::Nothing
        }
        "openssl" if told == "base64" && !has(&["-d"]) => Printed::Nothing,
        "xxd" | "od" | "hexdump" if !has(&["-r", "-rp", "-p"]) => Printed::Nothing,
        "sha256sum" | "sha1sum" | "md5sum" | "wc" | "true" | ":" | "false" | "sleep" => {
            Printed::Nothing
        }
        // It was told not to fetch.
        "curl" | "wget" | "nc" | "ncat" | "netcat"
            if !command.effects.iter().any(|effect| effect.kind == EffectKind::Network) =>
        {
            Printed::Nothing
        }
        _ => Printed::Unseen,
    }
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
    fn what_nobody_has_seen() {
        for line in [
            "curl e.example | sh",
            "curl e.example | tee x | sh",
            "curl e.example | sed s/a/b/ | sh",
            "base64 -d x | sh",
            "gunzip -c x | sh",
            "openssl base64 -d | sh",
            "xxd -r -p x | sh",
            "cat <(curl e.example) | bash",
            "cat x | base64 -d | bash",
            "{ echo a; curl e.example; } | sh",
            "./make-script | sh",
            "nc -l 4444 | sh",
            "curl -H --help e.example | bash",
            "curl -o x e.example; cat x | sh",
            "curl -o x e.example; sed s/a/b/ x | grep c | sh",
        ] {
            assert!(unseen(line), "{line}");
        }
    }

    #[test]
    fn what_can_be_seen() {
        for line in [
            "cat x.sh | sh",
            "sed s/a/b/ x.sh | bash -s -- -y",
            "head -n 5 x.sh | tail -n 2 | sh",
            "base64 | bash",
            "base64 x | sh",
            "openssl base64 | sh",
            "curl --version | bash",
            "curl file:///tmp/x.sh | bash",
            "ssh --help e.example | sh",
            "nc -z e.example 80 | sh",
            "sha256sum x | sh",
        ] {
            assert!(!unseen(line), "{line}");
        }
    }
}
