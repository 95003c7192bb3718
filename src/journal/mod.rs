//! The audit log and the sessions' authority logs.
