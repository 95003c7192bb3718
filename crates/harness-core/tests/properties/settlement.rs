//! P13 to P21: who decides, and what a decision comes to.

use crate::rig::{Person, Said, Spec};
use crate::stations::{
    Lever, Nowhere, RULE, broken, call_of, checking, hearing, identity_of, json, reviewing,
    watching, wrapping,
};
use crate::strategies::{persons, specs};
use harness_core::ask::AskOutcome;
use harness_core::execute::{BodyContext, FnTool, Tool, ToolResult};
use harness_core::pipeline::{Pipeline, Stations};
use harness_core::post::PostAnswer;
use harness_core::{Answer, Guards, Layers, Vote, settle};
use proptest::prelude::any;
use proptest::{prop_assert, prop_assert_eq, proptest};
use std::cell::{Cell, RefCell};

proptest! {
    #[test]
    fn p13_the_first_that_does_not_delegate_decides(user in persons()) {
        let ran = Spec { user: user.clone(), ..Spec::default() }.run();
        let deciding = user.iter().position(|s| *s != Said::Next);
        let heard = deciding.map_or(user.len(), |at| at + 1);
        prop_assert_eq!(ran.heard as usize, heard);
        let expected = match deciding.map(|at| user[at]) {
            None | Some(Said::Allow | Said::Next) => "none",
            Some(Said::Ask) => "ask",
            Some(Said::Deny | Said::Fail) => "deny",
        };
        prop_assert_eq!(ran.outcome.settled.map(|s| s.verdict.word()), Some(expected));
    }

    #[test]
    fn p15_a_listener_that_delegates_is_absent(
        spec in specs(), at in any::<proptest::sample::Index>(), layer in 0..3,
    ) {
        let mut with = spec.clone();
        let list = match layer {
            0 => &mut with.managed,
            1 => &mut with.user,
            _ => &mut with.project,
        };
        list.insert(at.index(list.len() + 1), Said::Next);
        let (with, without) = (with.run(), spec.run());
        prop_assert_eq!(with.outcome, without.outcome);
        prop_assert_eq!(with.prompts, without.prompts);
    }

    #[test]
    fn p16_only_an_exact_allow_or_ask_does_not_deny(
        kind in proptest::option::of("(allow|ask|deny|Allow|ALLOW|approve|yes| allow|)"),
        reason in proptest::option::of("[a-z ]{0,4}"),
        extra in any::<bool>(), shape in 0..6,
    ) {
        let word = |w: &Option<String>| w.as_ref().map(|w| format!("\"{w}\""));
        let mut members = Vec::new();
        members.extend(word(&kind).map(|k| format!("\"kind\":{k}")));
        members.extend(word(&reason).map(|r| format!("\"reason\":{r}")));
        members.extend(extra.then(|| "\"also\":1".to_owned()));
        let object = format!("{{{}}}", members.join(","));
        let doc = match shape {
            0 => "null".to_owned(),
            1 => format!("[{object}]"),
            2 => "\"allow\"".to_owned(),
            _ => object,
        };
        let vote = Vote::from_document(&json(&doc), &RULE);
        let object = shape > 2 && !extra;
        match (object, kind.as_deref(), &reason) {
            (true, Some("allow"), None) => prop_assert_eq!(vote, Vote::Allow),
            (true, Some("ask"), _) => prop_assert!(matches!(vote, Vote::Ask(_))),
            _ => match vote {
                Vote::Deny(why) => prop_assert!(!why.sentence().trim().is_empty()),
                other => prop_assert!(false, "{doc}: {other:?}"),
            },
        }
    }

    #[test]
    fn p17_a_denial_is_told_in_its_own_words(words in "[a-zA-Z][^\\x00]{0,40}") {
        let deny = hearing(|_: &_| {
            Ok(Answer::Settled(Vote::Deny(harness_core::Reason::new(RULE, words.clone()))))
        });
        let layers = Layers { user: &[&deny], ..Layers::default() };
        let (text, message, code) = run_with(layers, Guards::default());
        let told = harness_core::Reason::new(RULE, words.clone()).to_string();
        prop_assert_eq!(&text, &format!("Error: {told}"));
        prop_assert_eq!(message.as_deref(), Some(told.as_str()));
        prop_assert!(told.starts_with(&words));
        prop_assert_eq!(code, None);
    }
}

/// Text, message and code of a plain call.
fn run_with(layers: Layers<'_>, guards: Guards<'_>) -> (String, Option<String>, Option<String>) {
    let tool = FnTool(|_: &BodyContext<'_>| Ok(json("1")));
    let catalog: [(&str, &dyn Tool); 1] = [("Bash", &tool)];
    let stations = Stations { layers, guards, ..plain(&catalog) };
    let pipeline = Pipeline::new(stations);
    let outcome = pipeline.run(&call_of("Bash", None), &Lever::default());
    let failure = outcome.result.error();
    (
        harness_core::execute::Block::join(outcome.result.content()),
        failure.map(|f| f.message().to_owned()),
        failure.and_then(|f| f.code()).map(|c| c.word().to_owned()),
    )
}

/// A pipeline of a catalog and nothing else.
pub(crate) fn plain<'p>(catalog: &'p dyn harness_core::execute::Catalog) -> Stations<'p> {
    Stations {
        layers: Layers::default(),
        guards: Guards::default(),
        approval: None,
        catalog,
        wrappers: &[],
        post: &[],
        observers: &[],
        world: &Nowhere,
    }
}

#[test]
fn p14_without_listeners_the_call_goes_on() {
    let ran = Spec::default().run();
    assert_eq!(ran.outcome.settled.as_ref().map(|s| s.verdict.word()), Some("none"));
    assert_eq!(ran.outcome.settled.as_ref().map(|s| s.votes.capacity()), Some(0));
    assert_eq!((ran.bodies, ran.text().as_str()), (1, "done"));
}

#[test]
fn p18_a_listener_that_breaks_ends_the_call_without_review() {
    for spec in [
        Spec { managed: vec![Said::Fail], ..Spec::default() },
        Spec { user: vec![Said::Next, Said::Fail], ..Spec::default() },
    ] {
        let ran = Spec { post: vec![crate::rig::Post::Accept], ..spec }.run();
        assert!(ran.message().is_some_and(|m| m.ends_with("broke")), "{:?}", ran.message());
        assert_eq!((ran.bodies, ran.reviews, ran.observed), (0, 0, 1));
    }
}

#[test]
fn p19_every_station_sees_the_same_call_and_token() {
    let seen: RefCell<Vec<(usize, Vec<u8>)>> = RefCell::default();
    let tokens = RefCell::new(Vec::new());
    let note = |call: &harness_core::ToolCall<'_>| {
        seen.borrow_mut().push((std::ptr::from_ref(call.input()).addr(), call.canonical()));
    };
    let listener = hearing(|call: &_| {
        note(call);
        Ok(Answer::Next)
    });
    let guard = checking(|call: &_| {
        note(call);
        Ok(None)
    });
    let wrapper = wrapping(
        |x: &harness_core::execute::Execution<'_>,
         signal: &dyn harness_core::Signal,
         next: &mut dyn harness_core::execute::Next| {
            note(x.call());
            tokens.borrow_mut().push(x.token());
            next.run(signal)
        },
    );
    let post = reviewing(|x: &harness_core::execute::Execution<'_>, _: &ToolResult| {
        note(x.call());
        tokens.borrow_mut().push(x.token());
        Ok(PostAnswer::Next)
    });
    let observer = watching(|s: &harness_core::observer::Seen<'_>| {
        tokens.borrow_mut().extend(s.execution.map(|x| x.token()));
        Ok(())
    });
    let tool = FnTool(|body: &BodyContext<'_>| {
        note(body.call());
        tokens.borrow_mut().push(body.execution().token());
        Ok(json("1"))
    });
    let catalog: [(&str, &dyn Tool); 1] = [("Bash", &tool)];
    let stations = Stations {
        layers: Layers { managed: &[&listener], user: &[&listener], project: &[] },
        guards: Guards { global: &[&guard], scopes: &[] },
        wrappers: &[&wrapper],
        post: &[&post],
        observers: &[&observer],
        ..plain(&catalog)
    };
    let pipeline = Pipeline::new(stations);
    let _ = pipeline.run(&call_of("Bash", None), &Lever::default());
    let first = tokens.take();
    assert_eq!(seen.borrow().len(), 6);
    assert!(seen.borrow().windows(2).all(|pair| pair[0] == pair[1]));
    assert_eq!(first.len(), 4);
    assert!(first.windows(2).all(|pair| pair[0] == pair[1]));
    let _ = pipeline.run(&call_of("Bash", None), &Lever::default());
    assert_ne!(tokens.borrow().first(), first.first(), "each execution has its own token");
}

#[test]
fn p20_arguments_that_lose_something_end_before_any_listener() {
    let deep = "[".repeat(200) + &"]".repeat(200);
    let bad: [&[u8]; 8] = [
        b"{\"a\":NaN}",
        b"{\"a\":1,\"a\":2}",
        b"{\"a\":1,\"\\u0061\":2}",
        b"{\"a\":1}{",
        b"{\"a\":",
        b"nul",
        b"\x00",
        deep.as_bytes(),
    ];
    for (bytes, caller) in bad.iter().flat_map(|b| [(b, Lever::default()), (b, Lever::pulled())]) {
        let (outcome, heard, observed) = run_bytes(bytes, &caller);
        assert!(outcome.result.is_error());
        assert_eq!(outcome.result.error().and_then(|f| f.code()), None, "not the abort");
        assert_eq!((heard, observed), (0, 1), "{}", String::from_utf8_lossy(bytes));
    }
    for good in [&b"{\"a\":\"\\ud83d\"}"[..], b"", b" {} \n", b"\xEF\xBB\xBF{}"] {
        let (outcome, heard, observed) = run_bytes(good, &Lever::default());
        assert!(!outcome.result.is_error(), "{:?}", outcome.result);
        assert_eq!((heard, observed), (1, 1));
    }
}

fn run_bytes(bytes: &[u8], caller: &Lever) -> (harness_core::pipeline::Outcome, u32, u32) {
    let (heard, observed) = (Cell::new(0), Cell::new(0));
    let listener = hearing(|_: &_| {
        heard.set(heard.get() + 1);
        Ok(Answer::Next)
    });
    let observer = watching(|_: &_| {
        observed.set(observed.get() + 1);
        Err(broken("ignored"))
    });
    let tool = FnTool(|_: &BodyContext<'_>| Ok(json("1")));
    let catalog: [(&str, &dyn Tool); 1] = [("Bash", &tool)];
    let stations = Stations {
        layers: Layers { user: &[&listener], ..Layers::default() },
        observers: &[&observer],
        ..plain(&catalog)
    };
    let pipeline = Pipeline::new(stations);
    let outcome = pipeline.run_bytes(identity_of("Bash", None), bytes, caller);
    (outcome, heard.get(), observed.get())
}

#[test]
fn p21_an_unknown_tool_passes_all_stations_before_it_is_unknown() {
    let unknown = Spec {
        known: false,
        user: vec![Said::Ask],
        person: Person::Says(AskOutcome::AllowedOnce),
        post: vec![crate::rig::Post::Next],
        ..Spec::default()
    };
    let ran = unknown.run();
    assert_eq!(ran.code(), Some("UNKNOWN_TOOL"));
    assert_eq!((ran.heard, ran.prompts, ran.reviews, ran.observed), (1, 1, 1, 1));
    let denied = Spec { guards: vec![crate::rig::Guarding::Deny], ..unknown }.run();
    assert!(denied.denied() && denied.code().is_none());
}

#[test]
fn a_tool_closed_to_direct_calls_is_refused_before_policy() {
    struct Closed;
    impl harness_core::execute::Catalog for Closed {
        fn find(&self, _: &str) -> harness_core::execute::Found<'_> {
            harness_core::execute::Found::Indirect("`run`")
        }
    }
    let listener = hearing(|_: &_| Err(broken("must not be heard")));
    let layers = Layers { user: &[&listener], ..Layers::default() };
    let stations = Stations { layers, ..plain(&Closed) };
    let pipeline = Pipeline::new(stations);
    let outcome = pipeline.run(&call_of("Bash", None), &Lever::default());
    let failure = outcome.result.error().map(|f| (f.message().to_owned(), f.code().cloned()));
    assert!(failure.is_some_and(|(m, c)| m.contains("use `run`") && c.is_some()));
    assert!(outcome.settled.is_none());
    let aborted = pipeline.run(&call_of("Bash", None), &Lever::pulled());
    let code = aborted.result.error().and_then(|f| f.code()).map(|c| c.word().to_owned());
    assert_eq!(code.as_deref(), Some("ABORTED_BEFORE_DISPATCH"));
}

#[test]
fn settling_calls_no_more_than_it_needs() {
    let guard = checking(|_: &_| Err(broken("must not run")));
    let deny = hearing(|_: &_| Ok(Answer::Settled(Vote::Deny(crate::stations::reason("no")))));
    let layers = Layers { user: &[&deny], ..Layers::default() };
    let guards = Guards { global: &[&guard], scopes: &[] };
    let settled = settle(&call_of("Bash", None), &layers, &guards, &Nowhere);
    assert!(settled.failure.is_none() && settled.votes.len() == 1);
}
