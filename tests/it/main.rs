//! The integration tests, one binary.
#![expect(clippy::disallowed_methods, reason = "tests act: they make homes and run the binary")]

mod approvals;
mod completions;
mod console;
mod crash;
mod demo;
mod doctor;
mod exec;
mod first_steps;
mod grants;
mod hook;
mod hosts;
mod house;
mod install;
mod installer;
mod journal;
mod knobs;
mod live;
mod measures;
mod off;
mod passphrase;
mod policy;
mod printed;
mod promises;
mod readme;
mod replay;
mod schedule;
mod support;
mod update;
mod verify;
