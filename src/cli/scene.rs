//! [`Scene`]: what a decision needs beside the call, for people's commands: the policy
//! in force in a folder, and the situation a session started there would be in.

use std::path::{Path, PathBuf};

use harness_core::ToolCall;
use harness_core::knobs::SandboxMode;

use super::out;
use crate::home::Home;
use crate::hook::knobs::Ladder;
use crate::hook::protected::Protected;
use crate::install::{Surroundings, in_force};
use crate::journal::authority;
use crate::policy::check::{self, Failure};
use crate::policy::model::Rule;
use crate::policy::{self, Policy, Ruling, Situation, Sources};
use crate::sys::world::Machine;
use crate::sys::{fs, paths};

/// A home and a project in it, as most machines have them.
const PLAIN_HOME: &str = "/home/person";
const PLAIN_PROJECT: &str = "projects/example";

/// The surroundings of a folder.
#[derive(Debug)]
pub struct Scene {
    /// The policy in force.
    pub policy: Policy,
    /// The workspace a session started in the folder would have; empty if it can't have
    /// one.
    pub workspace: String,
    /// harness's own folders.
    pub home: Home,
    homes: Vec<String>,
    temp: Vec<String>,
    protected: Protected,
    world: Machine,
}

impl Scene {
    /// Looks around in a folder; `None` if there is no home to look from.
    #[must_use]
    pub fn look(cwd: &Path) -> Option<Self> {
        let home = home(cwd)?;
        let text = |p: PathBuf| p.to_string_lossy().into_owned();
        let mut homes: Vec<String> = paths::os_home().into_iter().map(text).collect();
        homes.extend(paths::person_home().map(text).filter(|h| homes.first() != Some(h)));
        let root = project_root(cwd);
        let above_home = homes.iter().any(|h| Path::new(h).starts_with(&root));
        let workspace =
            if above_home || root.parent().is_none() { String::new() } else { text(root) };
        let project = (!workspace.is_empty()).then(|| Path::new(&workspace));
        let policy =
            Policy::load(&Sources { home: &home, managed: paths::managed_policy(), project });
        Some(Self {
            world: Machine::new(homes.first().cloned().unwrap_or_default()),
            temp: paths::system_temp().iter().map(|t| (*t).to_owned()).collect(),
            protected: Protected::of(&home, &homes, &workspace),
            policy,
            workspace,
            home,
            homes,
        })
    }

    /// Decides a call as the hook would.
    #[must_use]
    pub fn decide(&self, call: &ToolCall<'_>) -> Ruling {
        policy::decide(&self.policy, call, &self.situation(), &self.world)
    }

    /// The same with another sandbox than the one in force.
    #[must_use]
    pub fn decide_in(&self, call: &ToolCall<'_>, sandbox: SandboxMode) -> Ruling {
        let situation = Situation { sandbox, ..self.situation() };
        policy::decide(&self.policy, call, &situation, &self.world)
    }

    /// What a rule's examples and conditions get wrong. Examples stand for calls in the root
    /// of a project, so that is where they are tried, wherever in it this runs; where there is
    /// no project (in a home, above it, in the root of the system), in one below the home.
    #[must_use]
    pub fn prove(&self, rule: &Rule<'_>) -> Vec<Failure> {
        let usual = self.homes.first().filter(|home| home.len() > 1 && home.starts_with('/'));
        let home = usual.map_or(PLAIN_HOME, String::as_str);
        let root = match self.workspace.as_str() {
            "" => format!("{home}/{PLAIN_PROJECT}"),
            root => root.to_owned(),
        };
        let situation = Situation { workspace: &root, ..self.situation() };
        check::rule(rule, &situation, &root, &self.world)
    }

    /// The same for a built-in rule, on a machine like most: a home or a project in an odd
    /// place makes no built-in rule wrong.
    #[must_use]
    pub fn prove_built_in(&self, rule: &Rule<'_>) -> Vec<Failure> {
        let homes = [PLAIN_HOME.to_owned()];
        let root = format!("{PLAIN_HOME}/{PLAIN_PROJECT}");
        let situation = Situation { workspace: &root, homes: &homes, ..self.situation() };
        check::rule(rule, &situation, &root, &Machine::new(PLAIN_HOME))
    }

    /// The knobs that a session started here would begin with.
    #[must_use]
    pub fn ladder(&self) -> Ladder {
        Ladder::of(&self.home, authority::fresh(), &self.workspace, self.policy.knobs())
    }

    /// The window to the world.
    #[must_use]
    pub const fn world(&self) -> &Machine {
        &self.world
    }

    /// The person's home, by the system's word.
    #[must_use]
    pub fn person_home(&self) -> Option<&Path> {
        self.homes.first().map(Path::new)
    }

    /// What no command may change, wherever it is.
    #[must_use]
    pub fn protected(&self) -> Vec<String> {
        policy::Protected::paths(&self.protected)
    }

    fn situation(&self) -> Situation<'_> {
        Situation {
            workspace: &self.workspace,
            homes: &self.homes,
            temp: &self.temp,
            protected: &self.protected,
            tightened: false,
            sandbox: self.ladder().now().sandbox,
            subagent: false,
            spoke: None,
        }
    }
}

/// harness's own folders, as the hooks that run in a folder see them; a person whose `HOME`
/// says otherwise is told. `None` if there is no home to look from.
#[must_use]
pub fn home(cwd: &Path) -> Option<Home> {
    let Ok(around) = Surroundings::now() else { return paths::home_for_cli() };
    let around = Surroundings { git_root: fs::git_root(cwd), cwd: cwd.to_path_buf(), ..around };
    let home = in_force::home(&around);
    if let Some(note) = in_force::differs(&around, &home) {
        out::note(format!("note: {note}"));
    }
    Some(home)
}

/// The folder of the project around a folder: the nearest one with a policy or a
/// repository in it, else the folder itself.
#[must_use]
pub fn project_root(cwd: &Path) -> PathBuf {
    let marked = |dir: &&Path| {
        dir.join(".harness").join("policy.toml").exists() || dir.join(".git").exists()
    };
    cwd.ancestors().find(marked).unwrap_or(cwd).to_path_buf()
}

/// The folder a command was given, or the current one, absolute.
///
/// # Errors
/// When it isn't a folder.
pub fn folder(given: Option<&Path>) -> Result<PathBuf, String> {
    let path = given.unwrap_or(Path::new("."));
    let absolute = path.canonicalize().map_err(|e| format!("`{}`: {e}", path.display()))?;
    if absolute.is_dir() {
        Ok(absolute)
    } else {
        Err(format!("`{}` is not a folder", path.display()))
    }
}
