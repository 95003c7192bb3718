//! Measures `harness hook` from outside, as a host sees it.
//!
//! [`spawn`] starts a program as cheaply as the system can and takes its time; [`trace`]
//! steps through it and counts; [`installed`] and [`scene`] make programs and homes as they
//! lie on a machine in use: on Linux on x86-64 only. [`corpus`] puts verdicts beside those
//! that others expect.
#![expect(clippy::disallowed_methods, reason = "a measuring program acts on the machine")]

pub mod corpus;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub mod installed;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub mod scene;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub mod spawn;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub mod trace;
