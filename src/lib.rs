//! `harness`: one binary that installs itself into coding agents, *is* their hooks, and
//! proves on demand that they work.
//!
//! The rooms and what each may touch are in `ARCHITECTURE.md`. A `mod` line here is a
//! room's permission: without `expect` it can't reach a file, the environment, a clock,
//! a program or the network (`clippy.toml`), and with it the reason says what for.

#[expect(
    clippy::disallowed_methods,
    reason = "people's commands: arguments, terminals, the files they name"
)]
pub mod cli;
#[expect(
    clippy::disallowed_methods,
    reason = "reads settings, runs probes, drives the real client"
)]
pub mod doctor;
#[expect(clippy::disallowed_methods, reason = "plans what a command may write, and starts it")]
pub mod exec;
pub mod home;
#[expect(clippy::disallowed_methods, reason = "one event: standard input to exit code")]
pub mod hook;
pub mod hosts;
#[expect(
    clippy::disallowed_methods,
    reason = "finds clients, writes settings, the manifest and backups"
)]
pub mod install;
#[expect(clippy::disallowed_methods, reason = "appends to its own logs and reads them")]
pub mod journal;
pub mod policy;
#[expect(clippy::disallowed_methods, reason = "reads and replaces the files of hosts")]
pub mod settings;
#[expect(clippy::disallowed_methods, reason = "bytes in and out")]
pub mod stdio;
#[expect(clippy::disallowed_methods, reason = "the machine")]
pub mod sys;
#[expect(
    clippy::disallowed_methods,
    reason = "fetches releases, replaces the program and takes it back"
)]
pub mod update;
