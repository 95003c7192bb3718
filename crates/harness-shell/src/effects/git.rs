//! What git does.

use alloc::string::String;
use alloc::vec::Vec;

use super::row::{Pick, Row, act, row};
use crate::options::{Options, Spec};
use crate::script::{Command, Effect, EffectKind, Word};
use EffectKind::{Create, Delete, DisableProtection, Network, Read, RemoteState, RewriteHistory};

const GLOBAL: Spec =
    Spec::ordered("Cc", &["git-dir", "work-tree", "namespace", "config-env", "super-prefix"]);
const DRY: &[&str] = &["-n", "--dry-run"];

/// By subcommand; in order of the names.
const TABLE: &[Row] = &[
    act("branch", RewriteHistory, Pick::All)
        .any(&["-D", "-M", "-C"])
        .forced(&["-D", "-M", "-C"])
        .values("u", &["set-upstream-to"]),
    act("branch", RewriteHistory, Pick::All).any(&["-f", "--force"]).forced(&["-f", "--force"]),
    act("checkout", RewriteHistory, Pick::None)
        .any(&["-f", "--force"])
        .forced(&["-f", "--force"])
        .values(
            "bBU",
            &["orphan", "conflict", "pathspec-from-file", "unified", "inter-hunk-context"],
        ),
    act("checkout", RewriteHistory, Pick::None).any(&["-B", "--pathspec-from-file"]),
    act("clean", Delete, Pick::All)
        .any(&["-f", "--force"])
        .unless(&["-n", "--dry-run", "-i", "--interactive", "--no-force"])
        .deep()
        .forced(&["-f", "--force"])
        .values("e", &["exclude"]),
    act("clone", Network, Pick::First)
        .values("bcojuC", &["branch", "depth", "config", "origin", "reference"]),
    row("clone", Create, Pick::Rest).deep(),
    act("commit", DisableProtection, Pick::None).any(&["-n", "--no-verify"]).values(
        "mFCct",
        &[
            "message",
            "file",
            "author",
            "date",
            "template",
            "fixup",
            "squash",
            "cleanup",
            "reuse-message",
            "reedit-message",
            "trailer",
        ],
    ),
    act("commit", RewriteHistory, Pick::None).any(&["--amend"]),
    act("fetch", Network, Pick::First),
    act("filter-branch", RewriteHistory, Pick::None).forced(&["-f", "--force"]),
    act("filter-repo", RewriteHistory, Pick::None).forced(&["-f", "--force"]),
    row("init", Create, Pick::First)
        .values("b", &["template", "separate-git-dir", "initial-branch", "object-format"]),
    act("merge", DisableProtection, Pick::None)
        .any(&["--no-verify"])
        .values("msXF", &["message", "strategy"]),
    act("prune", RewriteHistory, Pick::None).any(&["--expire"]).unless(DRY),
    act("pull", Network, Pick::First).values("sXjo", &[]),
    act("push", DisableProtection, Pick::None)
        .any(&["--no-verify"])
        .values("o", &["repo", "receive-pack", "push-option", "exec"]),
    act("push", Network, Pick::First),
    act("push", RemoteState, Pick::Rest)
        .any(&["-d", "--delete", "--mirror", "--prune"])
        .unless(DRY)
        .forced(&["--mirror"]),
    act("push", RewriteHistory, Pick::Rest)
        .any(&["-f", "--force", "--mirror"])
        .unless(DRY)
        .forced(&["-f", "--force", "--mirror"]),
    act("push", RewriteHistory, Pick::Rest).any(&["--force-with-lease"]).unless(DRY),
    act("rebase", RewriteHistory, Pick::First)
        .unless(&["--abort", "--continue", "--quit", "--show-current-patch"])
        .values("sXCx", &["onto", "exec", "strategy"]),
    act("reflog", RewriteHistory, Pick::None)
        .sub(&["expire"])
        .unless(DRY)
        .values("", &["expire", "expire-unreachable"]),
    act("reflog", RewriteHistory, Pick::None).sub(&["delete"]).unless(DRY),
    act("replace", RewriteHistory, Pick::All).unless(&["-l", "--list"]),
    act("reset", RewriteHistory, Pick::First).any(&["--hard", "--merge"]).forced(&["--hard"]),
    act("restore", RewriteHistory, Pick::All)
        .unless(&["--staged", "-S"])
        .values("s", &["source", "pathspec-from-file"]),
    act("restore", RewriteHistory, Pick::All).any(&["-W", "--worktree"]),
    row("rm", Delete, Pick::All)
        .unless(&["--cached", "-n", "--dry-run"])
        .recursive(&["-r"])
        .forced(&["-f", "--force"]),
    act("stash", RewriteHistory, Pick::None).sub(&["drop"]),
    act("stash", RewriteHistory, Pick::None).sub(&["clear"]),
    act("submodule", RewriteHistory, Pick::All)
        .sub(&["deinit"])
        .any(&["-f", "--force"])
        .forced(&["-f", "--force"]),
    act("switch", RewriteHistory, Pick::None)
        .any(&["-f", "--force", "--discard-changes", "-C"])
        .forced(&["-f", "--force", "--discard-changes"])
        .values("cC", &["create", "force-create", "orphan"]),
    act("tag", RewriteHistory, Pick::All)
        .any(&["-d", "--delete", "-f", "--force"])
        .forced(&["-f", "--force"])
        .values("mFu", &["message", "file"]),
    act("update-ref", RewriteHistory, Pick::First).values("m", &[]),
    act("worktree", Create, Pick::First).sub(&["add"]).values("bB", &[]),
    act("worktree", Delete, Pick::All)
        .sub(&["remove"])
        .any(&["-f", "--force"])
        .deep()
        .forced(&["-f", "--force"]),
];

/// Adds what a git command does, and the folder it does it in.
pub(super) fn add(command: &mut Command, effects: &mut Vec<Effect>) {
    let args = core::mem::take(&mut command.args);
    let global = Options::new(&args, &GLOBAL);
    for folder in global.all_values(&["-C"]) {
        command.cwd = Some(crate::walk::join(command.cwd.as_ref(), folder));
    }
    for setting in global.all_values(&["-c"]) {
        settings(setting, effects);
    }
    if let Some((sub, _)) = global.operands.split_first() {
        let rest = args.get(global.first + 1..).unwrap_or_default();
        let rows = super::rows(TABLE, &sub.text);
        let spec = rows.first().map_or(Spec::PLAIN, |row| row.spec);
        let options = Options::new(rest, &spec);
        if !options.options.iter().any(|o| o.name == crate::options::Name::Long("help")) {
            for row in rows {
                super::apply(row, &options, effects);
            }
            own(&sub.text, rest, &options, effects);
        }
    }
    command.args = args;
}

/// Settings that switch a protection off or run something.
fn settings(setting: &Word, effects: &mut Vec<Effect>) {
    let name = setting.text.split('=').next().unwrap_or_default().to_ascii_lowercase();
    if matches!(
        name.as_str(),
        "core.hookspath" | "clean.requireforce" | "http.sslverify" | "safe.directory"
    ) {
        effects.push(effect(DisableProtection, Some(setting.clone())));
    }
}

fn effect(kind: EffectKind, target: Option<Word>) -> Effect {
    Effect { kind, target, recursive: false, forced: false }
}

/// What needs a look of its own.
fn own(sub: &str, args: &[Word], options: &Options<'_>, effects: &mut Vec<Effect>) {
    match sub {
        "push" if !options.has_any(DRY) => refspecs(options, effects),
        "checkout" => checkout(options, effects),
        "gc" if prunes_now(options) => effects.push(effect(RewriteHistory, None)),
        "config" => config(options, effects),
        "show" | "cat-file" => recorded(options, effects),
        "clean" if args.iter().any(|word| !word.literal) => {
            effects.push(Effect { recursive: true, ..effect(Delete, None) });
        }
        _ => {}
    }
}

/// `+branch` forces, `:branch` deletes.
fn refspecs(options: &Options<'_>, effects: &mut Vec<Effect>) {
    for word in &options.operands {
        if word.text.starts_with('+') {
            effects.push(Effect { forced: true, ..effect(RewriteHistory, Some((*word).clone())) });
        } else if word.text.len() > 1 && word.text.starts_with(':') {
            effects.push(effect(RemoteState, Some((*word).clone())));
        }
    }
}

/// Paths are overwritten from the index or a commit.
fn checkout(options: &Options<'_>, effects: &mut Vec<Effect>) {
    if options.has_any(&["-b", "-B", "--orphan", "--detach"]) {
        return;
    }
    // Words that may be an option's own are none of the paths.
    let modes = ["checkout", "on-demand", "direct", "inherit"];
    let takes = options.has_any(&["--recurse-submodules", "-t", "--track"]);
    let own = |word: &&Word| takes && modes.contains(&word.text.as_str());
    let paths: Vec<&Word> = match options.before_dashes {
        Some(before) => options.operands.iter().skip(before).copied().collect(),
        None => options
            .operands
            .iter()
            .filter(|word| !own(word))
            .enumerate()
            .filter(|(index, word)| {
                *index > 0 || matches!(word.text.as_str(), "." | "*" | ":/" | "./")
            })
            .map(|(_, word)| *word)
            .collect(),
    };
    for path in paths {
        effects.push(effect(RewriteHistory, Some(path.clone())));
    }
}

/// `git show HEAD:file`: the file as it was.
fn recorded(options: &Options<'_>, effects: &mut Vec<Effect>) {
    for word in &options.operands {
        if let Some((_, path)) = word.text.split_once(':').filter(|(_, path)| !path.is_empty()) {
            let path = Word { text: String::from(path), ..(*word).clone() };
            effects.push(effect(Read, Some(path)));
        }
    }
}

fn prunes_now(options: &Options<'_>) -> bool {
    options.value(&["--prune"]).is_some_and(|word| matches!(word.text.as_str(), "now" | "all"))
}

fn config(options: &Options<'_>, effects: &mut Vec<Effect>) {
    let reads = options.has_any(&["--get", "--list", "-l", "--get-all", "--show-origin"]);
    let mut operands =
        options.operands.iter().skip_while(|word| matches!(word.text.as_str(), "set" | "unset"));
    let Some(name) = operands.next() else { return };
    let sets = operands.next().is_some() || options.has("--unset");
    if !reads && sets {
        let lower: String = name.text.to_ascii_lowercase();
        settings(&Word { text: lower, ..(*name).clone() }, effects);
    }
}

#[cfg(test)]
mod tests {
    use super::TABLE;

    #[test]
    fn is_in_order() {
        assert!(TABLE.is_sorted_by(|a, b| a.name <= b.name));
    }
}
