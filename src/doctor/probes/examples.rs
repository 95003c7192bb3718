//! Every rule's own examples, sent through the registered gate: what its author promised
//! is what the client would get.

use super::gate::denied;
use super::start::{Answer, Setting, Twist, start};
use super::{Part, cause, payload};
use crate::doctor::finding::Finding;
use crate::doctor::handler::Handler;
use crate::doctor::report::Status;
use crate::hosts::claude_code::decoder::Decision;
use crate::policy::check;
use crate::policy::model::{Rule, Say};
use serde_json::Value;
use std::collections::VecDeque;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Examples sent, at most.
const MOST: usize = 200;
/// Time spent on them, at most.
const BUDGET: Duration = Duration::from_secs(4);
/// Sent at once.
const LANES: usize = 4;

/// One example of one rule.
struct Example {
    rule: String,
    place: String,
    text: String,
    must_match: bool,
    say: Say,
    tool: String,
    input: Value,
}

pub(super) fn probe(setting: Setting<'_>, handler: &Handler, part: &mut Part) {
    let (mut waiting, mut unsent) = (VecDeque::new(), 0);
    for loaded in setting.scene.policy.layers() {
        let Some(Ok(file)) = loaded.flat().map(crate::policy::flat::Flat::all) else { continue };
        for rule in &file.rules {
            let place = format!("{}:{}", loaded.path.display(), rule.line);
            let examples = of(rule, &place, setting);
            if leaves_no_word(rule) || waiting.len() + examples.len() > MOST {
                unsent += examples.len();
            } else {
                waiting.extend(examples);
            }
        }
    }
    let all = waiting.len();
    let (broken, left) = send(setting, handler, waiting);
    let sent = all - left;
    for (example, answer) in &broken {
        part.found.add(finding(example, answer, handler));
    }
    if unsent + left > 0 {
        let message = format!(
            "{} examples of your rules were not sent: {LANES} at once for {} s and {MOST} in all are the limit, and of rules that allow, or with `run` or `branch`, the gate's answer shows nothing",
            unsent + left,
            BUDGET.as_secs()
        );
        let unsent = Finding::new("policy-bad", message).kind("unsent").status(Status::Note);
        part.found.add(unsent.fix("`harness policy check` tries all of them in one process"));
    }
    if sent > 0 && broken.is_empty() {
        part.found
            .right("policy-bad", format!("{sent} examples of your rules are answered as promised"));
    }
}

/// A program's word or a branch is not in the call, so an example promises nothing of it;
/// and whether a call passed by this allow or by nobody's word the answer doesn't say.
fn leaves_no_word(rule: &Rule<'_>) -> bool {
    rule.run.is_some() || !rule.when.branch.is_empty() || rule.say == Say::Allow
}

fn of(rule: &Rule<'_>, place: &str, setting: Setting<'_>) -> Vec<Example> {
    let cwd = setting.scene.around.cwd.to_string_lossy();
    let one = |text: &&str, must_match: bool| {
        let call = check::call(text, &rule.when, &cwd);
        let mut input = Vec::new();
        call.input().write(&mut input);
        Example {
            rule: rule.id.to_owned(),
            place: place.to_owned(),
            text: (*text).to_owned(),
            must_match,
            say: rule.say,
            tool: call.tool().to_owned(),
            input: serde_json::from_slice(&input).unwrap_or_default(),
        }
    };
    let matches = rule.matches.iter().map(|t| one(t, true));
    matches.chain(rule.passes.iter().map(|t| one(t, false))).collect()
}

/// Sends them; the ones answered otherwise, and how many time ran out for.
fn send(
    setting: Setting<'_>,
    handler: &Handler,
    waiting: VecDeque<Example>,
) -> (Vec<(Example, Answer)>, usize) {
    let until = Instant::now() + BUDGET;
    let (waiting, broken) = (Mutex::new(waiting), Mutex::new(Vec::new()));
    let next = || waiting.lock().ok().and_then(|mut w| w.pop_front());
    std::thread::scope(|threads| {
        for _ in 0..LANES {
            threads.spawn(|| {
                while Instant::now() < until {
                    let Some(example) = next() else { break };
                    let payload = payload::call(setting, &example.tool, &example.input);
                    let answer = start(setting, handler, &payload, Twist::default());
                    if !kept(&example, &answer)
                        && let Ok(mut broken) = broken.lock()
                    {
                        broken.push((example, answer));
                    }
                }
            });
        }
    });
    let left = waiting.into_inner().map_or(0, |w| w.len());
    let mut broken = broken.into_inner().unwrap_or_default();
    broken.sort_by(|(a, _), (b, _)| (&a.place, &a.text).cmp(&(&b.place, &b.text)));
    (broken, left)
}

/// Whether the promise is kept. Another rule may be stricter; none may be laxer.
fn kept(example: &Example, answer: &Answer) -> bool {
    let spoke = match &answer.decoded.decision {
        Decision::Denied { reason, .. } | Decision::Asked(reason) => {
            reason.contains(&format!("rule {}]", example.rule))
                || reason.contains(&format!("rule {},", example.rule))
        }
        _ => false,
    };
    match (example.must_match, example.say) {
        (false, _) => !spoke,
        (true, Say::Deny) => denied(answer),
        (true, Say::Ask) => denied(answer) || matches!(answer.decoded.decision, Decision::Asked(_)),
        (true, Say::Allow) => false,
    }
}

fn finding(example: &Example, answer: &Answer, handler: &Handler) -> Finding {
    let promised = match (example.must_match, example.say) {
        (false, _) => "let through by this rule",
        (true, Say::Deny) => "denied",
        (true, Say::Ask) => "asked about",
        (true, Say::Allow) => "allowed",
    };
    let got = match &answer.decoded.decision {
        Decision::Denied { .. } => "denied",
        Decision::Asked(_) => "asked about",
        Decision::Allowed => "allowed",
        _ => "let through",
    };
    let (rule, text) = (&example.rule, &example.text);
    let mut finding = Finding::new("policy-bad", "the gate answers otherwise than rules promise")
        .kind("example")
        .see(format!("{} `{rule}`: `{text}` must be {promised}, and is {got}", example.place))
        .fix("run `harness explain` on the example: it names the rule that decides");
    if let Some(said) = cause::shown(answer, handler).into_iter().find(|l| l.starts_with("stderr"))
    {
        finding = finding.see(said);
    }
    finding
}
