//! [`Asked`]: which call is meant, from what was typed.

use std::path::Path;

use harness_core::json::{self, Limits};
use harness_core::{Identity, Json, Text, ToolCall};

use super::{Args, Failed};
use crate::cli::out;
use crate::hosts::EventName;
use crate::hosts::claude_code::tools;
use crate::policy::tools::{file_effect, is_shell};
use crate::sys::bounded;

/// The largest event.
const BOUND: u64 = 64 << 20;

/// The bytes a call is made of, and how.
#[derive(Debug)]
pub(super) enum Asked {
    /// A payload as the host sends it.
    Event(Vec<u8>),
    /// A tool and its input, as JSON.
    Tool(String, Vec<u8>),
    /// A tool and the one argument that says it all.
    Plain {
        /// The tool.
        tool: String,
        /// The argument's name.
        key: &'static str,
        /// Its value.
        value: String,
    },
}

impl Asked {
    /// What was typed.
    pub(super) fn of(args: &Args) -> Result<Self, Failed> {
        if let Some(file) = &args.event {
            let bytes = bounded::read(file, BOUND)
                .map_err(|e| Failed::could_not(format!("`{}`: {e}", file.display())))?;
            return Ok(Self::Event(bytes));
        }
        match (&args.tool, &args.input) {
            (Some(tool), Some(input)) => Ok(Self::Tool(tool.clone(), input.clone().into_bytes())),
            (Some(tool), None) => Err(Failed::usage(
                format!("`--tool {tool}` needs `--input`, the tool's input as JSON"),
                example(tool),
            )),
            (None, Some(_)) => Err(Failed::usage(
                "`--input` needs `--tool`, the tool's name",
                example("Bash"),
            )),
            (None, None) => Self::words(&args.words),
        }
    }

    /// `'git push'`, `git push`, `Bash 'git push'`, `Read src/a.rs`.
    fn words(words: &[String]) -> Result<Self, Failed> {
        let said = words.iter().any(|word| !word.trim().is_empty());
        let Some((first, rest)) = words.split_first().filter(|_| said) else {
            return Err(Failed::usage(
                "there is nothing to explain",
                "`harness explain 'git push'`, or `harness explain --last` for the last call of an agent",
            ));
        };
        if !is_tool(first) {
            return Ok(Self::plain("Bash", "command", line(words)));
        }
        match rest {
            [] => Err(Failed::usage(format!("`{first}` is a tool, and its input is missing"), example(first))),
            _ if is_shell(first) => Ok(Self::plain(first, "command", line(rest))),
            [path] if first == "NotebookEdit" => Ok(Self::plain(first, "notebook_path", path.clone())),
            [path] if matches!(first.as_str(), "Glob" | "Grep" | "LS") => {
                Ok(Self::plain(first, "path", path.clone()))
            }
            [path] if file_effect(first).is_some() => {
                Ok(Self::plain(first, "file_path", path.clone()))
            }
            _ => Err(Failed::usage(
                format!("the input of `{first}` is more than a few words"),
                example(first),
            )),
        }
    }

    fn of_line(line: &str) -> Result<Self, Failed> {
        let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        if !is_tool(first) {
            return Self::words(&[line.to_owned()]);
        }
        if rest.starts_with('{') {
            return Ok(Self::Tool(first.to_owned(), rest.as_bytes().to_vec()));
        }
        let words = [first, rest].map(str::to_owned);
        Self::words(if rest.is_empty() { &words[..1] } else { &words })
    }

    fn plain(tool: &str, key: &'static str, value: String) -> Self {
        Self::Plain { tool: tool.to_owned(), key, value }
    }

    /// The call; `moved` if a folder was given that counts for more than an event's own.
    pub(super) fn call(&self, cwd: &Path, moved: bool) -> Result<ToolCall<'_>, Failed> {
        let folder = cwd.to_string_lossy().into_owned();
        match self {
            Self::Event(bytes) => of_event(bytes, moved.then_some(folder.as_str())),
            Self::Tool(tool, input) => {
                let input = parsed(input, || example(tool))?;
                Ok(made(tool.clone(), input, folder))
            }
            Self::Plain { tool, key, value } => {
                let value = Json::String(Text::borrowed(value.as_bytes()));
                Ok(made(tool.clone(), Json::Object(vec![((*key).into(), value)]), folder))
            }
        }
    }

    /// What a person may have meant otherwise.
    pub(super) fn note(&self, call: &ToolCall<'_>) {
        let tool = call.tool();
        if matches!(self, Self::Tool(..)) && !tools::known(tool) {
            let like = tools::spelled_like(tool);
            if let Some(like) = like {
                out::note(format!("note: no client has a tool `{tool}`; did you mean `{like}`?"));
            }
        }
    }
}

/// The tool and input of a line that somebody typed: a command, a tool and its command or
/// path, a tool and its input as JSON.
///
/// # Errors
/// What is wrong, and what to type instead.
pub fn typed(line: &str) -> Result<(String, Json<'static>), (String, Option<String>)> {
    let line = line.trim();
    if line.is_empty() {
        return Err(("there is nothing to decide".to_owned(), None));
    }
    let asked = Asked::of_line(line).map_err(|failed| (failed.what, failed.hint))?;
    let call = asked.call(Path::new("/"), false).map_err(|failed| (failed.what, failed.hint))?;
    Ok((call.tool().to_owned(), call.input().clone().into_owned()))
}

/// Whether a word is a tool's name and no program's.
#[must_use]
pub fn is_tool(word: &str) -> bool {
    let program = word.starts_with(|c: char| c.is_ascii_lowercase()) && !word.starts_with("mcp__");
    tools::known(word) && !program
}

/// Several words are a command's, each as it is: they reached us through a shell.
#[must_use]
pub fn line(words: &[String]) -> String {
    match words {
        [one] => one.clone(),
        _ => words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" "),
    }
}

fn quoted(word: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-_./=:@%+,~".contains(&b);
    // Operators stay what they are: whoever quotes `&&` alone means the operator.
    let operator = matches!(word, "&&" | "||" | ";" | "|" | "&" | ">" | ">>" | "<");
    if operator || (!word.is_empty() && word.bytes().all(plain)) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// What to type for a tool.
fn example(tool: &str) -> String {
    if is_shell(tool) {
        return format!("`harness explain {tool} 'git push'`");
    }
    if file_effect(tool).is_some() {
        return format!("`harness explain {tool} src/main.rs`");
    }
    format!("`harness explain --tool {tool} --input '{{\"key\": \"value\"}}'`")
}

/// A call of no session.
#[must_use]
pub fn made(tool: String, input: Json<'_>, cwd: String) -> ToolCall<'_> {
    let identity = Identity {
        session: "".into(),
        call: "".into(),
        agent: None,
        tool: tool.into(),
        cwd: cwd.into(),
    };
    ToolCall::seal(identity, input, false)
}

fn parsed(bytes: &[u8], hint: impl Fn() -> String) -> Result<Json<'_>, Failed> {
    let doc = json::parse(bytes, Limits::default()).map_err(|e| {
        Failed::usage(format!("the input is not JSON: {e}"), hint())
    })?;
    if doc.duplicate_key.is_some() {
        return Err(Failed::usage("the input has the same key twice", "keep one of them"));
    }
    Ok(doc.value)
}

fn of_event<'b>(bytes: &'b [u8], cwd: Option<&str>) -> Result<ToolCall<'b>, Failed> {
    let value = parsed(bytes, || "an event is what the host sends to a hook, as it is".to_owned())?;
    let text = |key: &str| value.str_at(key).map(std::borrow::Cow::into_owned);
    let name = text("hook_event_name").unwrap_or_default();
    if EventName::parse(&name) != Some(EventName::PreToolUse) {
        return Err(Failed::usage(
            format!("only a PreToolUse event is decided, and this one is `{name}`"),
            "its `hook_event_name` must be `PreToolUse`",
        ));
    }
    let tool = text("tool_name").unwrap_or_default();
    let folder = cwd.map(str::to_owned).or_else(|| text("cwd")).unwrap_or_default();
    let input = value.get("tool_input").cloned().unwrap_or(Json::Null);
    Ok(made(tool, input, folder))
}

#[cfg(test)]
mod tests {
    use super::{Asked, line};

    fn words(words: &[&str]) -> Option<(String, &'static str, String)> {
        let words: Vec<String> = words.iter().map(|w| (*w).to_owned()).collect();
        match Asked::words(&words).ok()? {
            Asked::Plain { tool, key, value } => Some((tool, key, value)),
            _ => None,
        }
    }

    fn is(tool: &str, key: &'static str, value: &str) -> Option<(String, &'static str, String)> {
        Some((tool.to_owned(), key, value.to_owned()))
    }

    #[test]
    fn plain_words() {
        assert_eq!(words(&["git push -f"]), is("Bash", "command", "git push -f"));
        assert_eq!(words(&["git", "push"]), is("Bash", "command", "git push"));
        assert_eq!(words(&["Bash", "git push"]), is("Bash", "command", "git push"));
        assert_eq!(words(&["Bash", "git", "push"]), is("Bash", "command", "git push"));
        assert_eq!(words(&["Read", "a b"]), is("Read", "file_path", "a b"));
        assert_eq!(words(&["Grep", "src"]), is("Grep", "path", "src"));
        for wrong in [&[][..], &["Bash"], &["Task", "x"], &["Read", "a", "b"]] {
            assert_eq!(words(wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn words_stay_words() {
        let words = ["git", "commit", "-m", "a; rm -rf /", "&&", "ls"].map(str::to_owned);
        assert_eq!(line(&words), "git commit -m 'a; rm -rf /' && ls");
    }
}
