//! [`Answer`]: what an event's handler hands back: what to say, and what to write down
//! once it is said.

use std::path::PathBuf;

use super::approvals::Notes;
use crate::hosts::Outbound;
use crate::journal::record::Record;

/// What to say and what to write down.
#[derive(Debug)]
pub struct Answer {
    /// For the host.
    pub outbound: Outbound,
    /// For the audit journal.
    pub record: Option<Record>,
    /// What it means for the questions of the session, and the session's log.
    pub notes: Option<(Notes, PathBuf)>,
}
