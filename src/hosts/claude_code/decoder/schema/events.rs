//! Which event names which version knows.

use super::super::version::Version;

/// Event names and the first version seen to know them.
const EVENTS: &[(&str, Version)] = &[
    ("PreToolUse", Version(1, 0, 60)),
    ("PostToolUse", Version(1, 0, 60)),
    ("Notification", Version(1, 0, 60)),
    ("UserPromptSubmit", Version(1, 0, 60)),
    ("Stop", Version(1, 0, 60)),
    ("SubagentStop", Version(1, 0, 60)),
    ("PreCompact", Version(1, 0, 60)),
    ("SessionStart", Version(1, 0, 62)),
    ("SessionEnd", Version(1, 0, 85)),
    ("PostToolUseFailure", Version(2, 0, 76)),
    ("SubagentStart", Version(2, 0, 76)),
    ("PermissionRequest", Version(2, 0, 76)),
    ("Setup", Version(2, 1, 10)),
    ("StopFailure", Version(2, 1, 100)),
    ("PostCompact", Version(2, 1, 100)),
    ("PermissionDenied", Version(2, 1, 100)),
    ("TeammateIdle", Version(2, 1, 100)),
    ("TaskCreated", Version(2, 1, 100)),
    ("TaskCompleted", Version(2, 1, 100)),
    ("Elicitation", Version(2, 1, 100)),
    ("ElicitationResult", Version(2, 1, 100)),
    ("ConfigChange", Version(2, 1, 100)),
    ("WorktreeCreate", Version(2, 1, 100)),
    ("WorktreeRemove", Version(2, 1, 100)),
    ("InstructionsLoaded", Version(2, 1, 100)),
    ("CwdChanged", Version(2, 1, 100)),
    ("FileChanged", Version(2, 1, 100)),
    ("PostToolBatch", Version(2, 1, 150)),
    ("UserPromptExpansion", Version(2, 1, 150)),
    ("MessageDisplay", Version(2, 1, 152)),
    ("DirectoryAdded", Version(2, 1, 219)),
    ("PreModelSwitch", Version(2, 1, 290)),
    ("PostModelSwitch", Version(2, 1, 290)),
    ("PreSkillShellCommand", Version(2, 1, 332)),
];

/// Whether a client of this version knows an event; `None` if the version is newer than
/// any measured, for then a new name may be known to it.
#[must_use]
pub fn known(event: &str, version: Version) -> Option<bool> {
    match EVENTS.iter().find(|(name, _)| *name == event) {
        Some((_, since)) => Some(version >= *since),
        None if version > Version::NEWEST_MEASURED => None,
        None => Some(false),
    }
}

#[cfg(test)]
mod tests {
    use super::{EVENTS, Version, known};

    #[test]
    fn as_many_names_as_each_version_knew() {
        let counts = [
            (Version(1, 0, 60), 7),
            (Version(2, 0, 76), 12),
            (Version(2, 1, 20), 13),
            (Version(2, 1, 100), 27),
            (Version(2, 1, 150), 29),
            (Version(2, 1, 197), 30),
            (Version(2, 1, 240), 31),
            (Version(2, 1, 328), 33),
            (Version(2, 1, 332), 34),
        ];
        for (version, count) in counts {
            let known = EVENTS.iter().filter(|(e, _)| known(e, version) == Some(true)).count();
            assert_eq!(known, count, "{version}");
        }
    }

    #[test]
    fn of_newer_clients_nothing_is_claimed() {
        assert_eq!(known("Brandnew", Version(9, 0, 0)), None);
        assert_eq!(known("Brandnew", Version::NEWEST_MEASURED), Some(false));
    }
}
