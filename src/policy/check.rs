//! Checks: every rule proves itself by its examples, and a rule that can never match is
//! found.

use std::borrow::Cow;

use harness_core::json::{self, Limits};
use harness_core::{Identity, Json, Text, ToolCall, World};

use super::facts::Facts;
use super::model::{Matcher, Rule};
use super::{Situation, glob, matching, tools};

/// What an example did wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The rule.
    pub rule: String,
    /// Its line; 0 for built-in rules.
    pub line: u32,
    /// What is wrong, for a person.
    pub what: String,
}

/// Every failure of a rule: examples, and conditions that can't hold together.
#[must_use]
pub fn rule(
    rule: &Rule<'_>,
    situation: &Situation<'_>,
    cwd: &str,
    world: &dyn World,
) -> Vec<Failure> {
    let mut out = Vec::new();
    let mut fail = |what: String| {
        out.push(Failure { rule: rule.id.to_owned(), line: rule.line, what });
    };
    if let Some(why) = never(&rule.when) {
        fail(format!("it can never match: {why}"));
    }
    for (examples, wanted) in [(&rule.matches, true), (&rule.passes, false)] {
        for example in examples.iter() {
            let call = call(example, &rule.when, cwd);
            let facts = Facts::of(&call, situation, world);
            let units = facts.units();
            if matching::find(&rule.when, &facts, &units, |_| true).is_some() != wanted {
                let must =
                    if wanted { "must match, and doesn't" } else { "must pass, and matches" };
                fail(format!("the example `{example}` {must}"));
            }
        }
    }
    out
}

/// The call an example stands for: `Tool {…}` with its JSON, else a path for rules about
/// file tools, else a command line for Bash.
#[must_use]
pub fn call<'e>(example: &'e str, when: &Matcher<'_>, cwd: &str) -> ToolCall<'e> {
    let (tool, input) = written_out(example).unwrap_or_else(|| {
        let named = when.tools.iter().find(|t| !glob::is_glob(t)).copied();
        match named.filter(|t| tools::file_effect(t).is_some()) {
            Some(tool) => (tool.to_owned(), argument("file_path", example)),
            None => ("Bash".to_owned(), argument("command", example)),
        }
    });
    let identity = Identity {
        session: "".into(),
        call: "".into(),
        agent: None,
        tool: Cow::Owned(tool),
        cwd: Cow::Owned(cwd.to_owned()),
    };
    ToolCall::seal(identity, input, false)
}

fn argument<'e>(key: &'static str, value: &'e str) -> Json<'e> {
    Json::Object(vec![(Text::from(key), Json::String(Text::from(value)))])
}

fn written_out(example: &str) -> Option<(String, Json<'_>)> {
    let (tool, input) = example.split_once(' ')?;
    let name = tool.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    if !name || !input.starts_with('{') {
        return None;
    }
    let doc = json::parse(input.as_bytes(), Limits::default()).ok()?;
    let whole = input.get(doc.used..)?.trim().is_empty();
    (whole && matches!(doc.value, Json::Object(_))).then(|| (tool.to_owned(), doc.value))
}

/// Why conditions can't hold together, if they can't.
fn never(when: &Matcher<'_>) -> Option<&'static str> {
    let plain = !when.tools.is_empty() && !when.tools.iter().any(|t| glob::is_glob(t));
    let all_files = plain && when.tools.iter().all(|t| tools::file_effect(t).is_some());
    if when.reads_command() && all_files {
        return Some("its tools run no commands");
    }
    let contradictory = when.flags.iter().any(|f| when.without.contains(f));
    contradictory.then_some("the same flag must and must not be given")
}
