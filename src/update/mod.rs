//! Replaces the program by a newer release of itself: signed, proven before it takes the old
//! one's place and again after, and taken back by itself where it doesn't prove itself.

pub mod archive;
pub mod fetch;
pub mod managed;
pub mod prove;
pub mod release;
pub mod signed;
pub mod source;
pub mod swap;
pub mod version;

pub use source::Source;
pub use swap::{Swapped, Work};
