//! Decides a recorded call again, with what it met then and nothing of what is here now.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use harness_core::knobs::value::Knob;
use harness_core::knobs::{ApprovalPolicy, Deployment, SandboxMode};
use harness_core::{Json, World};

use super::recorded;
use crate::home::Home;
use crate::hook::protected::Protected;
use crate::policy::{self, Policy, Ruling, Situation, Sources, paths};
use crate::sys::paths as system;

/// Why a call can't be decided again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cannot {
    /// The journal left something of its arguments out.
    Redacted,
    /// It is asked what the record doesn't say of the world.
    Unknown,
}

/// The policies in force, one a workspace.
#[derive(Debug)]
pub struct Bench {
    home: Home,
    user: Option<PathBuf>,
    policies: BTreeMap<String, Policy>,
}

impl Bench {
    /// With another file in the place of the person's own policy, if one is given.
    #[must_use]
    pub const fn new(home: Home, user: Option<PathBuf>) -> Self {
        Self { home, user, policies: BTreeMap::new() }
    }

    /// The policy in force in a workspace.
    pub fn policy(&mut self, workspace: &str) -> &Policy {
        let (home, user) = (&self.home, &self.user);
        self.policies.entry(workspace.to_owned()).or_insert_with(|| {
            let project = (!workspace.is_empty()).then(|| Path::new(workspace));
            let sources = Sources { home, managed: system::managed_policy(), project };
            match user {
                Some(file) => Policy::load_instead(&sources, file),
                None => Policy::load(&sources),
            }
        })
    }

    /// Decides a recorded call, with this sandbox.
    ///
    /// # Errors
    /// [`Cannot`] says why not.
    pub fn decide(&mut self, record: &Json<'_>, sandbox: SandboxMode) -> Result<Ruling, Cannot> {
        if !recorded::is_whole(record) {
            return Err(Cannot::Redacted);
        }
        let text = |key: &str| record.str_at(key).unwrap_or_default().into_owned();
        let flag = |key: &str| matches!(record.get(key), Some(Json::Bool(true)));
        let workspace = text("workspace");
        let mut homes = recorded::list(record, "homes");
        if homes.is_empty() {
            homes.extend(system::os_home().map(|home| home.to_string_lossy().into_owned()));
        }
        let spoke = recorded::list(record, "rules");
        let temp: Vec<String> = system::system_temp().iter().map(|dir| (*dir).to_owned()).collect();
        let protected = Protected::of(&self.home, &homes, &workspace);
        let world = Then::of(record, homes.first().cloned().unwrap_or_default());
        let call = recorded::call(record);
        let situation = Situation {
            workspace: &workspace,
            homes: &homes,
            temp: &temp,
            protected: &protected,
            tightened: flag("tightened"),
            sandbox,
            subagent: call.identity().agent.is_some(),
            spoke: Some(&spoke),
        };
        let ruling = policy::decide(self.policy(&workspace), &call, &situation, &world);
        if world.unknown.get() { Err(Cannot::Unknown) } else { Ok(ruling) }
    }
}

/// The knobs that a call was decided with; what can't be read counts as the strictest.
#[must_use]
pub fn knobs(record: &Json<'_>) -> Deployment {
    let word = |key: &str| record.str_at(key).unwrap_or_default().into_owned();
    Deployment {
        sandbox: SandboxMode::from_word(&word("sandbox")).unwrap_or(SandboxMode::STRICTEST),
        approval: ApprovalPolicy::from_word(&word("approval")).unwrap_or(ApprovalPolicy::STRICTEST),
    }
}

/// What a verdict comes to: under `never` an ask is a denial.
#[must_use]
pub fn outcome(verdict: &str, approval: ApprovalPolicy) -> &'static str {
    match (verdict, approval) {
        ("none", _) => "none",
        ("ask", ApprovalPolicy::Ask) => "ask",
        _ => "deny",
    }
}

/// The world as a record tells of it.
struct Then {
    links: BTreeMap<String, String>,
    files: BTreeMap<String, Option<String>>,
    now_ms: u64,
    home: String,
    unknown: Cell<bool>,
}

impl Then {
    fn of(record: &Json<'_>, home: String) -> Self {
        let world = record.get("world");
        let members = |key: &str| match world.and_then(|world| world.get(key)) {
            Some(Json::Object(members)) => members.as_slice(),
            _ => &[],
        };
        let text = |json: &Json<'_>| json.as_str().map(std::borrow::Cow::into_owned);
        let links = members("links").iter();
        let files = members("files").iter();
        let cut = world.is_some_and(|world| matches!(world.get("cut"), Some(Json::Bool(true))));
        Self {
            links: links
                .filter_map(|(path, leads)| Some((path.to_str().into_owned(), text(leads)?)))
                .collect(),
            // Of a file that was too long or held a secret only the size is known.
            files: files
                .filter(|(_, is)| !matches!(is, Json::Number(_)))
                .map(|(path, is)| (path.to_str().into_owned(), text(is)))
                .collect(),
            now_ms: match record.get("ts") {
                Some(Json::Number(ms)) => ms.parse().unwrap_or(0),
                _ => 0,
            },
            home,
            unknown: Cell::new(cut),
        }
    }
}

impl World for Then {
    fn resolve(&self, base: &str, path: &str) -> String {
        let whole =
            if paths::is_absolute(path) { path.to_owned() } else { format!("{base}/{path}") };
        self.links.get(&whole).cloned().unwrap_or_else(|| paths::normal(base, path))
    }

    fn now_ms(&self) -> u64 {
        self.now_ms
    }

    fn home(&self) -> &str {
        &self.home
    }

    fn read(&self, path: &str) -> Option<Vec<u8>> {
        match self.files.get(path) {
            Some(found) => found.clone().map(String::into_bytes),
            None => {
                self.unknown.set(true);
                None
            }
        }
    }
}
