//! Translates: bytes to events, verdicts to replies, per host and version.
//!
//! No effects here: this room cannot read a file or print. [`claude_code`] is the protocol
//! all others are told apart from; a [`profile`] says where a host differs.

pub mod claude_code;
pub mod codex;
pub mod copilot;
pub mod dsh;
pub mod encode;
pub mod event;
pub mod gemini;
pub mod grok;
pub mod places;
pub mod profile;
pub mod qwen;
pub mod ready;
pub mod reply;
pub mod translate;
pub mod understood;
pub mod words;

pub use claude_code::caps::Version;
pub use event::{Event, EventName, HostId, Inbound, Subject};
pub use reply::{Decision, Outbound, Reply};
