//! Whether a rule's conditions hold for a call, unit by unit.

use harness_shell::{Command, EffectKind, Word};

use super::facts::{Facts, Touch, Unit};
use super::glob;
use super::kinds::EffectSet;
use super::model::Matcher;
use super::paths;

/// Whether the tool is one of the rule's.
#[must_use]
pub fn tool(matcher: &Matcher<'_>, name: &str) -> bool {
    matcher.tools.is_empty() || matcher.tools.iter().any(|t| glob::name(t, name))
}

/// The first unit for which every condition holds and `admit` agrees.
#[must_use]
pub fn find<'u, 's>(
    matcher: &Matcher<'_>,
    facts: &Facts<'_>,
    units: &'u [Unit<'s>],
    mut admit: impl FnMut(&Unit<'s>) -> bool,
) -> Option<Hit<'u, 's>> {
    if !tool(matcher, facts.call.tool()) || !mentions(matcher, facts) {
        return None;
    }
    if !matcher.reads_command() && !matcher.reads_touch() {
        // About the call as a whole: any unit will do for exceptions, or none at all.
        return match units.iter().find(|u| admit(u)) {
            Some(unit) => Some(Hit { unit: Some(unit), touch: None }),
            None if units.is_empty() => Some(Hit { unit: None, touch: None }),
            None => None,
        };
    }
    units.iter().find_map(|unit| {
        let touch = in_unit(matcher, facts, unit)?;
        admit(unit).then_some(Hit { unit: Some(unit), touch })
    })
}

/// What a rule matched on.
#[derive(Clone, Copy, Debug)]
pub struct Hit<'u, 's> {
    /// The command or call.
    pub unit: Option<&'u Unit<'s>>,
    /// The touch, if the rule is about one.
    pub touch: Option<&'u Touch<'s>>,
}

/// Whether the conditions on commands and touches hold within one unit.
#[expect(clippy::option_option, reason = "matched or not, and by which touch if by one")]
#[must_use]
pub fn in_unit<'u, 's>(
    matcher: &Matcher<'_>,
    facts: &Facts<'_>,
    unit: &'u Unit<'s>,
) -> Option<Option<&'u Touch<'s>>> {
    if matcher.reads_command() && !unit.command.is_some_and(|c| command(matcher, c)) {
        return None;
    }
    if !branches(matcher, facts, unit) {
        return None;
    }
    if !matcher.reads_touch() {
        return Some(None);
    }
    unit.touches.iter().find(|t| touch(matcher, facts, t)).map(Some)
}

fn mentions(matcher: &Matcher<'_>, facts: &Facts<'_>) -> bool {
    matcher.mentions.is_empty() || matcher.mentions.iter().any(|m| facts.text().contains(m))
}

fn command(matcher: &Matcher<'_>, command: &Command) -> bool {
    if let Some((program, words)) = matcher.command.split_first()
        && (!either(program, command.name()) || !leading_words(words, &command.args))
    {
        return false;
    }
    matcher.flags.iter().all(|flag| has_flag(flag, &command.args))
        && !matcher.without.iter().any(|flag| has_flag(flag, &command.args))
        && (matcher.args.is_empty()
            || command.args.iter().any(|w| matcher.args.iter().any(|a| glob::name(a, &w.text))))
}

/// `a|b` is either; each may be a glob.
fn either(pattern: &str, text: &str) -> bool {
    // Asked for each rule and nearly always in vain, so each byte is looked at once.
    let (mut rest, mut at, mut wild) = (pattern, 0, false);
    while let Some(byte) = rest.as_bytes().get(at) {
        match byte {
            b'|' => {
                let (one, behind) = rest.split_at(at);
                if one == text || (wild && glob::name(one, text)) {
                    return true;
                }
                (rest, at, wild) = (behind.get(1..).unwrap_or_default(), 0, false);
                continue;
            }
            b'*' | b'?' | b'[' | b'{' => wild = true,
            _ => {}
        }
        at += 1;
    }
    rest == text || (wild && glob::name(rest, text))
}

/// Whether the words stand first among the arguments, in order. Flags may stand between
/// them, and so may a word right after a flag, since it may be that flag's value. A word
/// that is itself a flag may stand anywhere.
fn leading_words(words: &[&str], args: &[Word]) -> bool {
    let mut positional = words.iter().filter(|w| !w.starts_with('-')).peekable();
    let mut after_flag = false;
    for arg in args {
        let Some(wanted) = positional.peek() else { break };
        let text = arg.text.as_str();
        if text.len() > 1 && text.starts_with('-') {
            after_flag = !text.contains('=') && text != "--";
        } else if either(wanted, text) {
            positional.next();
            after_flag = false;
        } else if after_flag {
            after_flag = false;
        } else {
            return false;
        }
    }
    positional.peek().is_none()
        && words.iter().filter(|w| w.starts_with('-')).all(|flag| has_flag(flag, args))
}

/// Whether a flag is given, in any of its spellings: `-f` also within `-rf`, `--force`
/// also as `--force=…` or an unambiguous beginning of it.
#[must_use]
pub fn has_flag(spellings: &str, args: &[Word]) -> bool {
    args.iter()
        .map(|a| a.text.as_str())
        .take_while(|text| *text != "--")
        .any(|text| spellings.split('|').any(|flag| is_flag(flag, text)))
}

fn is_flag(flag: &str, text: &str) -> bool {
    if text == flag {
        return true;
    }
    if let Some(long) = flag.strip_prefix("--") {
        let Some(given) = text.strip_prefix("--") else { return false };
        let given = given.split('=').next().unwrap_or(given);
        return given == long || (given.len() >= 4 && long.starts_with(given));
    }
    let Some(letter) = flag.strip_prefix('-').filter(|l| l.chars().count() == 1) else {
        // `-delete`, `/q`: as they are.
        return false;
    };
    text.strip_prefix('-').is_some_and(|cluster| {
        // The first letter is an option whatever its value is made of: `-Bnew-branch`.
        !cluster.starts_with('-')
            && (cluster.starts_with(letter)
                || (cluster.bytes().all(|b| b.is_ascii_alphanumeric()) && cluster.contains(letter)))
    })
}

fn touch(matcher: &Matcher<'_>, facts: &Facts<'_>, touch: &Touch<'_>) -> bool {
    if (matcher.recursive && !touch.recursive) || (matcher.forced && !touch.forced) {
        return false;
    }
    let kinds = touch.kind.map(EffectSet::of);
    if !matcher.effects.is_empty() && !kinds.is_some_and(|k| k.meets(matcher.effects)) {
        return false;
    }
    if matcher.paths.is_empty() && matcher.zones.is_empty() {
        return true;
    }
    if !touch.is_path() || !matcher.access.admits(touch.kind) {
        return false;
    }
    // What is moved takes with it all below.
    let moves = touch.kind == Some(EffectKind::Move);
    let down = (touch.recursive || moves) && touch_takes_away(touch);
    touch.places(facts).iter().any(|(place, zones)| {
        (matcher.zones.is_empty() || zones.meets(matcher.zones))
            && (matcher.paths.is_empty()
                || matcher.paths.iter().any(|g| path_glob(g, facts, place, down)))
    })
}

fn touch_takes_away(touch: &Touch<'_>) -> bool {
    touch.kind.is_none_or(|k| EffectSet::of(k).meets(EffectSet::WRITES))
}

/// A glob on a place: absolute, from `~`, or from the workspace. A recursive change of a
/// folder above what the glob names also counts.
fn path_glob(pattern: &str, facts: &Facts<'_>, place: &super::place::Place, down: bool) -> bool {
    if place.partial {
        return false;
    }
    if let Some(rest) = pattern.strip_prefix("~/") {
        let homes = facts.situation.homes;
        let alone = [facts.home().to_owned()];
        let homes = if homes.is_empty() { &alone[..] } else { homes };
        return homes.iter().any(|home| path_glob(&format!("{home}/{rest}"), facts, place, down));
    }
    let pattern = anchored(pattern, facts);
    if place.forms().any(|form| glob::path(&pattern, form)) {
        return true;
    }
    let fixed = fixed_part(&pattern);
    // A glob of the shell's that may become a path the rule names.
    (place.glob && may_become(place, &pattern))
        || (down && !fixed.is_empty() && place.covers(fixed))
}

/// Whether the shell may expand a glob to a path of this pattern, as far as the pattern
/// itself is no glob, or one only for the folders above.
fn may_become(place: &super::place::Place, pattern: &str) -> bool {
    let tail = pattern.strip_prefix("**/").unwrap_or(pattern);
    // A glob over whole trees is `find`'s, and means what is there.
    if glob::is_glob(tail) || place.spelled.contains("**") {
        return false;
    }
    if tail.len() == pattern.len() {
        return place.is(pattern);
    }
    let depth = tail.matches('/').count();
    place.forms().any(|form| {
        let folder = (0..=depth).fold(form, |path, _| paths::parent(path));
        glob::shell(form, &format!("{}/{tail}", folder.trim_end_matches('/')))
    })
}

fn anchored(pattern: &str, facts: &Facts<'_>) -> String {
    if paths::is_absolute(pattern) || pattern.starts_with("**") {
        return pattern.to_owned();
    }
    if !pattern.contains('/') {
        return format!("**/{pattern}");
    }
    let root = facts.situation.workspace;
    let root = if root.is_empty() { facts.call.cwd() } else { root };
    format!("{root}/{}", pattern.trim_start_matches("./"))
}

fn fixed_part(pattern: &str) -> &str {
    let at = pattern.find(['*', '?', '[']).unwrap_or(pattern.len());
    let head = pattern.get(..at).unwrap_or("");
    if at == pattern.len() {
        head
    } else {
        head.trim_end_matches(|c| c != '/').trim_end_matches('/')
    }
}

/// Whether every branch a git command names matches one of the globs. A command that
/// names none is on the current branch, as `.git/HEAD` has it.
fn branches(matcher: &Matcher<'_>, facts: &Facts<'_>, unit: &Unit<'_>) -> bool {
    if matcher.branch.is_empty() {
        return true;
    }
    let named = unit.command.and_then(|c| super::branch::of(c, facts, &unit.base.path));
    named.is_some_and(|list| {
        !list.is_empty() && list.iter().all(|b| matcher.branch.iter().any(|g| glob::name(g, b)))
    })
}

#[cfg(test)]
mod tests {
    use super::{either, has_flag, leading_words};
    use harness_shell::Word;

    fn words(text: &str) -> Vec<Word> {
        text.split(' ').map(Word::literal).collect()
    }

    #[test]
    fn alternatives() {
        for (pattern, yes, no) in [
            ("rm", vec!["rm"], vec!["", "r", "rmdir", "xrm"]),
            ("rm|unlink|é", vec!["rm", "unlink", "é"], vec!["", "rm|unlink", "link", "|"]),
            ("mkfs|mkfs.*|wipe", vec!["mkfs", "mkfs.ext4", "wipe"], vec!["mkfsx", "wiper"]),
            // A glob is a glob in its own piece only.
            ("a*|b", vec!["a", "ab", "b"], vec!["bc", "b|"]),
            ("b|a?", vec!["b", "ax"], vec!["bx", "a"]),
            ("|a", vec!["", "a"], vec!["b"]),
            ("*", vec!["", "x", "é|"], vec![]),
        ] {
            assert!(yes.iter().all(|text| either(pattern, text)), "{pattern}");
            assert!(!no.iter().any(|text| either(pattern, text)), "{pattern}");
        }
    }

    #[test]
    fn flags() {
        assert!(has_flag("-f|--force", &words("push -uf origin")));
        assert!(has_flag("-f|--force", &words("push --forc")));
        assert!(!has_flag("-f|--force", &words("push --force-with-lease")));
        assert!(!has_flag("-f", &words("rm -- -f")));
        assert!(has_flag("-delete", &words(". -delete")));
        assert!(!has_flag("-f", &words("--file")));
    }

    #[test]
    fn order() {
        assert!(leading_words(&["push"], &words("-C /x push -u")));
        assert!(leading_words(&["push", "--force"], &words("push origin --force")));
        assert!(!leading_words(&["push"], &words("commit -m push")));
        assert!(leading_words(&["run", "deploy"], &words("--prefix x run deploy")));
        assert!(!leading_words(&["publish"], &words("run publish")));
    }
}
