//! The real client, two versions of it, driven headless against a model on loopback.

mod clients;
mod driver;
