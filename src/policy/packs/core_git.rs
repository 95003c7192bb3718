//! `core`, its part on git: what loses work that was never pushed or committed. A
//! uniform table.

use super::rule;
use crate::policy::model::Rule;

pub(super) static RULES: &[Rule<'static>] = &[
    rule!(
        Ask "core/force-push", "This overwrites history on the remote, whoever else pushed to it",
        instead "`git push --force-with-lease`",
        when { command ["git", "push"] flags ["-f|--force|--mirror"] },
        match ["git push --force", "git push -f origin main", "git -C x push origin main --force", "git push -uf"],
        pass ["git push", "git push -u origin feature", "git push --force-with-lease", "git commit -m 'push --force'"],
    ),
    rule!(
        Ask "core/force-push-ref", "This overwrites history on the remote, whoever else pushed to it",
        instead "`git push --force-with-lease`",
        when { command ["git", "push"] without ["--force-with-lease"] args ["+*"] },
        match ["git push origin +main"],
        pass ["git push origin main:main", "git push --force-with-lease origin +main"],
    ),
    rule!(
        Ask "core/delete-remote-branch", "This deletes a branch on the remote",
        instead "",
        when { command ["git", "push"] flags ["-d|--delete|--prune"] },
        match ["git push origin --delete feature"],
        pass ["git push --dry-run"],
    ),
    rule!(
        Ask "core/delete-remote-ref", "This deletes a branch on the remote",
        instead "",
        when { command ["git", "push"] args [":?*"] },
        match ["git push origin :feature"],
        pass ["git push origin a:b"],
    ),
    rule!(
        Ask "core/hard-reset", "This discards uncommitted work",
        instead "`git stash` first, or `git reset --keep`",
        when { command ["git", "reset"] flags ["--hard|--merge"] },
        match ["git reset --hard", "git reset HEAD~3 --hard", "git -C sub reset --hard"],
        pass ["git reset", "git reset --soft HEAD~1", "git reset HEAD file"],
    ),
    rule!(
        Ask "core/clean", "This deletes files that git doesn't know, beyond recovery",
        instead "`git clean -n` shows what would go",
        when { command ["git", "clean"] flags ["-f|--force"] without ["-n|--dry-run", "--no-force"] },
        match ["git clean -fd", "git clean -xdf", "git clean --force"],
        pass ["git clean -n", "git clean -fdn"],
    ),
    rule!(
        Ask "core/checkout-discard", "This discards uncommitted work",
        instead "`git stash` first",
        when { command ["git", "checkout|switch"] flags ["-f|--force|--discard-changes"] },
        match ["git checkout -f main", "git switch --discard-changes main"],
        pass ["git checkout -b feature", "git switch main"],
    ),
    rule!(
        Ask "core/checkout-paths", "This discards uncommitted changes of files",
        instead "`git stash push -- FILE` keeps them",
        when { command ["git", "checkout"] args ["--", ".", "./*"] },
        match ["git checkout -- src/lib.rs", "git checkout .", "git checkout HEAD -- ."],
        pass ["git checkout main", "git checkout -b fix"],
    ),
    rule!(
        Ask "core/restore", "This discards uncommitted changes of files",
        instead "`git stash push -- FILE` keeps them",
        when { command ["git", "restore"] without ["-S|--staged", "--help"] },
        match ["git restore .", "git restore src/lib.rs"],
        pass ["git restore --staged ."],
    ),
    rule!(
        Ask "core/restore-worktree", "This discards uncommitted changes of files",
        instead "`git stash push -- FILE` keeps them",
        when { command ["git", "restore"] flags ["-W|--worktree"] },
        match ["git restore --staged --worktree ."],
        pass ["git restore --staged ."],
    ),
    rule!(
        Ask "core/stash-drop", "This drops stashed work",
        instead "`git stash list` and `git stash show -p` first",
        when { command ["git", "stash", "drop|clear"] },
        match ["git stash drop", "git stash clear"],
        pass ["git stash", "git stash pop", "git stash list"],
    ),
    rule!(
        Ask "core/branch-delete", "This deletes a branch even if its work is nowhere else",
        instead "`git branch -d` refuses to lose work",
        when { command ["git", "branch"] flags ["-D"] },
        match ["git branch -D feature", "git branch -Dr origin/x"],
        pass ["git branch -d merged", "git branch"],
    ),
    rule!(
        Ask "core/branch-delete-forced", "This deletes a branch even if its work is nowhere else",
        instead "`git branch -d` refuses to lose work",
        when { command ["git", "branch"] flags ["-d|--delete", "-f|--force"] },
        match ["git branch --delete --force feature"],
        pass ["git branch --delete merged"],
    ),
    rule!(
        Ask "core/rewrite-history", "This rewrites the history of the repository",
        instead "work on a copy: `git clone --mirror`",
        when { command ["git", "filter-branch|filter-repo"] },
        match ["git filter-branch --tree-filter x HEAD", "git filter-repo --path x"],
        pass ["git log"],
    ),
    rule!(
        Ask "core/reflog-expire", "This drops the last way back to lost commits",
        instead "",
        when { command ["git", "reflog", "expire|delete"] },
        match ["git reflog expire --expire=now --all"],
        pass ["git reflog"],
    ),
    rule!(
        Ask "core/prune-now", "This drops the last way back to lost commits",
        instead "`git gc` alone keeps what is recent",
        when { command ["git", "gc|prune"] args ["--prune=now", "--prune=all", "--expire=now", "--expire=all", "gc.pruneExpire=now"] },
        match ["git gc --prune=now --aggressive", "git -c gc.pruneExpire=now gc"],
        pass ["git gc", "git prune --dry-run"],
    ),
    rule!(
        Ask "core/ref-delete", "This deletes a reference by hand",
        instead "`git branch -d`",
        when { command ["git", "update-ref"] flags ["-d"] },
        match ["git update-ref -d refs/heads/main"],
        pass ["git update-ref refs/heads/x HEAD"],
    ),
    rule!(
        Ask "core/worktree-remove", "This deletes a worktree with its uncommitted work",
        instead "without `--force` git refuses to lose work",
        when { command ["git", "worktree", "remove"] flags ["-f|--force"] },
        match ["git worktree remove --force ../x"],
        pass ["git worktree remove ../x"],
    ),
];
