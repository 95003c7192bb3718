//! Paths as text: joined, normalised, compared. Separators are `/`.

/// Joins and normalises without looking at the disk.
#[must_use]
pub fn normal(base: &str, path: &str) -> String {
    let path = slashes(path);
    let mut parts: Vec<&str> = Vec::new();
    let (root, joined) = if is_absolute(&path) {
        (root_of(&path).to_owned(), path.into_owned())
    } else {
        (root_of(base).to_owned(), format!("{base}/{path}"))
    };
    for part in joined.get(root.len()..).unwrap_or("").split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    root + &parts.join("/")
}

/// Backslashes of a Windows path turned into slashes; other text as it is.
#[must_use]
pub fn slashes(path: &str) -> std::borrow::Cow<'_, str> {
    let windows = path.starts_with("\\\\")
        || matches!(path.as_bytes(), [l, b':', b'\\', ..] if l.is_ascii_alphabetic())
        || (std::path::MAIN_SEPARATOR == '\\' && path.contains('\\'));
    if !windows {
        return path.into();
    }
    let path = path.strip_prefix("\\\\?\\").unwrap_or(path);
    path.replace('\\', "/").into()
}

/// Whether a path starts at a root or a drive.
#[must_use]
pub fn is_absolute(path: &str) -> bool {
    path.starts_with('/') || drive(path)
}

fn drive(path: &str) -> bool {
    matches!(path.as_bytes(), [letter, b':', b'/', ..] if letter.is_ascii_alphabetic())
}

fn root_of(path: &str) -> &str {
    if drive(path) { path.get(..3).unwrap_or("/") } else { "/" }
}

/// Whether `path` is `root` or lies below it.
#[must_use]
pub fn within(path: &str, root: &str) -> bool {
    let root = root.strip_suffix('/').unwrap_or(root);
    path.strip_prefix(root).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Whether `path` lies below `root`, and isn't it.
#[must_use]
pub fn below(path: &str, root: &str) -> bool {
    within(path, root) && path.len() > root.trim_end_matches('/').len() + 1
}

/// The last part.
#[must_use]
pub fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The path without its last part.
#[must_use]
pub fn parent(path: &str) -> &str {
    match path.rfind('/') {
        Some(0) | None => "/",
        Some(at) => path.get(..at).unwrap_or("/"),
    }
}

/// A path as a file system that folds case sees it, for names in ASCII: lower case, with
/// the two letters outside ASCII that fold into it.
#[must_use]
pub fn folded(path: &str) -> String {
    path.chars()
        .map(|c| match c {
            '\u{17f}' => 's',
            '\u{212a}' => 'k',
            c => c.to_ascii_lowercase(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{below, folded, normal, parent, within};

    #[test]
    fn normalises() {
        assert_eq!(normal("/w/a", "../b/./c"), "/w/b/c");
        assert_eq!(normal("/w", "/x//y/"), "/x/y");
        assert_eq!(normal("/", "../.."), "/");
        assert_eq!(normal("/w", "C:\\a\\..\\b"), "C:/b");
        assert_eq!(normal("C:/w", "x"), "C:/w/x");
    }

    #[test]
    fn contains() {
        assert!(within("/a", "/a") && within("/a/b", "/a") && within("/a", "/"));
        assert!(!within("/ab", "/a"));
        assert!(below("/a/b", "/a") && !below("/a", "/a") && below("/a", "/") && !below("/", "/"));
        assert_eq!(parent("/a"), "/");
        assert_eq!(folded("/x/.Claude/\u{17f}ettings.json"), "/x/.claude/settings.json");
    }
}
