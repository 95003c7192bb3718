//! The properties of the core, each test named after its number in the specification.

mod ask;
mod execute;
mod guards;
mod json;
mod knobs;
mod model;
mod observers;
mod post;
mod rig;
mod settlement;
mod stations;
mod strategies;
