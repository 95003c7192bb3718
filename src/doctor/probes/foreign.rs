//! Others' hooks, started with a person's consent: whether they hold up, what they say to
//! pairs of calls, and whether they do what is expected of them. A hook that says nothing
//! has no opinion on these calls; it is dead only where somebody said what it is for.

use super::payload;
use super::start::{Answer, Setting, Twist, start};
use crate::doctor::effective::started;
use crate::doctor::finding::{Finding, Findings};
use crate::doctor::foreign::expect::{Call, Verdict};
use crate::doctor::foreign::{command, owner};
use crate::doctor::handler::Handler;
use crate::doctor::report::Status;
use crate::doctor::scene::Scene;
use crate::doctor::scratch::Scratch;
use crate::hosts::claude_code::decoder::matcher::{Fires, counts, fires};
use crate::hosts::claude_code::decoder::{Decision, ReasonFrom};
use crate::sys::spawn::Ending;
use serde_json::{Value, json};

/// The events at which a hook can send the model back to work.
const ENDS: [&str; 2] = ["Stop", "SubagentStop"];

/// Runs each of them. Payloads name an invented session and a folder that goes.
pub fn run(scene: &Scene, expected: &[Call], found: &mut Findings) {
    let Ok(scratch) = Scratch::new("doctor") else { return };
    let setting = Setting { scene, folder: scratch.path() };
    let all: Vec<Handler> = scene.foreign_active().into_iter().cloned().collect();
    let commands: Vec<&Handler> = all.iter().filter(|h| h.kind == "command").collect();
    for handler in &commands {
        let (sent, answers) = all_of(setting, handler);
        judge(handler, &sent, &answers, found);
    }
    if !commands.is_empty() {
        found.right("foreign-failing", format!("{} hooks of others were run", commands.len()));
    }
    for call in expected {
        expectation(setting, &all, call, found);
    }
}

/// What is asked of a gate: pairs, of which the first of each is what guards are for.
/// Nothing of it is ever executed.
fn pairs(setting: Setting<'_>) -> [(&'static str, Value, bool); 6] {
    let file = |name: &str| setting.folder.join(name);
    [
        ("Bash", json!({ "command": "rm -rf /" }), true),
        ("Bash", json!({ "command": "echo probe" }), false),
        ("Write", payload::write(&file(".env"), "KEY=probe\n"), true),
        ("Write", payload::write(&file("probe.txt"), "probe\n"), false),
        ("Read", json!({ "file_path": file(".env") }), true),
        ("Read", json!({ "file_path": file("probe.txt") }), false),
    ]
}

/// Every payload that this hook would meet, and its answers.
fn all_of(setting: Setting<'_>, handler: &Handler) -> (Vec<Option<(String, bool)>>, Vec<Answer>) {
    let once = |payload: &[u8]| start(setting, handler, payload, Twist::default());
    if handler.event == "PreToolUse" {
        let meets = |tool: &str| {
            let matcher = handler.matcher.as_deref().filter(|_| counts(&handler.event));
            fires(matcher, tool, setting.scene.version) != Fires::No
        };
        let calls: Vec<_> = pairs(setting).into_iter().filter(|(tool, ..)| meets(tool)).collect();
        let answers =
            calls.iter().map(|(tool, input, _)| once(&payload::call(setting, tool, input)));
        let answers = answers.collect();
        let what = |(tool, input, grave): (&str, Value, bool)| {
            let subject = input["command"].as_str().or(input["file_path"].as_str()).unwrap_or("");
            Some((format!("{tool} {subject}"), grave))
        };
        return (calls.into_iter().map(what).collect(), answers);
    }
    let session = payload::session();
    if ENDS.contains(&handler.event.as_str()) {
        let stop = |again| once(&payload::stop(setting, &handler.event, &session, again));
        return (vec![None, None], vec![stop(false), stop(true)]);
    }
    let payload = match handler.event.as_str() {
        "SessionStart" => payload::opening(setting, &session),
        "PostToolUse" => {
            let result =
                json!({ "stdout": "probe", "stderr": "", "interrupted": false, "isImage": false });
            payload::result(setting, "echo probe", &result)
        }
        event => payload::soft(setting, event, &session),
    };
    (vec![None], vec![once(&payload)])
}

fn judge(
    handler: &Handler,
    sent: &[Option<(String, bool)>],
    answers: &[Answer],
    found: &mut Findings,
) {
    let who = || format!("{} ({}): {}", handler.place(), owner(handler), command(handler));
    if let Some((why, answer)) = answers.iter().find_map(|a| Some((failed(a)?, a))) {
        let said = answer.ran.stderr.get(..answer.ran.stderr.len().min(200)).unwrap_or_default();
        let mut finding = Finding::new("foreign-failing", "hooks of others fail when they are run")
            .see(format!("{}: {why}", who()))
            .fix("mend or remove them in the file named; harness never changes what isn't its own");
        if !said.is_empty() {
            finding = finding.see(format!("stderr: {}", said.escape_ascii()));
        }
        found.add(finding);
        return;
    }
    if ENDS.contains(&handler.event.as_str()) {
        ends(handler, answers, found);
    }
    if handler.event != "PreToolUse" {
        return;
    }
    let of = |grave: bool| -> Vec<&str> {
        let both = sent.iter().zip(answers).filter_map(|(s, a)| Some((s.as_ref()?, a)));
        let stopped = both.filter(|((_, g), a)| *g == grave && verdict(a) == Verdict::Deny);
        stopped.map(|((what, _), _)| what.as_str()).collect()
    };
    let (grave, harmless) = (of(true), of(false));
    let opinion = match (grave.as_slice(), harmless.as_slice()) {
        ([], []) => "no opinion on our probes".to_owned(),
        (grave, []) => format!("denies {}", grave.join(", ")),
        (_, harmless) => format!("denies harmless calls: {}", harmless.join(", ")),
    };
    if harmless.is_empty() {
        found.add(
            Finding::new("foreign-opinion", "what hooks of others say to our probes")
                .kind("said")
                .status(Status::Note)
                .see(format!("{}: {opinion}", who())),
        );
    } else {
        found.add(
            Finding::new("foreign-opinion", "a hook of others denies harmless calls")
                .see(format!("{}: {opinion}", who()))
                .fix("if it should, say so with `--expect`; else mend it"),
        );
    }
}

/// Whether it sends the model back to work when that is already at work because of it: the
/// second of the two that were asked.
fn ends(handler: &Handler, answers: &[Answer], found: &mut Findings) {
    let who = format!("{} ({}): {}", handler.place(), owner(handler), command(handler));
    // `continue: false` ends the turn, so that is no loop.
    let sends_back = |a: &Answer| matches!(&a.decoded.decision, Decision::Denied { from, .. } if *from != ReasonFrom::OnFailure);
    match answers.get(1) {
        Some(again) if sends_back(again) => found.add(
            Finding::new("stop-loop", "a hook of others never lets a turn end")
                .see(format!("{who}: blocks {} with `stop_hook_active: true`", handler.event))
                .fix("let it pass, in the file named, when `stop_hook_active` is true"),
        ),
        Some(_) => found.right("stop-loop", format!("{who}: blocks once at most")),
        None => {}
    }
}

/// Why a client would have got nothing from it.
fn failed(answer: &Answer) -> Option<String> {
    match &answer.ran.ending {
        Ending::NotStarted(why) => Some(format!("can't be started: {why}")),
        Ending::Timeout => Some(format!("no answer in {:.1?}", answer.ran.took)),
        Ending::Signal(signal) => Some(format!("killed by signal {signal}")),
        Ending::Exit(0 | 2) => None,
        Ending::Exit(code) => Some(format!("exit code {code}, which stops nothing")),
    }
}

fn verdict(answer: &Answer) -> Verdict {
    match &answer.decoded.decision {
        Decision::Denied { from, .. } if *from != ReasonFrom::OnFailure => Verdict::Deny,
        Decision::Stopped => Verdict::Deny,
        Decision::Asked(_) => Verdict::Ask,
        _ => Verdict::None,
    }
}

/// What the hooks that a call meets make of it together: the strictest word wins.
fn expectation(setting: Setting<'_>, all: &[Handler], call: &Call, found: &mut Findings) {
    let occasion = started(all, "PreToolUse", &call.tool, setting.scene.version);
    let meant = |h: &&&Handler| {
        h.kind == "command" && call.hook.as_ref().is_none_or(|words| h.shown().contains(words))
    };
    let hooks: Vec<&&Handler> = occasion.started.iter().filter(meant).collect();
    let sent = payload::call(setting, &call.tool, &call.input);
    let mut got = Verdict::None;
    let mut seen = Vec::new();
    for handler in &hooks {
        let answer = start(setting, handler, &sent, Twist::default());
        let said = verdict(&answer);
        let why = failed(&answer).map(|why| format!(" ({why})")).unwrap_or_default();
        seen.push(format!(
            "{} ({}): {}{why}: {}",
            handler.place(),
            owner(handler),
            word(said),
            command(handler)
        ));
        got = got.max(said);
    }
    let input = call.input.to_string();
    let what = format!("{} {}", call.tool, input.chars().take(120).collect::<String>());
    if got == call.expect {
        found.right("foreign-gate", format!("{}: {what}", word(got)));
        return;
    }
    let message = match (call.expect, hooks.is_empty()) {
        (_, true) => "no hook of others meets a call that one should judge",
        (Verdict::None, _) => "a hook of others stops a call that it should let through",
        _ => "hooks of others let a call through that they should stop",
    };
    let mut finding = Finding::new("foreign-gate", message)
        .kind(if call.expect == Verdict::None { "stops" } else { "open" })
        .see(format!("{what}: expected {}, got {}", word(call.expect), word(got)))
        .fix("mend the hook in the file named, or what is expected of it");
    finding.evidence.extend(seen);
    found.add(finding);
}

const fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::None => "no objection",
        Verdict::Ask => "ask",
        Verdict::Deny => "deny",
    }
}
