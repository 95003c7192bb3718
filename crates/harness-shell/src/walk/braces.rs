//! Brace expansion: `a{b,c}` and `{1..3}`.

use alloc::string::String;
use alloc::vec::Vec;

/// A character, and whether it was quoted.
pub(super) type Glyph = (char, bool);

/// At most so many words come of one.
const MOST: usize = 1024;
/// At most so many characters come of one word.
const MOST_TEXT: usize = 64 << 10;

/// All the words that `word` stands for; `None` if they are too many.
pub(super) fn braces(word: Vec<Glyph>) -> Option<Vec<Vec<Glyph>>> {
    let mut done: Vec<Vec<Glyph>> = Vec::new();
    let mut todo = Vec::from([(word, 0)]);
    let mut size = 0usize;
    while let Some((word, from)) = todo.pop() {
        size += word.len();
        if todo.len() + done.len() > MOST || size > MOST_TEXT {
            return None;
        }
        match find(&word, from) {
            Some(group) => {
                for choice in group.choices.iter().rev() {
                    let mut next: Vec<Glyph> = word.get(..group.open).unwrap_or_default().into();
                    next.extend_from_slice(choice);
                    next.extend_from_slice(word.get(group.close + 1..).unwrap_or_default());
                    todo.push((next, group.open));
                }
                if todo.len() > MOST {
                    return None;
                }
            }
            None => done.push(word),
        }
    }
    Some(done)
}

struct Group {
    open: usize,
    close: usize,
    choices: Vec<Vec<Glyph>>,
}

/// The first brace group at or after `from` that has something to choose.
fn find(word: &[Glyph], from: usize) -> Option<Group> {
    // An unclosed brace is looked at once: nothing after it can close it either.
    let mut opens = word.iter().enumerate().skip(from).filter(|(_, glyph)| **glyph == ('{', false));
    for _ in 0..16 {
        let (open, _) = opens.next()?;
        if let Some(group) = group(word, open) {
            return Some(group);
        }
    }
    None
}

fn group(word: &[Glyph], open: usize) -> Option<Group> {
    let mut depth = 0usize;
    let mut cuts = Vec::from([open]);
    for (at, glyph) in word.iter().enumerate().skip(open) {
        match glyph {
            ('{', false) => depth += 1,
            ('}', false) if depth == 1 => {
                cuts.push(at);
                let choices = choices(word, &cuts)?;
                return Some(Group { open, close: at, choices });
            }
            ('}', false) => depth -= 1,
            (',', false) if depth == 1 => cuts.push(at),
            _ => {}
        }
    }
    None
}

fn choices(word: &[Glyph], cuts: &[usize]) -> Option<Vec<Vec<Glyph>>> {
    let pieces: Vec<Vec<Glyph>> = cuts
        .windows(2)
        .filter_map(|cut| match cut {
            [from, to] => word.get(from + 1..*to).map(Vec::from),
            _ => None,
        })
        .collect();
    match pieces.as_slice() {
        [only] => range(only),
        _ => Some(pieces),
    }
}

/// `1..3`, `a..c`, `1..9..2`
fn range(inner: &[Glyph]) -> Option<Vec<Vec<Glyph>>> {
    let text: String = inner.iter().map(|glyph| glyph.0).collect();
    let mut ends = text.split("..");
    let (first, last, step) = (ends.next()?, ends.next()?, ends.next());
    let step = match step {
        Some(step) => step.parse::<i64>().ok()?.unsigned_abs().max(1),
        None => 1,
    };
    if let (Ok(first), Ok(last)) = (first.parse::<i64>(), last.parse::<i64>()) {
        let texts = steps(first, last, step)?.map(|value| alloc::format!("{value}"));
        return Some(texts.map(|text| text.chars().map(|c| (c, false)).collect()).collect());
    }
    let (first, last) = (single(first)?, single(last)?);
    let letters = steps(i64::from(first), i64::from(last), step)?
        .filter_map(|value| u8::try_from(value).ok())
        .map(|byte| Vec::from([(char::from(byte), false)]));
    Some(letters.collect())
}

fn single(text: &str) -> Option<u8> {
    match text.as_bytes() {
        [letter] if letter.is_ascii_alphabetic() => Some(*letter),
        _ => None,
    }
}

fn steps(first: i64, last: i64, step: u64) -> Option<impl Iterator<Item = i64>> {
    let count = first.abs_diff(last) / step;
    if count > MOST as u64 {
        return None;
    }
    let step = i64::try_from(step).ok()?;
    let sign = if last < first { -step } else { step };
    let count = i64::try_from(count).ok()?;
    Some((0..=count).map(move |index| first.wrapping_add(sign.wrapping_mul(index))))
}

#[cfg(test)]
mod tests {
    use super::braces;
    use alloc::string::String;
    use alloc::vec::Vec;

    fn expand(word: &str) -> Option<Vec<String>> {
        let words = braces(word.chars().map(|c| (c, false)).collect())?;
        Some(words.into_iter().map(|word| word.into_iter().map(|g| g.0).collect()).collect())
    }

    #[test]
    fn expands_like_bash() {
        for (word, want) in [
            ("a{b,c}d", "abd acd"),
            ("/{,etc}", "/ /etc"),
            ("{a,b{1,2}}", "a b1 b2"),
            ("{1..3}", "1 2 3"),
            ("{c..a..2}", "c a"),
            ("{a}", "{a}"),
            ("{}", "{}"),
            ("{a,b", "{a,b"),
            ("{x}{a,b}", "{x}a {x}b"),
        ] {
            assert_eq!(expand(word).unwrap_or_default().join(" "), want, "{word}");
        }
    }

    #[test]
    fn is_bounded() {
        assert_eq!(expand(&"{a,b}".repeat(40)), None);
        assert!(expand("{1..100000}").is_some_and(|words| words == ["{1..100000}"]));
        assert_eq!(expand("{a..z}{a..z}").map(|words| words.len()), Some(26 * 26));
    }
}
