//! Codex's patches: one argument of text → the edits of single files it stands for, so that
//! rules which speak of `Write` and `Edit` speak of a patch too.

use std::borrow::Cow;

use harness_core::{Identity, Json, Text, ToolCall};

use super::facts::MOST_TOUCHES;

/// The tool that takes one.
pub const TOOL: &str = "apply_patch";

/// Argument names under which the text comes.
const KEYS: &[&str] = &["command", "input", "patch"];

/// What opens a file, or gives it another name.
const HEADS: [&str; 4] = [ADD, UPDATE, DELETE, MOVE];
const ADD: &str = "*** Add File:";
const UPDATE: &str = "*** Update File:";
const DELETE: &str = "*** Delete File:";
const MOVE: &str = "*** Move to:";

/// One file of a patch.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Edit {
    Add { path: String, content: String },
    Update { path: String, to: Option<String>, old: String, new: String },
    Delete { path: String },
}

/// The calls that a patch stands for, one a file (two where a file goes); `None` for a call
/// that is no patch, or one of more files than are looked at, which is asked about as a whole.
#[must_use]
pub fn calls(call: &ToolCall<'_>) -> Option<Vec<ToolCall<'static>>> {
    let edits = read(&text(call)?)?;
    if paths(call).len() > MOST_TOUCHES {
        return None;
    }
    let mut calls = Vec::with_capacity(edits.len());
    let mut put = |tool: &'static str, arguments: &[(&'static str, &str)]| {
        calls.push(single(call, tool, arguments));
    };
    for edit in &edits {
        match edit {
            Edit::Add { path, content } => {
                put("Write", &[("file_path", path), ("content", content)]);
            }
            Edit::Update { path, to, old, new } => {
                put("Edit", &[("file_path", path), ("old_string", old), ("new_string", new)]);
                if let Some(to) = to {
                    put("delete_file", &[("file_path", path)]);
                    put("Write", &[("file_path", to), ("content", new)]);
                }
            }
            Edit::Delete { path } => {
                put("delete_file", &[("file_path", path)]);
                put("Write", &[("file_path", path), ("content", "")]);
            }
        }
    }
    Some(calls)
}

/// Whether a patch can be read as edits of files.
#[must_use]
pub fn is_read(call: &ToolCall<'_>) -> bool {
    text(call).and_then(|text| read(&text)).is_some()
}

/// The files that a patch names, readable or not; none for any other call.
#[must_use]
pub fn paths(call: &ToolCall<'_>) -> Vec<String> {
    let Some(text) = text(call) else { return Vec::new() };
    let named = |line| HEADS.iter().find_map(|head| headed(line, head));
    text.lines().filter_map(named).map(str::to_owned).collect()
}

fn text<'c>(call: &'c ToolCall<'_>) -> Option<Cow<'c, str>> {
    let given = |key: &&str| call.input().str_at(key);
    if call.tool() == TOOL { KEYS.iter().find_map(given) } else { None }
}

fn single(
    call: &ToolCall<'_>,
    tool: &'static str,
    arguments: &[(&'static str, &str)],
) -> ToolCall<'static> {
    let of = call.identity();
    let owned = |text: &Cow<'_, str>| Cow::Owned(text.clone().into_owned());
    let identity = Identity {
        session: owned(&of.session),
        call: owned(&of.call),
        agent: of.agent.as_ref().map(owned),
        tool: tool.into(),
        cwd: owned(&of.cwd),
    };
    let string = |text: &str| Json::String(Text::from(text.to_owned()));
    let input = arguments.iter().map(|(key, value)| (Text::from(*key), string(value))).collect();
    ToolCall::seal(identity, Json::Object(input), call.truncated())
}

/// The path behind one of the words that open a file.
fn headed<'l>(line: &'l str, words: &str) -> Option<&'l str> {
    line.trim_start().strip_prefix(words).map(str::trim).filter(|path| !path.is_empty())
}

/// The edits of a patch; `None` if there are none, or a line at the margin says something
/// that is not known.
fn read(text: &str) -> Option<Vec<Edit>> {
    let mut edits: Vec<Edit> = Vec::new();
    let mut begun = false;
    for line in text.lines() {
        if line.trim() == "*** Begin Patch" {
            begun = true;
        } else if let Some(path) = headed(line, ADD) {
            edits.push(Edit::Add { path: path.to_owned(), content: String::new() });
        } else if let Some(path) = headed(line, DELETE) {
            edits.push(Edit::Delete { path: path.to_owned() });
        } else if let Some(path) = headed(line, UPDATE) {
            let (path, old, new) = (path.to_owned(), String::new(), String::new());
            edits.push(Edit::Update { path, to: None, old, new });
        } else if let Some(target) = headed(line, MOVE) {
            let Some(Edit::Update { to, .. }) = edits.last_mut() else { return None };
            *to = Some(target.to_owned());
        } else if line.starts_with("***") {
            let known = ["*** End Patch", "*** End of File"].contains(&line.trim());
            if !known {
                return None;
            }
        } else {
            changed(edits.last_mut(), line);
        }
    }
    (begun && !edits.is_empty()).then_some(edits)
}

/// A line of a file's change.
fn changed(edit: Option<&mut Edit>, line: &str) {
    let push = |text: &mut String, line: &str| {
        text.push_str(line);
        text.push('\n');
    };
    match edit {
        Some(Edit::Add { content, .. }) => {
            if let Some(line) = line.strip_prefix('+') {
                push(content, line);
            }
        }
        Some(Edit::Update { old, new, .. }) => match line.split_at_checked(1) {
            Some(("+", line)) => push(new, line),
            Some(("-", line)) => push(old, line),
            Some((" ", line)) => {
                push(old, line);
                push(new, line);
            }
            _ => {}
        },
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::{Edit, read};

    #[test]
    fn a_patch_is_read_file_by_file() {
        let text = "*** Begin Patch\n*** Add File: a b.txt\n+one\n++two\n*** Update File: c\n*** Move to: d\n@@ fn x\n keep\n-old\n+new\n*** End of File\n*** Delete File: e\n*** End Patch\n";
        let path = |p: &str| p.to_owned();
        let want = vec![
            Edit::Add { path: path("a b.txt"), content: "one\n+two\n".into() },
            Edit::Update {
                path: path("c"),
                to: Some("d".into()),
                old: "keep\nold\n".into(),
                new: "keep\nnew\n".into(),
            },
            Edit::Delete { path: path("e") },
        ];
        assert_eq!(read(text), Some(want));
    }

    #[test]
    fn what_is_no_patch_is_none() {
        for text in [
            "",
            "rm -rf /",
            "*** Begin Patch\n*** End Patch",
            "*** Add File: a\n+x",
            "*** Begin Patch\n*** Rename File: a\n*** End Patch",
            "*** Begin Patch\n*** Move to: b\n*** End Patch",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
