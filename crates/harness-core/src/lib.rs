//! The decision core of `harness`: who decides can't act, who acts doesn't decide.
//!
//! This crate holds the tool call, the votes, the guards, the verdict and the
//! pipeline that joins them. It is `no_std`: it cannot name a file, a clock, an
//! environment variable or a socket. What it needs to know of the world it asks
//! through [`World`], so that every verdict can be explained and replayed.
//!
//! [`settle`](settle::settle) gives the verdict before anyone is asked;
//! [`Pipeline`] runs all stations.
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

pub mod ask;
pub mod batch;
pub mod call;
pub mod decision;
pub mod execute;
pub mod guard;
pub mod guards;
pub mod json;
pub mod knobs;
pub mod layers;
pub mod observer;
pub mod pipeline;
pub mod post;
pub mod reason;
pub mod registry;
pub mod settle;
pub mod signal;
pub mod text;
pub mod verdict;
pub mod vote;
pub mod waterfall;
pub mod world;

pub use call::{Identity, ToolCall};
pub use guard::{Denial, Guard, StationError};
pub use guards::{Guards, Scope};
pub use json::Json;
pub use layers::{Layer, Layers};
pub use pipeline::Pipeline;
pub use reason::{Reason, RuleId};
pub use settle::{Cast, Settled, Station, settle};
pub use signal::{Clock, Signal};
pub use text::Text;
pub use verdict::Verdict;
pub use vote::{Answer, ProjectAnswer, Vote};
pub use waterfall::{Listener, ProjectListener};
pub use world::World;
