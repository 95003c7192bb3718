//! PowerShell's own commands: their effects.

use alloc::string::String;
use alloc::vec::Vec;

use super::lower;
use crate::resolve::Pending;
use crate::script::{Effect, EffectKind, Word};
use EffectKind::{
    Create, Delete, Device, DisableProtection, ExecuteUnknown, Move, Network, Overwrite,
    Permissions, Read, Stop,
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
];

/// Parameters that take a value which is no target.
const VALUES: [&str; 12] = [
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
    let what_if = has(args, "-whatif", 2);
    let targets = targets(args);
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
    if targets.is_empty() {
        return pending.effects.push(one(None));
    }
    pending.effects.extend(targets.into_iter().map(|target| one(Some(target))));
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
            continue;
        }
        for text in word.text.split(',').filter(|text| !text.is_empty()) {
            out.push(Word { text: String::from(text), ..word.clone() });
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
