//! Bytes in and out.

pub mod document;
pub mod file;
