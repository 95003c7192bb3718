//! P22 to P31 and P57: what becomes of a question.

use crate::rig::{Person, Said, Spec};
use crate::stations::{Lever, Notes, RULE, broken, call_of, reason, responding};
use harness_core::ask::resolve::resolve;
use harness_core::ask::texts::Refusal;
use harness_core::ask::{
    ApprovalService, AskOutcome, AskRequest, Children, DecidedBy, Reply, Resolved,
};
use harness_core::knobs::ApprovalPolicy;
use harness_core::{Identity, Json, Reason, ToolCall};
use proptest::sample::select;
use proptest::{prop_assert, prop_assert_eq, proptest};
use std::borrow::Cow;
use std::cell::Cell;
use std::collections::BTreeSet;

fn request<'r>(signal: &'r Lever) -> AskRequest<'r> {
    let reason = Some("why");
    AskRequest { owner: "s1", child: false, tool: "Bash", call: Some("c1"), reason, signal }
}

/// A service with one responder.
fn service<'s>(
    session: &'s Notes,
    responders: &'s [&'s dyn harness_core::ask::Responder],
) -> ApprovalService<'s> {
    ApprovalService { session, responders, children: Children::Never }
}

fn ask_person(person: Person) -> crate::rig::Ran {
    Spec { user: vec![Said::Ask], person, ..Spec::default() }.run()
}

#[test]
fn p22_one_outcome_grants_and_each_refusal_has_its_own_words() {
    let mut texts = BTreeSet::new();
    for outcome in AskOutcome::ALL {
        let ran = ask_person(Person::Says(outcome));
        assert_eq!(ran.bodies, u32::from(outcome == AskOutcome::AllowedOnce), "{outcome:?}");
        if outcome != AskOutcome::AllowedOnce {
            texts.insert(ran.text());
        }
    }
    texts.insert(ask_person(Person::NoService).text());
    assert_eq!(texts.len(), 4);
    let all: BTreeSet<String> =
        Refusal::ALL.iter().map(|r| r.sentence("Bash", &reason("why"))).collect();
    assert_eq!(all.len(), Refusal::ALL.len());
    assert!(all.iter().all(|text| text.contains("why") && text.contains("`Bash`")));
}

#[test]
fn p23_a_call_nobody_owns_is_denied_unasked() {
    let identity = Identity {
        session: Cow::Borrowed(""),
        call: Cow::Borrowed("c"),
        agent: None,
        tool: Cow::Borrowed("Bash"),
        cwd: Cow::Borrowed("/w"),
    };
    let call = ToolCall::seal(identity, Json::Null, false);
    let notes = Notes::default();
    let yes = responding(|_: &_| Ok(Reply::Outcome(AskOutcome::AllowedOnce)));
    let responders: [&dyn harness_core::ask::Responder; 1] = [&yes];
    let service = service(&notes, &responders);
    let denied = resolve(Some(&service), &call, &reason("why"), &Lever::default());
    let expected = Refusal::NoAgent.reason("Bash", &reason("why"));
    assert_eq!(denied, Resolved::Denied(expected));
    assert!(notes.lines.borrow().is_empty());
    let owned = resolve(Some(&service), &call_of("Bash", None), &reason("why"), &Lever::default());
    assert!(matches!(owned, Resolved::Granted(_)));
}

proptest! {
    #[test]
    fn p24_never_asks_nobody_wherever_a_responder_stands(count in 0..4usize) {
        let asked = Cell::new(0);
        let yes = responding(|_: &_| {
            asked.set(asked.get() + 1);
            Ok(Reply::Outcome(AskOutcome::AllowedOnce))
        });
        let notes = Notes { policy: ApprovalPolicy::Never, ..Notes::default() };
        let responders: Vec<&dyn harness_core::ask::Responder> = vec![&yes; count];
        let signal = Lever::default();
        let ruling = service(&notes, &responders).request(&request(&signal));
        let ruling = ruling.map(|r| (r.outcome(), r.by()));
        prop_assert_eq!(ruling, Ok((AskOutcome::Rejected, DecidedBy::Policy)));
        prop_assert_eq!(asked.get(), 0);
        prop_assert_eq!(notes.lines.borrow().len(), 2);
    }

    #[test]
    fn p25_aborted_comes_before_never(never in proptest::bool::ANY) {
        let policy = if never { ApprovalPolicy::Never } else { ApprovalPolicy::Ask };
        let notes = Notes { policy, ..Notes::default() };
        let yes = responding(|_: &_| Ok(Reply::Outcome(AskOutcome::AllowedOnce)));
        let signal = Lever::pulled();
        let ruling = service(&notes, &[&yes]).request(&request(&signal));
        prop_assert_eq!(ruling.map(|r| r.outcome()), Ok(AskOutcome::Cancelled));
    }

    #[test]
    fn p26_an_answer_after_the_abort_is_discarded(answer in select(AskOutcome::ALL.to_vec())) {
        let notes = Notes::default();
        let signal = Lever::default();
        let late = responding(|_: &_| {
            signal.pull();
            Ok(Reply::Outcome(answer))
        });
        let ruling = service(&notes, &[&late]).request(&request(&signal));
        prop_assert_eq!(ruling.map(|r| r.outcome()), Ok(AskOutcome::Cancelled));
        prop_assert_eq!(notes.lines.borrow().clone(), ["asked q0", "decided q0 cancelled"]);
    }

    #[test]
    fn p27_garbage_and_failure_are_unavailable(word in "[a-z-]{0,14}", breaks in proptest::bool::ANY) {
        let notes = Notes::default();
        let bad = responding(|_: &_| {
            if breaks { Err(broken("gone")) } else { Ok(Reply::Word(word.clone().into())) }
        });
        let yes = responding(|_: &_| Ok(Reply::Outcome(AskOutcome::AllowedOnce)));
        let signal = Lever::default();
        let ruling = service(&notes, &[&bad, &yes]).request(&request(&signal));
        prop_assert_eq!(ruling.map(|r| r.outcome()), Ok(AskOutcome::Unavailable));
    }

    #[test]
    fn p28_every_asked_has_its_decided(
        answers in proptest::collection::vec(select(AskOutcome::ALL.to_vec()), 0..6),
        aborted in proptest::bool::ANY, never in proptest::bool::ANY,
    ) {
        let policy = if never { ApprovalPolicy::Never } else { ApprovalPolicy::Ask };
        let notes = Notes { policy, ..Notes::default() };
        let signal = if aborted { Lever::pulled() } else { Lever::default() };
        for answer in &answers {
            let responder = responding(|_: &_| Ok(Reply::Outcome(*answer)));
            prop_assert!(service(&notes, &[&responder]).request(&request(&signal)).is_ok());
        }
        let lines = notes.lines.borrow();
        prop_assert_eq!(lines.len(), answers.len() * 2);
        for pair in lines.chunks(2) {
            let id = pair[0].strip_prefix("asked ").unwrap_or("?");
            prop_assert!(pair[1].starts_with(&format!("decided {id} ")), "{pair:?}");
        }
    }
}

#[test]
fn p28_a_line_that_cannot_be_written_fails_the_request() {
    for (fail_at, left) in [(0, 0), (1, 1)] {
        let notes = Notes { fail_at: Some(fail_at), ..Notes::default() };
        let yes = responding(|_: &_| Ok(Reply::Outcome(AskOutcome::AllowedOnce)));
        let signal = Lever::default();
        let responders: [&dyn harness_core::ask::Responder; 1] = [&yes];
        let service = service(&notes, &responders);
        assert!(service.request(&request(&signal)).is_err());
        assert_eq!(notes.lines.borrow().len(), left);
        let resolved = resolve(Some(&service), &call_of("Bash", None), &reason("why"), &signal);
        assert!(matches!(resolved, Resolved::Failed(_)), "no grant without its record");
    }
}

#[test]
fn p29_outside_an_open_turn_nothing_is_written() {
    let notes = Notes { open: false, ..Notes::default() };
    let yes = responding(|_: &_| Ok(Reply::Outcome(AskOutcome::AllowedOnce)));
    for signal in [Lever::default(), Lever::pulled()] {
        assert!(service(&notes, &[&yes]).request(&request(&signal)).is_err());
    }
    assert!(notes.lines.borrow().is_empty());
}

#[test]
fn p30_a_grant_is_for_one_call() {
    let asked = Cell::new(0);
    let person = responding(|_: &_| {
        asked.set(asked.get() + 1);
        let first = asked.get() == 1;
        Ok(Reply::Outcome(if first { AskOutcome::AllowedOnce } else { AskOutcome::Rejected }))
    });
    let notes = Notes::default();
    let responders: [&dyn harness_core::ask::Responder; 1] = [&person];
    let service = service(&notes, &responders);
    let call = call_of("Bash", None);
    let run = || resolve(Some(&service), &call, &reason("why"), &Lever::default());
    assert!(matches!(run(), Resolved::Granted(_)));
    assert!(matches!(run(), Resolved::Denied(_)));
    assert_eq!(asked.get(), 2);
}

#[test]
fn p31_a_question_carries_no_arguments() {
    let shown = std::cell::RefCell::new(String::new());
    let person = responding(|r: &AskRequest<'_>| {
        *shown.borrow_mut() = format!("{} {:?} {:?} {}", r.tool, r.call, r.reason, r.owner);
        Ok(Reply::Outcome(AskOutcome::AllowedOnce))
    });
    let notes = Notes::default();
    let responders: [&dyn harness_core::ask::Responder; 1] = [&person];
    let service = service(&notes, &responders);
    let call = call_of("Bash", None);
    let _ = resolve(Some(&service), &call, &reason("why"), &Lever::default());
    assert_eq!(*shown.borrow(), r#"Bash Some("c1") Some("why") s1"#);
}

#[test]
fn p57_a_child_without_a_channel_never_asks() {
    let asked = Cell::new(0);
    let yes = responding(|_: &_| {
        asked.set(asked.get() + 1);
        Ok(Reply::Outcome(AskOutcome::AllowedOnce))
    });
    let notes = Notes::default();
    let responders: [&dyn harness_core::ask::Responder; 1] = [&yes];
    let closed = service(&notes, &responders);
    let call = call_of("Bash", Some("child"));
    let why = reason("why");
    let denied = resolve(Some(&closed), &call, &why, &Lever::default());
    assert_eq!(denied, Resolved::Denied(Refusal::Never.reason("Bash", &why)));
    assert_eq!(asked.get(), 0);
    let open = ApprovalService { children: Children::Inherit, ..closed };
    for asks in 1..3 {
        let granted = resolve(Some(&open), &call, &why, &Lever::default());
        assert!(matches!(granted, Resolved::Granted(_)));
        assert_eq!(asked.get(), asks, "grants are not inherited");
    }
}

#[test]
fn a_refusal_keeps_the_rule_and_what_would_pass() {
    let asked = Reason::new(RULE, "publishing is for people").instead("npm pack");
    for refusal in Refusal::ALL {
        let told = refusal.reason("Bash", &asked);
        assert_eq!((told.rule(), told.alternative()), (&RULE, Some("npm pack")));
    }
}
