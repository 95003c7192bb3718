//! What a command does, by its program, arguments and redirections.

mod archive;
mod download;
mod files;
mod git;
mod machine;
mod network;
mod packages;
mod row;
mod services;
mod special;
mod sql;
mod windows;

use alloc::vec::Vec;

use crate::options::Options;
use crate::script::{Command, Effect, EffectKind, Redirect, RedirectKind, Word};
use row::{Pick, Row};

/// The tables, each in order of the programs' names.
const TABLES: [&[Row]; 5] =
    [files::TABLE, machine::TABLE, network::TABLE, packages::TABLE, services::TABLE];

/// Adds its effects to a command, and the folder that its options name.
pub(crate) fn add(command: &mut Command) {
    let mut effects = core::mem::take(&mut command.effects);
    effects.extend(command.redirects.iter().filter_map(of_redirect));
    let name = alloc::borrow::ToOwned::to_owned(command.name());
    if name == "git" {
        git::add(command, &mut effects);
    } else {
        for rows in TABLES.map(|table| rows(table, &name)) {
            by_table(rows, command, &mut effects);
        }
        special::add(&name, command, &mut effects);
    }
    command.effects = effects;
}

fn rows<'a>(table: &'a [Row], name: &str) -> &'a [Row] {
    let from = table.partition_point(|row| row.name < name);
    let rest = table.get(from..).unwrap_or_default();
    let count = rest.iter().take_while(|row| row.name == name).count();
    rest.get(..count).unwrap_or_default()
}

fn by_table(rows: &[Row], command: &Command, effects: &mut Vec<Effect>) {
    let Some(first) = rows.first() else { return };
    let options = Options::new(&command.args, &first.spec);
    for row in rows {
        apply(row, &options, effects);
    }
}

/// Adds what one row says of these arguments.
fn apply(row: &Row, options: &Options<'_>, effects: &mut Vec<Effect>) {
    let skip = row.sub.len();
    let sub = options.operands.iter().zip(row.sub).all(|(word, sub)| word.text == *sub);
    if !sub || options.operands.len() < skip || options.has_any(row.unless) {
        return;
    }
    if options.options.iter().any(|option| option.name == crate::options::Name::Long("help")) {
        return;
    }
    if !row.any.is_empty() && !options.has_any(row.any) {
        return;
    }
    let operands = options.operands.get(skip..).unwrap_or_default();
    let recursive = row.always_recursive || options.has_any(row.recursive);
    let forced = options.has_any(row.forced);
    let mut found = false;
    let mut push = |target: Option<Word>| {
        effects.push(Effect { kind: row.kind, target, recursive, forced });
    };
    pick(row.target, operands, options, &mut |mut word| {
        found = true;
        word.text.push_str(row.named);
        push(Some(word));
    });
    if !found && row.bare {
        push(None);
    }
}

fn pick(pick: Pick, operands: &[&Word], options: &Options<'_>, push: &mut dyn FnMut(Word)) {
    let range = match pick {
        Pick::None => return,
        Pick::All => operands,
        Pick::First => operands.get(..1).unwrap_or_default(),
        Pick::Rest => operands.get(1..).unwrap_or_default(),
        Pick::RestUnless(given) if options.has_any(given) => operands,
        Pick::RestUnless(_) => operands.get(1..).unwrap_or_default(),
        Pick::Last if operands.len() > 1 => operands.get(operands.len() - 1..).unwrap_or_default(),
        Pick::Last => return,
        Pick::AllButLast if operands.len() > 1 => {
            operands.get(..operands.len() - 1).unwrap_or_default()
        }
        Pick::AllButLast => operands,
        Pick::Option(names) => {
            for word in options.all_values(names) {
                push(word.clone());
            }
            return;
        }
    };
    for word in range {
        push((*word).clone());
    }
}

/// Places that are no files.
fn is_nowhere(path: &str) -> bool {
    matches!(
        path,
        "/dev/null"
            | "/dev/stdout"
            | "/dev/stderr"
            | "/dev/stdin"
            | "/dev/tty"
            | "NUL"
            | "nul"
            | "$null"
    ) || path.starts_with("/dev/fd/")
}

/// Whether a path is that of a raw device.
pub(crate) fn is_device(path: &str) -> bool {
    const DISKS: [&str; 14] = [
        "sd", "hd", "vd", "xvd", "nvme", "disk", "rdisk", "mmcblk", "loop", "md", "dm-", "mapper/",
        "mem", "kmem",
    ];
    path.strip_prefix("/dev/").is_some_and(|name| DISKS.iter().any(|disk| name.starts_with(disk)))
        || path.starts_with(r"\\.\")
}

fn of_redirect(redirect: &Redirect) -> Option<Effect> {
    let path = redirect.target.text.as_str();
    let kind = match redirect.kind {
        RedirectKind::Text => return None,
        _ if path.starts_with("/dev/tcp/") || path.starts_with("/dev/udp/") => EffectKind::Network,
        _ if is_nowhere(path) || redirect.target.text.starts_with(">(") => return None,
        RedirectKind::Read => EffectKind::Read,
        _ if is_device(path) => EffectKind::Device,
        RedirectKind::Append => EffectKind::Create,
        RedirectKind::Overwrite | RedirectKind::ReadWrite => EffectKind::Overwrite,
    };
    Some(Effect { kind, target: Some(redirect.target.clone()), recursive: false, forced: false })
}

#[cfg(test)]
mod tests {
    use super::TABLES;

    #[test]
    fn tables_are_in_order() {
        for table in TABLES {
            for pair in table.windows(2) {
                assert!(pair[0].name <= pair[1].name, "{} > {}", pair[0].name, pair[1].name);
            }
        }
    }
}
