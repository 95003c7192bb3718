//! What the client accepts: answers of hooks, names of events, settings files.

pub mod answer;
pub mod events;
pub mod settings;
