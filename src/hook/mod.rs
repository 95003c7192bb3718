//! One event, stdin to exit code: net, input, decode, decide, encode, journal.

pub mod argv;
pub mod limits;
