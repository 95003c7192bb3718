//! Two logs. The *audit journal* tells what happened, one chained line a record; it
//! shows accidents and edits and never changes a verdict. The *authority log* of a
//! session is what a session's standing folds from; what can't be read of it is folded
//! to the strictest. Its lines are chained the same way.

pub mod asks;
pub mod audit;
pub mod authority;
mod chain;
pub mod hash;
mod lock;
pub mod place;
pub mod probe;
pub mod record;
pub mod redact;
pub mod segments;
pub mod verify;
