//! Proves that hooks work, or says which don't and why.

pub mod live;
pub mod report;
