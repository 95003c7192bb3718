//! Claude Code: what which version knows, where it reads, and what it makes of answers.

pub mod caps;
pub mod decoder;
pub mod places;
