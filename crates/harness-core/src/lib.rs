//! The decision core of `harness`: who decides can't act, who acts doesn't decide.
//!
//! This crate holds the tool call, the votes, the guards, the verdict and the
//! pipeline that joins them. It is `no_std`: it cannot name a file, a clock, an
//! environment variable or a socket. What it needs to know of the world it asks
//! through [`World`], so that every verdict can be explained and replayed.
#![no_std]
#![forbid(unsafe_code)]
#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::unreachable,
    clippy::indexing_slicing,
    clippy::string_slice
)]

extern crate alloc;

pub mod call;
pub mod guard;
pub mod json;
pub mod reason;
pub mod text;
pub mod verdict;
pub mod vote;
pub mod world;

pub use call::{Identity, ToolCall};
pub use guard::{Denial, Guard, StationError};
pub use json::Json;
pub use reason::{Reason, RuleId};
pub use text::Text;
pub use verdict::Verdict;
pub use vote::{Answer, Vote};
pub use world::World;
