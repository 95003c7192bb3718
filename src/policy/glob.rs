//! Globs of names and paths: `*`, `?`, `[…]` within a part, `**` across parts.
//! Linear memory, no recursion; time at worst length × length.

/// Whether a name matches: `*` is anything, `/` included.
#[must_use]
pub fn name(pattern: &str, text: &str) -> bool {
    if pattern.bytes().any(|b| matches!(b, b'?' | b'[')) {
        return wild(pattern.as_bytes(), text.as_bytes());
    }
    pieces(pattern, text)
}

/// A pattern of `*` and plain text: each piece is looked for once, from the left.
fn pieces(pattern: &str, text: &str) -> bool {
    let Some((head, pattern)) = pattern.split_once('*') else { return pattern == text };
    let Some(mut rest) = text.strip_prefix(head) else { return false };
    let Some((middle, tail)) = pattern.rsplit_once('*') else { return rest.ends_with(pattern) };
    for piece in middle.split('*').filter(|piece| !piece.is_empty()) {
        match rest.find(piece).and_then(|at| rest.get(at + piece.len()..)) {
            Some(after) => rest = after,
            None => return false,
        }
    }
    rest.ends_with(tail)
}

/// Whether a path matches: `*` stays within a part, `**` crosses parts (`a/**` is also
/// `a` itself).
#[must_use]
pub fn path(pattern: &str, text: &str) -> bool {
    let pattern: Vec<&str> = pattern.split('/').filter(|p| !p.is_empty()).collect();
    let text: Vec<&str> = text.split('/').filter(|p| !p.is_empty()).collect();
    parts(&pattern, &text, false)
}

/// Whether a shell may expand the pattern to this path: a wild card at the start of a
/// part doesn't match a leading dot.
#[must_use]
pub fn shell(pattern: &str, text: &str) -> bool {
    let pattern: Vec<&str> = pattern.split('/').filter(|p| !p.is_empty()).collect();
    let text: Vec<&str> = text.split('/').filter(|p| !p.is_empty()).collect();
    parts(&pattern, &text, true)
}

/// Whether text has a glob character in it.
#[must_use]
pub fn is_glob(text: &str) -> bool {
    text.bytes().any(|b| matches!(b, b'*' | b'?' | b'[' | b'{'))
}

fn parts(pattern: &[&str], text: &[&str], dots: bool) -> bool {
    let (mut p, mut t) = (0, 0);
    // Where to go on when a part fails: after the last `**`, one more part swallowed.
    let mut back: Option<(usize, usize)> = None;
    loop {
        match (pattern.get(p), text.get(t)) {
            (Some(&"**"), _) => {
                back = Some((p + 1, t));
                p += 1;
                continue;
            }
            (Some(a), Some(b)) if !(dots && hidden(a, b)) && wild(a.as_bytes(), b.as_bytes()) => {
                p += 1;
                t += 1;
                continue;
            }
            (None, None) => return true,
            _ => {}
        }
        match back {
            Some((after, swallowed)) if swallowed < text.len() => {
                back = Some((after, swallowed + 1));
                p = after;
                t = swallowed + 1;
            }
            _ => return false,
        }
    }
}

fn hidden(pattern: &str, text: &str) -> bool {
    text.starts_with('.') && pattern.starts_with(['*', '?', '['])
}

fn wild(pattern: &[u8], text: &[u8]) -> bool {
    let (mut p, mut t) = (0, 0);
    let mut back: Option<(usize, usize)> = None;
    loop {
        if pattern.get(p) == Some(&b'*') {
            back = Some((p + 1, t));
            p += 1;
            continue;
        }
        match (pattern.get(p), text.get(t)) {
            (None, None) => return true,
            (Some(_), Some(&byte)) => {
                if let Some(next) = one(pattern, p, byte) {
                    p = next;
                    t += 1;
                    continue;
                }
            }
            _ => {}
        }
        match back {
            Some((after, swallowed)) if swallowed < text.len() => {
                back = Some((after, swallowed + 1));
                p = after;
                t = swallowed + 1;
            }
            _ => return false,
        }
    }
}

/// Where the pattern goes on if its element at `p` takes this byte.
fn one(pattern: &[u8], p: usize, byte: u8) -> Option<usize> {
    match pattern.get(p)? {
        b'?' => Some(p + 1),
        b'[' => match class(pattern, p, byte) {
            Some((true, next)) => Some(next),
            Some((false, _)) => None,
            // Without its end it is only a bracket.
            None => (byte == b'[').then_some(p + 1),
        },
        literal => (*literal == byte).then_some(p + 1),
    }
}

fn class(pattern: &[u8], p: usize, byte: u8) -> Option<(bool, usize)> {
    let mut at = p + 1;
    let negated = matches!(pattern.get(at), Some(b'!' | b'^'));
    if negated {
        at += 1;
    }
    let first = at;
    let mut hit = false;
    loop {
        let low = *pattern.get(at)?;
        if low == b']' && at > first {
            return Some((hit != negated, at + 1));
        }
        if pattern.get(at + 1) == Some(&b'-') && pattern.get(at + 2).is_some_and(|b| *b != b']') {
            let high = *pattern.get(at + 2)?;
            hit |= (low..=high).contains(&byte);
            at += 3;
        } else {
            hit |= low == byte;
            at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{name, path};

    #[test]
    fn names() {
        assert!(name("mcp__pg__*", "mcp__pg__query"));
        assert!(!name("mcp__pg__*", "mcp__my__query"));
        assert!(name("*", ""));
        assert!(name("a*b*c", "a--b--b--c"));
        assert!(!name("Edit", "MultiEdit"));
        assert!(name("[a-c]?", "bz"));
        assert!(!name("[!a-c]?", "bz"));
        assert!(name("[x", "[x"));
    }

    #[test]
    fn paths() {
        assert!(path("/a/**", "/a/b/c"));
        assert!(path("/a/**", "/a"));
        assert!(!path("/a/**", "/ab"));
        assert!(path("**/.env", "/w/x/.env"));
        assert!(!path("/w/*", "/w/x/y"));
        assert!(path("/w/**/k*.pem", "/w/a/b/key.pem"));
        assert!(path("/**/a/**/b", "/x/a/y/a/b"));
    }

    #[test]
    fn no_blow_up() {
        let pattern = "*a".repeat(200);
        assert!(!name(&pattern, &"a".repeat(150)));
        assert!(!path(&"**/a/".repeat(100), &"a/".repeat(50)));
    }
}
