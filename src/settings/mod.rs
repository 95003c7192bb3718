//! Surgery on hosts' settings files: text in, text out, every byte that isn't ours kept.

pub mod edit;
pub mod hooks;
mod rules;
mod splice;
mod style;
pub mod syntax;
