//! [`Walk`]: one call through the stations, with what each would say and write. It is told
//! from the ruling that the hook's own function gave; nothing is decided here.

use harness_core::verdict::VerdictView;
use harness_core::{Json, ToolCall};
use harness_core::knobs::value::Knob;
use harness_core::knobs::{ApprovalPolicy, Deployment};
use harness_shell::Script;
use serde_json::{Value, json};

use crate::cli::recorded;
use crate::hook::approvals::{Notes, outcome_of};
use crate::hook::gate;
use crate::hosts::claude_code::ask::Channel;
use crate::hosts::{Decision, Event, EventName, Inbound, words};
use crate::journal::asks::Ask;
use crate::journal::authority::Authority;
use crate::journal::record::Record;
use crate::policy::kinds::EffectSet;
use crate::policy::{Cast, Policy, Ruling};

/// What a person says where the walk asks one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Person {
    /// Yes.
    Agrees,
    /// No.
    Refuses,
}

/// What became of the call at a station.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// It went on.
    Passed,
    /// Somebody wants it to be asked, or it was.
    Asks,
    /// It was stopped here.
    Stopped,
    /// It never came here.
    Skipped,
}

impl Mark {
    /// In a word.
    #[must_use]
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Asks => "asks",
            Self::Stopped => "stopped",
            Self::Skipped => "skipped",
        }
    }
}

/// A station and what was said there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Station {
    /// Its name.
    pub(super) name: &'static str,
    /// What became of the call.
    pub(super) mark: Mark,
    /// In a few words.
    pub(super) says: String,
    /// All of it.
    pub(super) more: Vec<String>,
}

/// A call's way.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Walk {
    /// The call in a few words.
    pub(super) about: String,
    /// What the policy says: `none`, `ask` or `deny`.
    pub(super) verdict: &'static str,
    /// What the agent's client is told.
    pub(super) answer: &'static str,
    /// The knobs that it was decided with.
    pub(super) knobs: Deployment,
    /// The six stations.
    pub(super) stations: Vec<Station>,
    /// What would be written, in order, each with what is essential of it.
    pub(super) events: Vec<Value>,
}

impl Walk {
    /// The way of a call that was ruled so.
    #[must_use]
    pub(super) fn of(
        ruling: &Ruling,
        call: &ToolCall<'_>,
        policy: &Policy,
        knobs: Deployment,
        person: Person,
    ) -> Self {
        let channel = Channel::attended(knobs.approval == ApprovalPolicy::Never);
        let resolved = gate::through(ruling, channel, call);
        let runs = match &resolved.decision {
            Decision::Silence => true,
            Decision::Ask(_) => person == Person::Agrees,
            _ => false,
        };
        let inbound = inbound(call);
        let (put, end) = match resolved.question.clone() {
            Some(question) => asked(&inbound, call, question, runs),
            None => (Vec::new(), Vec::new()),
        };
        // In the hook's order: of a question first, then of the call.
        let mut events = put;
        events.push(called(ruling, &resolved.decision, knobs));
        events.extend(end);
        if runs {
            let event = EventName::PostToolUse.as_str();
            events.push(json!({"type": "tool/result", "event": event, "sealed": "kept"}));
        }
        let reviewers = policy.reviewers(call.tool());
        let (listeners, guards): (Vec<&Cast>, Vec<&Cast>) =
            ruling.votes.iter().partition(|cast| !cast.guards);
        let reviewers: Vec<String> = reviewers.iter().map(|rule| rule.as_str().to_owned()).collect();
        let stations = vec![
            heard("pre-execute", "nobody speaks: the call goes on", &listeners),
            heard("guards", "no guard objects", &guards),
            question(ruling, &resolved, person),
            execution(ruling, runs),
            review(&reviewers, runs),
            observers(&events),
        ];
        Self {
            about: about(call),
            verdict: ruling.verdict.word(),
            answer: resolved.decision.word(),
            knobs,
            stations,
            events,
        }
    }

    /// For scripts.
    #[must_use]
    pub(super) fn json(&self) -> Value {
        let station = |s: &Station| {
            json!({"name": s.name, "state": s.mark.word(), "says": s.says, "more": s.more})
        };
        json!({
            "schema": 1, "about": self.about, "verdict": self.verdict, "answer": self.answer,
            "sandbox": self.knobs.sandbox.word(), "approval": self.knobs.approval.word(),
            "stations": self.stations.iter().map(station).collect::<Vec<_>>(),
            "events": self.events,
        })
    }
}

/// A call in a few words, safe to show.
#[must_use]
pub(super) fn about(call: &ToolCall<'_>) -> String {
    words::line(&recorded::named(call.tool(), Some(call.input())))
}

/// What speakers said at a station; the strictest word is the station's.
fn heard(name: &'static str, silence: &str, casts: &[&Cast]) -> Station {
    let more = casts.iter().map(|cast| said(cast)).collect();
    let rank = |vote: &str| ["allow", "ask", "deny"].iter().position(|word| *word == vote);
    let Some(strictest) = casts.iter().copied().reduce(|best, cast| {
        if rank(cast.vote) > rank(best.vote) { cast } else { best }
    }) else {
        return Station { name, mark: Mark::Passed, says: silence.to_owned(), more };
    };
    let mark = match strictest.vote {
        "deny" => Mark::Stopped,
        "ask" => Mark::Asks,
        _ => Mark::Passed,
    };
    let says = words::line(&format!("{}: {}", strictest.vote, strictest.rule));
    Station { name, mark, says, more }
}

fn said(cast: &Cast) -> String {
    let place = match &cast.place {
        None => "built in".to_owned(),
        Some((file, 0)) => file.display().to_string(),
        Some((file, line)) => format!("{}:{line}", file.display()),
    };
    words::line(&format!("{} {} ({place})", cast.vote, cast.rule))
}

fn question(ruling: &Ruling, resolved: &gate::Resolved, person: Person) -> Station {
    let name = "ask";
    let reason = |what: &str, text: &str| vec![words::line(text), what.to_owned()];
    match (ruling.verdict.view(), &resolved.decision, &resolved.question) {
        (VerdictView::NoObjection, ..) => {
            let says = "nothing to ask; harness stays silent".to_owned();
            let more = vec!["the client's own permissions go on".to_owned()];
            Station { name, mark: Mark::Passed, says, more }
        }
        (VerdictView::Ask(_), Decision::Ask(text), _) => {
            let (mark, says, what) = match person {
                Person::Agrees => (Mark::Asks, "a person says yes: allowed-once", "this one call, once"),
                Person::Refuses => (Mark::Stopped, "a person says no: rejected", "the call is not made"),
            };
            Station { name, mark, says: says.to_owned(), more: reason(what, text) }
        }
        (VerdictView::Ask(_), Decision::Deny(text), Some(question)) => {
            let outcome = question.ended.map_or("denied", |why| outcome_of(why).word());
            let says = format!("nobody is asked: {outcome}");
            Station { name, mark: Mark::Stopped, says, more: reason("the model is told so", text) }
        }
        (_, Decision::Deny(text), _) => {
            let says = "not asked: it is denied".to_owned();
            Station { name, mark: Mark::Skipped, says, more: reason("the model is told so", text) }
        }
        _ => Station { name, mark: Mark::Skipped, says: String::new(), more: Vec::new() },
    }
}

fn execution(ruling: &Ruling, runs: bool) -> Station {
    let name = "execute";
    let more = ruling.script.as_ref().map(effects).unwrap_or_default();
    if runs {
        let says = "the client runs it".to_owned();
        return Station { name, mark: Mark::Passed, says, more };
    }
    Station { name, mark: Mark::Skipped, says: "not reached".to_owned(), more }
}

/// What a command line was read to do.
fn effects(script: &Script) -> Vec<String> {
    let mut out = Vec::new();
    for command in &script.commands {
        let args: Vec<&str> = command.args.iter().map(|word| word.text.as_str()).collect();
        out.push(words::line(&format!("runs {} {}", command.program.text, args.join(" "))));
        for effect in &command.effects {
            let target = effect.target.as_ref().map_or("", |word| word.text.as_str());
            let kind = EffectSet::of(effect.kind).words().next().unwrap_or("unknown");
            out.push(format!("  {}", words::line(&format!("{kind} {target}"))));
        }
    }
    out.extend(script.opaque.iter().map(|part| {
        words::line(&format!("can't be read: {} ({})", part.text, part.why))
    }));
    out
}

fn review(reviewers: &[String], runs: bool) -> Station {
    let name = "post-execute";
    if !runs {
        let says = "no result; the model gets the reason".to_owned();
        return Station { name, mark: Mark::Skipped, says, more: Vec::new() };
    }
    let says = match reviewers.len() {
        0 => "no rule looks at the result".to_owned(),
        1 => "a rule looks at the result".to_owned(),
        several => format!("{several} rules look at the result"),
    };
    Station { name, mark: Mark::Passed, says, more: reviewers.iter().map(|r| words::line(r)).collect() }
}

fn observers(events: &[Value]) -> Station {
    let says = match events.len() {
        1 => "the journal gets one record".to_owned(),
        several => format!("the journal gets {several} records"),
    };
    Station { name: "observers", mark: Mark::Passed, says, more: events.iter().map(shown).collect() }
}

/// A record in a line.
#[must_use]
pub(super) fn shown(event: &Value) -> String {
    let Value::Object(members) = event else { return String::new() };
    let mut out = String::new();
    for (key, value) in members {
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Array(items) => {
                items.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(",")
            }
            other => other.to_string(),
        };
        if key == "type" {
            out.insert_str(0, &text);
        } else if key != "reason" {
            out.push_str(&format!(" {key}={text}"));
        }
    }
    words::line(&out)
}

fn called(ruling: &Ruling, decision: &Decision, knobs: Deployment) -> Value {
    let rules: Vec<&str> = ruling.votes.iter().take(32).map(|cast| cast.rule.as_str()).collect();
    json!({
        "type": "tool/call", "verdict": ruling.verdict.word(), "answer": decision.word(),
        "rules": rules, "sandbox": knobs.sandbox.word(), "approval": knobs.approval.word(),
    })
}

/// The call as the hook would get it.
fn inbound<'c>(call: &ToolCall<'c>) -> Inbound<'c> {
    let identity = call.identity();
    Inbound {
        host: crate::hosts::HostId::ClaudeCode,
        session: identity.session.clone(),
        cwd: identity.cwd.clone(),
        agent: identity.agent.clone(),
        mode: None,
        transcript: None,
        event: Event::PreToolUse(call.clone()),
    }
}

/// The records of a question and of its later end, as the hook makes them.
fn asked(
    inbound: &Inbound<'_>,
    call: &ToolCall<'_>,
    question: crate::hook::approvals::Question,
    runs: bool,
) -> (Vec<Value>, Vec<Value>) {
    let at_once = question.ended.is_some();
    let asking = Notes::asking(None, inbound, question, 0);
    let put: Vec<Value> = asking.told(&Authority::default()).into_iter().map(value).collect();
    if at_once {
        return (put, Vec::new());
    }
    let id = put.first().and_then(|asked| asked["id"].as_str()).unwrap_or_default().to_owned();
    let of = call.identity().call.clone().into_owned();
    let standing =
        Authority { asks: vec![Ask { id, call: of, outcome: None }], ..Authority::default() };
    let (event, about) = if runs {
        (EventName::PostToolUse, Some(call))
    } else {
        (EventName::UserPromptSubmit, None)
    };
    let notes = Notes::of(event, inbound, about, "", &standing, 0);
    let end = notes.map(|notes| notes.told(&standing)).unwrap_or_default();
    (put, end.into_iter().map(value).collect())
}

/// A record without what only a real one has: its time, session and ids.
fn value(record: Record) -> Value {
    let mut value: Value = serde_json::from_slice(&record.object()).unwrap_or_default();
    if let Value::Object(members) = &mut value {
        for key in ["ts", "session", "call"] {
            members.shift_remove(key);
        }
    }
    value
}

/// The input of a call that somebody typed, as a call of a session that is none.
#[must_use]
pub(super) fn imagined<'j>(tool: &str, input: Json<'j>, cwd: &str) -> ToolCall<'j> {
    let identity = harness_core::Identity {
        session: "console".into(),
        call: "console".into(),
        agent: None,
        tool: tool.to_owned().into(),
        cwd: cwd.to_owned().into(),
    };
    ToolCall::seal(identity, input, false)
}
