//! The real client, two versions of it, driven headless against a model on loopback.

mod broken;
mod clients;
mod driver;
mod history;
mod hostile;
mod leaving;
mod modes;
mod plugins;
mod versions;
mod works;
mod world;
