//! [`Report`]: what a doctor's run found. One value, many renderers.

use serde::Serialize;

/// How a channel stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// Seen to work.
    Alive,
    /// Seen not to work.
    Dead,
    /// Not seen either way.
    Unknown,
}

/// How it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Evidence {
    /// The files look so.
    Static,
    /// Doctor ran the registered command.
    Executed,
    /// The real client did it.
    Delivered,
}

/// The verdict on one channel of one host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Channel {
    /// How it stands.
    pub state: State,
    /// How that is known.
    pub evidence: Evidence,
    /// The ids of the checks behind it.
    pub because: Vec<String>,
}

/// One host's two verdicts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HostReport {
    /// The host's id.
    pub id: String,
    /// The client's version, if one was found.
    pub version: Option<String>,
    /// The scopes in which harness is installed.
    pub scope: Vec<String>,
    /// The hard gate: a denial stops the call.
    pub gate: Channel,
    /// The soft channel: context reaches the model.
    pub soft: Channel,
}

/// How a check came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// As it should be.
    Ok,
    /// Advice; never changes the exit code.
    Note,
    /// Should be looked at.
    Warn,
    /// Broken.
    Fail,
    /// Not applicable or suppressed by a root cause.
    Skip,
    /// The check itself broke; counts as a failure.
    Error,
}

/// One check's finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Check {
    /// Permanent id, `[a-z0-9-]+`.
    pub id: String,
    /// What follows the id in the fault catalogue (`deny-shape/flat` has kind `flat`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// `switches`, `files`, `entries`, `probes`, `policy` …
    pub group: String,
    /// How it came out.
    pub status: Status,
    /// What is checked, in a line.
    pub title: String,
    /// What was found, in a line.
    pub message: String,
    /// Files, lines, commands, bytes.
    pub evidence: Vec<String>,
    /// One next step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<String>,
    /// Where it is explained.
    pub doc: String,
}

/// A doctor's run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report {
    /// The schema's number; fields are only added within one.
    pub schema: u32,
    /// Nothing dead, nothing failed.
    pub ok: bool,
    /// A host a row.
    pub hosts: Vec<HostReport>,
    /// A check a row, in a fixed order.
    pub checks: Vec<Check>,
}
