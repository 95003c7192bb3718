//! Whether an entry's `matcher` lets it fire.

use super::pattern;
use super::since::Since;
use crate::hosts::claude_code::caps::Version;

/// Whether a handler fires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fires {
    /// It does.
    Yes,
    /// It doesn't.
    No,
    /// The pattern is beyond this model.
    Unsure,
}

/// Whether a matcher fires on a subject: a tool's name, SessionStart's source.
#[must_use]
pub fn fires(matcher: Option<&str>, subject: &str, version: Version) -> Fires {
    let Some(matcher) = matcher.filter(|m| !m.is_empty() && *m != "*") else {
        return Fires::Yes;
    };
    let names = aliases(subject);
    if is_list(matcher, version) {
        let listed = matcher.split(['|', ',']).map(str::trim).any(|m| names.contains(&m));
        return if listed { Fires::Yes } else { Fires::No };
    }
    let answers: Vec<_> = names.iter().map(|n| pattern::found(matcher, n)).collect();
    if answers.contains(&Some(true)) {
        Fires::Yes
    } else if answers.contains(&None) {
        Fires::Unsure
    } else {
        Fires::No
    }
}

/// Whether the matcher of this event is looked at at all.
#[must_use]
pub fn counts(event: &str) -> bool {
    !matches!(
        event,
        "UserPromptSubmit"
            | "Stop"
            | "PostToolBatch"
            | "TaskCreated"
            | "TaskCompleted"
            | "TeammateIdle"
            | "CwdChanged"
            | "WorktreeCreate"
            | "WorktreeRemove"
    )
}

/// Whether the matcher of this event is compared with the names of tools.
#[must_use]
pub fn names_tools(event: &str) -> bool {
    matches!(
        event,
        "PreToolUse"
            | "PostToolUse"
            | "PostToolUseFailure"
            | "PermissionRequest"
            | "PermissionDenied"
    )
}

/// The subagent's tool goes by two names.
fn aliases(subject: &str) -> Vec<&str> {
    match subject {
        "Agent" | "Task" => vec!["Agent", "Task"],
        other => vec![other],
    }
}

/// A list of exact names; anything else is an unanchored pattern.
fn is_list(matcher: &str, version: Version) -> bool {
    matcher.chars().all(|c| {
        c.is_ascii_alphanumeric()
            || matches!(c, '_' | '|')
            || (c == '-' && Since::HyphenMatcher.held_by(version))
            || (matches!(c, ',' | ' ') && Since::CommaMatcher.held_by(version))
    })
}

#[cfg(test)]
mod tests {
    use super::{Fires, fires};
    use crate::hosts::claude_code::caps::{NEWEST_MEASURED, Version};

    const NEW: Version = NEWEST_MEASURED;

    #[test]
    fn matchers_as_measured() {
        let yes = [
            "Bash",
            " Bash ",
            "Write|Bash",
            "Bash|",
            "Bash,Write",
            "Write, Bash",
            "*",
            "",
            ".*",
            "Bas.",
            "Bash.*",
            "^Bash$",
            "(?!Write).*",
        ];
        for m in yes {
            assert_eq!(fires(Some(m), "Bash", NEW), Fires::Yes, "{m:?}");
        }
        assert_eq!(fires(None, "Bash", NEW), Fires::Yes);
        for m in ["bash", "Ba", "Bash(touch *)", "!Bash", "Task", "(", "["] {
            assert_eq!(fires(Some(m), "Bash", NEW), Fires::No, "{m:?}");
        }
        for m in ["Edit", "MultiEdit"] {
            assert_eq!(fires(Some(m), "Write", NEW), Fires::No, "{m:?}");
        }
    }

    #[test]
    fn mcp_names_match_whole_or_by_pattern() {
        let tool = "mcp__rig-srv__echo_it";
        for m in [tool, "mcp__rig-srv__.*", "mcp__rig-srv__*", "mcp__.*", "mcp__*", "^mcp__"] {
            assert_eq!(fires(Some(m), tool, NEW), Fires::Yes, "{m:?}");
        }
        for m in ["mcp__rig-srv", "mcp__", "rig-srv"] {
            assert_eq!(fires(Some(m), tool, NEW), Fires::No, "{m:?}");
        }
    }

    #[test]
    fn the_subagent_tool_has_two_names() {
        for m in ["Agent", "Task", "^Task$"] {
            assert_eq!(fires(Some(m), "Agent", NEW), Fires::Yes, "{m:?}");
        }
        assert_eq!(fires(Some("task"), "Agent", NEW), Fires::No);
    }

    #[test]
    fn lists_with_commas_or_spaces_are_new() {
        for m in ["Bash,Write", "Write | Bash"] {
            assert_eq!(fires(Some(m), "Bash", Version::new(2, 1, 150)), Fires::No, "{m:?}");
            assert_eq!(fires(Some(m), "Bash", Version::new(2, 1, 197)), Fires::Yes, "{m:?}");
        }
    }

    #[test]
    fn sources_of_a_session_match_alike() {
        for m in ["startup|resume", "start.*"] {
            assert_eq!(fires(Some(m), "startup", NEW), Fires::Yes, "{m:?}");
        }
        assert_eq!(fires(Some("Startup"), "startup", NEW), Fires::No);
    }
}
