//! PreToolUse: decide, ask who can be asked, answer.

use harness_core::knobs::ApprovalPolicy;
use harness_core::knobs::value::Knob;
use harness_core::verdict::VerdictView;
use harness_core::{Reason, ToolCall};
use std::env;

use super::answer::Answer;
use super::approvals::{Notes, Question};
use super::context;
use super::grants;
use super::knobs;
use super::off;
use super::scene::Scene;
use super::seal;
use super::surroundings;
use super::trouble::{Trouble, station};
use crate::home::Home;
use crate::hosts::claude_code::ask::Channel;
use crate::hosts::{Decision, EventName, Inbound, Outbound, Version};
use crate::journal::record::Record;
use crate::journal::{audit, place, redact};
use crate::policy::Ruling;

/// The arguments searched for secrets that a reason must not repeat, in bytes.
const SEARCHED: usize = 64 << 10;

/// Answers a call that is about to run.
///
/// # Errors
/// A station that failed: a denial.
pub fn answer(
    home: &Home,
    client: Version,
    inbound: &Inbound<'_>,
    call: &ToolCall<'_>,
) -> Result<Answer, Trouble> {
    let scene = Scene::look(home, inbound);
    let policy = scene.policy(home)?;
    let knobs = knobs::beside(inbound.mode.as_deref(), scene.ladder(&policy).now());
    let ruling = scene.decide(&policy, knobs, call)?;
    let grant = granted(&scene, &ruling, knobs.approval, call);
    let now_ms = scene.now_ms();
    let off = grant.is_none() && off::lifts(home, &ruling, now_ms);
    let Resolved { decision, question } = if off || grant.is_some() {
        Resolved { decision: Decision::Silence, question: None }
    } else {
        resolve(&ruling, knobs.approval, client, inbound, call)?
    };
    let context = context::of(&policy, EventName::PreToolUse, Some(call), &scene.workspace);
    let record = record(&scene, now_ms, inbound, call, &ruling, &decision)
        .text("sandbox", knobs.sandbox.word())
        .text("approval", knobs.approval.word())
        .maybe("grant", grant.as_deref())
        .flag("off", off);
    let notes = scene.notes(EventName::PreToolUse, inbound, Some(call), "");
    let notes = match question {
        None => notes,
        Some(question) => {
            let before = notes.map(|(notes, _)| notes);
            let notes = Notes::asking(before, inbound, question, now_ms);
            Some((notes, scene.log.clone()))
        }
    };
    if policy.requires_journal() && !matches!(decision, Decision::Deny(_)) {
        write_first(home, record)?;
        return Ok(Answer { outbound: Outbound { decision, context }, record: None, notes });
    }
    Ok(Answer { outbound: Outbound { decision, context }, record: Some(record), notes })
}

/// Writes the record before the answer: a policy wants no call without one.
fn write_first(home: &Home, record: Record) -> Result<(), Trouble> {
    let file = place::audit(&home.state);
    let written = station("journal").map_err(|trouble| trouble.sentence).and_then(|()| {
        audit::append(&file, [record]).map_err(|e| format!("`{}`: {e}", file.display()))
    });
    written.map_err(|why| {
        let sentence = format!(
            "the policy wants every call in the journal (`journal.required`), and it can't be written: {why}; a person mends that, or takes the key out of the policy"
        );
        Trouble::new("harness/journal", sentence)
    })
}

/// The grant of a person that answers the ruling's question; under `never` there is no
/// question to answer.
#[must_use]
pub fn granted(
    scene: &Scene,
    ruling: &Ruling,
    approval: ApprovalPolicy,
    call: &ToolCall<'_>,
) -> Option<String> {
    if approval == ApprovalPolicy::Never { None } else { grants::answer(scene, ruling, call) }
}

/// What becomes of a ruling.
#[derive(Debug)]
pub struct Resolved {
    /// What is said.
    pub decision: Decision,
    /// The question, where the ruling asks.
    pub question: Option<Question>,
}

/// A ruling as an answer: an ask that reaches nobody is a denial that says so. The policy
/// `never` is looked at here, before any way to a person.
///
/// # Errors
/// Only in test builds, on demand.
pub fn resolve(
    ruling: &Ruling,
    approval: ApprovalPolicy,
    client: Version,
    inbound: &Inbound<'_>,
    call: &ToolCall<'_>,
) -> Result<Resolved, Trouble> {
    station("ask")?;
    let asks = matches!(ruling.verdict.view(), VerdictView::Ask(_));
    let entrypoint = asks.then(|| env::var("CLAUDE_CODE_ENTRYPOINT").ok()).flatten();
    let channel = Channel {
        host: inbound.host,
        never: approval == ApprovalPolicy::Never,
        subagent: inbound.agent.is_some(),
        mode: inbound.mode.as_deref(),
        entrypoint: entrypoint.as_deref(),
        client,
    };
    Ok(through(ruling, channel, call))
}

/// The same, with the way to a person known.
#[must_use]
pub fn through(ruling: &Ruling, channel: Channel<'_>, call: &ToolCall<'_>) -> Resolved {
    let clean = |reason: &Reason| scrub(&reason.to_string(), call);
    let decided = |decision| Resolved { decision, question: None };
    let reason = match ruling.verdict.view() {
        VerdictView::NoObjection => return decided(Decision::Silence),
        VerdictView::Deny(reason) => return decided(Decision::Deny(clean(reason))),
        VerdictView::Ask(reason) => reason,
    };
    let ended = channel.prompts().err();
    let text = clean(reason);
    let question = Some(Question {
        tool: call.tool().to_owned(),
        call: call.identity().call.clone().into_owned(),
        rule: reason.rule().to_string(),
        reason: text.clone(),
        ended,
    });
    let decision = match ended {
        None => Decision::Ask(text),
        Some(nobody) => Decision::Deny(format!("{text} {}", nobody.sentence())),
    };
    Resolved { decision, question }
}

/// A reason without the secrets of the arguments.
fn scrub(reason: &str, call: &ToolCall<'_>) -> String {
    let mut clean = redact::text(reason).into_owned();
    for secret in redact::secrets(call.input(), SEARCHED) {
        if clean.contains(&secret) {
            clean = clean.replace(&secret, redact::MARK);
        }
    }
    clean
}

fn record(
    scene: &Scene,
    now_ms: u64,
    inbound: &Inbound<'_>,
    call: &ToolCall<'_>,
    ruling: &Ruling,
    decision: &Decision,
) -> Record {
    let reason = match decision {
        Decision::Ask(reason) | Decision::Deny(reason) => Some(reason.as_str()),
        _ => None,
    };
    let asks = || ruling.votes.iter().filter(|cast| cast.vote == "ask");
    let record = seal::about(Record::new("tool/call", now_ms), inbound, call)
        .text("verdict", ruling.verdict.word())
        .text("answer", decision.word())
        .list("rules", ruling.votes.iter().take(32).map(|cast| cast.rule.as_str()))
        .maybe("reason", reason)
        .text("cwd", redact::head(call.cwd(), 1_024))
        .text("workspace", redact::head(&scene.workspace, 1_024))
        .flag("tightened", scene.authority.alarmed)
        .flag("truncated", call.truncated())
        .json("input", &redact::bounded(call.input(), super::limits::JOURNAL_INPUT));
    let record = surroundings::add(record, scene);
    if asks().next().is_none() {
        return record;
    }
    record.list("asks", asks().take(32).map(|cast| cast.rule.as_str()))
}

#[cfg(test)]
mod tests {
    use super::scrub;
    use harness_core::json::{Limits, parse};
    use harness_core::{Identity, ToolCall};

    #[test]
    fn a_reason_repeats_no_secret_of_the_arguments() {
        let input = parse(br#"{"command":"psql --password hunter22 -h db"}"#, Limits::default());
        let identity = Identity {
            session: "s".into(),
            call: "c".into(),
            agent: None,
            tool: "Bash".into(),
            cwd: "/".into(),
        };
        let call = ToolCall::seal(identity, input.map(|p| p.value).expect("json"), false);
        assert_eq!(scrub("`hunter22` on db", &call), "`[redacted]` on db");
    }
}
