//! The branches a git command is about.

use harness_shell::Command;

use super::facts::Facts;

/// The branches; `None` where they can't be known.
#[must_use]
pub fn of(command: &Command, facts: &Facts<'_>, cwd: &str) -> Option<Vec<String>> {
    if command.name() != "git" || command.args.iter().any(|w| !w.literal || w.glob) {
        return None;
    }
    let words: Vec<&str> =
        command.args.iter().map(|w| w.text.as_str()).filter(|w| !w.starts_with('-')).collect();
    let push = words.iter().position(|w| *w == "push");
    let refs = push.and_then(|at| words.get(at + 2..)).unwrap_or(&[]);
    if refs.is_empty() {
        return current(facts, cwd).map(|b| vec![b]);
    }
    Some(refs.iter().map(|spec| destination(spec)).collect())
}

/// `+src:refs/heads/dst` is `dst`.
fn destination(spec: &str) -> String {
    let spec = spec.trim_start_matches('+');
    let spec = spec.rsplit(':').next().unwrap_or(spec);
    spec.strip_prefix("refs/heads/").unwrap_or(spec).to_owned()
}

/// The branch checked out in the repository around a folder.
fn current(facts: &Facts<'_>, cwd: &str) -> Option<String> {
    let mut folder = cwd;
    for _ in 0..64 {
        if let Some(bytes) = facts.world.read(&format!("{folder}/.git/HEAD")) {
            let text = String::from_utf8(bytes).ok()?;
            return text.trim().strip_prefix("ref: refs/heads/").map(str::to_owned);
        }
        if folder == "/" || folder.is_empty() {
            return None;
        }
        folder = super::paths::parent(folder);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::destination;

    #[test]
    fn refspecs() {
        assert_eq!(destination("+HEAD:refs/heads/feature/x"), "feature/x");
        assert_eq!(destination("main"), "main");
    }
}
