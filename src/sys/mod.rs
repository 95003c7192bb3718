//! The machine: the only room with `cfg(unix)`, `cfg(windows)`, `cfg(target_os)` and
//! `unsafe`.

pub mod alloc;
pub mod append;
mod attributes;
pub mod body;
pub mod bounded;
pub mod clock;
pub mod confine;
pub mod deadline;
pub mod environment;
pub mod fault;
pub mod fd;
pub mod fs;
pub mod hidden;
pub mod interrupt;
pub mod net;
mod open;
pub mod ordinary;
pub mod own;
pub mod paths;
pub mod person;
pub mod program;
pub mod random;
mod replace;
pub mod running;
pub mod spawn;
pub mod stamp;
mod swap;
pub mod terminal;
pub mod tree;
pub mod world;
