//! The two knobs, their presets, and how a session's log folds into them.

pub mod apply;
pub mod fold;
pub mod presets;
pub mod value;

pub use apply::{KnobEvent, apply, pin};
pub use fold::{Deployment, Diagnostic, Folded, LoggedEvent, SessionLog, fold};
pub use presets::{CUSTOM, Preset, PresetError, Presets};
pub use value::{ApprovalPolicy, SandboxMode};
