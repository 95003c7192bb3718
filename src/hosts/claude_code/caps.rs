//! What which version of Claude Code knows. Pure tables; every number was measured on
//! real clients from 1.0.60 to 2.1.332.

use crate::hosts::EventName;
use std::fmt;

/// A client's version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    /// Major.
    pub major: u32,
    /// Minor.
    pub minor: u32,
    /// Patch.
    pub patch: u32,
}

impl Version {
    /// `major.minor.patch`.
    #[must_use]
    pub const fn new(major: u32, minor: u32, patch: u32) -> Self {
        Self { major, minor, patch }
    }

    /// Reads `2.1.332` or what `claude --version` prints: `2.1.332 (Claude Code)`.
    /// What follows the third number (`-beta.1`) is not looked at.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let word = text.split_whitespace().next()?;
        let mut parts = word.trim_start_matches('v').splitn(3, '.');
        let major = parts.next()?.parse().ok()?;
        let minor = parts.next()?.parse().ok()?;
        let rest = parts.next()?;
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let patch = rest.get(..digits)?.parse().ok()?;
        Some(Self { major, minor, patch })
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

/// The oldest client harness supports; assumed where no client is found.
pub const OLDEST: Version = Version::new(2, 1, 100);

/// The newest client the tables were measured on.
pub const NEWEST_MEASURED: Version = Version::new(2, 1, 332);

/// `args` starts the program without a shell; below, the bare command runs in a shell.
pub const EXEC_FORM: Version = Version::new(2, 1, 139);

/// `onFailure: "block"` closes the gate when the hook can't answer.
pub const ON_FAILURE: Version = Version::new(2, 1, 295);

/// An unknown event name no longer drops the whole file.
pub const UNKNOWN_EVENT_TOLERATED: Version = Version::new(2, 1, 101);

/// A malformed entry outside the gating events no longer drops the whole file (measured
/// on 2.1.290; not on 2.1.240, so everything between is taken for the stricter).
pub const BAD_ENTRY_TOLERATED: Version = Version::new(2, 1, 290);

/// A settings file may begin with a byte order mark.
pub const BOM_TOLERATED: Version = Version::new(2, 0, 76);

/// `settings.local.json` is read from the root of the git repository.
pub const LOCAL_AT_GIT_ROOT: Version = Version::new(2, 1, 211);

/// The `if` filter is honoured.
pub const IF_FILTER: Version = Version::new(2, 1, 85);

/// `Bash,Write` and `Write | Bash` are lists.
pub const COMMA_MATCHER: Version = Version::new(2, 1, 191);

/// Which version first knew an event. Names harness has no part in are listed too: a
/// name the client doesn't know is a warning at every start or, on old clients, the end
/// of the whole file.
const EVENTS: &[(&str, Version)] = &[
    ("PreToolUse", Version::new(0, 0, 0)),
    ("PostToolUse", Version::new(0, 0, 0)),
    ("Notification", Version::new(0, 0, 0)),
    ("UserPromptSubmit", Version::new(0, 0, 0)),
    ("Stop", Version::new(0, 0, 0)),
    ("SubagentStop", Version::new(0, 0, 0)),
    ("PreCompact", Version::new(0, 0, 0)),
    ("SessionStart", Version::new(1, 0, 62)),
    ("SessionEnd", Version::new(1, 0, 85)),
    ("PostToolUseFailure", Version::new(2, 0, 76)),
    ("SubagentStart", Version::new(2, 0, 76)),
    ("PermissionRequest", Version::new(2, 0, 76)),
    ("Setup", Version::new(2, 1, 10)),
    ("StopFailure", Version::new(2, 1, 100)),
    ("PostCompact", Version::new(2, 1, 100)),
    ("PermissionDenied", Version::new(2, 1, 100)),
    ("TeammateIdle", Version::new(2, 1, 100)),
    ("TaskCreated", Version::new(2, 1, 100)),
    ("TaskCompleted", Version::new(2, 1, 100)),
    ("Elicitation", Version::new(2, 1, 100)),
    ("ElicitationResult", Version::new(2, 1, 100)),
    ("ConfigChange", Version::new(2, 1, 100)),
    ("WorktreeCreate", Version::new(2, 1, 100)),
    ("WorktreeRemove", Version::new(2, 1, 100)),
    ("InstructionsLoaded", Version::new(2, 1, 100)),
    ("CwdChanged", Version::new(2, 1, 100)),
    ("FileChanged", Version::new(2, 1, 100)),
    ("PostToolBatch", Version::new(2, 1, 150)),
    ("UserPromptExpansion", Version::new(2, 1, 150)),
    ("MessageDisplay", Version::new(2, 1, 152)),
    ("DirectoryAdded", Version::new(2, 1, 219)),
    ("PreModelSwitch", Version::new(2, 1, 290)),
    ("PostModelSwitch", Version::new(2, 1, 290)),
    ("PreSkillShellCommand", Version::new(2, 1, 332)),
];

/// Whether the client knows an event of this name.
#[must_use]
pub fn knows_name(event: &str, client: Version) -> bool {
    EVENTS.iter().any(|(name, since)| *name == event && client >= *since)
}

/// The names of all events, of whichever version.
pub fn names() -> impl Iterator<Item = &'static str> {
    EVENTS.iter().map(|(name, _)| *name)
}

/// Whether the client knows an event.
#[must_use]
pub fn knows(event: EventName, client: Version) -> bool {
    knows_name(event.as_str(), client)
}

/// Which version first knew a kind of hook; `None` for a kind no client knows.
#[must_use]
pub fn kind_since(kind: &str) -> Option<Version> {
    match kind {
        "command" => Some(Version::new(0, 0, 0)),
        "prompt" => Some(Version::new(2, 0, 30)),
        "agent" => Some(Version::new(2, 1, 0)),
        "http" => Some(Version::new(2, 1, 63)),
        "mcp_tool" => Some(Version::new(2, 1, 118)),
        _ => None,
    }
}

/// Whether one malformed entry under this event makes the client drop the whole file,
/// permissions included.
#[must_use]
pub fn bad_entry_drops_file(event: &str, client: Version) -> bool {
    client < BAD_ENTRY_TOLERATED || matches!(event, "PreToolUse" | "PermissionRequest")
}

/// Whether `onFailure` changes anything on this event.
#[must_use]
pub fn on_failure_works(event: &str) -> bool {
    !matches!(event, "Stop" | "SubagentStop" | "TaskCompleted" | "TeammateIdle" | "SessionStart")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_as_the_client_prints_them() {
        assert_eq!(Version::parse("2.1.332 (Claude Code)\n"), Some(Version::new(2, 1, 332)));
        assert_eq!(Version::parse("1.0.60"), Some(Version::new(1, 0, 60)));
        assert_eq!(Version::parse("v2.2.0-beta.1"), Some(Version::new(2, 2, 0)));
        for bad in ["", "claude", "2.1", "2.1.x", "-1.0.0", "2..3"] {
            assert_eq!(Version::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn events_appear_when_they_were_measured() {
        let old = Version::new(2, 0, 30);
        assert!(knows(EventName::SessionStart, old) && !knows(EventName::ConfigChange, old));
        for event in EventName::ALL {
            assert!(knows(*event, OLDEST), "{event:?}");
        }
        assert!(!knows_name("PreSkillShellCommand", Version::new(2, 1, 328)));
        assert!(!knows_name("FutureEvent", NEWEST_MEASURED));
    }

    #[test]
    fn a_bad_entry_costs_the_file_where_it_was_measured_to() {
        let new = NEWEST_MEASURED;
        assert!(bad_entry_drops_file("PreToolUse", new) && !bad_entry_drops_file("Stop", new));
        assert!(bad_entry_drops_file("Stop", Version::new(2, 1, 240)));
    }
}
