//! The delivered proof: the person's own client, driven on a model on loopback.

use crate::doctor::finding::Finding;
use crate::doctor::live::check::{
    DENIED, LIMIT, LiveCheck, LiveReport, LiveRequest, Scopes, run as drive,
};
use crate::doctor::live::client::Client;
use crate::doctor::report::{Channel, Evidence, State};
use crate::doctor::scene::Scene;
use crate::hosts::claude_code::caps::Version;
use crate::install::own;
use crate::install::proven::Proven;
use crate::settings::hooks::list;
use crate::sys::interrupt;
use serde_json::{Map, Value, json};

/// What the client showed, and the findings in it.
#[derive(Debug)]
pub struct Live {
    /// The gate.
    pub gate: Channel,
    /// The soft channel.
    pub soft: Channel,
    /// The checks, as findings with their status.
    pub findings: Vec<Finding>,
}

/// Drives the client that a shell would start.
#[must_use]
pub fn run(scene: &Scene, all_hooks: bool, progress: &dyn Fn(&str)) -> Live {
    let Some(client) = Client::on_path() else {
        let unknown = Channel {
            state: State::Unknown,
            evidence: Evidence::Static,
            because: vec!["live-control".to_owned()],
        };
        let finding = Finding::new("live-control", "no client on the search path could be started")
            .fix("put `claude` on the search path");
        return Live { gate: unknown.clone(), soft: unknown, findings: vec![finding] };
    };
    let scopes = Scopes::of(&scene.around.roots());
    let ours = |fields: &Map<String, Value>| is_ours(scene, fields);
    let request = LiveRequest {
        client: &client,
        scopes: &scopes,
        ours: &ours,
        all_hooks,
        denied: DENIED,
        limit: LIMIT,
        progress,
    };
    let LiveReport { version, gate, soft, checks } = drive(&request);
    // A run that was broken off is no word against what an earlier one showed.
    if !interrupt::came() {
        keep(scene, version.as_deref(), &gate, &soft);
    }
    Live { gate, soft, findings: checks.into_iter().map(finding).collect() }
}

/// What the client showed is remembered until it is another client.
fn keep(scene: &Scene, version: Option<&str>, gate: &Channel, soft: &Channel) {
    let Some(client) = version.and_then(Version::parse) else { return };
    let word = |channel: &Channel| match channel.state {
        State::Alive => "alive",
        State::Dead => "dead",
        State::Unknown => "unknown",
    };
    let proven = Proven::now(&scene.around, client, word(gate), word(soft));
    // What can't be kept is only not shown later.
    let _ = proven.keep(&scene.around.harness);
}

fn is_ours(scene: &Scene, fields: &Map<String, Value>) -> bool {
    let text = json!({ "hooks": { "PreToolUse": [{ "hooks": [fields] }] } }).to_string();
    let listing = list(&text, scene.version).unwrap_or_default();
    listing.entries.iter().any(|e| {
        own::is_ours(e, scene.manifest())
            || scene.manifest().is_some_and(|m| m.entries.iter().any(|r| r.fields() == e.fields))
    })
}

const fn live_id(id: &'static str) -> &'static str {
    id
}

fn finding(check: LiveCheck) -> Finding {
    let id = match check.id {
        "live-control" => live_id("live-control"),
        "live-gate" => live_id("live-gate"),
        "live-harmless" => live_id("live-harmless"),
        _ => live_id("live-soft"),
    };
    let mut finding = Finding::new("live-control", check.message).status(check.status);
    finding.id = id;
    finding.evidence = check.evidence;
    finding
}
