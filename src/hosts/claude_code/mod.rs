//! Claude Code: what which version knows, and where it reads.

pub mod caps;
pub mod places;
