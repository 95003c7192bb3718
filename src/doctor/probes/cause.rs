//! Why an answer didn't do what it should: the root, from how the process ended and what
//! it said.

use super::start::Answer;
use crate::doctor::finding::Finding;
use crate::doctor::handler::Handler;
use crate::hosts::claude_code::decoder::shape::Broken;
use crate::hosts::claude_code::decoder::{Decision, Shape};
use crate::hosts::claude_code::places::Os;
use crate::sys::spawn::Ending;

/// Why a call that must be denied was not.
pub(super) fn of_gate(answer: &Answer, handler: &Handler) -> Finding {
    if let Some(finding) = of_process(answer, handler) {
        return finding;
    }
    if handler.asynchronous {
        return Finding::new(
            "fails-open",
            "the gate runs with `async`, so its answer decides nothing",
        )
        .kind("async");
    }
    let deny = Finding::new("deny-shape", "the hook's denial has a shape that the client drops");
    match (&answer.decoded.decision, &answer.decoded.shape) {
        (Decision::Allowed, _) => {
            return Finding::new("fails-open", "a call that must be denied is allowed")
                .kind("allowed");
        }
        (Decision::Asked(_), _) => {
            return Finding::new("fails-open", "a call that must be denied is asked about")
                .kind("asked");
        }
        (_, Shape::NoiseBefore | Shape::NoiseAfter | Shape::Broken(Broken::TwoDocuments)) => {
            return noise(answer);
        }
        (_, Shape::Broken(broken)) => return deny.kind(shape(broken)),
        _ => {}
    }
    let (stdout, stderr) = (&answer.ran.stdout, &answer.ran.stderr);
    match answer.ran.ending {
        Ending::Exit(0) => {}
        Ending::Exit(code) => {
            let what =
                format!("the hook exits {code} on a call it must deny, and the client lets it run");
            return Finding::new("fails-open", what).kind(format!("exit-{code}"));
        }
        _ => {}
    }
    if has(stderr, b"\"deny\"") || has(stderr, b"\"block\"") {
        deny.kind("stderr")
    } else if has(stdout, b"\"deny\"") || has(stdout, b"\"block\"") {
        deny.kind("flat")
    } else if answer.decoded.shape == Shape::Text {
        deny.kind("text")
    } else {
        Finding::new("inert", "the hook says nothing where it must speak")
    }
}

/// Why the nonce isn't in the context.
pub(super) fn of_soft(answer: &Answer, handler: &Handler, nonce: &str) -> Finding {
    if let Some(finding) = of_process(answer, handler) {
        return finding;
    }
    let nonce = nonce.as_bytes();
    let shaped = Finding::new("context-shape", "context stands where the client doesn't read it");
    if answer.decoded.cut {
        return Finding::new(
            "context-too-big",
            "context is over the client's limit, so only its head arrives",
        );
    }
    match (&answer.decoded.shape, &answer.ran.ending) {
        (Shape::Broken(Broken::TwoDocuments), _) => return noise(answer),
        (Shape::Broken(broken), _) => return shaped.kind(shape(broken)),
        (_, Ending::Exit(code)) if *code != 0 => {
            let what = format!(
                "the hook exits {code} at the start of a session, so its context is dropped"
            );
            return Finding::new("context-shape", what).kind(format!("exit-{code}"));
        }
        _ => {}
    }
    if has(&answer.ran.stderr, nonce) {
        shaped.kind("stderr")
    } else if has(&answer.ran.stdout, nonce) {
        shaped.kind("place")
    } else if answer.decoded.context.is_some() {
        Finding::new("context-shape", "context arrives, but not the status line of this session")
            .kind("no-nonce")
    } else {
        Finding::new("inert", "the hook says nothing where it must speak")
    }
}

/// A process that never got as far as an answer.
fn of_process(answer: &Answer, handler: &Handler) -> Option<Finding> {
    match &answer.ran.ending {
        Ending::NotStarted(why) => Some(
            Finding::new("not-startable", format!("the hook can't be started: {why}"))
                .kind("spawn"),
        ),
        Ending::Timeout => Some(
            Finding::new(
                "slow",
                "the hook was killed at its time limit, and the client lets the call run",
            )
            .kind("timeout")
            .see(format!(
                "limit {:?}, registered {:?}",
                super::start::limit(handler),
                handler.limit()
            )),
        ),
        Ending::Signal(9) if answer.os == Os::MacOs && answer.ran.written == 0 => Some(
            Finding::new("killed-at-start", "the system kills the hook as it starts")
                .see("macOS does so with what is quarantined, or not signed as it was")
                .fix("`xattr -d com.apple.quarantine` takes the mark off; else install it again"),
        ),
        Ending::Signal(signal) => Some(
            Finding::new(
                "fails-open",
                format!("the hook is killed by signal {signal}, and the client goes on"),
            )
            .kind(format!("signal-{signal}")),
        ),
        Ending::Exit(code @ (126 | 127)) if handler.args.is_none() => Some(
            Finding::new("not-startable", format!("the shell can't start the hook (exit {code})"))
                .kind("shell"),
        ),
        Ending::Exit(_) => None,
    }
}

/// What is wrong with an answer that does what it should.
pub(super) fn beside(answer: &Answer, handler: &Handler) -> Vec<Finding> {
    let mut all = Vec::new();
    if let Some(who) = &answer.ran.held {
        let what = "a process that the hook started holds its output open after its end";
        all.push(
            Finding::new("stdout-held", what)
                .see(format!("{}: held by `{who}`", handler.place()))
                .fix("start it with its output sent elsewhere: `… >/dev/null 2>&1 &`"),
        );
    }
    let control = |b: &u8| b.is_ascii_control() && !matches!(b, b'\n' | b'\r' | b'\t');
    let stdout = &answer.ran.stdout;
    if stdout.iter().any(control) || std::str::from_utf8(stdout).is_err() {
        let mut finding =
            Finding::new("bad-bytes", "control bytes or invalid UTF-8 stand in the answer");
        finding.evidence = shown(answer, handler);
        all.push(finding.fix("print JSON alone, with its escapes, and no colours"));
    }
    all
}

/// Something stands around the JSON.
pub(super) fn noise(answer: &Answer) -> Finding {
    let (kind, what) = match answer.decoded.shape {
        Shape::NoiseBefore => {
            ("before", "text stands before the hook's JSON, so the client reads all of it as text")
        }
        Shape::NoiseAfter => {
            ("after", "text stands after the hook's JSON, so the client reads all of it as text")
        }
        _ => ("two-documents", "the hook prints more than one JSON document"),
    };
    Finding::new("stdout-noise", what).kind(kind)
}

fn shape(broken: &Broken) -> &'static str {
    match broken {
        Broken::Syntax => "not-json",
        Broken::TwoDocuments => "two-documents",
        Broken::NoEventName => "no-event-name",
        Broken::WrongEventName(_) => "wrong-event",
        Broken::Word(..) => "wrong-word",
        Broken::Type(_) => "wrong-type",
    }
}

fn has(bytes: &[u8], what: &[u8]) -> bool {
    !what.is_empty() && bytes.windows(what.len()).any(|w| w == what)
}

/// The command, how it ended and what it said, for people.
pub(super) fn shown(answer: &Answer, handler: &Handler) -> Vec<String> {
    let ended = match &answer.ran.ending {
        Ending::Exit(code) => format!("exit {code}"),
        Ending::Signal(signal) => format!("signal {signal}"),
        Ending::Timeout => "killed at the limit".to_owned(),
        Ending::NotStarted(why) => format!("not started: {why}"),
    };
    let mut lines = vec![
        handler.place(),
        format!("command: {}", handler.shown()),
        format!("{ended} after {} ms", answer.ran.took.as_millis()),
    ];
    for (name, bytes) in [("stdout", &answer.ran.stdout), ("stderr", &answer.ran.stderr)] {
        if !bytes.is_empty() {
            let head = bytes.get(..bytes.len().min(200)).unwrap_or_default();
            lines.push(format!("{name}: {}", head.escape_ascii()));
        }
    }
    lines
}
