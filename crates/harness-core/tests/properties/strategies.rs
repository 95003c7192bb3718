//! Random pipelines.

use crate::rig::{Body, Guarding, Person, Post, Said, Spec, Wrapping};
use harness_core::ask::AskOutcome;
use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, any, prop_oneof};
use proptest::sample::select;

pub(crate) fn guardings() -> impl Strategy<Value = Vec<Guarding>> {
    let one = prop_oneof![
        5 => Just(Guarding::Silent),
        1 => select(&[Guarding::Deny, Guarding::Blank, Guarding::Fail][..]),
    ];
    vec(one, 0..5)
}

pub(crate) fn persons() -> impl Strategy<Value = Vec<Said>> {
    let one = prop_oneof![
        4 => Just(Said::Next),
        3 => select(&[Said::Allow, Said::Ask][..]),
        1 => select(&[Said::Deny, Said::Fail][..]),
    ];
    vec(one, 0..4)
}

pub(crate) fn projects() -> impl Strategy<Value = Vec<Said>> {
    let one = prop_oneof![
        4 => Just(Said::Next),
        1 => select(&[Said::Ask, Said::Deny, Said::Fail][..]),
    ];
    vec(one, 0..4)
}

pub(crate) fn person() -> impl Strategy<Value = Person> {
    prop_oneof![
        4 => Just(Person::Says(AskOutcome::AllowedOnce)),
        3 => select(&AskOutcome::ALL[..]).prop_map(Person::Says),
        1 => select(&[Person::NoService, Person::Garbage, Person::Breaks, Person::Absent][..]),
    ]
}

pub(crate) fn posts() -> impl Strategy<Value = Vec<Post>> {
    let all = [Post::Next, Post::Accept, Post::Content, Post::Value, Post::Block, Post::Break];
    vec(select(all.to_vec()), 0..4)
}

pub(crate) fn specs() -> impl Strategy<Value = Spec> {
    let wrapping = prop_oneof![
        4 => select(&[Wrapping::Through, Wrapping::Retry][..]),
        1 => select(&[Wrapping::ShortOk, Wrapping::ShortFail, Wrapping::Break][..]),
    ];
    let body = prop_oneof![3 => Just(Body::Ok), 1 => Just(Body::Fail), 1 => Just(Body::NotJson)];
    (
        (persons(), persons(), projects(), guardings()),
        (person(), vec(wrapping, 0..4), body, posts()),
        any::<u8>(),
    )
        .prop_map(|((managed, user, project, guards), (person, wrappers, body, post), odd)| {
            Spec {
                managed,
                user,
                project,
                guards,
                person,
                wrappers,
                body,
                post,
                known: odd % 8 != 0,
            }
        })
}
