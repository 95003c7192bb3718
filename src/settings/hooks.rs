//! [`list`]: every hook in a settings text, where it stands, and what a client of a given
//! version does with it.

use super::lines::Lines;
use super::rules;
use super::syntax::{self, Node, SyntaxError};
use crate::hosts::claude_code::caps::Version;
use std::ops::Range;

/// What the client does with a thing in a settings file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    /// It takes part.
    Kept,
    /// It alone is left out, silently.
    EntryDropped,
    /// It takes the whole file with it: hooks, permissions, everything.
    FileDropped,
}

/// Something the client doesn't accept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where, as a path: `hooks.PreToolUse[0].hooks[1].timeout`.
    pub path: String,
    /// 1-based line.
    pub line: usize,
    /// 1-based column, in characters.
    pub column: usize,
    /// What is wrong.
    pub what: String,
    /// What it costs.
    pub fate: Fate,
}

/// One hook in a settings file.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The event's name, as written.
    pub event: String,
    /// Which of the event's groups, from 0.
    pub group: usize,
    /// Which of the group's hooks, from 0.
    pub hook: usize,
    /// The group's matcher; `None` if absent (or not a string: then there's a fault).
    pub matcher: Option<String>,
    /// The hook's fields, in their order.
    pub fields: serde_json::Map<String, serde_json::Value>,
    /// Byte range of the hook in the text.
    pub span: Range<usize>,
    /// 1-based line on which the hook starts.
    pub line: usize,
    /// What the client does with it, faults of its group and file included.
    pub fate: Fate,
    /// The client would not look here: a later key of the same name wins.
    pub shadowed: bool,
}

impl Entry {
    /// A field that is a string.
    #[must_use]
    pub fn text(&self, field: &str) -> Option<&str> {
        self.fields.get(field)?.as_str()
    }

    /// `command`.
    #[must_use]
    pub fn command(&self) -> Option<&str> {
        self.text("command")
    }

    /// `args`, if it is an array of strings.
    #[must_use]
    pub fn args(&self) -> Option<Vec<&str>> {
        self.fields.get("args")?.as_array()?.iter().map(serde_json::Value::as_str).collect()
    }

    /// `timeout` in seconds.
    #[must_use]
    pub fn timeout(&self) -> Option<f64> {
        self.fields.get("timeout")?.as_f64()
    }

    /// `onFailure`.
    #[must_use]
    pub fn on_failure(&self) -> Option<&str> {
        self.text("onFailure")
    }
}

/// What is in a settings text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Listing {
    /// Every hook, in the order written.
    pub entries: Vec<Entry>,
    /// What the client doesn't accept, in the order written.
    pub faults: Vec<Fault>,
}

impl Listing {
    /// The first thing that makes the client ignore the whole file.
    #[must_use]
    pub fn file_dropped(&self) -> Option<&Fault> {
        self.faults.iter().find(|f| f.fate == Fate::FileDropped)
    }
}

/// Lists the hooks of a settings text and says what the client makes of each.
///
/// # Errors
/// The text isn't strict JSON: the client ignores the whole file.
pub fn list(text: &str, client: Version) -> Result<Listing, SyntaxError> {
    let root = syntax::parse(text)?;
    let mut walk = Walk { text, client, lines: Lines::of(text), found: Listing::default() };
    rules::top(&mut walk, &root);
    let members = root.members().unwrap_or_default().iter().zip(rules::lasts(&root));
    for (member, last) in members.filter(|(m, _)| m.key == "hooks") {
        walk.hooks(&member.value, !last);
    }
    let mut found = walk.found;
    if found.file_dropped().is_some() {
        for entry in &mut found.entries {
            entry.fate = Fate::FileDropped;
        }
    }
    Ok(found)
}

/// A walk through a text, gathering.
pub(super) struct Walk<'a> {
    pub(super) text: &'a str,
    pub(super) client: Version,
    lines: Lines<'a>,
    pub(super) found: Listing,
}

impl Walk<'_> {
    /// Notes a fault at a node.
    pub(super) fn fault(&mut self, path: String, at: &Node, what: String, fate: Fate) {
        let (line, column) = self.lines.place(at.span.start);
        self.found.faults.push(Fault { path, line, column, what, fate });
    }

    fn hooks(&mut self, hooks: &Node, shadowed: bool) {
        let members = hooks.members().unwrap_or_default().iter().zip(rules::lasts(hooks));
        for (member, last) in members {
            let shadowed = shadowed || !last;
            rules::event(self, &member.key, &member.value);
            for (number, group) in member.value.elements().unwrap_or_default().iter().enumerate() {
                self.group(&member.key, number, group, shadowed);
            }
        }
    }

    fn group(&mut self, event: &str, number: usize, group: &Node, shadowed: bool) {
        let path = format!("hooks.{event}[{number}]");
        let group_fate = rules::group(self, event, &path, group);
        let matcher = group.get("matcher").and_then(|m| m.value.text()).map(str::to_owned);
        let hooks = group.get("hooks").and_then(|m| m.value.elements()).unwrap_or_default();
        for (index, hook) in hooks.iter().enumerate() {
            let fate = rules::hook(self, event, &format!("{path}.hooks[{index}]"), hook);
            let fields = match hook.to_json(self.text) {
                serde_json::Value::Object(fields) => fields,
                _ => serde_json::Map::new(),
            };
            self.found.entries.push(Entry {
                event: event.to_owned(),
                group: number,
                hook: index,
                matcher: matcher.clone(),
                fields,
                span: hook.span.clone(),
                line: self.lines.place(hook.span.start).0,
                fate: fate.max(group_fate),
                shadowed,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hosts::claude_code::caps::NEWEST_MEASURED;

    fn fate_under(event: &str, hook: &str, client: Version) -> Fate {
        let text = format!("{{\"hooks\":{{\"{event}\":[{{\"hooks\":[{hook}]}}]}}}}");
        list(&text, client).unwrap().entries[0].fate
    }

    #[test]
    fn entries_carry_their_place_and_fields() {
        let text = "{\n \"hooks\": {\"Stop\": [{\"matcher\": \"x\", \"hooks\": [\n  \
                    {\"type\": \"command\", \"command\": \"a\", \"args\": [\"b\"], \"timeout\": 0.3}\n]}]}}";
        let found = list(text, NEWEST_MEASURED).unwrap();
        assert!(found.faults.is_empty(), "{:?}", found.faults);
        let entry = &found.entries[0];
        assert_eq!((entry.event.as_str(), entry.group, entry.hook, entry.line), ("Stop", 0, 0, 3));
        assert_eq!((entry.matcher.as_deref(), entry.command()), (Some("x"), Some("a")));
        assert_eq!((entry.args(), entry.timeout()), (Some(vec!["b"]), Some(0.3)));
        assert_eq!(entry.fate, Fate::Kept);
        assert!(
            text[entry.span.clone()].starts_with("{\"type\"")
                && text[entry.span.clone()].ends_with('}')
        );
    }

    #[test]
    fn malformed_entries_cost_what_was_measured() {
        let v240 = Version::new(2, 1, 240);
        for bad in [
            r#"{"type":"nonsense"}"#,
            r#"{"command":"x"}"#,
            r#"{"type":"command"}"#,
            r#"{"type":"command","command":"x","timeout":"5"}"#,
            r#"{"type":"command","command":"x","timeout":0}"#,
            r#"{"type":"command","command":"x","timeout":-1}"#,
            r#"{"type":"command","command":"x","timeout":null}"#,
            r#"{"type":"command","command":"x","shell":"zsh"}"#,
            r#"{"type":"command","command":"x","onFailure":"deny"}"#,
            r#"{"type":"command","command":"x","once":1}"#,
            r#"{"type":"command","command":"x","args":"y"}"#,
        ] {
            assert_eq!(fate_under("PreToolUse", bad, NEWEST_MEASURED), Fate::FileDropped, "{bad}");
            assert_eq!(fate_under("Stop", bad, NEWEST_MEASURED), Fate::EntryDropped, "{bad}");
            if !bad.contains("onFailure") {
                assert_eq!(fate_under("Stop", bad, v240), Fate::FileDropped, "{bad}");
            }
        }
        let unknown = r#"{"type":"command","command":"","x":1,"timeout":1e9}"#;
        assert_eq!(fate_under("PreToolUse", unknown, NEWEST_MEASURED), Fate::Kept);
    }

    #[test]
    fn groups_events_and_top_keys_have_their_price() {
        let new = NEWEST_MEASURED;
        for text in [
            r#"{"hooks":[]}"#,
            r#"{"disableAllHooks":"true"}"#,
            r#"{"permissions":"x"}"#,
            r#"{"model":5}"#,
            "[]",
            "null",
            r#"{"hooks":{"PreToolUse":[{"matcher":1,"hooks":[]}]}}"#,
            r#"{"hooks":{"PreToolUse":[{"matcher":"x"}]}}"#,
            r#"{"hooks":{"PreToolUse":[{"type":"command","command":"flat"}]}}"#,
        ] {
            assert!(list(text, new).unwrap().file_dropped().is_some(), "{text}");
        }
        for text in [
            r#"{"hooks":null}"#,
            r#"{"hooks":{"Future":[{"hooks":[]}],"Stop":null,"PostToolUse":{}}}"#,
            r#"{"env":{"A":1},"x":0}"#,
        ] {
            assert!(list(text, new).unwrap().file_dropped().is_none(), "{text}");
        }
        let future = r#"{"hooks":{"Future":[]}}"#;
        assert!(list(future, Version::new(2, 1, 100)).unwrap().file_dropped().is_some());
        let bom = "\u{feff}{}";
        assert!(list(bom, Version::new(2, 0, 30)).unwrap().file_dropped().is_some());
        assert!(list(bom, new).unwrap().file_dropped().is_none());
    }

    #[test]
    fn the_last_of_duplicate_keys_is_the_one_the_client_reads() {
        let hook = r#"[{"hooks":[{"type":"command","command":"x"}]}]"#;
        let text = format!("{{\"hooks\":{{\"Stop\":{hook}}},\"hooks\":{{\"Stop\":{hook}}}}}");
        let shadowed: Vec<bool> =
            list(&text, NEWEST_MEASURED).unwrap().entries.iter().map(|e| e.shadowed).collect();
        assert_eq!(shadowed, [true, false]);
    }
}
