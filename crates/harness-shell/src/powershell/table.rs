//! PowerShell's own commands: their effects.

use alloc::string::String;
use alloc::vec::Vec;

use super::{lower, values};
use crate::resolve::Pending;
use crate::script::{Effect, EffectKind, Word};
use EffectKind::{
    Create, Delete, Device, DisableProtection, ExecuteUnknown, Move, Network, Overwrite,
    Permissions, Persist, Read, Stop,
};

/// Names and aliases, what they do.
const TABLE: &[(&[&str], EffectKind)] = &[
    (&["remove-item", "ri", "rm", "rmdir", "rd", "del", "erase", "clear-recyclebin"], Delete),
    (&["clear-content", "clc", "set-content", "sc", "out-file"], Overwrite),
    (&["move-item", "mi", "mv", "move", "rename-item", "rni", "ren"], Move),
    (&["copy-item", "ci", "cp", "copy"], Overwrite),
    (&["new-item", "ni", "add-content", "ac", "md", "mkdir"], Create),
    (&["get-content", "gc", "cat", "type", "import-csv"], Read),
    (
        &[
            "invoke-webrequest",
            "iwr",
            "invoke-restmethod",
            "irm",
            "wget",
            "curl",
            "start-bitstransfer",
        ],
        Network,
    ),
    (&["invoke-expression", "iex"], ExecuteUnknown),
    (
        &[
            "stop-process",
            "spps",
            "kill",
            "stop-service",
            "spsv",
            "stop-computer",
            "restart-computer",
        ],
        Stop,
    ),
    (&["format-volume", "clear-disk", "initialize-disk", "remove-partition"], Device),
    (
        &[
            "set-mppreference",
            "set-executionpolicy",
            "disable-windowsoptionalfeature",
            "remove-mpthreat",
            "set-netfirewallprofile",
            "clear-eventlog",
            "clear-history",
        ],
        DisableProtection,
    ),
    (&["set-acl"], Permissions),
    (&["new-service", "register-scheduledtask", "register-scheduledjob"], Persist),
    (&["set-itemproperty", "sp", "new-itemproperty"], Create),
];

/// Parameters that take a value which is no target.
const VALUES: [&str; 13] = [
    "-outfile",
    "-include",
    "-exclude",
    "-filter",
    "-erroraction",
    "-ea",
    "-encoding",
    "-itemtype",
    "-type",
    "-method",
    "-body",
    "-headers",
    "-name",
];

/// Adds what one of PowerShell's own commands does. Its name becomes one that no other
/// table has another opinion of.
pub(crate) fn effects(pending: &mut Pending) {
    let Some(first) = pending.words.first() else { return };
    let name = lower(first);
    let Some((names, kind)) = TABLE.iter().find(|(names, _)| names.contains(&name.as_str())) else {
        return;
    };
    let args = pending.words.get(1..).unwrap_or_default();
    let recursive =
        has(args, "-recurse", 2) || args.iter().any(|word| lower(word).starts_with("-rf"));
    let forced = has(args, "-force", 3) || args.iter().any(|word| lower(word).starts_with("-rf"));
    let what_if = has(args, "-whatif", 2) || has(args, "-wi", 3);
    let targets = targets(args);
    let recursive = recursive || args.iter().any(|word| word.text.starts_with('@'));
    let kind = if *kind == Create && starts_things(args) { Persist } else { *kind };
    let kind = &kind;
    let saved = saved(args);
    if let (Some(full), false) = (names.first(), name.contains('-')) {
        let full = String::from(*full);
        if let Some(first) = pending.words.first_mut() {
            first.text = full;
        }
    }
    if what_if {
        return;
    }
    let one = |target| Effect { kind: *kind, target, recursive, forced };
    if let Some(file) = saved.filter(|_| *kind == Network) {
        pending.effects.push(Effect { kind: Overwrite, ..one(Some(file)) });
    }
    if targets.is_empty() {
        return pending.effects.push(one(None));
    }
    // Of a copy the last is written, and the others are read.
    let copies = *kind == Overwrite && names.contains(&"copy-item") && targets.len() > 1;
    let last = targets.len() - 1;
    pending.effects.extend(targets.into_iter().enumerate().map(|(index, target)| {
        let kind = if copies && index < last { Read } else { *kind };
        Effect { kind, ..one(Some(target)) }
    }));
}

/// The value of `-OutFile`.
fn saved(args: &[Word]) -> Option<Word> {
    let at = args.iter().position(|word| {
        let name = lower(word);
        name.len() > 3 && "-outfile".starts_with(&name)
    })?;
    args.get(at + 1).map(values::path)
}

/// Whether a key of the registry is one whose programs start by themselves.
fn starts_things(args: &[Word]) -> bool {
    args.iter().any(|word| {
        let key = lower(word).replace('\\', "/");
        ["currentversion/run", "currentversion/runonce", "/winlogon"]
            .iter()
            .any(|end| key.trim_end_matches('/').ends_with(end))
    })
}

fn has(args: &[Word], name: &str, least: usize) -> bool {
    args.iter().any(|word| {
        let given = lower(word);
        let given = given.split(':').next().unwrap_or_default();
        given.len() >= least && name.starts_with(given)
    })
}

fn targets(args: &[Word]) -> Vec<Word> {
    let mut out = Vec::new();
    let mut skip = false;
    for word in args {
        if core::mem::take(&mut skip) {
            continue;
        }
        if word.text.starts_with('-') {
            skip = VALUES.contains(&lower(word).as_str());
            let Some((name, value)) = word.text.split_once(':') else { continue };
            if matches!(name.to_ascii_lowercase().as_str(), "-path" | "-literalpath" | "-lp") {
                let text = String::from(value);
                out.push(values::path(&Word { text, ..word.clone() }));
            }
            continue;
        }
        if word.text.starts_with('@') {
            continue;
        }
        for text in word.text.split(',').filter(|text| !text.is_empty()) {
            out.push(values::path(&Word { text: String::from(text), ..word.clone() }));
        }
    }
    out
}

/// The folder that a command changes to.
pub(super) fn folder(words: &[Word]) -> Option<Word> {
    let name = lower(words.first()?);
    matches!(name.as_str(), "cd" | "set-location" | "sl" | "chdir" | "push-location" | "pushd")
        .then(|| words.iter().skip(1).find(|word| !word.text.starts_with('-')).cloned())?
}
