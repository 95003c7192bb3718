//! Whether a person or an agent is at the other end.

/// Variables that agents set for what they start.
const MARKS: &[(&str, &str)] = &[
    ("CLAUDECODE", "Claude Code"),
    ("CLAUDE_CODE_ENTRYPOINT", "Claude Code"),
    ("CODEX_SANDBOX", "Codex"),
    ("CODEX_THREAD_ID", "Codex"),
    ("GEMINI_CLI", "Gemini CLI"),
    ("QWEN_CODE", "Qwen Code"),
    ("CURSOR_AGENT", "Cursor"),
    ("GROK_AGENT", "Grok"),
    ("COPILOT_CLI", "Copilot CLI"),
];

/// Names of agents' processes.
const PROCESSES: &[&str] =
    &["claude", "codex", "gemini", "grok", "qwen", "copilot", "cursor-agent", "dsh"];

/// The agent this process runs in, by its marks in the environment and by the processes
/// above; `None` if none is seen. Code of the same user can hide both.
#[must_use]
pub fn agent_above() -> Option<String> {
    let mark = MARKS.iter().find(|(name, _)| std::env::var_os(name).is_some());
    mark.map(|(_, agent)| (*agent).to_owned()).or_else(ancestor)
}

#[cfg(target_os = "linux")]
fn ancestor() -> Option<String> {
    let mut pid = "self".to_owned();
    for _ in 0..64 {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // `pid (name) state parent …`; the name may hold anything but ends with the last `)`.
        let (head, tail) = stat.rsplit_once(')')?;
        let name = head.split_once('(')?.1;
        if PROCESSES.contains(&name) {
            return Some(format!("`{name}` (process {pid})"));
        }
        pid = tail.split_whitespace().nth(1)?.to_owned();
        if pid == "0" {
            return None;
        }
    }
    None
}

#[cfg(not(target_os = "linux"))]
fn ancestor() -> Option<String> {
    let _ = PROCESSES;
    None
}
