//! The integration tests, one binary.

mod crash;
mod demo;
mod doctor;
mod hook;
mod house;
mod install;
mod live;
mod policy;
mod promises;
mod readme;
mod support;
