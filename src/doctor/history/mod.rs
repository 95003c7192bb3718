//! What real sessions show: the client's own transcripts, held against the journal, in
//! which every call that a hook of ours was told of has left its mark.

mod judge;
mod transcripts;

use super::finding::Findings;
use super::scene::Scene;
use crate::hosts::claude_code::places::{Scope, config_dir};
use crate::journal::{place, probe};
use crate::sys::append;
use serde_json::Value;
use std::path::Path;

/// How much of the journal's end is read.
const TAIL: u64 = 4 << 20;

/// Reads the newest transcripts, a part of each, and says what is in them.
pub(super) fn check(scene: &Scene, found: &mut Findings) {
    let records = journal(&place::audit(&scene.home.state));
    judge::rewritten(&records, found);
    judge::untrusted(scene, found);
    let Some(since) = scene.manifest().map(|m| m.installed_at).filter(|at| *at > 0) else { return };
    let folder =
        config_dir(&scene.around.home, scene.around.config_dir.as_deref()).join("projects");
    // What is in one project's files says nothing of another's sessions.
    let narrow = |s: Scope| matches!(s, Scope::Project | Scope::Local);
    let own = scene.own();
    let only =
        (!own.is_empty() && own.iter().all(|h| narrow(h.scope))).then_some(&scene.around.cwd);
    let mut sessions = transcripts::newest(&folder, only.map(|cwd| transcripts::slug(cwd)), since);
    sessions.retain(|s| !probe::is(&s.id));
    judge::not_called(&sessions, &records, since, found);
    let lines: Vec<String> = own.iter().map(|h| h.shown()).collect();
    judge::errors(&sessions, &lines, since, found);
    judge::context(&sessions, &lines, since, found);
    judge::subagents(&sessions, &records, since, found);
}

/// What the journal holds of real sessions, newest last.
fn journal(file: &Path) -> Vec<Value> {
    let tail = append::to_read(file).and_then(|(log, size)| append::tail(&log, size, TAIL));
    let bytes = tail.unwrap_or_default();
    let records = bytes.split(|b| *b == b'\n').filter_map(|l| serde_json::from_slice(l).ok());
    records.filter(|r: &Value| !r["session"].as_str().is_some_and(probe::is)).collect()
}
