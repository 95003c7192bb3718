//! [`Fence`]: what a command may write, as every backend is told it; and the parts of the
//! kernel that hold it.

use std::path::PathBuf;

#[cfg(target_os = "linux")]
pub mod filter;
#[cfg(target_os = "linux")]
pub mod landlock;
#[cfg(target_os = "linux")]
pub mod mounts;
#[cfg(target_os = "linux")]
pub mod powers;
pub mod sockets;

/// What a command may write, and what it may reach. All paths are absolute, canonical and
/// there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fence {
    /// What may be written, with all below; none lies below another.
    pub writable: Vec<PathBuf>,
    /// What may not, though it lies in something writable.
    pub frozen: Vec<PathBuf>,
    /// Folders on the way from something writable to something frozen: nobody may move them
    /// away and put another in their place. Outer ones first.
    pub pinned: Vec<PathBuf>,
    /// Sockets at which somebody outside listens, who could write in the command's stead.
    pub masked: Vec<PathBuf>,
    /// Folders that are shown empty.
    pub emptied: Vec<PathBuf>,
    /// Sockets that are there all the same.
    pub kept: Vec<PathBuf>,
    /// Whether there is a temp of the command's own in the place of the system's.
    pub temp: bool,
    /// What is shown in that temp all the same, to be read.
    pub shown: Vec<PathBuf>,
    /// Whether the network can be reached.
    pub network: bool,
    /// The folder that the command starts in.
    pub cwd: PathBuf,
}

/// Folders in whose place a command gets an empty one of its own.
pub const TEMP: &[&str] = &["/tmp", "/var/tmp"];

/// The version of the kernel's Landlock; 0 where there is none.
#[must_use]
pub fn landlock_version() -> u32 {
    #[cfg(target_os = "linux")]
    return landlock::version();
    #[cfg(not(target_os = "linux"))]
    0
}

/// The version of Landlock from which renames and truncation are held like writing; before
/// it a file outside could be emptied.
pub const LANDLOCK_WHOLE: u32 = 3;
/// The version from which abstract sockets and signals of others are out of reach.
pub const LANDLOCK_SCOPES: u32 = 6;
