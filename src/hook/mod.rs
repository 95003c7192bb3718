//! One event, stdin to exit code.
