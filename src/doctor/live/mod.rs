//! The person's own client, driven headless against a model that is a script on loopback,
//! in a throw-away home and project: what reached the model is the only proof that hooks
//! are not only registered but delivered.

pub mod check;
pub mod client;
pub mod copies;
pub mod drive;
pub mod mount;
pub mod nonce;
pub mod observe;
pub mod script;
pub mod server;
pub mod stage;

mod answer;
mod http;

pub use check::{LiveCheck, LiveReport, LiveRequest, Scopes, run};
