//! What lies around: other worktrees, hook files that nothing reads.

use crate::doctor::finding::{Finding, Findings};
use crate::doctor::scene::Scene;
use crate::hosts::claude_code::places::{Scope, config_dir};
use crate::install::in_force;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

pub(super) fn check(scene: &Scene, found: &mut Findings) {
    worktrees(scene, found);
    not_registered(scene, found);
}

/// Hooks of a project are in its files, which another worktree may lack.
fn worktrees(scene: &Scene, found: &mut Findings) {
    let scopes: BTreeSet<Scope> = scene.own().iter().map(|h| h.scope).collect();
    let narrow = |s: &Scope| matches!(s, Scope::Project | Scope::Local);
    let Some(root) = &scene.around.git_root else { return };
    if scopes.is_empty() || !scopes.iter().all(narrow) {
        return;
    }
    let linked = std::fs::read_dir(root.join(".git/worktrees")).into_iter().flatten().flatten();
    let mut open: Vec<PathBuf> = linked
        .filter_map(|entry| std::fs::read_to_string(entry.path().join("gitdir")).ok())
        .filter_map(|text| Path::new(text.trim()).parent().map(Path::to_path_buf))
        .filter(|tree| tree.is_dir() && !is_covered(tree))
        .collect();
    open.sort();
    if open.is_empty() {
        return;
    }
    let mut finding =
        Finding::new("worktree-gap", "other worktrees of this repository have no gate")
            .fix("`harness install` (scope user) covers every folder");
    for tree in open {
        finding = finding.see(tree.display().to_string());
    }
    found.add(finding);
}

fn is_covered(tree: &Path) -> bool {
    ["settings.json", "settings.local.json"]
        .iter()
        .any(|name| !in_force::gates(&tree.join(".claude").join(name)).is_empty())
}

/// A hooks folder is a habit, not a place the client reads.
fn not_registered(scene: &Scene, found: &mut Findings) {
    let folder = config_dir(&scene.around.home, scene.around.config_dir.as_deref()).join("hooks");
    let all = scene.effective.handlers.iter().chain(&scene.effective.silenced);
    let said: Vec<String> = all.map(|h| h.shown()).collect();
    let mut lone: Vec<String> = std::fs::read_dir(&folder)
        .into_iter()
        .flatten()
        .flatten()
        .filter(|e| e.path().is_file())
        .map(|e| e.file_name().to_string_lossy().into_owned())
        .filter(|name| {
            name == "hooks.json" || !said.iter().any(|line| line.contains(name.as_str()))
        })
        .collect();
    lone.sort();
    if lone.is_empty() {
        return;
    }
    let shown = scene.around.shown(&folder);
    let mut finding =
        Finding::new("not-registered", format!("files in {shown} that no settings file names"))
            .fix("name them in `settings.json`, or leave them: the client starts none by itself");
    for name in lone.iter().take(10) {
        finding = finding.see(format!("{shown}/{name}"));
    }
    found.add(finding);
}
