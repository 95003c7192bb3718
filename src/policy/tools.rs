//! What a tool is by its name: a shell, a file tool, a reader.

use super::patch;
use harness_core::ToolCall;
use harness_shell::{Dialect, EffectKind};
use std::borrow::Cow;

/// Tools that only look, or only talk to the person.
const READERS: &[&str] = &[
    "Read",
    "Glob",
    "Grep",
    "LS",
    "NotebookRead",
    "TodoRead",
    "TodoWrite",
    "BashOutput",
    "TaskOutput",
    "TaskGet",
    "TaskList",
    "AskUserQuestion",
    "EnterPlanMode",
    "ExitPlanMode",
    "ToolSearch",
    "ListMcpResourcesTool",
    "ReadMcpResourceTool",
    "read_file",
    "read_many_files",
    "list_directory",
    "glob",
    "search_file_content",
    "view",
    "list_dir",
    "grep_search",
];

/// Tools that run a command line, with its language.
const SHELLS: &[(&str, Dialect)] = &[
    ("Bash", Dialect::Posix),
    ("Monitor", Dialect::Posix),
    ("PowerShell", Dialect::PowerShell),
    ("Shell", Dialect::Posix),
    ("shell", Dialect::Posix),
    ("bash", Dialect::Posix),
    ("powershell", Dialect::PowerShell),
    ("run_shell_command", Dialect::Posix),
    ("run_terminal_cmd", Dialect::Posix),
];

/// File tools and what they do to the file they name.
const FILES: &[(&str, EffectKind)] = &[
    ("Write", EffectKind::Overwrite),
    ("Edit", EffectKind::Overwrite),
    ("MultiEdit", EffectKind::Overwrite),
    ("NotebookEdit", EffectKind::Overwrite),
    ("write_file", EffectKind::Overwrite),
    ("replace", EffectKind::Overwrite),
    ("create", EffectKind::Create),
    ("edit", EffectKind::Overwrite),
    ("str_replace", EffectKind::Overwrite),
    ("search_replace", EffectKind::Overwrite),
    ("delete_file", EffectKind::Delete),
    (patch::TOOL, EffectKind::Overwrite),
    ("Read", EffectKind::Read),
    ("NotebookRead", EffectKind::Read),
    ("read_file", EffectKind::Read),
    ("view", EffectKind::Read),
    ("Glob", EffectKind::Read),
    ("Grep", EffectKind::Read),
    ("LS", EffectKind::Read),
    ("list_directory", EffectKind::Read),
    ("list_dir", EffectKind::Read),
    ("glob", EffectKind::Read),
    ("search_file_content", EffectKind::Read),
];

/// Argument names under which tools take paths.
const PATH_KEYS: &[&str] = &[
    "file_path",
    "filePath",
    "notebook_path",
    "path",
    "paths",
    "absolute_path",
    "dir",
    "directory",
    "source",
    "destination",
    "target",
    "target_file",
    "file",
    "filename",
    "uri",
    "output",
    "old_path",
    "new_path",
    "from",
    "to",
];

/// Argument names under which unknown tools take command lines.
const COMMAND_KEYS: &[&str] = &["command", "cmd", "script", "commandLine", "command_line"];

/// Whether a tool only looks.
#[must_use]
pub fn reads_only(tool: &str) -> bool {
    READERS.contains(&tool)
}

/// Whether a tool runs command lines.
#[must_use]
pub fn is_shell(tool: &str) -> bool {
    SHELLS.iter().any(|(name, _)| *name == tool)
}

/// What a file tool does to its files; `None` where the name doesn't say.
#[must_use]
pub fn file_effect(tool: &str) -> Option<EffectKind> {
    FILES.iter().find(|(name, _)| *name == tool).map(|(_, kind)| *kind)
}

/// The command line of a call and its language. A tool nobody knows that takes a
/// `command` is read as a shell.
#[must_use]
pub fn command_line<'c>(call: &'c ToolCall<'_>) -> Option<(Cow<'c, str>, Dialect)> {
    let tool = call.tool();
    if let Some((_, dialect)) = SHELLS.iter().find(|(name, _)| *name == tool) {
        return Some((line(call, "command")?, *dialect));
    }
    if reads_only(tool) || file_effect(tool).is_some() {
        return None;
    }
    COMMAND_KEYS.iter().find_map(|key| line(call, key)).map(|text| (text, Dialect::Posix))
}

fn line<'c>(call: &'c ToolCall<'_>, key: &str) -> Option<Cow<'c, str>> {
    use harness_core::Json;
    match call.input().get(key)? {
        Json::String(text) => Some(text.to_str()),
        // An argument vector, as Codex sends it: quoted, so that words stay words.
        Json::Array(items) => {
            let words: Option<Vec<String>> =
                items.iter().map(|i| i.as_str().map(|s| quoted(&s))).collect();
            words.map(|w| Cow::Owned(w.join(" ")))
        }
        _ => None,
    }
}

fn quoted(word: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-_./=:@%+,".contains(&b);
    if !word.is_empty() && word.bytes().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// The paths a call names, for tools that aren't shells.
#[must_use]
pub fn named_paths<'c>(call: &'c ToolCall<'_>) -> Vec<Cow<'c, str>> {
    use harness_core::Json;
    let mut out = Vec::new();
    for key in PATH_KEYS {
        match call.input().get(key) {
            Some(Json::String(text)) => out.push(text.to_str()),
            Some(Json::Array(items)) => out.extend(items.iter().filter_map(Json::as_str)),
            _ => {}
        }
    }
    out.extend(patch::paths(call).into_iter().map(Cow::Owned));
    for path in &mut out {
        if let Some(rest) = path.strip_prefix("file://") {
            *path = Cow::Owned(rest.to_owned());
        }
    }
    out
}

/// The argument without which a file tool of Claude Code does nothing.
const NAMES_BY: &[(&str, &str)] = &[
    ("Write", "file_path"),
    ("Edit", "file_path"),
    ("MultiEdit", "file_path"),
    ("NotebookEdit", "notebook_path"),
    ("Read", "file_path"),
    ("NotebookRead", "notebook_path"),
];

/// Readers that look everywhere where they are told no path.
const SEARCHES: &[&str] =
    &["Glob", "Grep", "LS", "list_directory", "list_dir", "glob", "search_file_content"];

/// The argument that rules read and can't, for it is missing or of another type: no rule can
/// have seen what such a call does. What else is in the input is no matter.
#[must_use]
pub fn unread(call: &ToolCall<'_>) -> Option<&'static str> {
    use harness_core::Json;
    let tool = call.tool();
    let given = |key: &str| call.input().get(key).filter(|value| !matches!(value, Json::Null));
    if is_shell(tool) {
        // A monitor watches either a command or a socket.
        let elsewhere = tool == "Monitor" && given("command").is_none() && given("ws").is_some();
        return (line(call, "command").is_none() && !elsewhere).then_some("command");
    }
    if tool == patch::TOOL {
        return (!patch::is_read(call)).then_some("command");
    }
    file_effect(tool)?;
    let is_read = |value: &Json<'_>| match value {
        Json::String(_) => true,
        Json::Array(items) => items.iter().all(|item| item.as_str().is_some()),
        _ => false,
    };
    if let Some(key) = PATH_KEYS.iter().find(|key| given(key).is_some_and(|v| !is_read(v))) {
        return Some(key);
    }
    match NAMES_BY.iter().find(|(name, _)| *name == tool) {
        Some((_, key)) => call.input().str_at(key).is_none().then_some(*key),
        None => (!SEARCHES.contains(&tool) && named_paths(call).is_empty()).then_some("path"),
    }
}

/// Programs that, without redirections, only read and print.
const READING_PROGRAMS: &[&str] = &[
    "[",
    "arch",
    "base64",
    "basename",
    "bat",
    "cal",
    "cat",
    "cd",
    "cksum",
    "cmp",
    "column",
    "comm",
    "cut",
    "date",
    "df",
    "diff",
    "dirname",
    "du",
    "echo",
    "egrep",
    "exa",
    "expr",
    "eza",
    "false",
    "fd",
    "fgrep",
    "file",
    "find",
    "fold",
    "fmt",
    "free",
    "getconf",
    "getent",
    "grep",
    "groups",
    "head",
    "hexdump",
    "hostname",
    "id",
    "jq",
    "join",
    "less",
    "locale",
    "ls",
    "md5sum",
    "more",
    "nl",
    "nm",
    "nproc",
    "objdump",
    "od",
    "paste",
    "pgrep",
    "popd",
    "printenv",
    "printf",
    "ps",
    "pushd",
    "pwd",
    "readelf",
    "readlink",
    "realpath",
    "rev",
    "rg",
    "seq",
    "sha1sum",
    "sha256sum",
    "sha512sum",
    "shasum",
    "sleep",
    "sort",
    "stat",
    "strings",
    "tac",
    "tail",
    "test",
    "tr",
    "tree",
    "true",
    "tsort",
    "tty",
    "type",
    "uname",
    "uniq",
    "uptime",
    "wc",
    "which",
    "who",
    "whoami",
    "xxd",
    "yq",
    "zcat",
    "Get-ChildItem",
    "Get-Content",
    "Get-Location",
    "Select-String",
    "Test-Path",
    "Get-Item",
    "Write-Output",
    "Write-Host",
    "dir",
    "findstr",
    "where",
];

/// Subcommands of git that only read, or that only write below `.git`'s object store.
const READING_GIT: &[&str] = &[
    "blame",
    "cat-file",
    "describe",
    "diff",
    "grep",
    "log",
    "ls-files",
    "ls-remote",
    "ls-tree",
    "merge-base",
    "name-rev",
    "rev-list",
    "rev-parse",
    "shortlog",
    "show",
    "show-ref",
    "status",
];

/// Whether a program's name alone says that it only reads.
#[must_use]
pub fn reading_program(name: &str) -> bool {
    READING_PROGRAMS.contains(&name)
}

/// Whether a git subcommand only reads.
#[must_use]
pub fn reading_git(subcommand: &str) -> bool {
    READING_GIT.contains(&subcommand)
}

#[cfg(test)]
mod tests {
    use super::unread;
    use harness_core::json::{Limits, parse};
    use harness_core::{Identity, ToolCall};

    fn missing(tool: &'static str, input: &str) -> Option<&'static str> {
        let input = parse(input.as_bytes(), Limits::default()).map(|p| p.value).expect("json");
        let identity = Identity {
            session: "s".into(),
            call: "c".into(),
            agent: None,
            tool: tool.into(),
            cwd: "/".into(),
        };
        unread(&ToolCall::seal(identity, input, false))
    }

    #[test]
    fn what_rules_read_must_be_there_and_of_its_type() {
        for value in [
            "",
            r#""command":7"#,
            r#""command":null"#,
            r#""command":{"a":"ls"}"#,
            r#""command":["ls",7]"#,
            r#""cmd":"ls""#,
        ] {
            for tool in ["Bash", "PowerShell", "Monitor", "shell"] {
                assert_eq!(
                    missing(tool, &format!("{{{value}}}")),
                    Some("command"),
                    "{tool} {value}"
                );
            }
        }
        for tool in ["Write", "Edit", "MultiEdit", "Read"] {
            for value in
                ["", r#""file_path":7"#, r#""file_path":null,"path":"/a""#, r#""path":"/a""#]
            {
                assert_eq!(
                    missing(tool, &format!("{{{value}}}")),
                    Some("file_path"),
                    "{tool} {value}"
                );
            }
            assert_eq!(missing(tool, r#"{"file_path":"/a","path":{}}"#), Some("path"));
        }
        assert_eq!(missing("NotebookEdit", r#"{"file_path":"/a"}"#), Some("notebook_path"));
        assert_eq!(missing("Grep", r#"{"pattern":"a","path":["/a",1]}"#), Some("path"));
        assert_eq!(missing("delete_file", "{}"), Some("path"));
    }

    #[test]
    fn what_no_rule_reads_is_no_matter() {
        for (tool, input) in [
            ("Bash", r#"{"command":"ls","timeout":"soon","new":[{}]}"#),
            ("Bash", r#"{"command":""}"#),
            ("shell", r#"{"command":["ls","-l"]}"#),
            ("Monitor", r#"{"ws":{"url":"wss://x.example"}}"#),
            ("Write", r#"{"file_path":"/a","content":7,"mode":{}}"#),
            ("NotebookEdit", r#"{"notebook_path":"/a","new_source":1}"#),
            ("Grep", r#"{"pattern":"a"}"#),
            ("Glob", r#"{"pattern":"a","path":null}"#),
            ("delete_file", r#"{"target_file":"a"}"#),
            ("WebFetch", "{}"),
            ("Task", "{}"),
            ("mcp__pg__query", r#"{"from":7,"to":{}}"#),
        ] {
            assert_eq!(missing(tool, input), None, "{tool} {input}");
        }
    }
}
