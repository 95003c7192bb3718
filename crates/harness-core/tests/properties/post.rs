//! P37 to P40: what may still be said of a result.

use crate::rig::{Body, Guarding, Post, Said, Spec};
use crate::settlement::plain;
use crate::stations::{RULE, call_of, json, reviewing};
use crate::strategies::{posts, specs};
use harness_core::Json;
use harness_core::execute::{
    Block, BodyContext, Code, Context, Execution, Failure, Tool, ToolResult,
};
use harness_core::pipeline::{Outcome, Pipeline, Stations};
use harness_core::post::apply::{BLOCKED, VALUE_FOR_FAILURE};
use harness_core::post::{PostAnswer, PostDecision, PostRuling};
use harness_core::signal::NeverAborted;
use proptest::{prop_assert, prop_assert_eq, proptest};

/// A tool that gives a number, shows it in words and has presentation data.
struct Numbers;

impl Tool for Numbers {
    fn run(&self, body: &BodyContext<'_>) -> Result<Json<'static>, Failure> {
        body.defer(Context::new("body"));
        match body.call().input().get("fail") {
            Some(_) => Err(Failure::new("failed")),
            None => Ok(json("7")),
        }
    }
    fn check_output(&self, value: &Json<'_>) -> Result<(), String> {
        match value {
            Json::Number(_) | Json::Null => Ok(()),
            _ => Err("not a number".into()),
        }
    }
    fn render(&self, value: &Json<'_>) -> Result<Vec<Block>, String> {
        Ok(vec![Block::text(format!("shown {value:?}"))])
    }
    fn meta(&self, value: &Json<'_>) -> Option<Json<'static>> {
        Some(value.clone().into_owned())
    }
}

fn review(decision: &PostDecision) -> Outcome {
    review_call(decision, "{}")
}

fn review_call(decision: &PostDecision, input: &str) -> Outcome {
    let post =
        reviewing(|_: &Execution<'_>, _: &ToolResult| Ok(PostAnswer::Settled(decision.clone())));
    run_post(&post, input)
}

fn run_post(post: &dyn harness_core::post::PostListener, input: &str) -> Outcome {
    let catalog: [(&str, &dyn Tool); 1] = [("Bash", &Numbers)];
    let stations = Stations { post: &[post], ..plain(&catalog) };
    let pipeline = Pipeline::new(stations);
    let identity = crate::stations::identity_of("Bash", None);
    pipeline.run_bytes(identity, input.as_bytes(), &NeverAborted)
}

fn texts(outcome: &Outcome) -> Vec<&str> {
    outcome.result.contexts().iter().map(|c| c.text.as_str()).collect()
}

proptest! {
    #[test]
    fn p37_no_post_answer_makes_a_success_of_a_denial(
        spec in specs(), post in posts(), by_guard in proptest::bool::ANY,
    ) {
        let mut denied = Spec { post: post.clone(), managed: vec![Said::Deny], ..spec };
        if by_guard {
            denied.managed = Vec::new();
            denied.user = Vec::new();
            denied.project = Vec::new();
            denied.guards = vec![Guarding::Deny];
        }
        let ran = denied.run();
        prop_assert!(ran.outcome.result.is_error());
        let asked = post.iter().position(|p| *p != Post::Next).map_or(post.len(), |at| at + 1);
        prop_assert_eq!(ran.reviews as usize, asked, "reviewed once, as any result");
        prop_assert_eq!((ran.bodies, ran.observed), (0, 1));
    }

    #[test]
    fn p39_document_both_replacements_are_an_error(content in "[a-z]{0,6}", value in 0..9u8) {
        let doc = format!(r#"{{"kind":"accept","content":["{content}"],"value":{value}}}"#);
        prop_assert!(PostDecision::from_document(&json(&doc), &RULE).is_err());
        let post = reviewing(|_: &Execution<'_>, _: &ToolResult| {
            PostDecision::from_document(&json(&doc), &RULE).map(PostAnswer::Settled)
        });
        let outcome = run_post(&post, "{}");
        prop_assert!(outcome.result.is_error());
        prop_assert!(outcome.result.value().is_none());
    }
}

#[test]
fn p38_block_removes_value_and_data_and_keeps_its_own_contexts() {
    let feedback = vec![Block::text("secret found"), other("image")];
    let ruling = PostRuling::Block(feedback.clone());
    let outcome = review(&PostDecision { ruling, contexts: vec![Context::new("mine")] });
    let result = &outcome.result;
    assert_eq!((result.value(), result.meta()), (None, None));
    assert_eq!(result.error().map(Failure::message), Some("secret found\n[image]"));
    assert_eq!(result.content(), feedback);
    assert_eq!(texts(&outcome), ["mine"]);
    let blank = review(&PostRuling::Block(vec![Block::text("  ")]).into());
    assert_eq!(blank.result.error().map(Failure::message), Some(BLOCKED));
    assert!(Block::join(blank.result.content()).contains(BLOCKED));
}

fn other(kind: &str) -> Block {
    Block::Other { kind: kind.into(), body: Json::Null }
}

#[test]
fn p39_content_keeps_the_value_and_value_renews_the_content() {
    let shown = vec![Block::text("short")];
    let outcome = review(&PostRuling::ReplaceContent(shown.clone()).into());
    assert_eq!(outcome.result.content(), shown);
    assert_eq!(outcome.result.value(), Some(&json("7")));
    assert_eq!(texts(&outcome), ["body"]);

    for value in [json("8"), Json::Null] {
        let outcome = review(&PostRuling::ReplaceValue(value.clone()).into());
        assert_eq!(outcome.result.value(), Some(&value), "a null counts");
        assert_eq!(outcome.result.meta(), Some(&value));
        assert_eq!(Block::join(outcome.result.content()), format!("shown {value:?}"));
        assert_eq!(texts(&outcome), ["body"]);
    }

    let failed = review_call(&PostRuling::ReplaceValue(json("8")).into(), r#"{"fail":1}"#);
    assert_eq!(failed.result.error().map(Failure::message), Some(VALUE_FOR_FAILURE));
}

#[test]
fn p40_a_replaced_value_is_checked_as_the_bodys_own() {
    for bad in [json("\"text\""), Json::Number("01".into()), Json::Number("NaN".into())] {
        let outcome = review(&PostRuling::ReplaceValue(bad).into());
        let code = outcome.result.error().and_then(Failure::code);
        assert_eq!(code, Some(&Code::InvalidToolOutput));
        assert!(outcome.result.value().is_none());
    }
}

#[test]
fn a_document_says_one_thing() {
    let read = |doc: &str| PostDecision::from_document(&json(doc), &RULE).map(|d| d.ruling);
    assert_eq!(read(r#"{"kind":"accept"}"#), Ok(PostRuling::Accept));
    assert_eq!(read(r#"{"kind":"accept","value":null}"#), Ok(PostRuling::ReplaceValue(Json::Null)));
    assert_eq!(
        read(r#"{"kind":"block","feedback":["no"]}"#),
        Ok(PostRuling::Block(vec![Block::text("no")]))
    );
    for bad in ["{}", "null", r#"{"kind":"block"}"#, r#"{"kind":"accept","content":[1]}"#] {
        assert!(read(bad).is_err(), "{bad}");
    }
}

#[test]
fn the_final_word_changes_the_content_and_nothing_else() {
    struct Short(bool);
    impl Tool for Short {
        fn run(&self, _: &BodyContext<'_>) -> Result<Json<'static>, Failure> {
            Ok(json("\"long text\""))
        }
        fn final_content(
            &self,
            _: &Execution<'_>,
            result: &ToolResult,
        ) -> Result<Option<Vec<Block>>, Failure> {
            if self.0 {
                Err(Failure::new("cannot shorten"))
            } else {
                let cut: String = Block::join(result.content()).chars().take(4).collect();
                Ok(Some(vec![Block::text(cut)]))
            }
        }
    }
    for fails in [false, true] {
        let tool = Short(fails);
        let catalog: [(&str, &dyn Tool); 1] = [("Bash", &tool)];
        let outcome = Pipeline::new(plain(&catalog)).run(&call_of("Bash", None), &NeverAborted);
        assert_eq!(outcome.result.is_error(), fails);
        if !fails {
            assert_eq!(Block::join(outcome.result.content()), "long");
            assert_eq!(outcome.result.value(), Some(&json("\"long text\"")));
        }
    }
    let failing = Spec { body: Body::Fail, ..Spec::default() }.run();
    assert_eq!(failing.text(), "Error: the tool failed");
}
