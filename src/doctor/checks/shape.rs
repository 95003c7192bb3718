//! What is unusual about the files themselves: marks, doubled keys, links, rights.

use super::files::lost;
use crate::doctor::effective::{File, FileState};
use crate::doctor::finding::{Finding, Findings};
use crate::doctor::report::Status;
use crate::doctor::scene::Scene;
use crate::hosts::claude_code::places::Scope;
use crate::settings::syntax::{self, Member, Node, Value};
use crate::sys::fs;
use std::collections::HashMap;
use std::path::Path;

/// The most keys that are named.
const MOST: usize = 50;

pub(super) fn check(scene: &Scene, found: &mut Findings) {
    for file in &scene.files {
        links(scene, file, found);
        if matches!(file.state, FileState::Absent) {
            continue;
        }
        if file.bytes.starts_with(b"\xEF\xBB\xBF") {
            let shown = scene.around.shown(&file.path);
            found.add(
                Finding::new("bom", format!("{shown} begins with a byte-order mark"))
                    .see(format!("{shown}:1:1"))
                    .fix("save it as UTF-8 without one: other readers of the file refuse it"),
            );
        }
        doubled(scene, file, found);
        if file.scope != Scope::Managed {
            rights(scene, file, found);
        }
    }
}

/// Of two equal keys the client reads the last; the other one looks as if it counted.
fn doubled(scene: &Scene, file: &File, found: &mut Findings) {
    let Ok(text) = std::str::from_utf8(&file.bytes) else { return };
    let Ok(root) = syntax::parse(text) else { return };
    let mut lines = Vec::new();
    let mut more = 0;
    pairs(&root, "", &mut |path, first, last| {
        if lines.len() == MOST {
            more += 1;
            return;
        }
        let line = |member: &Member| syntax::line_column(text, member.key_span.start).0;
        lines.push(format!(
            "`{path}` on line {} is dropped, the one on line {} is read",
            line(first),
            line(last)
        ));
    });
    if lines.is_empty() {
        return;
    }
    let shown = scene.around.shown(&file.path);
    let what = format!("{shown} has a key twice, and the client reads only the last");
    let mut finding = lost(scene, file, Finding::new("duplicate-key", what));
    if finding.gate.is_none() && finding.soft.is_none() {
        finding = finding.status(Status::Warn);
    }
    for line in lines {
        finding = finding.see(format!("{shown}: {line}"));
    }
    if more > 0 {
        finding = finding.see(format!("{shown}: and {more} more"));
    }
    found.add(finding.fix("join the two by hand, then run `harness install`"));
}

fn pairs(node: &Node, path: &str, say: &mut dyn FnMut(&str, &Member, &Member)) {
    let Value::Object(members) = &node.value else { return };
    let last: HashMap<&str, &Member> = members.iter().map(|m| (m.key.as_str(), m)).collect();
    for member in members {
        let here =
            if path.is_empty() { member.key.clone() } else { format!("{path}.{}", member.key) };
        if let Some(last) = last.get(member.key.as_str()).filter(|l| !std::ptr::eq(**l, member)) {
            say(&here, member, last);
        }
        // Deeper than the events stand the entries, which are read as they are.
        if path.is_empty() && member.key == "hooks" {
            pairs(&member.value, &here, say);
        }
    }
}

fn links(scene: &Scene, file: &File, found: &mut Findings) {
    let shown = scene.around.shown(&file.path);
    let was = scene.manifest().and_then(|m| m.record(&file.path)).and_then(|r| r.link.clone());
    let Ok(target) = std::fs::read_link(&file.path) else {
        if let Some(was) = was.filter(|_| file.path.exists()) {
            found.add(
                Finding::new(
                    "link-lost",
                    format!("{shown} was a link and is a file of its own now"),
                )
                .see(format!("{shown} led to {}", was.display()))
                .fix("move its content to where the link led, and link it again"),
            );
        }
        return;
    };
    let chain = format!("{shown} -> {}", target.display());
    if !file.path.exists() {
        let finding = Finding::new("link-dangling", format!("{shown} is a link to nothing"))
            .see(chain)
            .fix("make the file it leads to, or take the link away");
        found.add(lost(scene, file, finding));
    } else if let Ok(real) = file.path.canonicalize()
        && is_kept_from_writing(&real)
    {
        found.add(
            Finding::new("link-readonly", format!("{shown} leads to a file nobody may write"))
                .see(chain)
                .see(real.display().to_string())
                .fix("add the hooks where that file is made; `harness install --dry-run` prints them"),
        );
    }
}

fn rights(scene: &Scene, file: &File, found: &mut Findings) {
    let shown = scene.around.shown(&file.path);
    if fs::others_may_write(&file.path) {
        found.add(
            Finding::new("settings-too-open", format!("every user may write {shown}"))
                .see(file.path.display().to_string())
                .fix(format!("chmod o-w {shown}")),
        );
    }
    if !file.path.is_symlink() && is_kept_from_writing(&file.path) {
        found.add(
            Finding::new("settings-readonly", format!("{shown} may not be written"))
                .see("install, update and `--fix` can't change it")
                .fix("`harness install --dry-run` prints what to put there"),
        );
    }
}

/// By its mode or its folder's: root is refused by neither, and still should not.
fn is_kept_from_writing(path: &Path) -> bool {
    let readonly = |p: &Path| std::fs::metadata(p).is_ok_and(|m| m.permissions().readonly());
    readonly(path) || path.parent().is_some_and(readonly)
}
