//! Links that the line itself makes: what is done through one is done to what it names.

use alloc::string::String;
use alloc::vec::Vec;

use crate::fetched::place;
use crate::script::{Command, Effect, EffectKind, Opaque, Script, Word};

/// More links are not followed; the line is then said to be too much.
const MOST: usize = 16;
/// As many effects of a command may be followed on through links.
const MOST_THROUGH: usize = 64;

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
    let mut over = false;
    for command in &mut script.commands {
        let own = command.effects.len();
        let mut next = 0;
        // What a link names may be a link, made before it or after.
        while let Some(effect) = command.effects.get(next) {
            next += 1;
            let Some(target) = effect.target.as_ref() else { continue };
            let at = place(command, target);
            let through = links.iter().filter_map(|link| followed(link, command, effect, &at));
            let new: Vec<Effect> = through.filter(|e| !command.effects.contains(e)).collect();
            command.effects.extend(new);
            if command.effects.len() > own + MOST_THROUGH {
                over = true;
                break;
            }
        }
        if is_maker(command) {
            links.extend(made(command));
            over |= links.len() > MOST;
            links.truncate(MOST);
        }
    }
    if over {
        script.opaque.push(Opaque { at: 0, why: "too many links", text: String::new() });
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
    use super::MOST;
    use crate::{Dialect, EffectKind, Limits, read};
    use alloc::string::String;

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
            ("ln -s /f a; ln -s a b; echo x > b", EffectKind::Overwrite, "/f"),
            ("ln -s a b; ln -s /f a; echo x > b", EffectKind::Overwrite, "/f"),
            ("ln -s a b; ln -s b a; ln -s /f c; echo x > c", EffectKind::Overwrite, "/f"),
        ] {
            assert!(does(line, kind, target), "{line}");
        }
        assert!(!does("ln -s /f a; rm a", EffectKind::Delete, "/f"));
        assert!(!does("ln -s /f a; mv a b", EffectKind::Move, "/f"));
        assert!(!does("echo x > a; ln -s /f a", EffectKind::Overwrite, "/f"));
        assert!(!does("ln -s /f a; echo x > ab", EffectKind::Overwrite, "/f"));
    }

    #[test]
    fn too_many_links_are_said_to_be_too_much() {
        let many = |count: usize| {
            let line: String = (0..count).map(|n| alloc::format!("ln -s /f a{n}; ")).collect();
            let script = read(&line, Dialect::Posix, Limits::default());
            script.opaque.iter().any(crate::Opaque::is_exhaustion)
        };
        assert!(many(MOST + 1) && !many(MOST));
    }
}
