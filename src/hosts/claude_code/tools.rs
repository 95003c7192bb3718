//! The tools whose arguments harness knows how to read.

/// Built-in tools of the clients measured, old names included.
const KNOWN: &[&str] = &[
    "Agent",
    "Artifact",
    "ArtifactCheck",
    "ArtifactComments",
    "ArtifactData",
    "AskUserQuestion",
    "Bash",
    "BashOutput",
    "CronCreate",
    "CronDelete",
    "CronList",
    "DeferredToolPlaceholder",
    "Edit",
    "EndConversation",
    "EnterPlanMode",
    "EnterWorktree",
    "ExitPlanMode",
    "ExitWorktree",
    "Glob",
    "Grep",
    "KillBash",
    "KillShell",
    "LS",
    "LSP",
    "ListAgents",
    "ListMcpResourcesTool",
    "MCPSearch",
    "Monitor",
    "MultiEdit",
    "NotebookEdit",
    "NotebookRead",
    "PowerShell",
    "PushNotification",
    "Read",
    "ReadMcpResourceTool",
    "RemoteTrigger",
    "ReportFindings",
    "ScheduleWakeup",
    "SendMessage",
    "Skill",
    "SlashCommand",
    "Sleep",
    "StructuredOutput",
    "Task",
    "TaskCreate",
    "TaskGet",
    "TaskList",
    "TaskOutput",
    "TaskStop",
    "TaskUpdate",
    "TeamCreate",
    "TeamDelete",
    "TodoRead",
    "TodoWrite",
    "ToolSearch",
    "WebFetch",
    "WebSearch",
    "Workflow",
    "Write",
    // Codex's, and what its patches are taken apart into.
    "apply_patch",
    "delete_file",
];

/// Whether harness knows the tool: a built-in one, or one of an MCP server, whose names
/// say so and whose arguments rules read by their names.
#[must_use]
pub fn known(tool: &str) -> bool {
    KNOWN.binary_search(&tool).is_ok()
        || tool.strip_prefix("mcp__").is_some_and(|rest| {
            rest.split_once("__").is_some_and(|(a, b)| !a.is_empty() && !b.is_empty())
        })
}

/// The built-in tool of nearly this name: another case, or a letter off at the end.
#[must_use]
pub fn spelled_like(tool: &str) -> Option<&'static str> {
    let plain = |name: &str| {
        let name = name.to_ascii_lowercase().replace(['_', '-'], "");
        name.strip_suffix('s').map(str::to_owned).unwrap_or(name)
    };
    let wanted = plain(tool);
    KNOWN.iter().copied().find(|known| *known != tool && plain(known) == wanted)
}

#[cfg(test)]
mod tests {
    use super::{KNOWN, known, spelled_like};

    #[test]
    fn near_names_are_found() {
        assert_eq!(spelled_like("bash"), Some("Bash"));
        assert_eq!(spelled_like("web_fetch"), Some("WebFetch"));
        assert_eq!(spelled_like("Reads"), Some("Read"));
        assert_eq!(spelled_like("Bash"), None);
        assert_eq!(spelled_like("frobnicate"), None);
    }

    #[test]
    fn the_table_is_sorted_for_the_search() {
        assert!(KNOWN.is_sorted());
    }

    #[test]
    fn built_in_and_mcp_tools_are_known() {
        for tool in ["Bash", "Agent", "Write", "mcp__postgres__query", "mcp__plugin_a_b__c"] {
            assert!(known(tool), "{tool}");
        }
        for tool in ["", "bash", "Frobnicate", "mcp__", "mcp__x", "mcp____x", "mcp__x__"] {
            assert!(!known(tool), "{tool}");
        }
    }
}
