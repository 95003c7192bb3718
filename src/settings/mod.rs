//! Surgery on hosts' settings files: text in, text out, every byte that isn't ours kept.

#[cfg(test)]
pub(crate) mod corpus;
pub mod edit;
pub mod hooks;
mod lines;
mod removal;
mod rules;
mod splice;
mod style;
pub mod syntax;
