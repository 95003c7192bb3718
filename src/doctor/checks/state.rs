//! harness's own files: what a killed run left, locks that are held, a log that is damaged.

use crate::doctor::finding::{Finding, Findings};
use crate::doctor::report::Status;
use crate::doctor::scene::Scene;
use crate::hook::limits;
use crate::install::manifest;
use crate::journal::{audit, authority, place};
use crate::sys::{append, fs};
use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How much of a log's end is read.
const TAIL: u64 = 1 << 20;
/// A log beyond this was not put aside as it should be.
const LARGE: u64 = 128 << 20;
/// A hook's turn at a log is far shorter.
const PATIENCE: Duration = Duration::from_millis(150);

pub(super) fn check(scene: &Scene, found: &mut Findings) {
    leftovers(scene, found);
    let log = place::audit(&scene.home.state);
    if damage(scene, &log, found) {
        held(scene, &log, found);
    }
    choices(scene, found);
    let own = manifest::path(&scene.around.harness);
    held(scene, &own.with_file_name("install.lock"), found);
}

/// Beside our programs and the settings.
fn leftovers(scene: &Scene, found: &mut Findings) {
    let programs: BTreeSet<PathBuf> =
        scene.own().into_iter().filter_map(|h| scene.program(h)).collect();
    let mut left = BTreeSet::new();
    for file in programs.iter().chain(scene.files.iter().map(|f| &f.path)) {
        let (Some(folder), Some(name)) = (file.parent(), file.file_name()) else { continue };
        let name = name.to_string_lossy();
        left.extend(fs::leftovers(folder, &[&name]));
        if programs.contains(file) {
            left.extend(old(folder, &name));
        }
    }
    if left.is_empty() {
        return;
    }
    let mut finding = Finding::new("update-leftover", "an interrupted run left files behind")
        .fix("delete them: nothing reads them");
    for path in left {
        finding = finding.see(path.display().to_string());
    }
    found.add(finding);
}

/// What an update renamed the old program to.
fn old(folder: &Path, name: &str) -> Vec<PathBuf> {
    let stem = name.strip_suffix(".exe").unwrap_or(name);
    let is_old = |n: &str| [name, stem].iter().any(|s| n.starts_with(&format!("{s}.old-")));
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter(|e| is_old(&e.file_name().to_string_lossy())).map(|e| e.path()).collect()
}

/// What is wrong with the audit journal; whether it is a file that can be opened.
fn damage(scene: &Scene, log: &Path, found: &mut Findings) -> bool {
    let shown = scene.around.shown(log);
    // Never opened before it is known to be a file: a pipe would hold us.
    let readonly = |p: &Path| std::fs::metadata(p).is_ok_and(|m| m.permissions().readonly());
    let refusal =
        audit::refusal(log).or_else(|| readonly(log).then(|| "it may not be written".to_owned()));
    if let Some(why) = refusal {
        found.add(
            Finding::new("log-unwritable", format!("nothing is written down: {shown}: {why}"))
                .see(shown)
                .fix("move it away, or make it writable: verdicts do not depend on it"),
        );
        return false;
    }
    let Ok(meta) = std::fs::metadata(log) else { return false };
    if fs::others_may_read(log) {
        found.add(
            Finding::new("log-damaged", format!("others may read {shown}"))
                .kind("open")
                .see(shown.clone())
                .fix(format!("chmod 600 {shown}")),
        );
    }
    if meta.len() > LARGE {
        found.add(
            Finding::new("log-damaged", format!("{shown} has {} MiB", meta.len() >> 20))
                .kind("large")
                .see(shown.clone())
                .fix("move it away: harness begins another"),
        );
    }
    let tail = append::to_read(log).and_then(|(file, size)| append::tail(&file, size, TAIL));
    let tail = tail.unwrap_or_default();
    let whole: &[u8] = if meta.len() > TAIL {
        let begin = tail.iter().position(|b| *b == b'\n').map_or(tail.len(), |at| at + 1);
        tail.get(begin..).unwrap_or_default()
    } else {
        &tail
    };
    let lines = whole.split(|b| *b == b'\n').filter(|l| !l.is_empty());
    let bad = lines.filter(|l| serde_json::from_slice::<serde_json::Value>(l).is_err()).count();
    if bad > 0 {
        found.add(
            Finding::new("log-damaged", format!("{bad} lines of {shown} can't be read"))
                .kind("lines")
                .see(shown)
                .fix("`harness log verify` names them; what comes after them is whole"),
        );
    }
    true
}

/// What a person chose for new sessions, and said of silence.
fn choices(scene: &Scene, found: &mut Findings) {
    let state = &scene.home.state;
    let file = place::person(state);
    if let Some(damage) = authority::damage(&file, limits::AUTHORITY) {
        let place = damage.place(&scene.around.shown(&file));
        let effect = if damage.counts {
            "so new sessions are held to the strictest: read-only, and nobody is asked"
        } else {
            "and what is said behind it holds"
        };
        let finding = Finding::new("choice-damaged", format!("{place}: {}, {effect}", damage.why));
        let finding = if damage.counts { finding } else { finding.status(Status::Warn) };
        let anew = "`harness knob sandbox …` and `harness knob approval …` set both anew";
        found.add(finding.see(place).fix(match damage.line {
            0 => format!("make it a file that you can read, or move it away; then {anew}"),
            _ => anew.to_owned(),
        }));
    }
    let file = place::off(state);
    if let Some(damage) = authority::damage(&file, limits::AUTHORITY) {
        let place = damage.place(&scene.around.shown(&file));
        found.add(
            Finding::new("choice-damaged", format!("{place}: {}", damage.why))
                .kind("off")
                .status(Status::Warn)
                .see(place)
                .fix("`harness off --end` or `harness off --for …` says anew what holds"),
        );
    }
    let folder = state.join("sessions");
    let readable = std::fs::read_dir(&folder).map(drop);
    let absent = |e: &std::io::Error| e.kind() == std::io::ErrorKind::NotFound;
    if let Err(error) = readable
        && (!absent(&error) || folder.is_symlink())
    {
        let shown = scene.around.shown(&folder);
        found.add(
            Finding::new(
                "choice-damaged",
                format!("{shown}: {error}, so every session is held to the strictest"),
            )
            .kind("sessions")
            .see(shown)
            .fix("make it a folder that is yours, or move it away"),
        );
    }
}

/// Somebody stopped in the middle keeps a lock.
fn held(scene: &Scene, file: &Path, found: &mut Findings) {
    if !std::fs::metadata(file).is_ok_and(|m| m.is_file()) {
        return;
    }
    let Ok(handle) = File::open(file) else { return };
    let since = Instant::now();
    while matches!(handle.try_lock(), Err(std::fs::TryLockError::WouldBlock)) {
        if since.elapsed() > PATIENCE {
            let shown = scene.around.shown(file);
            found.add(
                Finding::new("lock-held", format!("a process keeps the lock of {shown}"))
                    .see(format!("{shown}: `lsof {shown}` names the process"))
                    .fix("end that process; hooks answer without it, install waits for it"),
            );
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}
