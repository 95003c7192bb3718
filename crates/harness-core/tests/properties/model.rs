//! The combining rule in ten lines, and the pipeline compared with it.

use crate::rig::{Body, Guarding, Person, Post, Said, Spec, Wrapping};
use crate::strategies::specs;
use harness_core::ask::AskOutcome;
use proptest::prelude::ProptestConfig;
use proptest::{prop_assert_eq, proptest};

/// The verdict's word, the prompts, whether the body ran, whether the result is an error.
fn model(p: &Spec) -> (&'static str, u32, bool, bool) {
    let first = |l: &[Said]| l.iter().copied().find(|s| *s != Said::Next).unwrap_or(Said::Next);
    let heard = first(&p.managed).max(first(&p.user)).max(first(&p.project));
    let stopped = heard >= Said::Deny || p.guards.iter().any(|g| *g != Guarding::Silent);
    let asks = heard == Said::Ask && !stopped;
    let on = !stopped && p.known && (!asks || p.person == Person::Says(AskOutcome::AllowedOnce));
    let hold = |w: &&Wrapping| !matches!(w, Wrapping::Through | Wrapping::Retry);
    let short = p.wrappers.iter().find(hold);
    let ran = on && short.is_none();
    let ok = ran && p.body == Body::Ok || on && short == Some(&Wrapping::ShortOk);
    let kept = p.post.iter().find(|l| **l != Post::Next);
    let undone = matches!(kept, Some(Post::Block | Post::Break));
    let word = if stopped { "deny" } else { ["none", "ask"][usize::from(asks)] };
    (word, u32::from(asks && p.person != Person::NoService), ran, !ok || undone)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn the_pipeline_is_the_reference_model(spec in specs()) {
        let ran = spec.run();
        let word = ran.outcome.settled.as_ref().map_or("unsettled", |s| s.verdict.word());
        let real = (word, ran.prompts, ran.bodies > 0, ran.outcome.result.is_error());
        prop_assert_eq!(real, model(&spec));
        prop_assert_eq!(ran.observed, 1);
    }
}
