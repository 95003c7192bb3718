//! `git`: a stricter git. A uniform table.

use super::rule;
use crate::policy::model::Rule;

pub(super) static RULES: &[Rule<'static>] = &[
    rule!(
        Ask "git/force-push", "This overwrites history on the remote",
        instead "a new commit, or a new branch",
        when { command ["git", "push"] flags ["-f|--force|--mirror"] without ["-n|--dry-run"] },
        match ["git push --force", "git push -f"],
        pass ["git push", "git push --force-with-lease", "git push -u origin x"],
    ),
    rule!(
        Ask "git/push-main", "This pushes to the main branch",
        instead "push a branch and open a pull request",
        when { command ["git", "push"] branch ["main", "master", "trunk"] },
        match ["git push origin main", "git push origin HEAD:master"],
        pass ["git push origin feature"],
    ),
    rule!(
        Ask "git/amend", "This rewrites the last commit",
        instead "a new commit",
        when { command ["git", "commit"] flags ["--amend"] },
        match ["git commit --amend --no-edit"],
        pass ["git commit -m x"],
    ),
    rule!(
        Ask "git/rebase", "This rewrites commits",
        instead "`git merge`",
        when { command ["git", "rebase"] without ["--abort", "--continue", "--skip", "--quit"] },
        match ["git rebase -i HEAD~3", "git rebase main"],
        pass ["git rebase --abort", "git merge main"],
    ),
    rule!(
        Ask "git/skip-hooks", "This skips the repository's own hooks",
        instead "let them run",
        when { command ["git", "commit|push|merge|rebase|cherry-pick|am"] flags ["--no-verify"] },
        match ["git commit --no-verify -m x", "git push --no-verify"],
        pass ["git commit -m '--no-verify is bad'"],
    ),
    rule!(
        Ask "git/skip-commit-hooks", "This skips the repository's own hooks",
        instead "let them run",
        when { command ["git", "commit"] flags ["-n"] },
        match ["git commit -nm x"],
        pass ["git commit -am x"],
    ),
    rule!(
        Ask "git/tag-delete", "This deletes or moves a tag",
        instead "a new tag",
        when { command ["git", "tag"] flags ["-d|--delete|-f|--force"] },
        match ["git tag -d v1", "git tag -f v1"],
        pass ["git tag v2", "git tag -l"],
    ),
];
