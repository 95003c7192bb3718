//! Links that the line itself makes: what is done through one is done to what it names.

use alloc::string::String;
use alloc::vec::Vec;

use crate::fetched::place;
use crate::script::{Command, Effect, EffectKind, Script, Word};

/// More are not followed.
const MOST: usize = 16;

/// A link, and what it names.
struct Link {
    place: String,
    to: Word,
    cwd: Option<Word>,
}

/// Adds to each command what it does through links made before it.
pub(crate) fn mark(script: &mut Script) {
    if !script.commands.iter().any(is_maker) {
        return;
    }
    let mut links: Vec<Link> = Vec::new();
    for command in &mut script.commands {
        let mut through = Vec::new();
        for effect in &command.effects {
            let Some(target) = effect.target.as_ref() else { continue };
            let at = place(command, target);
            through.extend(links.iter().filter_map(|link| followed(link, command, effect, &at)));
        }
        if is_maker(command) && links.len() < MOST {
            links.extend(made(command));
        }
        command.effects.extend(through);
    }
}

fn is_maker(command: &Command) -> bool {
    matches!(command.name(), "ln" | "link" | "gln")
}

/// The link that a command makes of one file, under the name given or in the folder given.
fn made(command: &Command) -> Vec<Link> {
    let read = command.effects.iter().filter(|e| e.kind == EffectKind::Read);
    let mut sources = read.filter_map(|effect| effect.target.as_ref());
    let (Some(to), None) = (sources.next(), sources.next()) else { return Vec::new() };
    let name = to.text.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let writes = [EffectKind::Create, EffectKind::Overwrite];
    let written = command.effects.iter().find(|effect| writes.contains(&effect.kind));
    let mut places = Vec::new();
    match written.and_then(|effect| effect.target.as_ref()) {
        Some(target) => {
            let at = place(command, target);
            if matches!(target.text.as_str(), "." | "./") || target.text.ends_with('/') {
                places
                    .push(place(command, &Word::literal(alloc::format!("{}/{name}", target.text))));
            } else {
                places.push(at);
            }
        }
        // `ln -s FILE`: here, by the same name.
        None => places.push(place(command, &Word::literal(name))),
    }
    let link = |place| Link { place, to: to.clone(), cwd: command.cwd.clone() };
    places.into_iter().map(link).collect()
}

/// The same effect on what a link names, if the effect goes through the link.
fn followed(link: &Link, command: &Command, effect: &Effect, at: &str) -> Option<Effect> {
    let rest = at.strip_prefix(link.place.as_str())?;
    // A link that is taken away or renamed leaves what it names alone.
    let through =
        matches!(effect.kind, EffectKind::Overwrite | EffectKind::Create | EffectKind::Permissions);
    let here = rest.is_empty() && through && !is_maker(command);
    if !here && !rest.starts_with('/') {
        return None;
    }
    // A name from a folder means another file in another folder.
    if !link.to.text.starts_with(['/', '~', '$']) && link.cwd != command.cwd {
        return None;
    }
    let target = effect.target.as_ref()?;
    let text = alloc::format!("{}{rest}", link.to.text.trim_end_matches('/'));
    let literal = link.to.literal && target.literal;
    let target = Some(Word { text, literal, glob: target.glob });
    Some(Effect { target, ..effect.clone() })
}

#[cfg(test)]
mod tests {
    use crate::{Dialect, EffectKind, Limits, read};

    fn does(line: &str, kind: EffectKind, target: &str) -> bool {
        let script = read(line, Dialect::Posix, Limits::default());
        let mut effects = script.commands.iter().flat_map(|command| &command.effects);
        effects.any(|e| e.kind == kind && e.target.as_ref().is_some_and(|t| t.text == target))
    }

    #[test]
    fn what_goes_through_a_link() {
        for (line, kind, target) in [
            ("ln -s /f a && echo x > a", EffectKind::Overwrite, "/f"),
            ("ln -s /d a; rm -rf a/*", EffectKind::Delete, "/d/*"),
            ("ln -sf ~/d ./a; echo x >> a/b", EffectKind::Create, "~/d/b"),
            ("ln /f a; chmod 000 ./a", EffectKind::Permissions, "/f"),
            ("ln -s /d/f .; truncate -s 0 f", EffectKind::Overwrite, "/d/f"),
            ("cd x; ln -s /d a; cd b; cat ../a/f", EffectKind::Read, "/d/f"),
        ] {
            assert!(does(line, kind, target), "{line}");
        }
        assert!(!does("ln -s /f a; rm a", EffectKind::Delete, "/f"));
        assert!(!does("ln -s /f a; mv a b", EffectKind::Move, "/f"));
        assert!(!does("echo x > a; ln -s /f a", EffectKind::Overwrite, "/f"));
        assert!(!does("ln -s /f a; echo x > ab", EffectKind::Overwrite, "/f"));
    }
}
