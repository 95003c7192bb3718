//! [`Session`]: what the model was told, read off the requests of one run.

use super::drive::Ended;
use super::script::call_id;
use super::server::{Kind, Request};
use serde_json::Value;

/// One run, as the model's side saw it.
#[derive(Clone, Debug)]
pub struct Session {
    /// The session id the client was given.
    pub id: String,
    /// Every request, in order.
    pub requests: Vec<Request>,
    /// How the client's process ended.
    pub ended: Ended,
}

/// A tool's result as the model gets it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolResult {
    /// All of its text.
    pub text: String,
    /// Marked as an error.
    pub is_error: bool,
}

impl Session {
    /// The client's version, as it says it when it starts.
    #[must_use]
    pub fn version(&self) -> Option<String> {
        let lines = self.ended.stdout.lines();
        let opening = lines.filter_map(|l| serde_json::from_str::<Value>(l).ok());
        let mut opening = opening.filter(|l| l["type"] == "system" && l["subtype"] == "init");
        Some(opening.next()?["claude_code_version"].as_str()?.to_owned())
    }

    /// The requests of the conversation; the `n`th follows the `n - 1`th turn.
    pub fn main(&self) -> impl Iterator<Item = &Request> {
        self.requests.iter().filter(|r| r.kind == Kind::Main)
    }

    /// The result of the `n`th call of a turn, if the model was given one.
    #[must_use]
    pub fn result(&self, turn: usize, n: usize) -> Option<ToolResult> {
        let id = call_id(turn, n);
        self.main().find_map(|request| result(&request.body, &id))
    }

    /// What the hooks of an event told the model in the `n`th request of the conversation
    /// and not in the one before, each from its label to the next.
    #[must_use]
    pub fn heard(&self, n: usize, event: &str) -> Vec<String> {
        let of = |n: usize| self.main().nth(n).map(|r| contexts(&r.body, event));
        let mut now = of(n).unwrap_or_default();
        for old in n.checked_sub(1).and_then(of).unwrap_or_default() {
            if let Some(at) = now.iter().position(|text| *text == old) {
                now.remove(at);
            }
        }
        now
    }

    /// Whether an event's hooks told the model this in the `n`th request.
    #[must_use]
    pub fn told(&self, n: usize, event: &str, words: &str) -> bool {
        self.heard(n, event).iter().any(|text| text.contains(words))
    }
}

/// The result with an id, wherever in a request it is.
fn result(body: &Value, id: &str) -> Option<ToolResult> {
    let messages = body["messages"].as_array().into_iter().flatten();
    let mut blocks = messages.filter_map(|m| m["content"].as_array()).flatten();
    let block = blocks.find(|b| b["type"] == "tool_result" && b["tool_use_id"] == id)?;
    let is_error = block["is_error"] == true;
    Some(ToolResult { text: texts(&block["content"]).join("\n"), is_error })
}

/// Texts of a content that is a string or a list of blocks.
fn texts(content: &Value) -> Vec<&str> {
    match content {
        Value::String(text) => vec![text],
        Value::Array(blocks) => blocks.iter().filter_map(|b| b["text"].as_str()).collect(),
        _ => Vec::new(),
    }
}

/// What hooks of an event added to a request. Newer models get it as messages of the
/// system, older ones as reminders in the user's; the words are the same:
/// `SessionStart:startup hook success: …`, `PreToolUse:Bash hook additional context: …`,
/// `PostToolUse:Bash hook blocking error from command: …`.
#[must_use]
pub fn contexts(body: &Value, event: &str) -> Vec<String> {
    let messages = body["messages"].as_array().into_iter().flatten();
    let said = messages.filter(|m| m["role"] != "assistant").flat_map(|m| {
        let system = m["role"] == "system";
        texts(&m["content"])
            .into_iter()
            .filter(move |text| system || text.contains("<system-reminder>"))
    });
    said.flat_map(|text| labels(text).filter(|l| l.event == event).map(move |l| l.says(text)))
        .map(str::to_owned)
        .collect()
}

/// Where a hook's words begin in a text.
struct Label<'a> {
    event: &'a str,
    from: usize,
    to: usize,
}

impl Label<'_> {
    /// From the label's end to the next label, or to the end: the client marks no end, so
    /// what follows the last hook's words may be the client's own.
    fn says<'t>(&self, text: &'t str) -> &'t str {
        let next = labels(text).map(|l| l.from).find(|from| *from > self.to);
        text.get(self.to..next.unwrap_or(text.len())).unwrap_or_default().trim_end()
    }
}

/// The labels in a text: `EVENT hook WORD` and `EVENT:MATCH hook WORD`.
fn labels(text: &str) -> impl Iterator<Item = Label<'_>> {
    const KINDS: [&str; 3] = ["success: ", "additional context: ", "blocking error"];
    text.match_indices(" hook ").filter_map(|(space, label)| {
        let to = space + label.len();
        let rest = text.get(to..)?;
        KINDS.iter().find(|kind| rest.starts_with(**kind))?;
        let from = text.get(..space)?.rfind([' ', '\n']).map_or(0, |gap| gap + 1);
        let event = text.get(from..space)?.split(':').next()?;
        event.starts_with(|c: char| c.is_ascii_uppercase()).then_some(Label { event, from, to })
    })
}

#[cfg(test)]
mod tests {
    use super::{contexts, result};
    use serde_json::json;

    #[test]
    fn context_is_read_in_both_of_its_places() {
        let newer = json!({ "messages": [
            { "role": "user", "content": "go" },
            { "role": "system", "content": "SessionStart:startup hook success: on duty\nmore" },
        ] });
        assert_eq!(contexts(&newer, "SessionStart"), ["success: on duty\nmore"]);
        let reminder = "<system-reminder>\nPreToolUse:Bash hook additional context: mind it\n\
                        </system-reminder>";
        let older = json!({ "messages": [
            { "role": "user", "content": [{ "type": "text", "text": reminder }] },
        ] });
        assert!(contexts(&older, "PreToolUse")[0].contains("mind it"));
        assert!(contexts(&older, "PostToolUse").is_empty());
    }

    #[test]
    fn one_hook_s_words_end_where_the_next_begin() {
        let text = "SessionStart hook additional context: a\nb\n\n\
                    PostToolUse:Bash hook blocking error from command: \"x hook y\": c";
        let body = json!({ "messages": [{ "role": "system", "content": text }] });
        assert_eq!(contexts(&body, "SessionStart"), ["additional context: a\nb"]);
        let after = contexts(&body, "PostToolUse");
        assert_eq!(after, ["blocking error from command: \"x hook y\": c"]);
    }

    #[test]
    fn what_the_person_or_the_model_says_is_no_context() {
        let body = json!({ "messages": [
            { "role": "user", "content": "SessionStart hook additional context: forged" },
            { "role": "assistant", "content": "SessionStart hook additional context: forged" },
        ] });
        assert!(contexts(&body, "SessionStart").is_empty());
    }

    #[test]
    fn a_result_is_found_by_its_call() {
        let body = json!({ "messages": [{ "role": "user", "content": [
            { "type": "tool_result", "tool_use_id": "a", "content": "no", "is_error": true },
            { "type": "tool_result", "tool_use_id": "b",
              "content": [{ "type": "text", "text": "one" }, { "type": "text", "text": "two" }] },
        ] }] });
        let (a, b) = (result(&body, "a").unwrap(), result(&body, "b").unwrap());
        assert!(a.is_error && a.text == "no");
        assert!(!b.is_error && b.text == "one\ntwo");
        assert_eq!(result(&body, "c"), None);
    }
}
