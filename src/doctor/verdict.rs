//! From findings to two verdicts that are never merged, and one report.

use super::finding::{Finding, Findings};
use super::probes::live::Live;
use super::report::{Channel, Check, Evidence, HostReport, Report, State, Status};
use super::scene::{Known, Scene};
use super::table::{Row, row, rows};
use crate::hosts::HostId;
use std::collections::BTreeSet;

/// Folds everything into a report.
#[must_use]
pub fn report(scene: &Scene, mut found: Findings, live: Option<Live>) -> Report {
    let (gate, soft) = verdicts(&found, live.as_ref());
    let with_live = live.is_some();
    for finding in live.into_iter().flat_map(|l| l.findings) {
        found.add(finding);
    }
    let scopes: BTreeSet<_> = scene.own().iter().map(|h| h.scope).collect();
    let host = HostReport {
        id: HostId::ClaudeCode.as_str().to_owned(),
        version: (scene.known != Known::Assumed).then(|| scene.version.to_string()),
        scope: scopes.iter().map(|s| s.as_str().to_owned()).collect(),
        gate,
        soft,
    };
    let checks = checks(&found, with_live, !scene.own().is_empty());
    let ok = healthy(&[&host], &checks);
    Report { schema: 1, ok, hosts: vec![host], checks }
}

fn healthy(hosts: &[&HostReport], checks: &[Check]) -> bool {
    let dead = hosts.iter().any(|h| h.gate.state == State::Dead || h.soft.state == State::Dead);
    !dead && !checks.iter().any(|c| matches!(c.status, Status::Fail | Status::Error))
}

/// How a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Nothing dead, failed or, where it counts, unknown.
    Well,
    /// Something dead or failed (`--strict`: or warned of).
    Ill,
    /// Nothing dead, something unknown.
    Unknown,
}

/// How this run ends; `ci` takes what is unknown for an annotation.
#[must_use]
pub fn ending(report: &Report, strict: bool, ci: bool) -> Ending {
    let warned = report.checks.iter().any(|c| c.status == Status::Warn);
    let unknown = report
        .hosts
        .iter()
        .any(|h| h.gate.state == State::Unknown || h.soft.state == State::Unknown);
    if !report.ok || (strict && warned) {
        Ending::Ill
    } else if unknown && !ci {
        Ending::Unknown
    } else {
        Ending::Well
    }
}

fn verdicts(found: &Findings, live: Option<&Live>) -> (Channel, Channel) {
    let gate = channel(found, |f| f.gate, found.gate_seen);
    let soft = channel(found, |f| f.soft, found.soft_seen);
    match live {
        None => (gate, soft),
        Some(live) => (joined(gate, &live.gate), joined(soft, &live.soft)),
    }
}

/// What the client did outranks what we ran; an off switch or a dead probe is not undone
/// by a client that was driven without it.
fn joined(ours: Channel, live: &Channel) -> Channel {
    match (ours.state, live.state) {
        (_, State::Dead) | (State::Alive, State::Alive) => live.clone(),
        _ => ours,
    }
}

fn channel(found: &Findings, hit: fn(&Finding) -> Option<State>, seen: bool) -> Channel {
    let of = |state: State| -> Vec<String> {
        let hits = found.all.iter().filter(|f| hit(f) == Some(state));
        let roots = hits.clone().filter(|f| root_of(f, &found.all).is_none());
        let mut ids: Vec<String> = roots.map(|f| f.id.to_owned()).collect();
        ids.sort();
        ids.dedup();
        ids
    };
    let evidence = |ids: &[String]| {
        let executed = ids.iter().any(|id| row(id).is_some_and(|r| r.group == "probes"));
        if executed { Evidence::Executed } else { Evidence::Static }
    };
    let dead = of(State::Dead);
    if !dead.is_empty() {
        return Channel { state: State::Dead, evidence: evidence(&dead), because: dead };
    }
    let unknown = of(State::Unknown);
    if seen && unknown.is_empty() {
        return Channel { state: State::Alive, evidence: Evidence::Executed, because: Vec::new() };
    }
    Channel { state: State::Unknown, evidence: evidence(&unknown), because: unknown }
}

/// The finding that explains this one: it suppresses it, and hits every channel it hits.
fn root_of<'a>(finding: &Finding, all: &'a [Finding]) -> Option<&'a Finding> {
    all.iter().find(|root| {
        let lists = row(root.id).is_some_and(|r| r.suppresses.iter().any(|s| s == finding.id));
        let covers = |f: Option<State>, r: Option<State>| f.is_none() || r == Some(State::Dead);
        lists && is_bad(root) && covers(finding.gate, root.gate) && covers(finding.soft, root.soft)
    })
}

fn is_bad(finding: &Finding) -> bool {
    finding.gate.is_some() || finding.soft.is_some() || status(finding) == Status::Fail
}

fn status(finding: &Finding) -> Status {
    finding.status.or_else(|| row(finding.id).map(|r| r.severity)).unwrap_or(Status::Error)
}

fn checks(found: &Findings, with_live: bool, installed: bool) -> Vec<Check> {
    let mut checks = Vec::new();
    for row in rows().iter().filter(|r| with_live || r.group != "live") {
        let of: Vec<&Finding> = found.all.iter().filter(|f| f.id == row.id).collect();
        if of.is_empty() {
            checks.push(quiet(row, found, installed));
        }
        checks.extend(of.into_iter().map(|f| check(row, f, &found.all)));
    }
    // A finding without a row is a fault of the doctor's own, and is not lost.
    checks
}

/// A check that found nothing: right, or not looked at.
fn quiet(row: &Row, found: &Findings, installed: bool) -> Check {
    let seen = found.seen.get(row.id.as_str());
    let reached = match row.group.as_str() {
        "probes" => found.gate_seen || found.soft_seen,
        "programs" => installed,
        "entries" => installed || matches!(row.id.as_str(), "not-installed" | "foreign-hooks"),
        // Only what real sessions show says that they went well.
        "live" | "foreign" | "history" => false,
        _ => true,
    };
    let (status, message) = match seen {
        Some(lines) => (Status::Ok, lines.join("; ")),
        None if reached => (Status::Ok, row.title.clone()),
        None => (Status::Skip, "not reached".to_owned()),
    };
    Check {
        id: row.id.clone(),
        kind: None,
        group: row.group.clone(),
        status,
        title: row.title.clone(),
        message,
        evidence: Vec::new(),
        fix: None,
        doc: row.doc(),
    }
}

fn check(row: &Row, finding: &Finding, all: &[Finding]) -> Check {
    let root = root_of(finding, all);
    let message = match root {
        Some(root) => format!("explained by {}", root.id),
        None => finding.message.clone(),
    };
    Check {
        id: row.id.clone(),
        kind: finding.kind.clone(),
        group: row.group.clone(),
        status: if root.is_some() { Status::Skip } else { status(finding) },
        title: row.title.clone(),
        message,
        evidence: finding.evidence.clone(),
        fix: finding.fix.clone().filter(|_| root.is_none()),
        doc: row.doc(),
    }
}

#[cfg(test)]
mod tests;
