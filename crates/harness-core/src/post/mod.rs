//! The post-execute stage: listeners that see a result before the model does.

pub mod apply;
pub mod decision;
pub mod document;

pub use decision::{PostAnswer, PostDecision, PostListener, PostRuling};
