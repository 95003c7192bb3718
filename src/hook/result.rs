//! PostToolUse and PostToolUseFailure: is what ran what was decided, and may its result
//! be used?

use harness_core::{Json, ToolCall};

use super::answer::Answer;
use super::context;
use super::gate;
use super::knobs;
use super::off;
use super::scene::Scene;
use super::seal::{self, Sealed};
use super::trouble::{Trouble, station};
use crate::home::Home;
use crate::hosts::{Decision, EventName, Inbound, Outbound, Version};
use crate::journal::record::Record;
use crate::policy::{Policy, PostRuling};

/// How what ran compares with what was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seal {
    /// The very call that was decided.
    Kept,
    /// Nobody decided it, or it lies too far back.
    Missing,
    /// Something rewrote it after the decision.
    Broken,
    /// It was denied and ran all the same.
    Ignored,
}

impl Seal {
    const fn word(self) -> &'static str {
        match self {
            Self::Kept => "kept",
            Self::Missing => "missing",
            Self::Broken => "broken",
            Self::Ignored => "ignored",
        }
    }
}

/// Answers a call that ran; `result` is `None` where it failed.
///
/// # Errors
/// A station that failed: silence, for the call has run.
pub fn answer(
    home: &Home,
    client: Version,
    inbound: &Inbound<'_>,
    call: &ToolCall<'_>,
    result: Option<&Json<'_>>,
) -> Result<Answer, Trouble> {
    station("post")?;
    let mut scene = Scene::look(home, inbound);
    let policy = scene.policy(home)?;
    let seal = judge(seal::find(home, &inbound.session, &call.identity().call), call);
    let alarm = match seal {
        Seal::Kept => None,
        Seal::Ignored => Some("it was denied and ran all the same: the gate is open".to_owned()),
        Seal::Missing | Seal::Broken => ran_against(&scene, &policy, client, inbound, call)?,
    };
    let event =
        if result.is_some() { EventName::PostToolUse } else { EventName::PostToolUseFailure };
    let decision = match (&alarm, result) {
        (Some(why), _) => {
            scene.tighten(why);
            Decision::Block(blocked(seal, why))
        }
        (None, Some(result)) => match policy.post(call, result) {
            PostRuling::Accept => Decision::Silence,
            _ if off::until(home, scene.now_ms()).is_some() => Decision::Silence,
            PostRuling::Replace(json, _) => Decision::Replace(json),
            PostRuling::Block(reason) => Decision::Block(reason.to_string()),
        },
        (None, None) => Decision::Silence,
    };
    let context = context::of(&policy, event, Some(call), &scene.workspace);
    let record = seal::about(Record::new("tool/result", scene.now_ms()), inbound, call)
        .text("event", event.as_str())
        .text("sealed", seal.word())
        .maybe("alarm", alarm.as_deref())
        .text("answer", decision.word());
    let notes = scene.notes(event, inbound, Some(call), "");
    Ok(Answer { outbound: Outbound { decision, context }, record: Some(record), notes })
}

fn judge(sealed: Option<Sealed>, call: &ToolCall<'_>) -> Seal {
    match sealed {
        None => Seal::Missing,
        Some(sealed) if sealed.seal != seal::of(call) => Seal::Broken,
        Some(sealed) if sealed.answer == "deny" => Seal::Ignored,
        Some(_) => Seal::Kept,
    }
}

/// Decides what ran; the reason if it would have been denied.
fn ran_against(
    scene: &Scene,
    policy: &Policy,
    client: Version,
    inbound: &Inbound<'_>,
    call: &ToolCall<'_>,
) -> Result<Option<String>, Trouble> {
    let knobs = knobs::beside(inbound.mode.as_deref(), scene.ladder(policy).now());
    let ruling = scene.decide(policy, knobs, call)?;
    let home = scene.home();
    if gate::granted(scene, &ruling, knobs.approval, call).is_some()
        || off::lifts(home, &ruling, scene.now_ms())
    {
        return Ok(None);
    }
    Ok(match gate::resolve(&ruling, knobs.approval, client, inbound, call)?.decision {
        Decision::Deny(reason) => Some(reason),
        _ => None,
    })
}

fn blocked(seal: Seal, why: &str) -> String {
    let how = match seal {
        Seal::Broken => {
            "something rewrote this call after harness had passed it, and what ran would have been denied"
        }
        Seal::Missing => {
            "this call ran without harness having decided it, and it would have been denied"
        }
        Seal::Kept | Seal::Ignored => "this call ran against harness's answer",
    };
    format!(
        "{how}: {why} Don't use its result; tell the person. From now on everything but reading asks in this session [rule harness/seal]"
    )
}
