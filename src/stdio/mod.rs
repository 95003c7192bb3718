//! Bytes in and out.

pub mod document;
