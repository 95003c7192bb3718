//! Archives: what comes out of one has names that the line does not say.

use alloc::string::String;
use alloc::vec::Vec;

use crate::options::{Options, Spec};
use crate::script::{Command, Effect, EffectKind, Word};

/// Adds the effects of a program that packs and unpacks; whether it is one.
pub(super) fn add(name: &str, command: &mut Command, effects: &mut Vec<Effect>) -> bool {
    match name {
        "tar" | "bsdtar" | "gtar" => tar(command, effects),
        "unzip" | "unzipsfx" => unzip(command, effects),
        "7z" | "7za" | "7zr" | "7zz" | "unrar" | "rar" => by_verb(command, effects),
        "cpio" | "pax" => cpio(command, effects),
        "unar" => unar(command, effects),
        _ => return false,
    }
    true
}

fn effect(kind: EffectKind, target: Option<Word>) -> Effect {
    Effect { kind, target, recursive: false, forced: false }
}

/// Files of unknown names in a folder.
fn unpacked(folder: Word) -> Effect {
    Effect { recursive: true, ..effect(EffectKind::Create, Some(folder)) }
}

fn here() -> Word {
    Word::literal(".")
}

const TAR: Spec = Spec::values(
    "CfTXbgHIKLNV",
    &[
        "directory",
        "file",
        "files-from",
        "exclude",
        "exclude-from",
        "to-command",
        "use-compress-program",
        "transform",
        "strip-components",
    ],
);

/// What `tar` is told to do may stand without a dash.
fn tar(command: &mut Command, effects: &mut Vec<Effect>) {
    let mut args = command.args.clone();
    if let Some(first) = args.first_mut()
        && !first.text.starts_with('-')
    {
        first.text.insert(0, '-');
    }
    let options = Options::new(&args, &TAR);
    let file = options.value(&["-f", "--file"]).filter(|word| word.text != "-").cloned();
    if options.has_any(&["-c", "--create", "-r", "--append", "-u", "--update"]) {
        // `host:file` is another machine's, unless a folder is named like that.
        let elsewhere = |file: &Word| {
            file.text
                .split_once(':')
                .is_some_and(|(host, _)| !host.is_empty() && !host.contains('/'))
                && !options.has("--force-local")
        };
        effects.extend(file.map(|file| {
            let kind = if elsewhere(&file) { EffectKind::Network } else { EffectKind::Overwrite };
            effect(kind, Some(file))
        }));
        let whole = !options.has("--no-recursion");
        for word in options.operands.iter().filter(|_| whole) {
            effects.push(Effect {
                recursive: true,
                ..effect(EffectKind::Read, Some((*word).clone()))
            });
        }
        // The names are in a file, or are yet to come.
        if let Some(list) = options.value(&["-T", "--files-from"]) {
            let text = alloc::format!("$(<{})", list.text);
            let listed = Word { text, literal: false, glob: false };
            effects.push(effect(EffectKind::Read, Some(listed)));
        }
        if options.has("--remove-files") {
            for word in &options.operands {
                let delete = effect(EffectKind::Delete, Some((*word).clone()));
                effects.push(Effect { recursive: true, ..delete });
            }
        }
    } else if options.has_any(&["-x", "--extract", "--get"]) {
        effects.extend(file.map(|file| effect(EffectKind::Read, Some(file))));
        if !options.has_any(&["-O", "--to-stdout"]) {
            effects.push(unpacked(here()));
        }
    }
    if let Some(folder) = options.value(&["-C", "--directory"]) {
        command.cwd = Some(crate::walk::join(command.cwd.as_ref(), folder));
    }
}

fn unzip(command: &Command, effects: &mut Vec<Effect>) {
    let options = Options::new(&command.args, &Spec::values("dP", &[]));
    if options.has_any(&["-l", "-t", "-p", "-v", "-z", "-Z", "-c"]) || options.operands.is_empty() {
        return;
    }
    let folder = options.value(&["-d"]).cloned();
    effects.push(unpacked(folder.unwrap_or_else(here)));
}

/// `7z x archive -oFOLDER`, `unrar x archive FOLDER/`
fn by_verb(command: &Command, effects: &mut Vec<Effect>) {
    let mut operands = command.args.iter().filter(|word| !word.text.starts_with('-'));
    let verb = operands.next().map_or("", |word| word.text.as_str());
    if !matches!(verb, "x" | "e") {
        return;
    }
    let given = command.args.iter().find_map(|word| {
        let folder = word.text.strip_prefix("-o")?;
        (!folder.is_empty() && folder != "+")
            .then(|| Word { text: String::from(folder), ..word.clone() })
    });
    let last = operands.skip(1).last().filter(|word| word.text.ends_with('/')).cloned();
    effects.push(unpacked(given.or(last).unwrap_or_else(here)));
}

/// `cpio -i`, `cpio -p FOLDER`, `pax -r`
fn cpio(command: &mut Command, effects: &mut Vec<Effect>) {
    let spec = Spec::values("CDEFHIMOR", &["directory", "file", "pattern-file", "format"]);
    let options = Options::new(&command.args, &spec);
    let passes = options.has_any(&["-p", "--pass-through"]);
    if passes {
        effects.extend(options.operands.last().map(|word| unpacked((*word).clone())));
    } else if options.has_any(&["-i", "--extract"])
        || (command.name() == "pax" && options.has("-r"))
    {
        effects.push(unpacked(here()));
    }
    if let Some(folder) = options.value(&["-D", "--directory"]) {
        command.cwd = Some(crate::walk::join(command.cwd.as_ref(), folder));
    }
}

fn unar(command: &Command, effects: &mut Vec<Effect>) {
    let options = Options::new(&command.args, &Spec::values("oepk", &["output-directory"]));
    let folder = options.value(&["-o", "--output-directory"]).cloned();
    effects.push(unpacked(folder.unwrap_or_else(here)));
}

#[cfg(test)]
mod tests {
    use crate::{Dialect, EffectKind, Limits, read};
    use alloc::string::String;
    use alloc::vec::Vec;

    fn unpacks_into(line: &str) -> Vec<String> {
        let script = read(line, Dialect::Posix, Limits::default());
        let command = &script.commands[0];
        let folder = command.cwd.as_ref().map_or("", |word| word.text.as_str());
        let made = command.effects.iter().filter(|e| e.kind == EffectKind::Create && e.recursive);
        made.filter_map(|e| e.target.as_ref())
            .map(|target| alloc::format!("{folder}|{}", target.text))
            .collect()
    }

    #[test]
    fn where_things_land() {
        for line in ["tar -C a -xf x", "tar xf x --directory=a", "tar --extract -f x --dir a"] {
            assert_eq!(unpacks_into(line), ["a|."], "{line}");
        }
        for line in ["unzip -d a x.zip", "unzip x -da", "7z x x.7z -oa", "unrar e x.rar y a/"] {
            assert_eq!(unpacks_into(line).len(), 1, "{line}");
            assert!(unpacks_into(line)[0].trim_end_matches('/').ends_with("|a"), "{line}");
        }
        assert_eq!(unpacks_into("cpio -idD a"), ["a|."]);
        assert_eq!(unpacks_into("cpio -pd a"), ["|a"]);
        for line in ["tar tf x", "tar xOf x y", "unzip -l x", "7z l x.7z", "tar cf x a"] {
            assert_eq!(unpacks_into(line), [] as [&str; 0], "{line}");
        }
    }
}
