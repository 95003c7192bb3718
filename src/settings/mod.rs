//! Surgery on hosts' settings files: text in, text out, every byte that isn't ours kept.

pub mod hooks;
mod rules;
pub mod syntax;
