//! P32 to P36, P41 and P43 to P45: around the body, in batches and below other calls.

use crate::rig::{Body, Guarding, Post, Said, Spec, Wrapping};
use crate::settlement::plain;
use crate::stations::{Hands, Lever, broken, call_of, checking, json, reason, reviewing, wrapping};
use crate::strategies::specs;
use harness_core::batch::{BatchLog, run_batch};
use harness_core::execute::{
    Block, BodyContext, Budget, Code, Context, Execution, Failure, FnTool, Next, Retry, Timeout,
    Tool, ToolResult, Wrapper,
};
use harness_core::pipeline::{NESTING_LIMIT, Outcome, Pipeline, Stations};
use harness_core::post::{PostAnswer, PostListener};
use harness_core::signal::NeverAborted;
use harness_core::{Denial, Guards, Json, Signal, ToolCall};
use proptest::prelude::any;
use proptest::{prop_assert, prop_assert_eq, proptest};
use std::cell::{Cell, RefCell};

fn code(outcome: &Outcome) -> Option<&str> {
    outcome.result.error().and_then(Failure::code).map(Code::word)
}

/// Runs a `Bash` call with this body inside these wrappers.
fn run_body(
    caller: &Lever,
    wrappers: &[&dyn Wrapper],
    body: impl Fn(&BodyContext<'_>) -> Result<Json<'static>, Failure>,
) -> Outcome {
    let tool = FnTool(body);
    let catalog: [(&str, &dyn Tool); 1] = [("Bash", &tool)];
    let stations = Stations { wrappers, ..plain(&catalog) };
    let pipeline = Pipeline::new(stations);
    pipeline.run(&call_of("Bash", None), caller)
}

proptest! {
    #[test]
    fn p32_an_abort_before_dispatch_runs_nothing(spec in specs()) {
        let ran = spec.run_under(&Lever::pulled());
        prop_assert_eq!(ran.code(), Some("ABORTED_BEFORE_DISPATCH"));
        prop_assert_eq!((ran.bodies, ran.heard, ran.reviews, ran.observed), (0, 0, 0, 1));
    }

    #[test]
    fn p32_an_abort_in_the_body_undoes_only_a_success(succeeds in any::<bool>()) {
        let caller = Lever::default();
        let outcome = run_body(&caller, &[], |body| {
            body.defer(Context::new("kept"));
            caller.pull();
            if succeeds { Ok(Json::Null) } else { Err(Failure::new("own failure")) }
        });
        let expected = if succeeds { Some("ABORTED") } else { None };
        prop_assert_eq!(code(&outcome), expected);
        prop_assert_eq!(outcome.body_runs, 1);
        prop_assert_eq!(outcome.result.contexts(), [Context::new("kept")]);
        if !succeeds {
            prop_assert_eq!(outcome.result.error().map(Failure::message), Some("own failure"));
        }
    }

    #[test]
    fn p32_an_abort_in_the_review_says_whether_the_body_ran(runs in any::<bool>()) {
        let caller = Lever::default();
        let short = wrapping(|_: &Execution<'_>, signal: &dyn Signal, next: &mut dyn Next| {
            if runs { next.run(signal) } else { Ok(ToolResult::success(Json::Null)) }
        });
        let wrappers: [&dyn Wrapper; 1] = [&short];
        let late = reviewing(|_: &Execution<'_>, _: &ToolResult| {
            caller.pull();
            Ok(PostAnswer::Next)
        });
        let post: [&dyn PostListener; 1] = [&late];
        let tool = FnTool(|_: &BodyContext<'_>| Ok(Json::Null));
        let catalog: [(&str, &dyn Tool); 1] = [("Bash", &tool)];
        let stations = Stations { wrappers: &wrappers, post: &post, ..plain(&catalog) };
        let outcome = Pipeline::new(stations).run(&call_of("Bash", None), &caller);
        prop_assert_eq!(outcome.body_runs, u32::from(runs));
        let expected = if runs { "ABORTED" } else { "ABORTED_BEFORE_DISPATCH" };
        prop_assert_eq!(code(&outcome), Some(expected));
    }

    #[test]
    fn p34_no_wrapper_detaches_the_caller(depth in 1..4usize, pull_first in any::<bool>()) {
        let caller = Lever::default();
        let detach = wrapping(|_: &Execution<'_>, _: &dyn Signal, next: &mut dyn Next| {
            if pull_first {
                caller.pull();
            }
            next.run(&NeverAborted)
        });
        let wrappers: Vec<&dyn Wrapper> = vec![&detach; depth];
        let outcome = run_body(&caller, &wrappers, |body| {
            caller.pull();
            assert!(body.signal().aborted(), "the caller's abort reaches the body");
            Ok(Json::Null)
        });
        let expected = if pull_first { "ABORTED_BEFORE_DISPATCH" } else { "ABORTED" };
        prop_assert_eq!(code(&outcome), Some(expected));
        prop_assert_eq!(outcome.body_runs, u32::from(!pull_first));
    }

    #[test]
    fn p35_only_the_own_timer_is_a_timeout(
        budget in 1..100u64, takes in 0..200u64, cancel_at in proptest::option::of(0..200u64),
        fails in any::<bool>(),
    ) {
        let (clock, caller) = (Hands::default(), Lever::default());
        let timeout = Timeout::new(Budget::from_ms(budget).expect("positive"), &clock);
        let outcome = run_body(&caller, &[&timeout], |body| {
            for now in 1..=takes {
                clock.0.set(now);
                if cancel_at == Some(now) {
                    caller.pull();
                }
                if body.signal().aborted() {
                    break;
                }
            }
            if fails { Err(Failure::new("own")) } else { Ok(Json::Null) }
        });
        let cancelled = cancel_at.is_some_and(|at| at > 0 && at <= takes && at <= budget);
        let expected = match (cancelled, takes >= budget) {
            (true, _) if fails => None,
            (true, _) => Some("ABORTED"),
            (false, true) => Some("TOOL_TIMEOUT"),
            (false, false) => None,
        };
        prop_assert_eq!(code(&outcome), expected);
    }

    #[test]
    fn p36_a_budget_is_positive_and_finite(ms in any::<f64>()) {
        let budget = Budget::from_ms_f64(ms);
        prop_assert_eq!(budget.is_ok(), ms.is_finite() && ms > 0.0 && ms <= 9_007_199_254_740_992.0);
        prop_assert!(budget.is_err() || budget.is_ok_and(|b| b.ms() > 0));
    }

    #[test]
    fn p45_the_pipeline_always_gives_a_result(spec in specs(), aborted in any::<bool>()) {
        let caller = if aborted { Lever::pulled() } else { Lever::default() };
        let ran = spec.run_under(&caller);
        match ran.outcome.result.error() {
            None => prop_assert!(ran.outcome.result.value().is_some()),
            Some(failure) => {
                prop_assert!(ran.outcome.result.value().is_none());
                prop_assert!(!failure.message().trim().is_empty());
                prop_assert!(!ran.text().trim().is_empty());
            }
        }
    }

    #[test]
    fn p45_any_failure_value_has_a_message(value in crate::json::values()) {
        let failure = Failure::from_value(&json(&value.to_string()));
        prop_assert!(!failure.message().trim().is_empty());
        prop_assert!(failure.message().len() <= 4096);
    }

    #[test]
    fn p43_batches_keep_the_models_order(
        count in 0..8usize, stop in proptest::option::of(0..8usize),
    ) {
        let (caller, runs) = (Lever::default(), Cell::new(0));
        let tool = FnTool(|_: &BodyContext<'_>| {
            if stop == Some(runs.get()) {
                caller.pull();
            }
            runs.set(runs.get() + 1);
            Ok(Json::Null)
        });
        let names: Vec<String> = (0..count).map(|n| format!("t{n}")).collect();
        let catalog: Vec<(&str, &dyn Tool)> =
            names.iter().map(|n| (n.as_str(), &tool as &dyn Tool)).collect();
        let catalog: &[(&str, &dyn Tool)] = &catalog;
        let calls: Vec<ToolCall<'_>> = names.iter().map(|n| call_of(n, None)).collect();
        let find = Slice(catalog);
        let pipeline = Pipeline::new(plain(&find));
        let mut log = Lines(Vec::new());
        let outcomes = run_batch(&pipeline, &calls, &caller, &mut log);
        let expected: Vec<String> =
            names.iter().flat_map(|n| [format!("call {n}"), format!("result {n}")]).collect();
        prop_assert_eq!(log.0, expected);
        prop_assert_eq!(outcomes.len(), count);
        for (at, outcome) in outcomes.iter().enumerate() {
            let expected = match stop {
                Some(stop) if at == stop => Some("ABORTED"),
                Some(stop) if at > stop => Some("ABORTED_BEFORE_DISPATCH"),
                _ => None,
            };
            prop_assert_eq!(code(outcome), expected);
        }
        prop_assert_eq!(runs.get(), stop.map_or(count, |stop| count.min(stop + 1)));
    }
}

struct Slice<'t>(&'t [(&'t str, &'t dyn Tool)]);

impl harness_core::execute::Catalog for Slice<'_> {
    fn find(&self, name: &str) -> harness_core::execute::Found<'_> {
        self.0.find(name)
    }
}

struct Lines(Vec<String>);

impl BatchLog for Lines {
    fn call(&mut self, call: &ToolCall<'_>) {
        self.0.push(format!("call {}", call.tool()));
    }
    fn result(&mut self, call: &ToolCall<'_>, _: &Outcome) {
        self.0.push(format!("result {}", call.tool()));
    }
}

#[test]
fn p33_a_denial_after_the_cancel_stays_a_denial() {
    let caller = Lever::default();
    let guard = checking(|_: &_| {
        caller.pull();
        Ok(Some(Denial::new(reason("denied while cancelling"))))
    });
    let tool = FnTool(|_: &BodyContext<'_>| Ok(Json::Null));
    let catalog: [(&str, &dyn Tool); 1] = [("Bash", &tool)];
    let guards = Guards { global: &[&guard], scopes: &[] };
    let stations = Stations { guards, ..plain(&catalog) };
    let pipeline = Pipeline::new(stations);
    let outcome = pipeline.run(&call_of("Bash", None), &caller);
    assert_eq!(code(&outcome), None);
    let message = outcome.result.error().map(Failure::message);
    assert!(message.is_some_and(|m| m.starts_with("denied while cancelling")));
}

#[test]
fn p34_a_wrapper_that_brings_an_aborted_signal_stops_the_body() {
    let wrapper = wrapping(|_: &Execution<'_>, _: &dyn Signal, next: &mut dyn Next| {
        next.run(&Lever::pulled())
    });
    let outcome = run_body(&Lever::default(), &[&wrapper], |_| Ok(Json::Null));
    assert_eq!((code(&outcome), outcome.body_runs), (Some("ABORTED_BEFORE_DISPATCH"), 0));
}

#[test]
fn p35_an_outer_deadline_reads_as_a_cancel_to_the_inner() {
    let clock = Hands::default();
    let outer = Timeout::new(Budget::from_ms(5).expect("positive"), &clock);
    let inner = Timeout::new(Budget::from_ms(50).expect("positive"), &clock);
    let seen = RefCell::new(String::new());
    let between = wrapping(|_: &Execution<'_>, signal: &dyn Signal, next: &mut dyn Next| {
        let result = next.run(signal)?;
        *seen.borrow_mut() =
            result.error().and_then(Failure::code).map_or("none", Code::word).into();
        Ok(result)
    });
    let outcome = run_body(&Lever::default(), &[&outer, &between, &inner], |_| {
        clock.0.set(10);
        Ok(Json::Null)
    });
    assert_eq!((seen.borrow().as_str(), code(&outcome)), ("ABORTED", Some("TOOL_TIMEOUT")));
}

#[test]
fn p41_contexts_stand_in_the_order_body_wrapper_post() {
    let ran =
        Spec { wrappers: vec![Wrapping::Through], post: vec![Post::Accept], ..Spec::default() }
            .run();
    let texts: Vec<&str> = ran.outcome.result.contexts().iter().map(|c| c.text.as_str()).collect();
    assert_eq!(texts, ["body", "wrapper", "post"]);
}

#[test]
fn a_retry_repeats_inner_wrappers_and_stops_when_it_may_not() {
    let (runs, confined) = (Cell::new(0), Cell::new(0));
    let sandbox = wrapping(|_: &Execution<'_>, signal: &dyn Signal, next: &mut dyn Next| {
        confined.set(confined.get() + 1);
        next.run(signal)
    });
    let retryable = |result: &ToolResult| result.error().is_some_and(|f| f.message() == "flaky");
    let retry = Retry::new(5, &retryable);
    let outcome = run_body(&Lever::default(), &[&retry, &sandbox], |_| {
        runs.set(runs.get() + 1);
        if runs.get() < 3 { Err(Failure::new("flaky")) } else { Ok(Json::Null) }
    });
    assert!(!outcome.result.is_error());
    assert_eq!((runs.get(), confined.get(), outcome.body_runs), (3, 3, 3));
    let outcome = run_body(&Lever::default(), &[&retry], |_| Err(Failure::new("for good")));
    assert_eq!(outcome.body_runs, 1);
}

#[test]
fn a_result_of_another_call_is_checked_again() {
    struct Positive;
    impl Tool for Positive {
        fn run(&self, _: &BodyContext<'_>) -> Result<Json<'static>, Failure> {
            Ok(json("1"))
        }
        fn check_output(&self, value: &Json<'_>) -> Result<(), String> {
            match value {
                Json::Number(n) if !n.starts_with('-') => Ok(()),
                _ => Err("not positive".into()),
            }
        }
        fn render(&self, value: &Json<'_>) -> Result<Vec<Block>, String> {
            Ok(vec![Block::text(format!("positive: {value:?}"))])
        }
    }
    let loose = FnTool(|_: &BodyContext<'_>| Ok(json("-1")));
    let kept: RefCell<Option<ToolResult>> = RefCell::default();
    let swap =
        wrapping(|_: &Execution<'_>, signal: &dyn Signal, next: &mut dyn Next| match kept.take() {
            Some(foreign) => Ok(foreign),
            None => {
                let result = next.run(signal)?;
                kept.replace(Some(result.clone()));
                Ok(result)
            }
        });
    let catalog: [(&str, &dyn Tool); 2] = [("Loose", &loose), ("Positive", &Positive)];
    let stations = Stations { wrappers: &[&swap], ..plain(&catalog) };
    let pipeline = Pipeline::new(stations);
    let first = pipeline.run(&call_of("Loose", None), &NeverAborted);
    assert!(!first.result.is_error());
    let second = pipeline.run(&call_of("Positive", None), &NeverAborted);
    assert_eq!((code(&second), second.body_runs), (Some("INVALID_TOOL_OUTPUT"), 0));
}

#[test]
fn bad_arguments_and_values_have_their_codes() {
    struct Strict;
    impl Tool for Strict {
        fn run(&self, _: &BodyContext<'_>) -> Result<Json<'static>, Failure> {
            Ok(Json::Null)
        }
        fn check_input(&self, _: &Json<'_>) -> Result<(), String> {
            Err("`path` is missing".into())
        }
    }
    let catalog: [(&str, &dyn Tool); 1] = [("Bash", &Strict)];
    let pipeline = Pipeline::new(plain(&catalog));
    let outcome = pipeline.run(&call_of("Bash", None), &NeverAborted);
    assert_eq!((code(&outcome), outcome.body_runs), (Some("INVALID_ARGS"), 0));
    for body in [Body::NotJson, Body::Fail] {
        let ran = Spec { body, post: vec![Post::Next], ..Spec::default() }.run();
        let expected = (body == Body::NotJson).then_some("INVALID_TOOL_OUTPUT");
        assert_eq!((ran.code(), ran.reviews), (expected, 1));
    }
}

#[test]
fn p44_a_nested_call_passes_every_station() {
    let guard = checking(|call: &ToolCall<'_>| {
        Ok((call.tool() == "Inner").then(|| Denial::new(reason("never Inner"))))
    });
    let runs = Cell::new(0);
    let inner = FnTool(|_: &BodyContext<'_>| {
        runs.set(runs.get() + 1);
        Ok(Json::Null)
    });
    let ids = RefCell::new(Vec::new());
    let outer = FnTool(|body: &BodyContext<'_>| {
        let denied = body.call_tool("Inner", json("{}"));
        assert!(denied.result.is_error());
        assert!(body.call_tool("Free", json("{}")).result.error().is_none());
        Ok(Json::Null)
    });
    let free = FnTool(|body: &BodyContext<'_>| {
        body.defer(Context::new("from below"));
        Ok(Json::Null)
    });
    let observer = crate::stations::watching(|seen: &harness_core::observer::Seen<'_>| {
        let nested = seen.execution.is_some_and(Execution::nested);
        let root = seen.execution.map_or("", Execution::root).to_owned();
        ids.borrow_mut().push((seen.identity.call.to_string(), nested, root));
        Ok(())
    });
    let catalog: [(&str, &dyn Tool); 3] = [("Inner", &inner), ("Outer", &outer), ("Free", &free)];
    let stations = Stations {
        guards: Guards { global: &[&guard], scopes: &[] },
        observers: &[&observer],
        ..plain(&catalog)
    };
    let pipeline = Pipeline::new(stations);
    assert!(pipeline.run(&call_of("Inner", None), &NeverAborted).result.is_error());
    ids.borrow_mut().clear();
    let outcome = pipeline.run(&call_of("Outer", None), &NeverAborted);
    assert!(!outcome.result.is_error());
    assert_eq!(runs.get(), 0);
    assert_eq!(outcome.result.contexts(), [Context::new("from below")]);
    let seen = ids.take();
    let row = |id: &str, nested| (id.to_owned(), nested, "c1".to_owned());
    assert_eq!(seen, [row("c1/1", true), row("c1/2", true), row("c1", false)]);
}

#[test]
fn p44_calls_do_not_nest_without_end() {
    let depth = Cell::new(0);
    let tool = FnTool(|body: &BodyContext<'_>| {
        depth.set(depth.get() + 1);
        let below = body.call_tool("Bash", Json::Null);
        below.result.error().map_or(Ok(Json::Null), |f| Err(f.clone()))
    });
    let catalog: [(&str, &dyn Tool); 1] = [("Bash", &tool)];
    let outcome = Pipeline::new(plain(&catalog)).run(&call_of("Bash", None), &NeverAborted);
    assert!(outcome.result.is_error());
    assert_eq!(depth.get(), NESTING_LIMIT + 1);
}

#[test]
fn a_wrapper_that_breaks_is_not_reviewed_and_still_observed() {
    let ran = Spec {
        user: vec![Said::Allow],
        guards: vec![Guarding::Silent],
        wrappers: vec![Wrapping::Through, Wrapping::Break],
        post: vec![Post::Accept],
        ..Spec::default()
    }
    .run();
    assert_eq!(ran.message(), Some("wrapper broke"));
    assert_eq!((ran.bodies, ran.reviews, ran.observed), (0, 0, 1));
    assert_eq!(broken("x").message, "x");
}
