//! What lies around: other worktrees, hook files that nothing reads, what sessions left.

use crate::doctor::finding::{Finding, Findings};
use crate::doctor::report::{State, Status};
use crate::doctor::scene::Scene;
use crate::hosts::claude_code::places::{Scope, config_dir};
use crate::install::in_force;
use crate::journal::{place, probe};
use crate::sys::append;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// How much of the journal's end is read.
const TAIL: u64 = 4 << 20;

pub(super) fn check(scene: &Scene, found: &mut Findings) {
    worktrees(scene, found);
    not_registered(scene, found);
    let records = tail(&place::audit(&scene.home.state));
    rewritten(&records, found);
    not_called(scene, &records, found);
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

/// What the journal holds of real sessions, newest last.
fn tail(file: &Path) -> Vec<Value> {
    let read = |file: std::fs::File| append::tail(&file, file.metadata()?.len(), TAIL);
    let bytes = std::fs::File::open(file).and_then(read).unwrap_or_default();
    let records = bytes.split(|b| *b == b'\n').filter_map(|l| serde_json::from_slice(l).ok());
    records.filter(|r: &Value| !r["session"].as_str().is_some_and(probe::is)).collect()
}

/// What ran was not what was decided: somebody else's hook changed it in between.
fn rewritten(records: &[Value], found: &mut Findings) {
    let broken = |r: &&Value| r["type"] == "tool/result" && r["sealed"] == "broken";
    let calls: Vec<&Value> = records.iter().filter(broken).collect();
    let Some(last) = calls.last() else { return };
    let word = |key: &str| last[key].as_str().unwrap_or("?").to_owned();
    found.add(
        Finding::new(
            "foreign-rewrite",
            format!("{} calls ran with another input than was decided on", calls.len()),
        )
        .see(format!(
            "last: {} in session {} (call {})",
            word("tool"),
            word("session"),
            word("call")
        ))
        .fix("look for a hook that returns `updatedInput`: `harness doctor foreign-hooks`"),
    );
}

/// Sessions with tool calls of which no hook of ours was ever told.
fn not_called(scene: &Scene, records: &[Value], found: &mut Findings) {
    let Some(since) = scene.manifest().map(|m| m.installed_at).filter(|at| *at > 0) else { return };
    let known: BTreeSet<&str> = records.iter().filter_map(|r| r["session"].as_str()).collect();
    let folder = config_dir(&scene.around.home, scene.around.config_dir.as_deref())
        .join("projects")
        .join(slug(&scene.around.cwd));
    let mut silent = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let Some(id) = path.file_stem().map(|s| s.to_string_lossy().into_owned()) else { continue };
        if path.extension().is_some_and(|e| e == "jsonl")
            && !known.contains(id.as_str())
            && !probe::is(&id)
        {
            silent.extend(called(&path, since).map(|began| (id, began)));
        }
    }
    silent.sort();
    for (id, began) in silent {
        let finding = if began < since {
            Finding::new("not-called", "sessions that began before the install go on without our hooks")
                .kind("older")
                .status(Status::Warn)
                .fix("restart these sessions: a client reads new hooks when it starts, or when you open `/hooks`")
        } else {
            Finding::new(
                "not-called",
                "sessions called tools after the install, and no hook of ours was started",
            )
            .hits(Some(State::Unknown), None)
            .fix("run `harness doctor --live`: it shows whether this client calls them")
        };
        found.add(finding.see(format!("session {id}")));
    }
}

/// When a session began, if it called a tool since.
fn called(transcript: &Path, since: u64) -> Option<u64> {
    let length = std::fs::metadata(transcript).ok()?.len();
    let text = (length < 64 << 20).then(|| std::fs::read_to_string(transcript).ok()).flatten()?;
    let stamp = |line: &str| -> Option<u64> {
        let record: Value = serde_json::from_str(line).ok()?;
        let at: jiff::Timestamp = record["timestamp"].as_str()?.parse().ok()?;
        u64::try_from(at.as_millisecond()).ok()
    };
    let began = text.lines().find_map(stamp)?;
    let uses = text.lines().filter(|l| l.contains("\"tool_use\""));
    uses.filter_map(stamp).any(|at| at > since).then_some(began)
}

/// The client's name for a folder among its transcripts.
fn slug(folder: &Path) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    folder.to_string_lossy().chars().map(plain).collect()
}
