//! What is wanted: packs and policy files, folded into listeners, guards, context
//! and post rules.
//!
//! The model and the decision have no effects; `load` alone reads files.

use harness_core::{RuleId, ToolCall, Verdict, World};
use harness_shell::Script;
use std::path::{Path, PathBuf};

use crate::home::Home;
use crate::hosts::EventName;

/// Where a policy is read from.
#[derive(Clone, Debug)]
pub struct Sources<'a> {
    /// The person's files.
    pub home: &'a Home,
    /// The managed policy file (`/etc/harness/policy.toml` or the platform's counterpart).
    pub managed: PathBuf,
    /// The project's root: the session's workspace, if there is one.
    pub project: Option<&'a Path>,
}

/// Which layer a rule comes from. Layers fold deny > ask > allow > none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layer {
    /// Built-in packs and the managed file.
    Managed,
    /// The person's file.
    User,
    /// The repository's file: adds guards, denies, asks and context only.
    Project,
}

/// Everything that is to be decided by. Loading never fails: a file that can't be
/// read or parsed is part of the policy and makes it stricter.
#[derive(Debug)]
pub struct Policy {}

/// What a decision needs to know beside the call.
#[derive(Clone, Debug)]
pub struct Situation<'a> {
    /// The pinned workspace root, absolute; empty if unknown.
    pub workspace: &'a str,
    /// Homes to protect as a zone: the operating system's word for this user, and `$HOME`
    /// beside it (a second home only tightens).
    pub homes: &'a [String],
    /// Folders in which an agent may scratch: the system's temp and the host's own.
    pub temp: &'a [String],
    /// Absolute paths and prefixes under self-protection beside the built-in ones:
    /// harness's own folders, the registered binary, the host's settings files.
    pub protected: &'a [String],
    /// Whether an alarm has tightened this session: everything but reading asks.
    pub tightened: bool,
    /// Whether the call comes from a subagent without a channel to a person.
    pub subagent: bool,
}

/// One rule's word in a ruling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cast {
    /// The rule.
    pub rule: RuleId,
    /// Its layer.
    pub layer: Layer,
    /// Its file and 1-based line; `None` for built-in rules.
    pub place: Option<(PathBuf, u32)>,
    /// `allow`, `ask` or `deny`.
    pub vote: &'static str,
}

/// A verdict with how it came about. `hook`, `explain`, `policy test`, `replay` and
/// `doctor` all get it from [`decide`].
#[derive(Clone, Debug)]
pub struct Ruling {
    /// The verdict, before anyone is asked.
    pub verdict: Verdict,
    /// Every rule that spoke, the deciding one first.
    pub votes: Vec<Cast>,
    /// The command line as read, for tools that carry one.
    pub script: Option<Script>,
}

/// A word on a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PostRuling {
    /// Keep it.
    Accept,
    /// Put this result (JSON, the tool's own shape) in its place.
    Replace(Vec<u8>, Vec<RuleId>),
    /// Tell the model not to use it.
    Block(harness_core::Reason),
}

/// Text for the model and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContextPiece {
    /// The text.
    pub text: String,
    /// The project file it comes from, to be named in the label; `None` otherwise.
    pub project_file: Option<PathBuf>,
}

impl Policy {
    /// Loads every layer.
    #[must_use]
    pub fn load(sources: &Sources<'_>) -> Self {
        let _ = sources;
        Self {}
    }

    /// Whether any rule takes part in this event (so that install registers it).
    #[must_use]
    pub fn uses(&self, event: EventName) -> bool {
        event.gates()
    }

    /// Context for an event (`tool` for tool events).
    #[must_use]
    pub fn context(&self, event: EventName, call: Option<&ToolCall<'_>>) -> Vec<ContextPiece> {
        let _ = (event, call);
        Vec::new()
    }

    /// What the post rules say of a result.
    #[must_use]
    pub fn post(&self, call: &ToolCall<'_>, result: &harness_core::Json<'_>) -> PostRuling {
        let _ = (call, result);
        PostRuling::Accept
    }
}

/// The one function that decides a call.
#[must_use]
pub fn decide(
    policy: &Policy,
    call: &ToolCall<'_>,
    situation: &Situation<'_>,
    world: &dyn World,
) -> Ruling {
    let _ = (policy, call, situation, world);
    Ruling { verdict: Verdict::no_objection(), votes: Vec::new(), script: None }
}
