//! P1 to P12: guards tighten, whatever their number, order and place.

use crate::rig::{Guarding, Person, Said, Spec, guarding};
use crate::stations::{Nowhere, RULE, call_of, checking, hearing, reason};
use crate::strategies::{guardings, person, persons, projects, specs};
use harness_core::ask::AskOutcome;
use harness_core::registry::Registry;
use harness_core::verdict::VerdictView;
use harness_core::{Answer, Denial, Guard, Guards, Layers, Scope, Settled, Vote, settle};
use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, any};
use proptest::{prop_assert, prop_assert_eq, proptest};
use std::cell::Cell;
use std::rc::Rc;

/// Scopes: the agent `leaf` below `middle` below `top`, and `other` beside them.
const AGENTS: [(&str, Option<&str>); 4] =
    [("leaf", Some("middle")), ("other", None), ("middle", Some("top")), ("top", None)];

/// Settles a call by global guards and the guards of [`AGENTS`].
fn settle_scoped(agent: Option<&str>, global: &[Guarding], scoped: &[Vec<Guarding>]) -> Settled {
    let make = |list: &[Guarding], who: &str| -> Vec<Box<dyn Guard>> {
        list.iter()
            .enumerate()
            .map(|(at, &what)| {
                let name = format!("{who}{at}");
                Box::new(checking(move |_: &_| guarding(what, &name))) as Box<dyn Guard>
            })
            .collect()
    };
    let global = make(global, "global");
    let global: Vec<&dyn Guard> = global.iter().map(|g| &**g).collect();
    let owned: Vec<Vec<Box<dyn Guard>>> =
        AGENTS.iter().zip(scoped).map(|((name, _), list)| make(list, name)).collect();
    let lists: Vec<Vec<&dyn Guard>> =
        owned.iter().map(|list| list.iter().map(|g| &**g).collect()).collect();
    let scopes: Vec<Scope<'_>> = AGENTS
        .iter()
        .zip(&lists)
        .map(|(&(agent, parent), guards)| Scope { agent, parent, guards })
        .collect();
    let guards = Guards { global: &global, scopes: &scopes };
    settle(&call_of("Bash", agent), &Layers::default(), &guards, &Nowhere)
}

fn scoped() -> impl Strategy<Value = Vec<Vec<Guarding>>> {
    vec(guardings(), AGENTS.len())
}

fn agent() -> impl Strategy<Value = Option<&'static str>> {
    proptest::sample::select(vec![None, Some("leaf"), Some("middle"), Some("other"), Some("new")])
}

proptest! {
    #[test]
    fn p01_order_of_guards_never_changes_the_verdict(
        (list, shuffled) in guardings().prop_flat_map(|l| (Just(l.clone()), Just(l).prop_shuffle()))
    ) {
        let [a, b] = [list, shuffled].map(|guards| Spec { guards, ..Spec::default() }.run());
        prop_assert_eq!(a.denied(), b.denied());
        prop_assert_eq!(a.bodies, b.bodies);
    }

    #[test]
    fn p02_adding_a_guard_never_loosens(
        agent in agent(), global in guardings(), scoped in scoped(),
        extra in proptest::sample::select(vec![Guarding::Silent, Guarding::Deny, Guarding::Fail]),
        place in any::<proptest::sample::Index>(), layer in 0..5usize,
    ) {
        let before = settle_scoped(agent, &global, &scoped);
        let (mut global, mut scoped) = (global, scoped);
        let list = scoped.get_mut(layer).unwrap_or(&mut global);
        list.insert(place.index(list.len() + 1), extra);
        let after = settle_scoped(agent, &global, &scoped);
        prop_assert!(after.verdict.is_deny() || !before.verdict.is_deny());
        prop_assert_eq!(after.verdict.clone().tighten(before.verdict), after.verdict);
    }

    #[test]
    fn p02_adding_a_project_listener_never_loosens(
        spec in specs(), extra in projects(), place in any::<proptest::sample::Index>(),
    ) {
        let before = spec.run();
        let mut after = spec;
        for said in extra {
            let at = place.index(after.project.len() + 1);
            after.project.insert(at, said);
        }
        // A project listener can shadow another of its own layer, which is the only thing
        // it can loosen: its own repository's word. Persons' layers and guards stand.
        let floor = Spec { project: Vec::new(), ..after.clone() }.run();
        let after = after.run();
        prop_assert!(after.denied() || !floor.denied());
        prop_assert!(after.bodies <= floor.bodies.max(before.bodies));
        if floor.bodies == 0 {
            prop_assert_eq!(after.bodies, 0);
        }
    }

    #[test]
    fn p03_silence_and_allow_dispatch_exactly_once(quiet in 0..5usize, allow in any::<bool>()) {
        let user = if allow { vec![Said::Next, Said::Allow] } else { vec![Said::Next] };
        let guards = vec![Guarding::Silent; quiet];
        let ran = Spec { user, guards, ..Spec::default() }.run();
        prop_assert_eq!((ran.bodies, ran.outcome.body_runs), (1, 1));
        prop_assert!(!ran.outcome.result.is_error());
    }

    #[test]
    fn p05_the_first_denial_from_the_top_is_told(
        agent in agent(), global in guardings(), scoped in scoped(),
    ) {
        let chain: &[usize] = match agent {
            Some("leaf") => &[3, 2, 0],
            Some("middle") => &[3, 2],
            Some("other") => &[1],
            _ => &[],
        };
        let lists = std::iter::once(("global", &global))
            .chain(chain.iter().map(|&at| (AGENTS[at].0, &scoped[at])));
        let expected = lists
            .flat_map(|(who, list)| list.iter().enumerate().map(move |(at, g)| (who, at, *g)))
            .find(|(_, _, g)| *g != Guarding::Silent);
        let settled = settle_scoped(agent, &global, &scoped);
        match (expected, settled.verdict.view()) {
            (None, VerdictView::NoObjection) => {}
            (Some((who, at, what)), VerdictView::Deny(told)) => match what {
                Guarding::Blank => prop_assert!(!told.sentence().trim().is_empty()),
                _ => {
                    let expected = format!("guard {who}{at}");
                    prop_assert!(told.sentence().contains(&expected));
                }
            },
            other => prop_assert!(false, "{other:?}"),
        }
    }

    #[test]
    fn p06_a_call_without_an_agent_meets_only_global_guards(
        global in guardings(), scoped in scoped(),
    ) {
        let with = settle_scoped(None, &global, &scoped);
        let without = settle_scoped(None, &global, &[]);
        prop_assert_eq!(with, without);
    }

    #[test]
    fn p09_no_allow_outweighs_a_guard(
        managed in persons(), user in persons(), at in any::<proptest::sample::Index>(),
        guards in guardings(),
    ) {
        let plain = Spec { managed, user, guards, ..Spec::default() };
        let mut allowed = plain.clone();
        allowed.managed.insert(at.index(plain.managed.len() + 1), Said::Allow);
        allowed.user.insert(at.index(plain.user.len() + 1), Said::Allow);
        if allowed.guards.iter().any(|g| *g != Guarding::Silent) {
            prop_assert_eq!(allowed.run().bodies, 0);
            prop_assert!(allowed.run().denied());
        }
    }

    #[test]
    fn p11_nobody_is_asked_about_what_a_guard_denies(guards in guardings(), person in person()) {
        let guarded = guards.iter().any(|g| *g != Guarding::Silent);
        let ran = Spec { user: vec![Said::Ask], guards, person, ..Spec::default() }.run();
        if guarded {
            prop_assert_eq!(ran.prompts, 0);
            prop_assert!(ran.denied());
        } else {
            prop_assert_eq!(ran.prompts, u32::from(person != Person::NoService));
        }
    }

    #[test]
    fn p12_asking_first_would_give_the_same_verdict(spec in specs()) {
        let ask_first = {
            let unguarded = Spec { guards: Vec::new(), ..spec.clone() }.run();
            let through = unguarded.outcome.settled.as_ref().is_some_and(|settled| {
                match settled.verdict.view() {
                    VerdictView::NoObjection => true,
                    VerdictView::Ask(_) => spec.person == Person::Says(AskOutcome::AllowedOnce),
                    VerdictView::Deny(_) => false,
                }
            });
            let silent = spec.guards.iter().all(|g| *g == Guarding::Silent);
            (through && silent, if silent { unguarded.bodies } else { 0 })
        };
        let ran = spec.run();
        prop_assert_eq!(ran.bodies, ask_first.1);
        prop_assert!(ask_first.0 || ran.bodies == 0);
    }
}

#[test]
fn p04_a_guard_registered_twice_counts_twice() {
    let guards: Registry<dyn Guard> = Registry::new();
    let seen = Rc::new(Cell::new(0));
    let count = Rc::clone(&seen);
    let guard: Rc<dyn Guard> = Rc::new(checking(move |_: &_| {
        count.set(count.get() + 1);
        Ok(Some(Denial::new(reason("denied"))))
    }));
    let first = guards.append(Rc::clone(&guard));
    let run = || {
        let snapshot = guards.snapshot();
        let list: Vec<&dyn Guard> = snapshot.iter().map(|g| &**g).collect();
        let guards = Guards { global: &list, scopes: &[] };
        (settle(&call_of("Bash", None), &Layers::default(), &guards, &Nowhere), list.len())
    };
    let (once, _) = run();
    let second = guards.append(guard.clone());
    let (twice, registered) = run();
    assert_eq!((once.verdict, registered), (twice.verdict, 2));
    guards.remove(first);
    let (left, registered) = run();
    assert_eq!((left.verdict.word(), registered), ("deny", 1), "the other stays");
    guards.remove(second);
    assert_eq!(run().0.verdict.word(), "none");
}

#[test]
fn p07_an_empty_reason_denies_and_is_not_told_empty() {
    let ran = Spec { guards: vec![Guarding::Blank], ..Spec::default() }.run();
    assert!(ran.denied() && ran.bodies == 0);
    assert!(ran.message().is_some_and(|m| m.contains(harness_core::reason::DEFAULT_SENTENCE)));
}

#[test]
fn p08_a_guard_that_breaks_denies_and_only_observers_follow() {
    let spec = Spec {
        guards: vec![Guarding::Silent, Guarding::Fail, Guarding::Deny],
        post: vec![crate::rig::Post::Accept],
        ..Spec::default()
    };
    let ran = spec.run();
    assert!(ran.denied() && ran.outcome.result.is_error());
    assert_eq!((ran.bodies, ran.reviews, ran.observed), (0, 0, 1));
    assert_eq!(ran.message(), Some("guard 1 broke"));
    let next = Spec { guards: vec![Guarding::Silent], ..spec }.run();
    assert_eq!(next.bodies, 1, "the next call is not affected");
}

#[test]
fn p10_a_guard_registered_during_a_call_first_counts_for_the_next() {
    let guards: Rc<Registry<dyn Guard>> = Rc::new(Registry::new());
    let list = Rc::clone(&guards);
    let deny = || checking(|_: &_| Ok(Some(Denial::new(reason("new guard")))));
    guards.append(Rc::new(checking(move |_: &_| {
        list.append(Rc::new(deny()));
        Ok(None)
    })));
    let run = || {
        let snapshot = guards.snapshot();
        let list: Vec<&dyn Guard> = snapshot.iter().map(|g| &**g).collect();
        let guards = Guards { global: &list, scopes: &[] };
        settle(&call_of("Bash", None), &Layers::default(), &guards, &Nowhere).verdict.word()
    };
    assert_eq!(run(), "none");
    assert_eq!(run(), "deny");
}

#[test]
fn a_ring_of_agents_is_walked_once_around() {
    let deny = checking(|_: &_| Ok(Some(Denial::new(reason("ring")))));
    let scopes = [
        Scope { agent: "a", parent: Some("b"), guards: &[] },
        Scope { agent: "b", parent: Some("a"), guards: &[&deny] },
    ];
    let guards = Guards { global: &[], scopes: &scopes };
    let settled = settle(&call_of("Bash", Some("a")), &Layers::default(), &guards, &Nowhere);
    assert!(settled.verdict.is_deny());
}

#[test]
fn an_allow_names_its_rule_among_the_votes() {
    let allow = hearing(|_: &_| Ok(Answer::AllowedBy(RULE)));
    let ask = hearing(|_: &_| Ok(Answer::Settled(Vote::Ask(reason("sure?")))));
    let layers = Layers { managed: &[&allow], user: &[&ask], project: &[] };
    let settled = settle(&call_of("Bash", None), &layers, &Guards::default(), &Nowhere);
    let votes: Vec<_> = settled.votes.iter().map(|cast| cast.vote).collect();
    assert_eq!(votes, ["allow", "ask"]);
    assert!(settled.votes.iter().all(|cast| cast.rule == Some(RULE)));
    assert_eq!(settled.verdict.word(), "ask");
}
