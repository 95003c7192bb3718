//! The same denial under conditions that break hooks: an open input, a bare environment,
//! other scripts, broken input, eight at once.

use super::gate::{denied, pace};
use super::start::{Answer, Setting, Twist, start};
use super::{Part, cause, payload};
use crate::doctor::finding::Finding;
use crate::doctor::handler::Handler;
use crate::sys::spawn::Ending;

/// Copies at once.
const COPIES: usize = 8;
/// Hangul, a dash, an emoji.
const TEXT: &str = "한글 — 😀.";

pub(super) fn probe(setting: Setting<'_>, handler: &Handler, part: &mut Part) {
    let policy = payload::policy(setting, handler);
    let plain = payload::call(setting, "Write", &payload::write(&policy, "probe"));
    let scripts = payload::call(setting, "Write", &payload::write(&policy, TEXT));
    // A lone surrogate, as the client sends it.
    let scripts = replaced(&scripts, ".\"", "\\ud83d.\"");
    let half = plain.get(..plain.len() / 2).unwrap_or_default().to_vec();
    let usual = Twist::default();
    let open = Twist { open_stdin: true, ..usual };
    let bare = Twist { bare: true, ..usual };
    let kinds = [(&plain, open), (&plain, bare), (&scripts, usual), (&half, usual)];
    let run = |payload: &[u8], twist| start(setting, handler, payload, twist);
    let singles: Vec<Answer> = std::thread::scope(|threads| {
        let singles: Vec<_> =
            kinds.iter().map(|(p, t)| threads.spawn(move || run(p, *t))).collect();
        singles.into_iter().filter_map(|r| r.join().ok()).collect()
    });
    let crowd = || -> Vec<Answer> {
        std::thread::scope(|threads| {
            let all: Vec<_> = (0..COPIES).map(|_| threads.spawn(|| run(&plain, usual))).collect();
            all.into_iter().filter_map(|r| r.join().ok()).collect()
        })
    };
    let slowest = |copies: &[Answer]| copies.iter().map(|c| c.ran.took).max();
    let copies = crowd();
    let [open, bare, scripts, half] = singles.as_slice() else { return };
    judge(open, handler, part, hang(open));
    judge(
        bare,
        handler,
        part,
        Finding::new(
            "path-dependent",
            "the hook needs more than the system's search path and the C locale",
        ),
    );
    judge(
        scripts,
        handler,
        part,
        Finding::new("ascii-only", "the hook denies ASCII and fails on other scripts"),
    );
    judge(
        half,
        handler,
        part,
        Finding::new("fails-open", "half a payload is not denied").kind("malformed"),
    );
    for copy in &copies {
        judge(
            copy,
            handler,
            part,
            Finding::new("slow", "of eight at once not all are denied").kind("parallel"),
        );
    }
    if let Some(took) = slowest(&copies) {
        pace(took, handler, part, || slowest(&crowd()));
    }
    part.found.right("slow", format!("{COPIES} at once are denied"));
}

fn hang(answer: &Answer) -> Finding {
    let what = match answer.ran.ending {
        Ending::Timeout => "the hook waits for the end of its input, which a host may leave open",
        _ => "the hook answers otherwise when its input stays open",
    };
    Finding::new("stdin-hang", what)
}

fn judge(answer: &Answer, handler: &Handler, part: &mut Part, otherwise: Finding) {
    if !denied(answer) {
        let mut finding = otherwise.kills("PreToolUse");
        finding.evidence = cause::shown(answer, handler);
        part.found.add(finding);
    }
}

fn replaced(bytes: &[u8], what: &str, with: &str) -> Vec<u8> {
    String::from_utf8_lossy(bytes).replacen(what, with, 1).into_bytes()
}
