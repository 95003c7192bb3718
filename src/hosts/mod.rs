//! Translates: bytes to events, verdicts to replies, per host and version.
//!
//! No effects here: this room cannot read a file or print.

pub mod claude_code;
pub mod event;
pub mod reply;
pub mod words;

pub use claude_code::caps::Version;
pub use event::{Event, EventName, HostId, Inbound, Subject};
pub use reply::{Decision, Outbound, Reply};
