//! A pipeline built from a description, and what it did when a call ran through it.

use crate::stations::{
    Lever, Notes, Nowhere, broken, call_of, checking, hearing, hearing_project, json, reason,
    responding, reviewing, watching, wrapping,
};
use harness_core::ask::{ApprovalService, AskOutcome, Children, Reply};
use harness_core::execute::{
    Block, BodyContext, Context, Failure, FnTool, Retry, Tool, ToolResult,
};
use harness_core::guards::{Guards, Scope};
use harness_core::layers::Layers;
use harness_core::pipeline::{Outcome, Pipeline, Stations};
use harness_core::post::{PostAnswer, PostDecision, PostRuling};
use harness_core::{Answer, Denial, Json, Listener, ProjectAnswer, Vote};
use std::cell::Cell;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Said {
    Next,
    Allow,
    Ask,
    Deny,
    Fail,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Guarding {
    Silent,
    Deny,
    Blank,
    Fail,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Person {
    NoService,
    Says(AskOutcome),
    Garbage,
    Breaks,
    Absent,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wrapping {
    Through,
    Retry,
    ShortOk,
    ShortFail,
    Break,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Body {
    Ok,
    Fail,
    NotJson,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Post {
    Next,
    Accept,
    Content,
    Value,
    Block,
    Break,
}

/// A pipeline and a call.
#[derive(Clone, Debug)]
pub(crate) struct Spec {
    pub(crate) managed: Vec<Said>,
    pub(crate) user: Vec<Said>,
    pub(crate) project: Vec<Said>,
    pub(crate) guards: Vec<Guarding>,
    pub(crate) person: Person,
    pub(crate) wrappers: Vec<Wrapping>,
    pub(crate) body: Body,
    pub(crate) post: Vec<Post>,
    pub(crate) known: bool,
}

impl Default for Spec {
    fn default() -> Self {
        Self {
            managed: Vec::new(),
            user: Vec::new(),
            project: Vec::new(),
            guards: Vec::new(),
            person: Person::NoService,
            wrappers: Vec::new(),
            body: Body::Ok,
            post: Vec::new(),
            known: true,
        }
    }
}

/// What a run did.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) outcome: Outcome,
    pub(crate) prompts: u32,
    pub(crate) bodies: u32,
    pub(crate) reviews: u32,
    pub(crate) observed: u32,
    pub(crate) heard: u32,
}

impl Ran {
    pub(crate) fn denied(&self) -> bool {
        self.outcome.settled.as_ref().is_some_and(|s| s.verdict.is_deny())
    }
    pub(crate) fn text(&self) -> String {
        Block::join(self.outcome.result.content())
    }
    pub(crate) fn message(&self) -> Option<&str> {
        self.outcome.result.error().map(Failure::message)
    }
    pub(crate) fn code(&self) -> Option<&str> {
        self.outcome.result.error().and_then(Failure::code).map(|code| code.word())
    }
}

pub(crate) fn said(what: Said, who: &str) -> Result<Answer, harness_core::StationError> {
    match what {
        Said::Next => Ok(Answer::Next),
        Said::Allow => Ok(Answer::Settled(Vote::Allow)),
        Said::Ask => Ok(Answer::Settled(Vote::Ask(reason(&format!("{who} asks"))))),
        Said::Deny => Ok(Answer::Settled(Vote::Deny(reason(&format!("{who} denies"))))),
        Said::Fail => Err(broken(&format!("{who} broke"))),
    }
}

pub(crate) fn guarding(
    what: Guarding,
    who: &str,
) -> Result<Option<Denial>, harness_core::StationError> {
    match what {
        Guarding::Silent => Ok(None),
        Guarding::Deny => Ok(Some(Denial::new(reason(&format!("guard {who}"))))),
        Guarding::Blank => Ok(Some(Denial::new(reason("")))),
        Guarding::Fail => Err(broken(&format!("guard {who} broke"))),
    }
}

fn post_answer(what: Post) -> Result<PostAnswer, harness_core::StationError> {
    let ruling = match what {
        Post::Next => return Ok(PostAnswer::Next),
        Post::Break => return Err(broken("post broke")),
        Post::Accept => PostRuling::Accept,
        Post::Content => PostRuling::ReplaceContent(vec![Block::text("shown instead")]),
        Post::Value => PostRuling::ReplaceValue(Json::Null),
        Post::Block => PostRuling::Block(vec![Block::text("blocked")]),
    };
    Ok(PostAnswer::Settled(PostDecision { ruling, contexts: vec![Context::new("post")] }))
}

fn body_value(what: Body, body: &BodyContext<'_>) -> Result<Json<'static>, Failure> {
    body.defer(Context::new("body"));
    match what {
        Body::Ok => Ok(json("\"done\"")),
        Body::Fail => Err(Failure::new("the tool failed")),
        Body::NotJson => Ok(Json::Number("NaN".into())),
    }
}

fn bump(cell: &Cell<u32>) {
    cell.set(cell.get() + 1);
}

impl Spec {
    /// Runs one call, not cancelled.
    pub(crate) fn run(&self) -> Ran {
        self.run_under(&Lever::default())
    }

    /// Runs one call under this signal.
    pub(crate) fn run_under(&self, caller: &Lever) -> Ran {
        let [prompts, bodies, reviews, observed, heard] = [const { Cell::new(0) }; 5];
        let hears = |list: &[Said], who: &'static str| -> Vec<_> {
            let hear = |what: Said| {
                let heard = &heard;
                hearing(move |_: &_| {
                    bump(heard);
                    said(what, who)
                })
            };
            list.iter().copied().map(hear).collect()
        };
        let managed = hears(&self.managed, "managed");
        let user = hears(&self.user, "user");
        let project: Vec<_> = self
            .project
            .iter()
            .map(|&what| {
                hearing_project(move || match said(what, "project")? {
                    Answer::Settled(Vote::Ask(reason)) => Ok(ProjectAnswer::Ask(reason)),
                    Answer::Settled(Vote::Deny(reason)) => Ok(ProjectAnswer::Deny(reason)),
                    _ => Ok(ProjectAnswer::Next),
                })
            })
            .collect();
        let guards: Vec<_> = self
            .guards
            .iter()
            .enumerate()
            .map(|(at, &what)| checking(move |_: &_| guarding(what, &at.to_string())))
            .collect();
        let person = responding(|_: &_| {
            bump(&prompts);
            match self.person {
                Person::Says(outcome) => Ok(Reply::Outcome(outcome)),
                Person::Garbage => Ok(Reply::Word("allowed-forever".into())),
                Person::Breaks => Err(broken("no terminal")),
                Person::Absent | Person::NoService => Ok(Reply::Next),
            }
        });
        let notes = Notes::default();
        let service = ApprovalService {
            session: &notes,
            responders: &[&person],
            children: Children::Inherit,
        };
        let wrappers: Vec<Box<dyn harness_core::execute::Wrapper>> =
            self.wrappers.iter().map(|&what| wrapper(what)).collect();
        let posts: Vec<_> = self
            .post
            .iter()
            .map(|&what| {
                let reviews = &reviews;
                reviewing(move |_: &_, _: &ToolResult| {
                    bump(reviews);
                    post_answer(what)
                })
            })
            .collect();
        let observer = watching(|_: &_| {
            bump(&observed);
            Ok(())
        });
        let tool = FnTool(|body: &BodyContext<'_>| {
            bump(&bodies);
            body_value(self.body, body)
        });
        let name = if self.known { "Bash" } else { "Another" };
        let catalog: [(&str, &dyn Tool); 1] = [(name, &tool)];
        let managed: Vec<&dyn Listener> = managed.iter().map(|l| l as _).collect();
        let user: Vec<&dyn Listener> = user.iter().map(|l| l as _).collect();
        let project: Vec<_> = project.iter().map(|l| l as _).collect();
        let guards: Vec<_> = guards.iter().map(|g| g as _).collect();
        let wrappers: Vec<_> = wrappers.iter().map(|w| &**w).collect();
        let posts: Vec<_> = posts.iter().map(|p| p as _).collect();
        let stations = Stations {
            layers: Layers { managed: &managed, user: &user, project: &project },
            guards: Guards { global: &guards, scopes: &[] as &[Scope<'_>] },
            approval: (self.person != Person::NoService).then_some(&service),
            catalog: &catalog,
            wrappers: &wrappers,
            post: &posts,
            observers: &[&observer],
            world: &Nowhere,
        };
        let pipeline = Pipeline::new(stations);
        let outcome = pipeline.run(&call_of("Bash", None), caller);
        Ran {
            outcome,
            prompts: prompts.get(),
            bodies: bodies.get(),
            reviews: reviews.get(),
            observed: observed.get(),
            heard: heard.get(),
        }
    }
}

fn wrapper(what: Wrapping) -> Box<dyn harness_core::execute::Wrapper> {
    match what {
        Wrapping::Through => Box::new(wrapping(|_: &_, signal: &_, next: &mut _| {
            run_next(next, signal).map(|result| result.with_context(Context::new("wrapper")))
        })),
        Wrapping::Retry => Box::new(Retry::new(3, &|_| true)),
        Wrapping::ShortOk => Box::new(wrapping(|_: &_, _: &_, _: &mut _| {
            Ok(ToolResult::success(json("\"cached\"")))
        })),
        Wrapping::ShortFail => Box::new(wrapping(|_: &_, _: &_, _: &mut _| {
            Ok(ToolResult::failure(Failure::new("refused by a wrapper")))
        })),
        Wrapping::Break => {
            Box::new(wrapping(|_: &_, _: &_, _: &mut _| Err(broken("wrapper broke"))))
        }
    }
}

fn run_next(
    next: &mut dyn harness_core::execute::Next,
    signal: &dyn harness_core::Signal,
) -> Result<ToolResult, harness_core::StationError> {
    next.run(signal)
}
