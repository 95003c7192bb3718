//! Asking a person: requests, outcomes, the service and the words for each refusal.

pub mod events;
pub mod outcome;
pub mod resolve;
pub mod service;
pub mod texts;

pub use events::{ApprovalEvent, Session};
pub use outcome::{AskOutcome, DecidedBy, Grant, Ruling};
pub use resolve::Resolved;
pub use service::{ApprovalService, AskRequest, Children, Reply, Responder};
