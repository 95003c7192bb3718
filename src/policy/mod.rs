//! What is wanted: packs and policy files, folded into listeners, guards, context
//! and post rules.
//!
//! The model and the decision have no effects; `load` alone reads files.

pub mod branch;
pub mod check;
mod decide;
#[expect(clippy::disallowed_methods, reason = "runs the guards that are programs")]
pub mod external;
pub mod facts;
pub mod file;
pub mod flat;
pub mod glob;
pub mod grants;
pub mod kinds;
pub mod knobs;
#[expect(clippy::disallowed_methods, reason = "reads the policy files and keeps their snapshot")]
pub mod load;
pub mod matching;
pub mod model;
pub mod packs;
pub mod parse;
pub mod patch;
pub mod paths;
pub mod place;
mod post;
pub mod protect;
pub mod redact;
pub mod remarks;
mod shell_setup;
pub mod tools;
#[expect(clippy::disallowed_methods, reason = "reads and writes what a person trusts")]
pub mod trust;
pub mod word;
pub mod zones;

use harness_core::knobs::SandboxMode;
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
pub struct Policy {
    layers: Vec<load::Loaded>,
    packs: Vec<&'static packs::Pack>,
    own: protect::Own,
    project: Option<PathBuf>,
}

/// Absolute paths and prefixes under self-protection: harness's own folders, the
/// registered binary, the host's settings files. Asked only when a call comes near some
/// path, which most calls don't.
pub trait Protected: std::fmt::Debug {
    /// All of them.
    fn paths(&self) -> Vec<String>;

    /// What decides which hooks run in other agents of this person.
    fn others(&self) -> Vec<String>;
}

/// Nothing beside the built-in paths.
impl Protected for () {
    fn paths(&self) -> Vec<String> {
        Vec::new()
    }

    fn others(&self) -> Vec<String> {
        Vec::new()
    }
}

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
    /// What is under self-protection beside the built-in paths.
    pub protected: &'a dyn Protected,
    /// Whether an alarm has tightened this session: everything but reading asks.
    pub tightened: bool,
    /// What the sandbox knob is at in this session.
    pub sandbox: SandboxMode,
    /// Whether the call comes from a subagent without a channel to a person.
    pub subagent: bool,
    /// The rules that spoke when the call was decided first: a program among them denies
    /// again, and none is started. `None`: programs are asked.
    pub spoke: Option<&'a [String]>,
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
    /// Whether a guard said it, and not a listener.
    pub guards: bool,
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
        Self::from_layers(load::all(sources), sources)
    }

    /// Where a file's guards run: a project's in the project, a person's beside their policy.
    #[must_use]
    pub fn folder(&self, loaded: &load::Loaded) -> String {
        let folder = match (loaded.layer, &self.project) {
            (Layer::Project, Some(root)) => root.as_path(),
            _ => loaded.path.parent().unwrap_or(Path::new("/")),
        };
        folder.to_string_lossy().into_owned()
    }

    /// Loads every layer, with another file in the place of the person's.
    #[must_use]
    pub fn load_instead(sources: &Sources<'_>, user: &Path) -> Self {
        Self::from_layers(load::all_with(sources, user.to_path_buf()), sources)
    }

    fn from_layers(layers: Vec<load::Loaded>, sources: &Sources<'_>) -> Self {
        let text = |p: &Path| p.to_string_lossy().into_owned();
        let home = sources.home;
        let own = protect::Own {
            paths: [&home.config, &home.state, &home.cache, &sources.managed]
                .into_iter()
                .map(|p| text(p))
                .filter(|p| paths::is_absolute(p))
                .collect(),
            repair: layers.iter().filter(|l| l.broken().is_some()).map(|l| text(&l.path)).collect(),
        };
        let packs = enabled_packs(&layers);
        Self { layers, packs, own, project: sources.project.map(Path::to_path_buf) }
    }

    /// Every layer with its file and what became of it.
    #[must_use]
    pub fn layers(&self) -> &[load::Loaded] {
        &self.layers
    }

    /// The packs that are on.
    #[must_use]
    pub fn packs(&self) -> &[&'static packs::Pack] {
        &self.packs
    }

    /// Whether any rule takes part in this event (so that install registers it).
    #[must_use]
    pub fn uses(&self, event: EventName) -> bool {
        let asks = |l: &load::Loaded| {
            l.flat().is_some_and(|f| {
                // Damaged bytes are taken to use everything: the event will say so.
                f.has_context(event).unwrap_or(true)
                    || (event == EventName::PostToolUse && f.has_posts().unwrap_or(true))
            })
        };
        event.gates() || self.layers.iter().any(asks)
    }

    /// Context for an event (`call` for tool events), a person's own first.
    #[must_use]
    pub fn context(&self, event: EventName, call: Option<&ToolCall<'_>>) -> Vec<ContextPiece> {
        let mut out = Vec::new();
        for loaded in &self.layers {
            let Some(flat) = loaded.flat() else { continue };
            if !flat.has_context(event).unwrap_or(false) {
                continue;
            }
            let Ok(rest) = flat.rest() else { continue };
            let file = (loaded.layer == Layer::Project).then(|| loaded.path.clone());
            for piece in rest.contexts.iter().filter(|c| c.event == event) {
                let fits = piece.tools.is_empty()
                    || call.is_some_and(|c| piece.tools.iter().any(|t| glob::name(t, c.tool())));
                if fits {
                    out.push(ContextPiece {
                        text: piece.text.to_owned(),
                        project_file: file.clone(),
                    });
                }
            }
        }
        out
    }

    /// The post rules that look at what a tool gives back.
    #[must_use]
    pub fn reviewers(&self, tool: &str) -> Vec<RuleId> {
        post::reviewers(&self.layers, tool)
    }

    /// What the post rules say of a result.
    #[must_use]
    pub fn post(&self, call: &ToolCall<'_>, result: &harness_core::Json<'_>) -> PostRuling {
        post::weigh(&self.layers, call, result)
    }
}

/// Default packs and those switched on, but those switched off. A managed file's word
/// stands against a person's, and a project can only add.
fn enabled_packs(layers: &[load::Loaded]) -> Vec<&'static packs::Pack> {
    let mut on: Vec<&str> = packs::ALL.iter().filter(|p| p.default).map(|p| p.name).collect();
    for layer in [Layer::User, Layer::Managed, Layer::Project] {
        let flat = layers.iter().find(|l| l.layer == layer).and_then(load::Loaded::flat);
        let Some(flat) = flat.filter(|f| f.touches_packs().unwrap_or(true)) else { continue };
        let Ok(rest) = flat.rest() else { continue };
        if layer != Layer::Project {
            on.retain(|name| !rest.disable.contains(name));
        }
        on.extend(rest.enable.iter().filter_map(|name| packs::find(name)).map(|p| p.name));
    }
    packs::ALL.iter().filter(|p| on.contains(&p.name)).collect()
}

/// The one function that decides a call. A patch is as strict as the strictest of the edits
/// it stands for.
#[must_use]
pub fn decide(
    policy: &Policy,
    call: &ToolCall<'_>,
    situation: &Situation<'_>,
    world: &dyn World,
) -> Ruling {
    let whole = decide::decide(policy, call, situation, world);
    let Some(edits) = patch::calls(call) else { return whole };
    edits.iter().map(|edit| decide::decide(policy, edit, situation, world)).fold(whole, stricter)
}

/// Two rulings as one: the stricter verdict, its votes first.
fn stricter(mut one: Ruling, mut other: Ruling) -> Ruling {
    if one.verdict.clone().tighten(other.verdict.clone()) != one.verdict {
        std::mem::swap(&mut one, &mut other);
    }
    for cast in other.votes {
        if !one.votes.contains(&cast) {
            one.votes.push(cast);
        }
    }
    one
}
