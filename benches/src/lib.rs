//! Measures `harness hook` from outside, as a host sees it.
//!
//! [`spawn`] starts a program as cheaply as the system can and takes its time; [`trace`]
//! steps through it and counts; [`scene`] makes the installed homes the hook is run in.
//! Linux on x86-64 only: on other systems the crate is empty.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]
#![expect(clippy::disallowed_methods, reason = "a measuring program acts on the machine")]

pub mod scene;
pub mod spawn;
pub mod trace;
