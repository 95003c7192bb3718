//! Claude Code.

pub mod decoder;
