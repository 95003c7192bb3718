//! Git commands that leave the files they name alone.

use harness_shell::{Command, Word};

use super::super::matching::has_flag;
use super::super::tools;

/// Whether a git command leaves the working files it names as they are.
pub(super) fn leaves_files(command: &Command) -> bool {
    let Some((verb, rest)) = verb(&command.args) else { return true };
    let has = |flags: &str| has_flag(flags, rest);
    match verb {
        "add" | "commit" | "push" | "fetch" | "tag" | "branch" | "update-index"
        | "check-ignore" | "notes" | "archive" | "bundle" | "init" => true,
        // What it runs is read by itself.
        "bisect" => rest.first().is_some_and(|word| word.text == "run"),
        "restore" => has("-S|--staged") && !has("-W|--worktree"),
        "reset" => !has("--hard|--merge|--keep"),
        "rm" => has("--cached|-n|--dry-run"),
        "stash" => rest.first().is_some_and(|w| matches!(w.text.as_str(), "list" | "show")),
        "clean" | "mv" => has("-n|--dry-run"),
        "apply" => has("--check|--stat|--numstat|--summary") && !has("--apply"),
        verb => tools::reading_git(verb),
    }
}

/// The subcommand and what follows it, past git's own options.
fn verb(args: &[Word]) -> Option<(&str, &[Word])> {
    let mut at = 0;
    while let Some(word) = args.get(at) {
        let text = word.text.as_str();
        match text {
            "-C" | "-c" | "--git-dir" | "--work-tree" | "--namespace" | "--config-env" => at += 2,
            _ if text.starts_with('-') => at += 1,
            _ => return Some((text, args.get(at + 1..)?)),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::leaves_files;
    use harness_shell::{Command, Word};

    fn leaves(args: &str) -> bool {
        let args = args.split(' ').map(Word::literal).collect();
        leaves_files(&Command { program: Word::literal("git"), args, ..Command::default() })
    }

    #[test]
    fn verbs() {
        for args in ["add x", "-C d diff x", "restore --staged x", "reset HEAD x", "rm --cached x"]
        {
            assert!(leaves(args), "{args}");
        }
        for args in [
            "checkout x",
            "-C add checkout x",
            "restore x",
            "restore -SW x",
            "reset --hard x",
            "rm x",
            "stash push x",
            "stash -- x",
            "mv x y",
            "apply x",
            "read-tree x",
        ] {
            assert!(!leaves(args), "{args}");
        }
    }
}
