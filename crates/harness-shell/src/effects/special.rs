//! Programs whose arguments don't fit a table.

use alloc::string::String;
use alloc::vec::Vec;

use super::{archive, download, is_device, sql, windows};
use crate::options::{Options, Spec};
use crate::script::{Command, Effect, EffectKind, Word};

/// Adds the effects of programs that need a look of their own.
pub(super) fn add(name: &str, command: &mut Command, effects: &mut Vec<Effect>) {
    match name {
        "dd" => dd(command, effects),
        "make" | "gmake" | "ninja" | "just" => folder(command, "fjklIoWC", &["-C", "--directory"]),
        "patch" => patch(command, effects),
        "npm" | "pnpm" | "yarn" => folder(command, "C", &["-C", "--prefix", "--dir", "--cwd"]),
        "curl" => curl(command, effects),
        "wget" => download::wget(command, effects),
        "nc" | "ncat" | "netcat" => netcat(command, effects),
        "socat" => socat(command, effects),
        _ if name.starts_with("mkfs.")
            || name.starts_with("mke2fs")
            || name.starts_with("newfs_") =>
        {
            mkfs(command, effects);
        }
        _ if archive::add(name, command, effects) => {}
        _ if windows::add(name, command, effects) => {}
        _ => sql::add(name, command, effects),
    }
}

fn effect(kind: EffectKind, target: Option<Word>) -> Effect {
    Effect { kind, target, recursive: false, forced: false }
}

fn folder(command: &mut Command, values: &'static str, names: &[&str]) {
    let options =
        Options::new(&command.args, &Spec::values(values, &["directory", "prefix", "dir", "cwd"]));
    let target = options.all_values(names).last().cloned();
    if let Some(target) = target {
        command.cwd = Some(crate::walk::join(command.cwd.as_ref(), &target));
    }
}

/// Which files it changes stands in the patch, unless one is named.
fn patch(command: &mut Command, effects: &mut Vec<Effect>) {
    let options = Options::new(
        &command.args,
        &Spec::values("pidoBDFrYzV", &["input", "strip", "directory", "output"]),
    );
    if options.operands.is_empty() && !options.has_any(&["--dry-run", "-o", "--output"]) {
        let here = effect(EffectKind::Overwrite, Some(Word::literal(".")));
        effects.push(Effect { recursive: true, ..here });
    }
    folder(command, "pidoBDFrYzV", &["-d", "--directory"]);
}

fn dd(command: &Command, effects: &mut Vec<Effect>) {
    for word in &command.args {
        let part = |text: &str| Word { text: String::from(text), ..word.clone() };
        if let Some(text) = word.text.strip_prefix("of=") {
            let kind = if is_device(text) { EffectKind::Device } else { EffectKind::Overwrite };
            if text != "/dev/null" {
                effects.push(effect(kind, Some(part(text))));
            }
        } else if let Some(text) = word.text.strip_prefix("if=") {
            effects.push(effect(EffectKind::Read, Some(part(text))));
        }
    }
}

fn mkfs(command: &Command, effects: &mut Vec<Effect>) {
    let options = Options::new(&command.args, &Spec::values("bCEfgGiIJlLmMNoOrTuU", &[]));
    if options.has("-n") {
        return;
    }
    // Some of the letters have no value in some of the programs.
    let device = command.args.iter().find(|word| is_device(&word.text));
    if let Some(target) = device.or(options.operands.first().copied()) {
        effects.push(effect(EffectKind::Device, Some((*target).clone())));
    }
}

/// Options of curl whose value may name a file by `@`.
const CURL_DATA: &[&str] = &[
    "-d",
    "--data",
    "--data-binary",
    "--data-ascii",
    "--data-urlencode",
    "--json",
    "-F",
    "--form",
    "-H",
    "--header",
];

fn curl(command: &Command, effects: &mut Vec<Effect>) {
    let options = Options::new(&command.args, &download::CURL);
    download::curl(&options, effects);
    for effect in effects.iter_mut().filter(|effect| effect.kind == EffectKind::Network) {
        let Some(target) = effect.target.as_mut() else { continue };
        if let Some(path) = target.text.strip_prefix("file://") {
            target.text = String::from(path);
            effect.kind = EffectKind::Read;
        }
    }
    for word in options.all_values(CURL_DATA) {
        let file = word
            .text
            .strip_prefix('@')
            .or_else(|| word.text.split_once("=@").map(|(_, file)| file));
        let file = file.or_else(|| word.text.split_once("=<").map(|(_, file)| file));
        if let Some(file) = file.filter(|file| *file != "-") {
            let file = file.split(';').next().unwrap_or(file);
            effects
                .push(effect(EffectKind::Read, Some(Word { text: file.into(), ..word.clone() })));
        }
    }
}

/// A listener that hands what comes to a program.
fn netcat(command: &Command, effects: &mut Vec<Effect>) {
    let options = Options::new(
        &command.args,
        &Spec::values("ceiIopqsTVwWxX", &["sh-exec", "exec", "lua-exec"]),
    );
    let program = options.value(&["-e", "-c", "--exec", "--sh-exec", "--lua-exec"]);
    if let Some(program) = program.filter(|word| runs_a_shell(&word.text)) {
        effects.push(effect(EffectKind::ExecuteUnknown, Some(program.clone())));
    }
}

fn socat(command: &Command, effects: &mut Vec<Effect>) {
    for word in &command.args {
        let address = word.text.to_ascii_uppercase();
        for part in word.text.split("!!") {
            effects.extend(opened(part, word));
        }
        let runs = (address.starts_with("EXEC:") || address.starts_with("SYSTEM:"))
            && runs_a_shell(&word.text);
        if runs || address.starts_with("SHELL") {
            effects.push(effect(EffectKind::ExecuteUnknown, Some(word.clone())));
        }
    }
}

/// `OPEN:file`, `CREATE:file`: an address that is a file.
fn opened(part: &str, word: &Word) -> Option<Effect> {
    let (kind, rest) = part.split_once(':')?;
    let kind = match kind.to_ascii_uppercase().as_str() {
        "OPEN" | "GOPEN" | "FILE" => EffectKind::Read,
        "CREATE" | "CREAT" => EffectKind::Overwrite,
        _ => return None,
    };
    let file = rest.split(',').next()?.trim_matches(['"', '\'']);
    Some(effect(kind, Some(Word { text: String::from(file), ..word.clone() })))
}

fn runs_a_shell(text: &str) -> bool {
    text.split([' ', ':', ',', '"', '\'']).any(|word| {
        matches!(
            crate::resolve::base(word),
            "sh" | "bash" | "zsh" | "dash" | "ksh" | "ash" | "cmd" | "powershell"
        )
    })
}
