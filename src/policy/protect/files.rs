//! Protected files, by file tools and by every effect of a command.

use harness_shell::{Command, EffectKind};

use super::super::facts::{Facts, Touch, Unit};
use super::super::kinds::EffectSet;
use super::super::model::Say;
use super::super::place::Place;
use super::super::tools;
use super::class::{Class, Known};
use super::{Objection, git, into, modes, settings};

/// At most so many words of one command are looked up: each may cost a look at the disk.
const MOST_WORDS: usize = 1024;

pub(super) fn check(
    facts: &Facts<'_>,
    unit: &Unit<'_>,
    known: &Known<'_>,
    out: &mut Vec<Objection>,
) {
    for touch in &unit.touches {
        if let Some(found) = by_touch(facts, unit, touch, known) {
            out.push(found);
            return;
        }
    }
    let found =
        into::check(facts, unit, known).or_else(|| by_argument(facts, unit, unit.command?, known));
    out.extend(found);
}

fn by_touch(
    facts: &Facts<'_>,
    unit: &Unit<'_>,
    touch: &Touch<'_>,
    known: &Known<'_>,
) -> Option<Objection> {
    let only_read = matches!(touch.kind, Some(EffectKind::Read | EffectKind::Send));
    if !touch.is_path() {
        return None;
    }
    if only_read {
        return if holds(unit) { held(facts, touch, known) } else { None };
    }
    if touch.kind.is_none() && reads_by_name(facts.call.tool()) {
        return None;
    }
    let takes_away = takes_away(unit, touch);
    for (place, _) in touch.places(facts) {
        if place.partial {
            continue;
        }
        match known.class(place) {
            Some(Class::Folder) | None => {}
            Some(class) => return Some(objection(facts, class, place, touch.kind.is_none())),
        }
        if takes_away && let Some((class, key)) = known.taken_with(place) {
            // What is deleted is named, so that the denial can be understood.
            let shown = Place {
                spelled: key.to_owned(),
                resolved: key.to_owned(),
                glob: false,
                partial: false,
            };
            if !scratch(unit, touch, class) {
                return Some(objection(facts, class, &shown, false));
            }
        }
        let folder = known.class(place) == Some(Class::Folder);
        if takes_away && folder && !scratch(unit, touch, Class::Folder) {
            return Some(objection(facts, Class::Folder, place, false));
        }
    }
    None
}

/// Whether a command keeps open, and may lock, what it reads: harness's hook and commands
/// would wait for a log of theirs.
fn holds(unit: &Unit<'_>) -> bool {
    unit.command.is_some_and(|command| {
        matches!(command.name(), "exec" | "flock") || command.via.iter().any(|v| v == "flock")
    })
}

fn held(facts: &Facts<'_>, touch: &Touch<'_>, known: &Known<'_>) -> Option<Objection> {
    let mut places =
        touch.places(facts).iter().map(|(place, _)| place).filter(|place| !place.partial);
    let place = places.find(|place| known.class(place) == Some(Class::Harness))?;
    Some(objection(facts, Class::Harness, place, false))
}

/// A change of permissions that leaves what a folder holds readable is ordinary work;
/// in harness's own folders it isn't.
fn scratch(unit: &Unit<'_>, touch: &Touch<'_>, class: Class) -> bool {
    touch.kind == Some(EffectKind::Permissions)
        && class != Class::Harness
        && unit.command.is_some_and(modes::stay_readable)
}

/// Whether the touch replaces or removes the thing itself, and with it all below.
fn takes_away(unit: &Unit<'_>, touch: &Touch<'_>) -> bool {
    let Some(kind) = touch.kind else { return false };
    if EffectSet::of(kind).meets(EffectSet::DELETE.with(EffectSet::PERMISSIONS)) {
        return true;
    }
    // A link or a copy in the place of a folder; `mkdir` only makes what is missing.
    EffectSet::of(kind).meets(EffectSet::OVERWRITE.with(EffectSet::CREATE))
        && unit.command.is_some_and(|c| matches!(c.name(), "ln" | "mount" | "mklink" | "New-Item"))
}

pub(super) fn objection(facts: &Facts<'_>, class: Class, place: &Place, unsure: bool) -> Objection {
    let path = place.spelled.as_str();
    match class {
        Class::Harness => Objection::new(
            Say::Deny,
            "self-protection/harness",
            format!("`{path}` belongs to harness, and an agent may not change it"),
            "ask the person to change it in a terminal of their own",
        ),
        Class::Project => Objection::new(
            Say::Ask,
            "self-protection/project-policy",
            format!("`{path}` is this project's policy"),
            "",
        ),
        Class::Settings if settings::harmless_edit(facts, place) => Objection::new(
            Say::Ask,
            "self-protection/settings",
            format!("`{path}` holds settings; this edit leaves hooks and off switches alone"),
            "",
        ),
        _ => Objection::new(
            if unsure { Say::Ask } else { Say::Deny },
            "self-protection/settings",
            format!("`{path}` decides which hooks run, and an agent may not change it"),
            "ask the person to change it, or edit only keys such as `permissions` or `model` with the Edit tool",
        ),
    }
}

/// A word that is a protected path, given to a program that isn't known only to read.
fn by_argument(
    facts: &Facts<'_>,
    unit: &Unit<'_>,
    command: &Command,
    known: &Known<'_>,
) -> Option<Objection> {
    if only_reads(command) {
        return None;
    }
    let read = |text: &str| {
        unit.touches
            .iter()
            .any(|t| t.kind == Some(EffectKind::Read) && t.text().is_some_and(|t| t == text))
    };
    let mut looked = 0;
    for word in &command.args {
        let text = word.text.as_str();
        if !text.contains(['/', '.', '~', '\\']) || text.len() > 4096 || text.contains('\n') {
            continue;
        }
        // A link is another name to write by, and an editor reads in order to write.
        let in_use = matches!(
            command.name(),
            "ln" | "link" | "vi" | "vim" | "nvim" | "ex" | "ed" | "nano" | "emacs"
        );
        if read(text) && !in_use {
            continue;
        }
        looked += 1;
        if looked > MOST_WORDS {
            return Some(Objection::new(
                Say::Ask,
                "self-protection/settings",
                "this names too many files for each to be looked at".to_owned(),
                "name fewer files at a time",
            ));
        }
        let mut word = word.clone();
        if let Some((_, value)) = text.split_once('=').filter(|_| text.starts_with('-')) {
            word.text = value.to_owned();
        }
        for place in facts.places(&word, unit.base) {
            let whole = matches!(command.name(), "git" | "mount" | "umount");
            let folder = whole && known.is_folder(&place);
            let class = known.class(&place).filter(|c| *c != Class::Folder || folder);
            if let Some(class) = class.filter(|_| !place.partial) {
                let mut found = objection(facts, class, &place, true);
                // Nobody has work for an unknown program in harness's own files.
                let ours = class == Class::Harness;
                found.say = if ours || overwrites(command) { Say::Deny } else { Say::Ask };
                return Some(found);
            }
        }
    }
    None
}

fn only_reads(command: &Command) -> bool {
    let name = command.name();
    if name == "git" {
        return git::leaves_files(command);
    }
    tools::reading_program(name)
        || matches!(name, "harness" | "claude" | "cp" | "scp" | "rsync" | "awk")
        || (name == "sed" && !super::super::matching::has_flag("-i|--in-place", &command.args))
}

fn overwrites(command: &Command) -> bool {
    matches!(
        command.name(),
        "git"
            | "ln"
            | "link"
            | "mv"
            | "rm"
            | "unlink"
            | "truncate"
            | "tee"
            | "dd"
            | "install"
            | "chmod"
            | "chown"
            | "chattr"
            | "sed"
            | "vim"
            | "vi"
            | "ex"
            | "ed"
            | "nano"
            | "patch"
            | "sponge"
            | "touch"
            | "setfacl"
            | "shred"
            | "mount"
            | "umount"
    )
}

/// Tools of servers nobody knows whose name says that they only look.
fn reads_by_name(tool: &str) -> bool {
    let name = tool.rsplit("__").next().unwrap_or(tool);
    ["read", "get", "list", "search", "find", "view", "stat", "info"]
        .iter()
        .any(|verb| name.starts_with(verb))
}
