//! [`Presets`]: named pairs of knob values, in the order declared.

use super::fold::{Deployment, Folded};
use super::value::{ApprovalPolicy, SandboxMode};
use alloc::string::String;
use alloc::vec::Vec;

/// The name of a state that no preset describes. Never a preset's own name.
pub const CUSTOM: &str = "custom";

/// A named pair of knob values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preset {
    /// The name, any text but [`CUSTOM`] and blanks.
    pub name: String,
    /// File effects.
    pub sandbox: SandboxMode,
    /// Asking.
    pub approval: ApprovalPolicy,
    /// A sentence for people.
    pub description: Option<String>,
}

/// Why a preset cannot be declared or chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PresetError {
    /// `custom` is what no preset describes.
    Reserved,
    /// A name without letters.
    Blank,
    /// Declared before.
    Twice(String),
    /// Not declared.
    Unknown {
        /// The name asked for.
        name: String,
        /// All names there are.
        known: Vec<String>,
    },
}

impl core::fmt::Display for PresetError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Reserved => write!(f, "`{CUSTOM}` is reserved for a state no preset describes"),
            Self::Blank => f.write_str("a preset needs a name"),
            Self::Twice(name) => write!(f, "preset `{name}` is declared twice"),
            Self::Unknown { name, known } => {
                write!(f, "no preset `{name}`; there are: {}", known.join(", "))
            }
        }
    }
}

impl core::error::Error for PresetError {}

/// The presets, in declaration order. Names are compared exactly and no name is special
/// but `custom`: `constructor`, `__proto__` or `10` stay where they were declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Presets {
    rows: Vec<Preset>,
}

impl Default for Presets {
    fn default() -> Self {
        let row = |name: &str, sandbox, approval| Preset {
            name: name.into(),
            sandbox,
            approval,
            description: None,
        };
        Self {
            rows: Vec::from([
                row("workspace-write", SandboxMode::WorkspaceWrite, ApprovalPolicy::Ask),
                row("danger-full-access", SandboxMode::DangerFullAccess, ApprovalPolicy::Never),
            ]),
        }
    }
}

impl Presets {
    /// A table of these rows.
    ///
    /// # Errors
    /// For a reserved, blank or repeated name.
    pub fn new(rows: Vec<Preset>) -> Result<Self, PresetError> {
        for (at, row) in rows.iter().enumerate() {
            if row.name == CUSTOM {
                return Err(PresetError::Reserved);
            }
            if row.name.trim().is_empty() {
                return Err(PresetError::Blank);
            }
            if rows.iter().take(at).any(|before| before.name == row.name) {
                return Err(PresetError::Twice(row.name.clone()));
            }
        }
        Ok(Self { rows })
    }

    /// The rows in declaration order.
    #[must_use]
    pub fn rows(&self) -> &[Preset] {
        &self.rows
    }

    /// A row by its exact name.
    ///
    /// # Errors
    /// [`PresetError::Unknown`], which lists all names there are.
    pub fn find(&self, name: &str) -> Result<&Preset, PresetError> {
        self.rows.iter().find(|row| row.name == name).ok_or_else(|| PresetError::Unknown {
            name: name.into(),
            known: self.rows.iter().map(|row| row.name.clone()).collect(),
        })
    }

    /// The name of the state a session is in: the recorded preset if its row still
    /// describes the state, else the first row that does, else [`CUSTOM`]. A state folded
    /// from a value nobody knew is always custom: nobody chose it.
    #[must_use]
    pub fn derive(&self, folded: &Folded, deployment: Deployment) -> &str {
        if folded.doubtful() {
            return CUSTOM;
        }
        let now = folded.effective(deployment);
        let describes = |row: &&Preset| row.sandbox == now.sandbox && row.approval == now.approval;
        let recorded = folded.preset.as_deref();
        self.rows
            .iter()
            .filter(describes)
            .find(|row| Some(row.name.as_str()) == recorded)
            .or_else(|| self.rows.iter().find(describes))
            .map_or(CUSTOM, |row| row.name.as_str())
    }
}
