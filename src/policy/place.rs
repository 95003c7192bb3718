//! [`Place`]: a path a call touches, in every form in which it must be judged.

use super::glob;
use super::paths;

/// One path: as spelled and as the kernel would follow it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Absolute and normalised, links not followed: what `rm link` removes.
    pub spelled: String,
    /// Where it leads: what `> link` writes.
    pub resolved: String,
    /// Whether the forms are globs for the shell to expand.
    pub glob: bool,
    /// Whether only the folder is known and something unknown follows.
    pub partial: bool,
}

impl Place {
    /// Both forms, or the one if they are the same.
    pub fn forms(&self) -> impl Iterator<Item = &str> {
        let second = (self.resolved != self.spelled).then_some(self.resolved.as_str());
        std::iter::once(self.spelled.as_str()).chain(second)
    }

    /// Whether it is this path (or, as a glob, may be).
    #[must_use]
    pub fn is(&self, key: &str) -> bool {
        self.forms().any(|form| form == key || (self.glob && glob::shell(form, key)))
    }

    /// Whether it is this path or lies below it (or, as a glob, may).
    #[must_use]
    pub fn may_be_within(&self, root: &str) -> bool {
        // Above its name, a glob over whole trees would be anything.
        let tree = self.spelled.contains("**");
        let levels = if tree { 1 } else { usize::MAX };
        let may = |form: &str| ancestors(form).take(levels).any(|above| glob::shell(above, root));
        self.within(root) || (self.glob && self.forms().any(may))
    }

    /// The same thing of another name in this folder: where `cp NAME here` puts it.
    #[must_use]
    pub fn join(&self, name: &str, glob: bool) -> Self {
        let below = |form: &str| format!("{}/{name}", form.trim_end_matches('/'));
        Self {
            spelled: below(&self.spelled),
            resolved: below(&self.resolved),
            glob: self.glob || glob,
            partial: self.partial,
        }
    }

    /// Whether taking it away takes this path away: it is the path or a folder above it.
    #[must_use]
    pub fn covers(&self, key: &str) -> bool {
        self.forms().any(|form| {
            if !self.glob {
                return paths::within(key, form);
            }
            ancestors(key).any(|above| glob::shell(form, above))
        })
    }

    /// Whether it lies below a folder in every form; a glob by the part before its first
    /// glob character.
    #[must_use]
    pub fn below(&self, root: &str) -> bool {
        self.forms().all(|form| paths::below(form, root))
    }

    /// Whether it is a folder or lies below it, in any form.
    #[must_use]
    pub fn within(&self, root: &str) -> bool {
        self.forms().any(|form| paths::within(form, root))
    }

    /// Whether it is a glob for everything in this folder.
    #[must_use]
    pub fn is_all_of(&self, folder: &str) -> bool {
        self.glob
            && self.forms().any(|form| {
                let all = matches!(paths::base_name(form), "*" | ".*" | "**" | ".[!.]*" | ".??*");
                all && paths::within(paths::parent(form), folder)
                    && paths::within(folder, paths::parent(form))
            })
    }
}

fn ancestors(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(path), |p| (*p != "/").then(|| paths::parent(p)))
}

#[cfg(test)]
mod tests {
    use super::Place;

    fn at(path: &str, glob: bool) -> Place {
        Place { spelled: path.into(), resolved: path.into(), glob, partial: false }
    }

    #[test]
    fn covers() {
        assert!(at("/home", false).covers("/home/u"));
        assert!(at("/", false).covers("/home/u"));
        assert!(!at("/home/u/x", false).covers("/home/u"));
        assert!(at("/*", true).covers("/etc"));
        assert!(at("/home/*", true).covers("/home/u/.claude"));
        assert!(at("/et?", true).covers("/etc"));
        assert!(!at("/et?", false).covers("/etc"));
        assert!(at("/home/u/*", true).is_all_of("/home/u"));
        assert!(!at("/home/u/*.o", true).is_all_of("/home/u"));
        assert!(at("/w/.cla*/settings.json", true).may_be_within("/w/.claude/settings.json"));
        assert!(at("/w/.claude/h*/x.sh", true).may_be_within("/w/.claude/hooks"));
        assert!(!at("/w/*.log", true).may_be_within("/w/.claude"));
        assert!(!at("/w/**/*.rs", true).may_be_within("/w/.claude/settings.json"));
        assert!(at("/w/**/*.json", true).may_be_within("/w/.claude/settings.json"));
    }
}
