//! What lands in a folder: copies keep their names, an archive brings names of its own.

use harness_shell::{Command, EffectKind, Word};

use super::super::facts::{Facts, Touch, Unit};
use super::super::glob;
use super::super::kinds::EffectSet;
use super::super::model::Say;
use super::super::paths;
use super::super::place::Place;
use super::Objection;
use super::class::{Class, Known};
use super::files::objection;

/// What is wrong with what a command puts into a folder.
pub(super) fn check(facts: &Facts<'_>, unit: &Unit<'_>, known: &Known<'_>) -> Option<Objection> {
    let command = unit.command?;
    unit.touches.iter().filter(|touch| puts(touch)).find_map(|touch| {
        touch.places(facts).iter().filter(|(place, _)| !place.partial).find_map(|(place, _)| {
            if copies(command) {
                named(facts, unit, command, known, touch, place)
            } else if touch.recursive && known.is_folder(place) {
                Some(unnamed(place, Say::Deny))
            } else {
                None
            }
        })
    })
}

fn puts(touch: &Touch<'_>) -> bool {
    touch.is_path()
        && touch.kind.is_some_and(|kind| {
            EffectSet::of(kind).meets(EffectSet::OVERWRITE.with(EffectSet::CREATE))
        })
}

fn copies(command: &Command) -> bool {
    matches!(command.name(), "cp" | "gcp" | "mv" | "install" | "rsync" | "scp" | "ditto")
}

/// The objection to the first source that would land on something protected.
fn named(
    facts: &Facts<'_>,
    unit: &Unit<'_>,
    command: &Command,
    known: &Known<'_>,
    touch: &Touch<'_>,
    into: &Place,
) -> Option<Objection> {
    let sources = unit.touches.iter().filter(|t| {
        matches!(t.kind, Some(EffectKind::Read | EffectKind::Delete | EffectKind::Move))
            && t.word().is_some()
    });
    sources.filter_map(Touch::word).find_map(|source| match name(command, source) {
        Some(name) => {
            let land = into.join(name, source.glob && glob::is_glob(name));
            let down = touch.recursive || command.name() == "mv";
            landed(facts, known, &land, down)
        }
        None if !known.is_folder(into) => None,
        // A folder's contents, all of them; or a name that can't be known.
        None => Some(unnamed(into, if source.literal { Say::Deny } else { Say::Ask })),
    })
}

/// The name under which a source lands in a folder; `None` if its contents do, or if it
/// can't be known.
fn name<'w>(command: &Command, source: &'w Word) -> Option<&'w str> {
    let text = source.text.as_str();
    let contents = command.name() == "rsync" && text.ends_with('/');
    let last = paths::base_name(text.trim_end_matches('/'));
    let known = source.literal || !last.contains(['$', '`', '{', '%']);
    (known && !contents && !matches!(last, "" | "." | ".." | "~")).then_some(last)
}

fn landed(facts: &Facts<'_>, known: &Known<'_>, land: &Place, down: bool) -> Option<Objection> {
    match known.class(land) {
        Some(Class::Folder) | None => {}
        Some(class) => return Some(objection(facts, class, land, false)),
    }
    let folder = known.is_folder(land) && !land.glob;
    (down && folder).then(|| unnamed(land, Say::Deny))
}

fn unnamed(place: &Place, say: Say) -> Objection {
    Objection::new(
        say,
        "self-protection/settings",
        format!(
            "`{}` holds the settings that start hooks, and the names of what this puts there can't be known",
            place.spelled
        ),
        "put it somewhere else, then copy the files that are wanted by their names",
    )
}
