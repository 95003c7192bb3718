//! [`Scene`]: what a decision needs to know beside the call: the workspace, the homes,
//! what is protected, how the session stands.

use std::env;
use std::path::{Path, PathBuf};

use harness_core::json::write_string;
use harness_core::knobs::value::Knob;
use harness_core::knobs::{ApprovalPolicy, Deployment, SandboxMode};
use harness_core::{Text, ToolCall, World};

use super::approvals::Notes;
use super::knobs::Ladder;
use super::limits;
use super::protected::Protected;
use super::trouble::{Trouble, station};
use crate::home::Home;
use crate::hosts::claude_code::places::{self, Os, Roots};
use crate::hosts::{EventName, Inbound};
use crate::journal::authority::{self, Authority};
use crate::journal::record::Record;
use crate::journal::{audit, place, redact};
use crate::policy::{self, Policy, Ruling, Situation, Sources};
use crate::sys::paths;
use crate::sys::world::Machine;

/// The surroundings of one event.
#[derive(Debug)]
pub struct Scene {
    /// How the session stands.
    pub authority: Authority,
    /// The pinned workspace root; empty if unknown.
    pub workspace: String,
    /// The authority log of this session.
    pub log: PathBuf,
    home: Home,
    homes: Vec<String>,
    temp: Vec<String>,
    protected: Protected,
    world: Machine,
}

impl Scene {
    /// Looks around.
    #[must_use]
    pub fn look(home: &Home, inbound: &Inbound<'_>) -> Self {
        let homes = homes();
        let log = place::session(&home.state, &inbound.session);
        let authority = standing(home, &inbound.session);
        let workspace = match &authority.workspace {
            Some(pinned) => pinned.clone(),
            None => env::var_os("CLAUDE_PROJECT_DIR")
                .and_then(|dir| trusted_workspace(&dir.to_string_lossy(), &homes))
                .unwrap_or_default(),
        };
        let protected = Protected::of(home, &homes, &workspace);
        let world = Machine::new(homes.first().cloned().unwrap_or_default());
        let temp = paths::system_temp().iter().map(|dir| (*dir).to_owned()).collect();
        let home = home.clone();
        Self { authority, workspace, log, home, homes, temp, protected, world }
    }

    /// Milliseconds since the epoch.
    #[must_use]
    pub fn now_ms(&self) -> u64 {
        self.world.now_ms()
    }

    /// The homes to protect as a zone.
    #[must_use]
    pub fn homes(&self) -> &[String] {
        &self.homes
    }

    /// harness's own folders.
    #[must_use]
    pub const fn home(&self) -> &Home {
        &self.home
    }

    /// The world as this machine has it.
    #[must_use]
    pub const fn world(&self) -> &Machine {
        &self.world
    }

    /// The folder a beginning session pins: where the client started, if a workspace may
    /// be there.
    #[must_use]
    pub fn beginning(&self, started_in: &str) -> String {
        trusted_workspace(started_in, &self.homes).unwrap_or_default()
    }

    /// The policy in force here.
    ///
    /// # Errors
    /// Only in test builds, on demand: a policy that can't be loaded is part of it.
    pub fn policy(&self, home: &Home) -> Result<Policy, Trouble> {
        station("policy-load")?;
        let project = (!self.workspace.is_empty()).then(|| Path::new(&self.workspace));
        Ok(Policy::load(&Sources { home, managed: paths::managed_policy(), project }))
    }

    /// Everybody's word on the two knobs.
    #[must_use]
    pub fn ladder(&self, policy: &Policy) -> Ladder {
        Ladder::of(&self.home, self.authority.knobs.clone(), &self.workspace, policy.knobs())
    }

    /// Decides a call with the knobs in force.
    ///
    /// # Errors
    /// Only in test builds, on demand.
    pub fn decide(
        &self,
        policy: &Policy,
        knobs: Deployment,
        call: &ToolCall<'_>,
    ) -> Result<Ruling, Trouble> {
        station("listeners")?;
        let situation = Situation {
            workspace: &self.workspace,
            homes: &self.homes,
            temp: &self.temp,
            protected: &self.protected,
            tightened: self.authority.alarmed,
            sandbox: knobs.sandbox,
            subagent: call.identity().agent.is_some(),
            spoke: None,
        };
        let ruling = policy::decide(policy, call, &situation, &self.world);
        station("guards")?;
        Ok(ruling)
    }

    /// From now on everything but reading asks in this session.
    pub fn tighten(&mut self, why: &str) {
        if self.authority.alarmed {
            // Also where the log is gone: a new one must not stand for it.
            return;
        }
        self.authority.alarmed = true;
        self.authority.knobs.sandbox = Some(SandboxMode::STRICTEST);
        let record = Record::new("alarm/tightened", self.now_ms());
        let _ = authority::append(&self.log, [record.text("why", redact::head(why, 1_024))]);
    }

    /// What an event means for the questions of its session, with the session's log.
    #[must_use]
    pub fn notes(
        &self,
        event: EventName,
        inbound: &Inbound<'_>,
        call: Option<&ToolCall<'_>>,
        source: &str,
    ) -> Option<(Notes, PathBuf)> {
        // The common case reads no clock.
        if self.authority.asks.is_empty() && self.authority.grants.is_empty() {
            return None;
        }
        let notes = Notes::of(event, inbound, call, source, &self.authority, self.now_ms())?;
        Some((notes, self.log.clone()))
    }

    /// Where the client keeps its settings for this session.
    #[must_use]
    pub fn settings_files(&self) -> Vec<places::Place> {
        let Some(home) = self.homes.first() else { return Vec::new() };
        let start = if self.workspace.is_empty() { "/" } else { &self.workspace };
        let config_dir = env::var_os("CLAUDE_CONFIG_DIR").filter(|dir| !dir.is_empty());
        let git_root = Path::new(start).ancestors().find(|dir| dir.join(".git").exists());
        let mut files = places::settings_files(&Roots {
            home: Path::new(home),
            config_dir: config_dir.as_deref().map(Path::new),
            start: Path::new(start),
            git_root,
            os: Os::here(),
        });
        // Before 2.1.211 the local file was the start folder's.
        let plain = Path::new(start).join(".claude").join("settings.local.json");
        if files.iter().all(|place| place.file != plain) {
            files.push(places::Place { scope: places::Scope::Local, file: plain });
        }
        files
    }
}

/// How a session stands.
#[must_use]
pub fn standing(home: &Home, session: &str) -> Authority {
    let log = place::session(&home.state, session);
    let mut authority = authority::session(&log, limits::AUTHORITY).unwrap_or_default();
    if !authority.began && has_begun(home, session) {
        lose(&mut authority);
    }
    authority
}

/// A session that began and whose log is gone, or was begun anew by a person who set a
/// knob: what nobody has set since is at its strictest.
fn lose(authority: &mut Authority) {
    authority.began = true;
    authority.workspace = None;
    authority.alarmed |= authority.knobs.sandbox.is_none();
    authority.knobs.sandbox.get_or_insert(SandboxMode::STRICTEST);
    authority.knobs.approval.get_or_insert(ApprovalPolicy::STRICTEST);
}

/// The homes to protect as a zone: the system's word first, and the environment's beside
/// it, since a second home only tightens.
fn homes() -> Vec<String> {
    let of_system = paths::os_home().map(|home| home.to_string_lossy().into_owned());
    let of_environment = env::var("HOME").ok().filter(|home| home.starts_with('/'));
    let mut homes: Vec<String> = of_system.into_iter().collect();
    homes.extend(of_environment.filter(|home| homes.first() != Some(home)));
    homes
}

/// A folder that may be a workspace: absolute, not the root, not a home and not above
/// one.
fn trusted_workspace(folder: &str, homes: &[String]) -> Option<String> {
    let path = Path::new(folder);
    let dotted = path.components().any(|part| matches!(part, std::path::Component::ParentDir));
    let above_home = homes.iter().any(|home| Path::new(home).starts_with(path));
    (path.is_absolute() && !dotted && path.parent().is_some() && !above_home)
        .then(|| folder.to_owned())
}

/// Whether the journal remembers that the session began, though its log is gone.
fn has_begun(home: &Home, session: &str) -> bool {
    let mut needle = Vec::new();
    write_string(&Text::from(redact::head(session, 256)), &mut needle);
    let needle = format!(
        "\"type\":\"hook/invoked\",\"event\":\"SessionStart\",\"session\":{},\"pinned\":true",
        String::from_utf8_lossy(&needle)
    );
    audit::search(&place::audit(&home.state), limits::BEGUN_TAIL, &needle, |_| Some(())).is_some()
}

#[cfg(test)]
mod tests {
    use super::trusted_workspace;

    #[test]
    fn a_workspace_is_no_root_no_home_and_nothing_above_one() {
        let homes = ["/home/u".to_owned(), "/h2".to_owned()];
        for bad in ["", "rel", "/", "/home", "/home/u", "/home/u/", "/h2", "/w/../home/u"] {
            assert_eq!(trusted_workspace(bad, &homes), None, "{bad}");
        }
        assert_eq!(trusted_workspace("/home/u/p", &homes).as_deref(), Some("/home/u/p"));
    }
}
