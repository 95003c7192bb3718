//! `harness`: one binary that installs itself into coding agents, *is* their hooks, and
//! proves on demand that they work.
//!
//! The rooms and what each may touch are in `ARCHITECTURE.md`.

pub mod cli;
pub mod doctor;
pub mod home;
pub mod hook;
pub mod hosts;
pub mod install;
pub mod journal;
pub mod policy;
pub mod settings;
pub mod stdio;
pub mod sys;
