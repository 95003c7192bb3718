//! P42: told once, whatever happened, and unable to change it.

use crate::rig::Spec;
use crate::settlement::plain;
use crate::stations::{Lever, broken, call_of, json, watching};
use crate::strategies::specs;
use harness_core::execute::{BodyContext, FnTool, Tool};
use harness_core::observer::{Observer, Seen};
use harness_core::pipeline::{Pipeline, Stations};
use proptest::prelude::any;
use proptest::{prop_assert_eq, proptest};
use std::cell::RefCell;

proptest! {
    #[test]
    fn p42_observers_fire_once_on_every_path(spec in specs(), aborted in any::<bool>()) {
        let caller = if aborted { Lever::pulled() } else { Lever::default() };
        prop_assert_eq!(spec.run_under(&caller).observed, 1);
    }

    #[test]
    fn p42_an_observer_that_breaks_changes_nothing(
        breaks in proptest::collection::vec(any::<bool>(), 0..5),
    ) {
        let told = RefCell::new(Vec::new());
        let observers: Vec<_> = breaks
            .iter()
            .enumerate()
            .map(|(at, &breaks)| {
                let told = &told;
                watching(move |seen: &Seen<'_>| {
                    told.borrow_mut().push((at, seen.result.clone()));
                    if breaks { Err(broken("disk full")) } else { Ok(()) }
                })
            })
            .collect();
        let observers: Vec<&dyn Observer> = observers.iter().map(|o| o as _).collect();
        let tool = FnTool(|_: &BodyContext<'_>| Ok(json("1")));
        let catalog: [(&str, &dyn Tool); 1] = [("Bash", &tool)];
        let stations = Stations { observers: &observers, ..plain(&catalog) };
    let pipeline = Pipeline::new(stations);
        let outcome = pipeline.run(&call_of("Bash", None), &Lever::default());
        let told = told.borrow();
        let order: Vec<usize> = told.iter().map(|(at, _)| *at).collect();
        prop_assert_eq!(order, (0..breaks.len()).collect::<Vec<_>>());
        for (_, seen) in told.iter() {
            prop_assert_eq!(seen, &outcome.result);
        }
        prop_assert_eq!(outcome.result.is_error(), false);
        let failures = breaks.iter().filter(|b| **b).count();
        prop_assert_eq!(outcome.observer_failures.len(), failures);
    }
}

#[test]
fn observers_see_the_verdict_behind_the_result() {
    let ran = Spec { user: vec![crate::rig::Said::Deny], ..Spec::default() }.run();
    let settled = ran.outcome.settled.as_ref();
    assert_eq!(settled.and_then(|s| s.verdict.reason()).map(|r| r.sentence()), Some("user denies"));
}
