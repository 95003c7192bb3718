//! Proves that hooks work, or says which don't and why.

pub mod effective;
pub mod handler;
pub mod live;
pub mod report;
